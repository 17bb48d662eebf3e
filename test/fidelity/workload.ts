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
export async function work(
  { call, together, raw, poll, pause, say, now, isUnlucky }: Client,
  chance: Chance,
  /** For failures inside the service. */
  box: SandboxHandle,
  region: string,
  types: readonly string[]
): Promise<void> {
  /** The main workspace, and a read-only one. */
  let writer: Place = { workgroupID: NONE, workspaceID: NONE }
  let reader: Place | undefined
  let database = NONE
  const workgroupID = await beginWorkgroup()
  const early = [lookAround, () => listAddresses(workgroupID), () => stray(workgroupID)]
  for (const act of chance.shuffle(early)) await act()
  await createWriter(workgroupID)
  await createReader()
  const acts = [
    async () => {
      await pauseAndResume()
      // The minutes of an auto-stop count from when it became Active.
      await stopByItself()
    },
    resize,
    manageUsers,
    backUpAndRestore,
    schedule,
    refresh,
    haveBadLuck
  ]
  for (const act of chance.shuffle(acts)) {
    await ensureActive(writer)
    await act()
  }
  await createMore(workgroupID)
  await cleanUp(workgroupID)

  /** Creates the main workgroup. @returns its id */
  async function beginWorkgroup(): Promise<string> {
    const name = chance.pick(['payments', 'search', 'Maps & routes', 'größe'])
    await call('listWorkgroups')
    const body = { cloud_provider_id: `account-${chance.whole(100, 999)}`, name, region }
    const { result } = await createWorkgroup(body)
    const id = result.workgroup_id as string
    await call('getWorkgroup', { workgroupID: id })
    return id
  }

  async function createWorkgroup(body: {
    readonly cloud_provider_id: string
    readonly name?: string
  }): Promise<Answer> {
    return call('createWorkgroup', {}, body, {
      find: async () =>
        listOf(await call('listWorkgroups')).find((one) =>
          Object.entries(body).every(([name, value]) => one[name] === value)
        )
    })
  }

  /** The metadata and the users of the org. */
  async function lookAround(): Promise<void> {
    await call('getMetadata')
    const users = listOf(await call('listOrgUsers'))
    const { id: userId } = users.at(-1) ?? { id: NONE }
    await call('listOrgUsers', {}, undefined, { as: 'key' })
    if (isUnlucky) await call('listOrgUsers', {}, undefined, { as: 'expired session' })
    await call('updateOrgUserRoles', { userId }, { roles: ['workspace-member', 'billing-viewer'] })
    await call('updateOrgUserRoles', { userId }, { roles: ['gardener'] })
    await call('updateOrgUserRoles', { userId: NONE }, { roles: ['workspace-member'] })
    await call('updateOrgUserRoles', { userId: users[0]?.id ?? NONE }, { roles: ['billing-viewer'] })
    await call('listOrgUsers')
  }

  /** The allow list. */
  async function listAddresses(workgroupID: string): Promise<void> {
    const here = { workgroupID }
    await call('listAllowedIPs', here)
    await call('getCurrentIP', here)
    const add = (cidr: string, note?: string) =>
      call('addAllowedIP', here, note === undefined ? { cidr } : { cidr, note }, {
        find: async () => listOf(await call('listAllowedIPs', here)).find((entry) => entry.note === note)
      })
    const office = await add(`203.0.113.${chance.whole(64, 127)}/26`, 'office')
    const home = await add(`198.51.100.${chance.whole(1, 200)}`, 'home')
    await add('2001:db8:0:0::1/64', 'laboratory')
    await add('198.51.100.0/33')
    await call('addAllowedIP', here, { cidr: '203.0.113.65/26', note: 'again' })
    await call('enableAllowList', here)
    await call('getCurrentIP', here)
    await call('enableAllowList', here)
    await call('updateAllowedIP', { ...here, id: home.result.id }, { cidr: '198.51.100.0/24', note: 'homes' })
    await call('updateAllowedIP', { ...here, id: NONE }, { cidr: '198.51.100.0/24' })
    await call('listAllowedIPs', here)
    await call('getWorkgroup', here)
    await call('disableAllowList', here)
    if (chance.happens(0.5)) await call('disableAllowList', here)
    await call('deleteAllowedIP', { ...here, id: office.result.id })
    await call('deleteAllowedIP', { ...here, id: office.result.id })
    await call('listAllowedIPs', here)
  }

  /** Requests that no operation accepts. */
  async function stray(workgroupID: string): Promise<void> {
    const json = { requestHeaders: { 'content-type': 'application/json' } }
    const workgroups = '/controller/v4/v2/workgroups'
    const stray = [
      () => call('getWorkgroup', { workgroupID }, undefined, { as: 'nobody' }),
      () => call('createWorkgroup', {}, { cloud_provider_id: 'account' }, { as: 'nobody' }),
      () => call('getWorkgroup', { workgroupID: NONE }),
      () => call('getWorkspace', { workgroupID, workspaceID: NONE }),
      () => call('getDatabase', { workgroupID, databaseID: NONE }),
      () => call('deleteWorkspace', { workgroupID, workspaceID: NONE }),
      () => call('listBackups', { workspaceID: NONE }),
      () => call('createWorkgroup', {}, { name: 5, region: 'atlantis-1' }),
      () => call('createWorkspace', { workgroupID }, { auto_stop_minutes: '5', workspace_type_name: 'HUGE' }),
      () => call('createWorkspace', { workgroupID }, { svc_database_id: NONE }),
      () => call('createWorkspace', { workgroupID }, { is_rw: false }),
      () => call('updateWorkgroup', { workgroupID }, { workgroup_name: '' }),
      () => raw('POST', workgroups, { ...json, requestBody: '{"cloud_provider_id": ' }),
      () =>
        raw('POST', workgroups, {
          requestHeaders: { 'content-type': 'text/plain' },
          requestBody: 'a workgroup, please'
        }),
      () => raw('GET', '/controller/v4/v2/workgrups'),
      () => raw('PATCH', `${workgroups}/${workgroupID}`, { ...json, requestBody: { name: 'other' } }),
      () => raw('DELETE', workgroups)
    ]
    for (const send of chance.shuffle(stray)) await send()
  }

  /** Creates the main workspace, and makes requests that are refused meanwhile. */
  async function createWriter(workgroupID: string): Promise<void> {
    const name = chance.pick(['writer', 'main', 'Primary 1'])
    const created = await createWorkspace(workgroupID, { name, workspace_type_name: types[0] })
    writer = { workgroupID, workspaceID: created.result.workspace_id as string }
    database = created.result.database_id as string
    const ids = { workgroupID, databaseID: database }
    const refused = [
      () => call('pauseWorkspace', writer),
      () => call('resumeWorkspace', writer),
      () => call('refreshWorkspace', writer),
      () => call('updateWorkspace', writer, { workspace_type_name: types[1] }),
      () => call('deleteDatabase', ids),
      () => call('deleteWorkgroup', { workgroupID }),
      () => call('createWorkspace', { workgroupID }, { svc_database_id: database, name: 'second' })
    ]
    for (const send of chance.shuffle(refused)) await send()
    await untilActive(writer)
    await call('getDatabase', ids)
    await call('updateDatabase', ids, { svc_database_name: 'orders' })
    await call('updateDatabase', ids, {})
    await call('getDatabase', ids)
  }

  async function createReader(): Promise<void> {
    const { workgroupID } = writer
    const body = { svc_database_id: database, is_rw: false, name: 'reader' }
    const created = await createWorkspace(workgroupID, body)
    if (!created.isOk) return
    reader = { workgroupID, workspaceID: created.result.workspace_id as string }
    const unnamed = { svc_database_id: database, is_rw: false }
    const other = await call('createWorkspace', { workgroupID }, unnamed)
    await call('getWorkgroup', { workgroupID })
    await untilActive(reader)
    await call('updateWorkspace', reader, { workspace_type_name: types[1] })
    await call('setBackupSchedule', reader, { schedule: '0 3 * * *' })
    if (other.isOk) await remove({ workgroupID, workspaceID: other.result.workspace_id as string })
  }

  async function createWorkspace(workgroupID: string, body: Readonly<Record<string, unknown>>): Promise<Answer> {
    return call('createWorkspace', { workgroupID }, body, {
      find: async () => {
        const { result } = await call('getWorkgroup', { workgroupID })
        return (result?.workspaces as { readonly name: string }[] | undefined)?.find(
          ({ name }) => name === body['name']
        )
      }
    })
  }

  async function pauseAndResume(): Promise<void> {
    await call('pauseWorkspace', writer)
    await call('pauseWorkspace', writer)
    await call('resumeWorkspace', writer)
    await call('refreshWorkspace', writer)
    await until(writer, ['Stopped', 'Idle'])
    await call('pauseWorkspace', writer)
    await call('updateWorkspace', writer, {
      workspace_name: 'renamed',
      agent_config: { heartbeat_interval_seconds: 30 }
    })
    await call('updateWorkspace', writer, { workspace_type_name: types[2] })
    const isByUpdate = chance.happens(0.3)
    if (isByUpdate) await call('updateWorkspace', writer, { pause: false })
    else await call('resumeWorkspace', writer)
    await call('resumeWorkspace', writer)
    await call('pauseWorkspace', writer)
    await untilActive(writer)
    await call('resumeWorkspace', writer)
  }

  async function resize(): Promise<void> {
    await call('updateWorkspace', writer, { workspace_type_name: types[3], auto_stop_minutes: 0 })
    await call('updateWorkspace', writer, { workspace_type_name: types[1] })
    await call('pauseWorkspace', writer)
    await untilActive(writer)
    await call('updateWorkspace', writer, { enable_ha: true, pause: true })
    await call('updateWorkspace', writer, { enable_ha: true })
    await untilActive(writer)
    await call('updateWorkspace', writer, {
      addons: [{ addons_id: 'explorer', enable: true }],
      enable_auto_start: false
    })
  }

  async function manageUsers(): Promise<void> {
    await call('listDatabaseUsers', writer)
    for (const username of ['ben', 'ann', 'eve'])
      await call(
        'createDatabaseUser',
        writer,
        { username, password: `secret of ${username}` },
        {
          find: async () => listOf(await call('listDatabaseUsers', writer)).find((user) => user.username === username)
        }
      )
    await call('createDatabaseUser', writer, { username: 'ann', password: 'another' })
    await call('createDatabaseUser', writer, { username: 'tom' })
    await call('updateDatabaseUserPassword', writer, { username: 'ann', password: 'a new secret' })
    await call('updateDatabaseUserPassword', writer, { username: 'zoe', password: 'a new secret' })
    await call('listDatabaseUsers', writer)
    await call('deleteDatabaseUser', writer, { username: 'ben' })
    await call('deleteDatabaseUser', writer, { username: 'ben' })
    await call('listDatabaseUsers', writer)
  }

  /** Waits for scheduled backups, and restores one. */
  async function backUpAndRestore(): Promise<void> {
    const { workspaceID } = writer
    await call('getBackupSchedule', writer)
    await call('setBackupSchedule', writer, { schedule: 'every day' })
    const every = chance.pick([6, 8, 10])
    const schedule = { schedule: `*/${every} * * * *`, max_backup_files: 2 }
    await call('setBackupSchedule', writer, schedule, { isNamed: chance.happens(0.5) })
    await call('getBackupSchedule', writer)
    await call('listBackups', { workspaceID })
    const seen = new Set<string>()
    const read = () => call('listBackups', { workspaceID })
    // The third one replaces the oldest.
    for (let count = 1; count <= 3; count++) {
      await pauseUntilBackup(every)
      await together([
        { operation: 'listBackups', ids: { workspaceID } },
        { operation: 'getWorkspace', ids: writer }
      ])
      await poll(read, (answer) =>
        listOf(answer).some(({ id, status }) => !seen.has(id as string) && isEnd('backup', status))
      )
      for (const { id } of listOf(await read())) seen.add(id as string)
      if (count === 1) await removeTooEarly(every)
    }
    const backups = listOf(await read())
    const succeeded = backups.filter(({ status }) => status === say('backup', 'Succeeded'))
    await call('setBackupSchedule', writer, { ...schedule, pause: true })
    await call('deleteBackup', writer, { backup_id: NONE })
    await call('restoreBackup', writer, { backup_id: NONE })
    await call('getRestoreStatus', { workspaceID, job: NONE })
    await ensureActive(writer)
    const chosen = chance.pick(succeeded)
    if (chosen !== undefined) await restore(chosen.id as string)
    const last = succeeded.at(-1)
    if (last !== undefined) await call('deleteBackup', writer, { backup_id: last.id })
    await read()
  }

  async function pauseUntilBackup(every: number): Promise<void> {
    const interval = every * minute
    const next = Math.ceil(now() / interval) * interval
    await pause(next - now() + chance.between(1000, 30_000))
  }

  /** Tries to delete and restore a backup that is running. */
  async function removeTooEarly(every: number): Promise<void> {
    await pauseUntilBackup(every)
    const list = listOf(await call('listBackups', { workspaceID: writer.workspaceID }))
    const running = list.find(({ status }) => status === say('backup', 'Running'))
    if (running === undefined) return
    await call('deleteBackup', writer, { backup_id: running.id })
    await call('restoreBackup', writer, { backup_id: running.id })
  }

  async function restore(backup: string): Promise<void> {
    const { workspaceID } = writer
    const { isOk, result: job } = await call('restoreBackup', writer, { backup_id: backup })
    await call('restoreBackup', writer, { backup_id: backup })
    await call('pauseWorkspace', writer)
    if (isOk)
      await poll(
        () => call('getRestoreStatus', { workspaceID, job: job as string }),
        ({ result }) => isEnd('restore_job', result?.status)
      )
    await call('getWorkspace', writer)
    await ensureActive(writer)
  }

  function isEnd(kind: 'backup' | 'restore_job', status: unknown): boolean {
    return ['Succeeded', 'Failed'].some((state) => status === say(kind, state))
  }

  /** Schedules that pause the workspace in a few minutes, and resume it with another size. */
  async function schedule(): Promise<void> {
    const { workspaceID: workspace_id } = writer
    const timezone = chance.pick(['UTC', 'Europe/Berlin', 'America/New_York'])
    const oneOff = (from: number) => ({ workspace_id, repeat: 'none', timezone, ...localTime(from, timezone) })
    await call('getWorkspaceSchedules', writer)
    await call('updateWorkspaceSchedule', writer, { ...oneOff(now() + 3 * minute), id: 'tonight' })
    const daily = {
      workspace_id,
      repeat: 'daily',
      time: '07:30',
      timezone,
      workspace_type_name: types[0]
    }
    await call('updateWorkspaceSchedule', writer, { ...daily, id: 'morning' }, { isNamed: true })
    await call('updateWorkspaceSchedule', writer, oneOff(now() - 30 * minute))
    await call('updateWorkspaceSchedule', writer, { ...daily, timezone: 'Mars/Olympus' })
    await call('getWorkspaceSchedules', writer)
    await until(writer, ['Stopped', 'Idle'])
    const other = types[4]
    const start = { ...oneOff(now() + 2 * minute), workspace_type_name: other, id: 'start' }
    await call('updateWorkspaceSchedule', writer, start)
    await poll(
      () => call('getWorkspace', writer),
      ({ result }) => isIn(result, ['Active']) && result.workspace_type?.typeName === other
    )
    await call('deleteWorkspaceSchedule', writer, { id: 'tonight' })
    await call('deleteWorkspaceSchedule', writer, { id: 'tonight', workspace_id }, { isNamed: true })
    await call('deleteWorkspaceSchedule', writer, { id: 'morning', workspace_id })
    await call('getWorkspaceSchedules', writer)
  }

  /** Auto-stop, which leads to Idle with auto-start. */
  async function stopByItself(): Promise<void> {
    const minutes = chance.whole(4, 8)
    await call('updateWorkspace', writer, { auto_stop_minutes: minutes, enable_auto_start: true })
    await until(writer, ['Stopped', 'Idle'])
    await call('updateWorkspace', writer, { auto_stop_minutes: 0, enable_auto_start: false })
    await call('resumeWorkspace', writer)
    await untilActive(writer)
  }

  async function refresh(): Promise<void> {
    for (const place of [reader, chance.happens(0.5) ? writer : undefined]) {
      if (place === undefined) continue
      await ensureActive(place)
      await call('refreshWorkspace', place)
      await call('refreshWorkspace', place)
      await untilRefreshed(place)
    }
  }

  async function untilRefreshed(place: Place): Promise<void> {
    const ends = ['Refreshed', 'Failed'].map((state) => say('refresh', state))
    await poll(
      () => call('getWorkspace', place),
      ({ result }) => result === undefined || ends.includes(result.refresh_status as string)
    )
  }

  async function haveBadLuck(): Promise<void> {
    await fail('workspace.resize', 'No capacity.')
    await call('updateWorkspace', writer, { workspace_type_name: types[5] })
    await until(writer, ['Active', 'Failed'])
    await ensureActive(writer)
    if (chance.happens(0.6)) {
      await fail('workspace.refresh', 'The snapshot was lost.')
      await call('refreshWorkspace', writer)
      await untilRefreshed(writer)
    }
    if (chance.happens(0.6)) {
      await fail('workspace.resume')
      await call('pauseWorkspace', writer)
      await until(writer, ['Stopped', 'Idle'])
      await call('resumeWorkspace', writer)
      await until(writer, ['Active', 'Stopped'])
    }
    await box.transitions.replace([])
  }

  async function fail(transition: TransitionRule['transition'], reason?: string): Promise<void> {
    const rule: TransitionRule = { transition, outcome: 'fail', times: 1, ...(reason === undefined ? {} : { reason }) }
    await box.transitions.replace([rule])
  }

  /** A workspace whose creation fails, and a second workgroup with defaults for everything. */
  async function createMore(workgroupID: string): Promise<void> {
    const second = await createWorkgroup({ cloud_provider_id: `account-${chance.whole(1000, 9999)}` })
    await fail('workspace.create', 'No capacity.')
    const ids = { workgroupID: second.result.workgroup_id as string }
    const failed = await createWorkspace(workgroupID, { name: 'unlucky', svc_version: '4.1.3' })
    const unlucky = { workgroupID, workspaceID: (failed.result?.workspace_id ?? NONE) as string }
    await until(unlucky, ['Active', 'Failed'])
    await box.transitions.replace([])
    const plain = await call('createWorkspace', ids, {})
    const another = await createWorkspace(ids.workgroupID, {
      svc_database_id: (plain.result?.database_id ?? NONE) as string,
      is_rw: false,
      name: 'another reader'
    })
    await call('listWorkgroups')
    await call('resumeWorkspace', unlucky)
    await together([
      { operation: 'getWorkspace', ids: unlucky },
      { operation: 'listWorkgroups' },
      { operation: 'getWorkspace', ids: writer }
    ])
    await until(unlucky, ['Active', 'Failed'])
    await remove(unlucky)
    if (another.isOk) await remove({ ...ids, workspaceID: another.result.workspace_id as string })
    if (plain.isOk) {
      const plainID = plain.result.workspace_id as string
      await call('getDatabase', { ...ids, databaseID: plain.result.database_id as string })
      await remove({ ...ids, workspaceID: plainID })
    }
    await call('updateWorkgroup', ids, { workgroup_name: 'spare' })
    await deleteWorkgroup(ids.workgroupID)
    await call('listWorkgroups')
  }

  /** Deletes everything, at first in the wrong order. */
  async function cleanUp(workgroupID: string): Promise<void> {
    await call('deleteWorkgroup', { workgroupID })
    if (reader !== undefined) await remove(reader)
    await remove(writer)
    await call('listBackups', { workspaceID: writer.workspaceID })
    await deleteWorkgroup(workgroupID)
    await call('getWorkgroup', { workgroupID })
    await call('listWorkgroups')
  }

  /** Deletes a workgroup without workspaces; if that is refused, its databases first. */
  async function deleteWorkgroup(workgroupID: string): Promise<void> {
    const { isOk } = await call('deleteWorkgroup', { workgroupID })
    if (isOk) return
    const { result } = await call('getWorkgroup', { workgroupID })
    for (const { database_id: databaseID } of (result?.svc_databases ?? []) as { database_id: string }[])
      await call('deleteDatabase', { workgroupID, databaseID })
    await call('deleteWorkgroup', { workgroupID })
  }

  async function remove(place: Place): Promise<void> {
    await call('deleteWorkspace', place)
    await call('updateWorkspace', place, { workspace_name: 'late' })
    if (chance.happens(0.5)) await call('deleteWorkspace', place)
    const gone = say('workspace', 'gone')
    await poll(
      () => call('getWorkspace', place),
      ({ isOk, result }) => !isOk || result?.status === gone
    )
    await call('getWorkspace', place)
  }

  async function ensureActive(place: Place): Promise<void> {
    const { result } = await call('getWorkspace', place)
    if (isIn(result, ['Active'])) return
    await call('resumeWorkspace', place)
    await untilActive(place)
  }

  async function untilActive(place: Place): Promise<void> {
    await until(place, ['Active', 'Failed'])
  }

  async function until(place: Place, states: readonly string[]): Promise<void> {
    await poll(
      () => call('getWorkspace', place),
      ({ isOk, result }) => !isOk || isIn(result, states)
    )
  }

  function isIn(workspace: { readonly status?: unknown } | undefined, states: readonly string[]): boolean {
    return states.some((state) => workspace?.status === say('workspace', state))
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
