import type { SandboxHandle, TransitionRule } from '../../src/node/index.js'
import type { Chance } from './chance.js'
import type { Answer, Client } from './client.js'

/** An id of nothing. */
const NONE = '0f0e0d0c-0b0a-4908-8706-050403020100'

const minute = 60_000

/** The ids of a workspace, as path parameters. */
interface Place extends Readonly<Record<string, string>> {
  readonly workgroupID: string
  readonly workspaceID: string
}

/**
 * The work of a team for some hours: it calls every operation, makes mistakes, and waits for each transition. It
 * tolerates unexpected replies, because services differ.
 */
export class Workload {
  /** The main workspace, and a read-only one. */
  #writer: Place = { workgroupID: NONE, workspaceID: NONE }
  #reader: Place | undefined
  #database = NONE

  constructor(
    private readonly client: Client,
    private readonly chance: Chance,
    /** For failures inside the service. */
    private readonly box: SandboxHandle,
    private readonly region: string,
    private readonly types: readonly string[]
  ) {}

  async run(): Promise<void> {
    const workgroupID = await this.#beginWorkgroup()
    const early = [() => this.#lookAround(), () => this.#listAddresses(workgroupID), () => this.#stray(workgroupID)]
    for (const act of this.chance.shuffle(early)) await act()
    await this.#createWriter(workgroupID)
    await this.#createReader()
    const acts = [
      async () => {
        await this.#pauseAndResume()
        // The minutes of an auto-stop count from when it became Active.
        await this.#stopByItself()
      },
      () => this.#resize(),
      () => this.#manageUsers(),
      () => this.#backUpAndRestore(),
      () => this.#schedule(),
      () => this.#refresh(),
      () => this.#haveBadLuck()
    ]
    for (const act of this.chance.shuffle(acts)) {
      await this.#ensureActive(this.#writer)
      await act()
    }
    await this.#createMore(workgroupID)
    await this.#cleanUp(workgroupID)
  }

  /** Creates the main workgroup. @returns its id */
  async #beginWorkgroup(): Promise<string> {
    const name = this.chance.pick(['payments', 'search', 'Maps & routes', 'größe'])
    await this.client.call('listWorkgroups')
    const body = { cloud_provider_id: `account-${this.chance.whole(100, 999)}`, name, region: this.region }
    const { result } = await this.#createWorkgroup(body)
    const id = result.workgroup_id as string
    await this.client.call('getWorkgroup', { workgroupID: id })
    return id
  }

  async #createWorkgroup(body: { readonly cloud_provider_id: string; readonly name?: string }): Promise<Answer> {
    return this.client.call('createWorkgroup', {}, body, {
      find: async () =>
        listOf(await this.client.call('listWorkgroups')).find((one) =>
          Object.entries(body).every(([name, value]) => one[name] === value)
        )
    })
  }

  /** The metadata and the users of the org. */
  async #lookAround(): Promise<void> {
    const client = this.client
    await client.call('getMetadata')
    const users = listOf(await client.call('listOrgUsers'))
    const { id: userId } = users.at(-1) ?? { id: NONE }
    await client.call('listOrgUsers', {}, undefined, { as: 'key' })
    if (client.isUnlucky) await client.call('listOrgUsers', {}, undefined, { as: 'expired session' })
    await client.call('updateOrgUserRoles', { userId }, { roles: ['workspace-member', 'billing-viewer'] })
    await client.call('updateOrgUserRoles', { userId }, { roles: ['gardener'] })
    await client.call('updateOrgUserRoles', { userId: NONE }, { roles: ['workspace-member'] })
    await client.call('updateOrgUserRoles', { userId: users[0]?.id ?? NONE }, { roles: ['billing-viewer'] })
    await client.call('listOrgUsers')
  }

  /** The allow list. */
  async #listAddresses(workgroupID: string): Promise<void> {
    const client = this.client
    const here = { workgroupID }
    await client.call('listAllowedIPs', here)
    await client.call('getCurrentIP', here)
    const add = (cidr: string, note?: string) =>
      client.call('addAllowedIP', here, note === undefined ? { cidr } : { cidr, note }, {
        find: async () => listOf(await client.call('listAllowedIPs', here)).find((entry) => entry.note === note)
      })
    const office = await add(`203.0.113.${this.chance.whole(64, 127)}/26`, 'office')
    const home = await add(`198.51.100.${this.chance.whole(1, 200)}`, 'home')
    await add('2001:db8:0:0::1/64', 'laboratory')
    await add('198.51.100.0/33')
    await client.call('addAllowedIP', here, { cidr: '203.0.113.65/26', note: 'again' })
    await client.call('enableAllowList', here)
    await client.call('getCurrentIP', here)
    await client.call('enableAllowList', here)
    await client.call('updateAllowedIP', { ...here, id: home.result.id }, { cidr: '198.51.100.0/24', note: 'homes' })
    await client.call('updateAllowedIP', { ...here, id: NONE }, { cidr: '198.51.100.0/24' })
    await client.call('listAllowedIPs', here)
    await client.call('getWorkgroup', here)
    await client.call('disableAllowList', here)
    if (this.chance.happens(0.5)) await client.call('disableAllowList', here)
    await client.call('deleteAllowedIP', { ...here, id: office.result.id })
    await client.call('deleteAllowedIP', { ...here, id: office.result.id })
    await client.call('listAllowedIPs', here)
  }

  /** Requests that no operation accepts. */
  async #stray(workgroupID: string): Promise<void> {
    const client = this.client
    const json = { headers: { 'content-type': 'application/json' } }
    const workgroups = '/controller/v4/v2/workgroups'
    const stray = [
      () => client.call('getWorkgroup', { workgroupID }, undefined, { as: 'nobody' }),
      () => client.call('createWorkgroup', {}, { cloud_provider_id: 'account' }, { as: 'nobody' }),
      () => client.call('getWorkgroup', { workgroupID: NONE }),
      () => client.call('getWorkspace', { workgroupID, workspaceID: NONE }),
      () => client.call('getDatabase', { workgroupID, databaseID: NONE }),
      () => client.call('deleteWorkspace', { workgroupID, workspaceID: NONE }),
      () => client.call('listBackups', { workspaceID: NONE }),
      () => client.call('createWorkgroup', {}, { name: 5, region: 'atlantis-1' }),
      () => client.call('createWorkspace', { workgroupID }, { auto_stop_minutes: '5', workspace_type_name: 'HUGE' }),
      () => client.call('createWorkspace', { workgroupID }, { svc_database_id: NONE }),
      () => client.call('createWorkspace', { workgroupID }, { is_rw: false }),
      () => client.call('updateWorkgroup', { workgroupID }, { workgroup_name: '' }),
      () => client.raw('POST', workgroups, { ...json, body: '{"cloud_provider_id": ' }),
      () => client.raw('POST', workgroups, { headers: { 'content-type': 'text/plain' }, body: 'a workgroup, please' }),
      () => client.raw('GET', '/controller/v4/v2/workgrups'),
      () => client.raw('PATCH', `${workgroups}/${workgroupID}`, { ...json, body: { name: 'other' } }),
      () => client.raw('DELETE', workgroups)
    ]
    for (const send of this.chance.shuffle(stray)) await send()
  }

  /** Creates the main workspace, and makes requests that are refused meanwhile. */
  async #createWriter(workgroupID: string): Promise<void> {
    const client = this.client
    const name = this.chance.pick(['writer', 'main', 'Primary 1'])
    const created = await this.#createWorkspace(workgroupID, { name, workspace_type_name: this.types[0] })
    const place = { workgroupID, workspaceID: created.result.workspace_id as string }
    this.#writer = place
    this.#database = created.result.database_id as string
    const database = { workgroupID, databaseID: this.#database }
    const refused = [
      () => client.call('pauseWorkspace', place),
      () => client.call('resumeWorkspace', place),
      () => client.call('refreshWorkspace', place),
      () => client.call('updateWorkspace', place, { workspace_type_name: this.types[1] }),
      () => client.call('deleteDatabase', database),
      () => client.call('deleteWorkgroup', { workgroupID }),
      () => client.call('createWorkspace', { workgroupID }, { svc_database_id: this.#database, name: 'second' })
    ]
    for (const send of this.chance.shuffle(refused)) await send()
    await this.#untilActive(place)
    await client.call('getDatabase', database)
    await client.call('updateDatabase', database, { svc_database_name: 'orders' })
    await client.call('updateDatabase', database, {})
    await client.call('getDatabase', database)
  }

  async #createReader(): Promise<void> {
    const { workgroupID } = this.#writer
    const body = { svc_database_id: this.#database, is_rw: false, name: 'reader' }
    const created = await this.#createWorkspace(workgroupID, body)
    if (!created.isOk) return
    this.#reader = { workgroupID, workspaceID: created.result.workspace_id as string }
    const unnamed = { svc_database_id: this.#database, is_rw: false }
    const other = await this.client.call('createWorkspace', { workgroupID }, unnamed)
    await this.client.call('getWorkgroup', { workgroupID })
    await this.#untilActive(this.#reader)
    await this.client.call('updateWorkspace', this.#reader, { workspace_type_name: this.types[1] })
    await this.client.call('setBackupSchedule', this.#reader, { schedule: '0 3 * * *' })
    if (other.isOk) await this.#delete({ workgroupID, workspaceID: other.result.workspace_id as string })
  }

  async #createWorkspace(workgroupID: string, body: Readonly<Record<string, unknown>>): Promise<Answer> {
    return this.client.call('createWorkspace', { workgroupID }, body, {
      find: async () => {
        const { result } = await this.client.call('getWorkgroup', { workgroupID })
        return (result?.workspaces as { readonly name: string }[] | undefined)?.find(
          ({ name }) => name === body['name']
        )
      }
    })
  }

  async #pauseAndResume(): Promise<void> {
    const client = this.client
    const place = this.#writer
    await client.call('pauseWorkspace', place)
    await client.call('pauseWorkspace', place)
    await client.call('resumeWorkspace', place)
    await client.call('refreshWorkspace', place)
    await this.#until(place, ['Stopped', 'Idle'])
    await client.call('pauseWorkspace', place)
    await client.call('updateWorkspace', place, {
      workspace_name: 'renamed',
      agent_config: { heartbeat_interval_seconds: 30 }
    })
    await client.call('updateWorkspace', place, { workspace_type_name: this.types[2] })
    const isByUpdate = this.chance.happens(0.3)
    if (isByUpdate) await client.call('updateWorkspace', place, { pause: false })
    else await client.call('resumeWorkspace', place)
    await client.call('resumeWorkspace', place)
    await client.call('pauseWorkspace', place)
    await this.#untilActive(place)
    await client.call('resumeWorkspace', place)
  }

  async #resize(): Promise<void> {
    const client = this.client
    const place = this.#writer
    const types = this.types
    await client.call('updateWorkspace', place, { workspace_type_name: types[3], auto_stop_minutes: 0 })
    await client.call('updateWorkspace', place, { workspace_type_name: types[1] })
    await client.call('pauseWorkspace', place)
    await this.#untilActive(place)
    await client.call('updateWorkspace', place, { enable_ha: true, pause: true })
    await client.call('updateWorkspace', place, { enable_ha: true })
    await this.#untilActive(place)
    await client.call('updateWorkspace', place, {
      addons: [{ addons_id: 'explorer', enable: true }],
      enable_auto_start: false
    })
  }

  async #manageUsers(): Promise<void> {
    const client = this.client
    const place = this.#writer
    await client.call('listDatabaseUsers', place)
    for (const username of ['ben', 'ann', 'eve']) {
      await client.call(
        'createDatabaseUser',
        place,
        { username, password: `secret of ${username}` },
        {
          find: async () =>
            listOf(await client.call('listDatabaseUsers', place)).find((user) => user.username === username)
        }
      )
    }
    await client.call('createDatabaseUser', place, { username: 'ann', password: 'another' })
    await client.call('createDatabaseUser', place, { username: 'tom' })
    await client.call('updateDatabaseUserPassword', place, { username: 'ann', password: 'a new secret' })
    await client.call('updateDatabaseUserPassword', place, { username: 'zoe', password: 'a new secret' })
    await client.call('listDatabaseUsers', place)
    await client.call('deleteDatabaseUser', place, { username: 'ben' })
    await client.call('deleteDatabaseUser', place, { username: 'ben' })
    await client.call('listDatabaseUsers', place)
  }

  /** Waits for scheduled backups, and restores one. */
  async #backUpAndRestore(): Promise<void> {
    const client = this.client
    const place = this.#writer
    const { workspaceID } = place
    await client.call('getBackupSchedule', place)
    await client.call('setBackupSchedule', place, { schedule: 'every day' })
    const every = this.chance.pick([6, 8, 10])
    const schedule = { schedule: `*/${every} * * * *`, max_backup_files: 2 }
    await client.call('setBackupSchedule', place, schedule, { isNamed: this.chance.happens(0.5) })
    await client.call('getBackupSchedule', place)
    await client.call('listBackups', { workspaceID })
    const seen = new Set<string>()
    const read = () => client.call('listBackups', { workspaceID })
    // The third one replaces the oldest.
    for (let count = 1; count <= 3; count++) {
      await this.#pauseUntilBackup(every)
      await client.together([
        { operation: 'listBackups', ids: { workspaceID } },
        { operation: 'getWorkspace', ids: place }
      ])
      await client.poll(read, (answer) =>
        listOf(answer).some(({ id, status }) => !seen.has(id as string) && this.#isEnd('backup', status))
      )
      for (const { id } of listOf(await read())) seen.add(id as string)
      if (count === 1) await this.#removeTooEarly(every)
    }
    const backups = listOf(await read())
    const succeeded = backups.filter(({ status }) => status === client.say('backup', 'Succeeded'))
    await client.call('setBackupSchedule', place, { ...schedule, pause: true })
    await client.call('deleteBackup', place, { backup_id: NONE })
    await client.call('restoreBackup', place, { backup_id: NONE })
    await client.call('getRestoreStatus', { workspaceID, job: NONE })
    await this.#ensureActive(place)
    const chosen = this.chance.pick(succeeded)
    if (chosen !== undefined) await this.#restore(chosen.id as string)
    const last = succeeded.at(-1)
    if (last !== undefined) await client.call('deleteBackup', place, { backup_id: last.id })
    await read()
  }

  async #pauseUntilBackup(every: number): Promise<void> {
    const interval = every * minute
    const next = Math.ceil(this.client.now / interval) * interval
    await this.client.pause(next - this.client.now + this.chance.between(1000, 30_000))
  }

  /** Tries to delete and restore a backup that is running. */
  async #removeTooEarly(every: number): Promise<void> {
    await this.#pauseUntilBackup(every)
    const list = listOf(await this.client.call('listBackups', { workspaceID: this.#writer.workspaceID }))
    const running = list.find(({ status }) => status === this.client.say('backup', 'Running'))
    if (running === undefined) return
    await this.client.call('deleteBackup', this.#writer, { backup_id: running.id })
    await this.client.call('restoreBackup', this.#writer, { backup_id: running.id })
  }

  async #restore(backup: string): Promise<void> {
    const client = this.client
    const place = this.#writer
    const { workspaceID } = place
    const { isOk, result: job } = await client.call('restoreBackup', place, { backup_id: backup })
    await client.call('restoreBackup', place, { backup_id: backup })
    await client.call('pauseWorkspace', place)
    if (isOk)
      await client.poll(
        () => client.call('getRestoreStatus', { workspaceID, job: job as string }),
        ({ result }) => this.#isEnd('restore_job', result?.status)
      )
    await client.call('getWorkspace', place)
    await this.#ensureActive(place)
  }

  #isEnd(kind: 'backup' | 'restore_job', status: unknown): boolean {
    return ['Succeeded', 'Failed'].some((state) => status === this.client.say(kind, state))
  }

  /** Schedules that pause the workspace in a few minutes, and resume it with another size. */
  async #schedule(): Promise<void> {
    const client = this.client
    const place = this.#writer
    const { workspaceID: workspace_id } = place
    const timezone = this.chance.pick(['UTC', 'Europe/Berlin', 'America/New_York'])
    const oneOff = (from: number) => ({ workspace_id, repeat: 'none', timezone, ...localTime(from, timezone) })
    await client.call('getWorkspaceSchedules', place)
    await client.call('updateWorkspaceSchedule', place, { ...oneOff(client.now + 3 * minute), id: 'tonight' })
    const daily = {
      workspace_id,
      repeat: 'daily',
      time: '07:30',
      timezone,
      workspace_type_name: this.types[0]
    }
    await client.call('updateWorkspaceSchedule', place, { ...daily, id: 'morning' }, { isNamed: true })
    await client.call('updateWorkspaceSchedule', place, oneOff(client.now - 30 * minute))
    await client.call('updateWorkspaceSchedule', place, { ...daily, timezone: 'Mars/Olympus' })
    await client.call('getWorkspaceSchedules', place)
    await this.#until(place, ['Stopped', 'Idle'])
    const other = this.types[4]
    const start = { ...oneOff(client.now + 2 * minute), workspace_type_name: other, id: 'start' }
    await client.call('updateWorkspaceSchedule', place, start)
    await client.poll(
      () => client.call('getWorkspace', place),
      ({ result }) => this.#isIn(result, ['Active']) && result.workspace_type?.typeName === other
    )
    await client.call('deleteWorkspaceSchedule', place, { id: 'tonight' })
    await client.call('deleteWorkspaceSchedule', place, { id: 'tonight', workspace_id }, { isNamed: true })
    await client.call('deleteWorkspaceSchedule', place, { id: 'morning', workspace_id })
    await client.call('getWorkspaceSchedules', place)
  }

  /** Auto-stop, which leads to Idle with auto-start. */
  async #stopByItself(): Promise<void> {
    const place = this.#writer
    const minutes = this.chance.whole(4, 8)
    await this.client.call('updateWorkspace', place, { auto_stop_minutes: minutes, enable_auto_start: true })
    await this.#until(place, ['Stopped', 'Idle'])
    await this.client.call('updateWorkspace', place, { auto_stop_minutes: 0, enable_auto_start: false })
    await this.client.call('resumeWorkspace', place)
    await this.#untilActive(place)
  }

  async #refresh(): Promise<void> {
    for (const place of [this.#reader, this.chance.happens(0.5) ? this.#writer : undefined]) {
      if (place === undefined) continue
      await this.#ensureActive(place)
      await this.client.call('refreshWorkspace', place)
      await this.client.call('refreshWorkspace', place)
      await this.#untilRefreshed(place)
    }
  }

  async #untilRefreshed(place: Place): Promise<void> {
    const ends = ['Refreshed', 'Failed'].map((state) => this.client.say('refresh', state))
    await this.client.poll(
      () => this.client.call('getWorkspace', place),
      ({ result }) => result === undefined || ends.includes(result.refresh_status as string)
    )
  }

  async #haveBadLuck(): Promise<void> {
    const client = this.client
    const place = this.#writer
    await this.#fail('workspace.resize', 'No capacity.')
    await client.call('updateWorkspace', place, { workspace_type_name: this.types[5] })
    await this.#until(place, ['Active', 'Failed'])
    await this.#ensureActive(place)
    if (this.chance.happens(0.6)) {
      await this.#fail('workspace.refresh', 'The snapshot was lost.')
      await client.call('refreshWorkspace', place)
      await this.#untilRefreshed(place)
    }
    if (this.chance.happens(0.6)) {
      await this.#fail('workspace.resume')
      await client.call('pauseWorkspace', place)
      await this.#until(place, ['Stopped', 'Idle'])
      await client.call('resumeWorkspace', place)
      await this.#until(place, ['Active', 'Stopped'])
    }
    await this.box.transitions.replace([])
  }

  async #fail(transition: TransitionRule['transition'], reason?: string): Promise<void> {
    const rule: TransitionRule = { transition, outcome: 'fail', times: 1, ...(reason === undefined ? {} : { reason }) }
    await this.box.transitions.replace([rule])
  }

  /** A workspace whose creation fails, and a second workgroup with defaults for everything. */
  async #createMore(workgroupID: string): Promise<void> {
    const client = this.client
    const second = await this.#createWorkgroup({ cloud_provider_id: `account-${this.chance.whole(1000, 9999)}` })
    await this.#fail('workspace.create', 'No capacity.')
    const ids = { workgroupID: second.result.workgroup_id as string }
    const failed = await this.#createWorkspace(workgroupID, { name: 'unlucky', svc_version: '4.1.3' })
    const unlucky = { workgroupID, workspaceID: (failed.result?.workspace_id ?? NONE) as string }
    await this.#until(unlucky, ['Active', 'Failed'])
    await this.box.transitions.replace([])
    const plain = await client.call('createWorkspace', ids, {})
    const another = await this.#createWorkspace(ids.workgroupID, {
      svc_database_id: (plain.result?.database_id ?? NONE) as string,
      is_rw: false,
      name: 'another reader'
    })
    await client.call('listWorkgroups')
    await client.call('resumeWorkspace', unlucky)
    await client.together([
      { operation: 'getWorkspace', ids: unlucky },
      { operation: 'listWorkgroups' },
      { operation: 'getWorkspace', ids: this.#writer }
    ])
    await this.#until(unlucky, ['Active', 'Failed'])
    await this.#delete(unlucky)
    if (another.isOk) await this.#delete({ ...ids, workspaceID: another.result.workspace_id as string })
    if (plain.isOk) {
      const plainID = plain.result.workspace_id as string
      await client.call('getDatabase', { ...ids, databaseID: plain.result.database_id as string })
      await this.#delete({ ...ids, workspaceID: plainID })
    }
    await client.call('updateWorkgroup', ids, { workgroup_name: 'spare' })
    await this.#deleteWorkgroup(ids.workgroupID)
    await client.call('listWorkgroups')
  }

  /** Deletes everything, at first in the wrong order. */
  async #cleanUp(workgroupID: string): Promise<void> {
    await this.client.call('deleteWorkgroup', { workgroupID })
    if (this.#reader !== undefined) await this.#delete(this.#reader)
    await this.#delete(this.#writer)
    await this.client.call('listBackups', { workspaceID: this.#writer.workspaceID })
    await this.#deleteWorkgroup(workgroupID)
    await this.client.call('getWorkgroup', { workgroupID })
    await this.client.call('listWorkgroups')
  }

  /** Deletes a workgroup without workspaces; if that is refused, its databases first. */
  async #deleteWorkgroup(workgroupID: string): Promise<void> {
    const { isOk } = await this.client.call('deleteWorkgroup', { workgroupID })
    if (isOk) return
    const { result } = await this.client.call('getWorkgroup', { workgroupID })
    for (const { database_id: databaseID } of (result?.svc_databases ?? []) as { database_id: string }[])
      await this.client.call('deleteDatabase', { workgroupID, databaseID })
    await this.client.call('deleteWorkgroup', { workgroupID })
  }

  async #delete(place: Place): Promise<void> {
    const client = this.client
    await client.call('deleteWorkspace', place)
    await client.call('updateWorkspace', place, { workspace_name: 'late' })
    if (this.chance.happens(0.5)) await client.call('deleteWorkspace', place)
    const gone = client.say('workspace', 'gone')
    await client.poll(
      () => client.call('getWorkspace', place),
      ({ isOk, result }) => !isOk || result?.status === gone
    )
    await client.call('getWorkspace', place)
  }

  async #ensureActive(place: Place): Promise<void> {
    const { result } = await this.client.call('getWorkspace', place)
    if (this.#isIn(result, ['Active'])) return
    await this.client.call('resumeWorkspace', place)
    await this.#untilActive(place)
  }

  async #untilActive(place: Place): Promise<void> {
    await this.#until(place, ['Active', 'Failed'])
  }

  async #until(place: Place, states: readonly string[]): Promise<void> {
    await this.client.poll(
      () => this.client.call('getWorkspace', place),
      ({ isOk, result }) => !isOk || this.#isIn(result, states)
    )
  }

  #isIn(workspace: { readonly status?: unknown } | undefined, states: readonly string[]): boolean {
    return states.some((state) => workspace?.status === this.client.say('workspace', state))
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- see Answer
function listOf({ result }: Answer): any[] {
  return Array.isArray(result) ? result : []
}

function localTime(moment: number, timeZone: string): { readonly date: string; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' })
  const [date, time] = parts.format(moment).split(', ') as [string, string]
  return { date, time }
}
