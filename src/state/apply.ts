import { faultRecords } from '../sandboxes/fault-rule.js'
import { toRuleRecord } from '../sim/rule-document.js'
import { canonicalBlock } from '../lib/ip.js'
import { CALLER, DEFAULT_PLATFORM, DEFAULT_REGION, DEFAULT_TYPE, DEFAULT_VERSION } from '../resources/metadata/catalogue.js'
import { ORG_SEED } from '../resources/org-users/seed.js'
import { backupScheduleOf } from '../resources/schedules/views.js'
import { weekdaysOf } from '../resources/schedules/times.js'
import { REFRESH, WORKSPACE_STATES, WORKSPACE_TRANSITIONS } from '../resources/workspaces/lifecycle.js'
import type { WorkspaceRecord } from '../resources/workspaces/store.js'
import { QUOTAS } from '../sandboxes/quotas.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { parseTimestamp, toTimestamp } from '../lib/time.js'
import { WALL_CLOCK, wallTime, type ClockState } from '../sim/clock.js'
import { drawsPast, Random } from '../sim/random.js'
import type { Slices } from '../sim/slices.js'
import type { Tx } from '../resources/tx.js'
import type { World } from '../control-plane.js'
import { sizeOf } from './size.js'
import type { EventState, PreparedState, ScheduleState, WorkgroupState, WorkspaceState } from './schemas.js'

const ORG_NAME = 'Mock Org'

/**
 * Fills an empty sandbox with what a document says. What the document leaves out is as in a new sandbox, so that the same document
 * always comes to the same. Must be called within a write, each step within the same or a later one.
 * @param requestId what the timeline names as the cause of what follows from it
 * @throws {ServiceError} `quotaExceeded` if it is a document that was kept and has more than there may be by now
 */
export function* applyState(world: World, sandbox: Sandbox, document: PreparedState, requestId: string): Slices<void> {
  const { sandboxes, engine } = world
  const { key } = sandbox
  world.resources.check(sizeOf(document).resources)

  const random = { ...(document.random ?? { seed: sandbox.ownSeed, draws: 0 }) }
  // A document may have ids that the stream is still to give: one of this sandbox does, when its `random` was taken out.
  random.draws = yield* drawsPast(random, idsOf(document))
  const ids = new Random(random)
  sandboxes.become(sandbox, { random, orgId: document.org?.id ?? ids.uuid(), orgName: document.org?.name ?? ORG_NAME })
  sandboxes.saveClock(sandbox, toClock(document.clock))
  const timeline = (document.timeline ?? []).slice(-world.timeline.limit)
  for (const { at, resource_id: resource, transition, attribute, from, to, reason, request_id: cause = requestId } of timeline) {
    world.timeline.insert(key, { at: time(at), resource, transition, attribute, from, to, reason, requestId: cause })
    yield
  }
  sandboxes.reload(sandbox)

  const tx = engine.newTx(sandbox, engine.now(sandbox), requestId)
  for (const name of QUOTAS) world.quotas.set(key, name, document.quotas?.[name] ?? null)
  engine.rules.replace(key, (document.transitions ?? []).map(toRuleRecord))
  world.faults.replace(sandbox, faultRecords(document.faults ?? []))
  addOrgUsers(world, tx, document.org_users)
  const workspaces: AddedWorkspace[] = []
  for (const workgroup of document.workgroups ?? []) yield* addWorkgroup(world, tx, workgroup, workspaces)
  if (document.events === undefined) yield* adopt(world, tx, workspaces)
  else yield* addEvents(world, tx, document.events)
  sandboxes.reload(sandbox)
  sandboxes.saveDraws(sandbox)
  world.resources.forget(key)
  world.timeline.forget(key)
}

/** The ids that a document gives and that a stream could have given, but for those of requests. */
function* idsOf({ org, org_users: users = [], workgroups = [], timeline = [] }: PreparedState): Generator<string> {
  yield* uuidsOf(org === undefined ? [] : [org])
  yield* uuidsOf(users)
  yield* uuidsOf(workgroups)
  for (const { allow_list: allowList, databases = [], workspaces = [] } of workgroups) {
    yield* uuidsOf(allowList?.entries ?? [])
    yield* uuidsOf(databases)
    yield* uuidsOf(workspaces)
    for (const { backups = [], restore_jobs: jobs = [], schedules = [], users: own = [] } of workspaces) {
      for (const named of [backups, jobs, schedules, own]) if (named.length > 0) yield* uuidsOf(named)
    }
  }
  for (const { resource_id: id } of timeline) if (UUID.test(id)) yield id
}

function* uuidsOf(named: readonly { readonly id?: string }[]): Generator<string> {
  for (const { id } of named) if (id !== undefined && UUID.test(id)) yield id
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function toClock({ mode = 'real', now, wall, rate = 1 }: NonNullable<PreparedState['clock']> = {}): ClockState {
  if (mode === 'real' && now === undefined) return { ...WALL_CLOCK, ...(rate === 1 ? {} : { base: wallTime(), anchor: wallTime(), rate }) }
  return { mode, base: now === undefined ? wallTime() : time(now), anchor: wall === undefined ? wallTime() : time(wall), rate }
}

function addOrgUsers({ orgUsers }: World, tx: Tx, users: PreparedState['org_users']): void {
  const { key } = tx.sandbox
  if (users === undefined) {
    for (const user of ORG_SEED) orgUsers.insert(key, { ...user, id: tx.newId(), authId: `auth|${tx.newId()}` })
    return
  }
  for (const user of users) {
    orgUsers.insert(key, {
      id: user.id ?? tx.newId(),
      username: user.username ?? user.email,
      email: user.email,
      firstName: user.first_name ?? '',
      lastName: user.last_name ?? '',
      enabled: user.enabled ?? true,
      authId: user.auth_id ?? `auth|${tx.newId()}`,
      lastLogin: user.last_login === undefined ? null : timestamp(tx, user.last_login),
      roles: user.roles,
      created: timestamp(tx, user.created),
      updated: timestamp(tx, user.updated ?? user.created)
    })
  }
}

/** A workspace, and what the document says of it. */
interface AddedWorkspace {
  readonly id: string
  readonly stated: WorkspaceState
}

/** @param added gets its workspaces */
function* addWorkgroup(world: World, tx: Tx, workgroup: WorkgroupState, added: AddedWorkspace[]): Slices<void> {
  const { key } = tx.sandbox
  const { id, name } = identify(tx, 'workgroup', workgroup)
  world.workgroups.insert(key, {
    id,
    name,
    creator: workgroup.creator ?? CALLER,
    cloudProviderId: workgroup.cloud_provider_id ?? 'my-account',
    platform: workgroup.platform ?? DEFAULT_PLATFORM,
    region: workgroup.region ?? DEFAULT_REGION,
    enableAllowList: workgroup.allow_list?.enabled ?? false
  })
  for (const entry of workgroup.allow_list?.entries ?? []) {
    world.allowList.insert(key, id, { id: entry.id ?? tx.newId(), cidr: canonicalBlock(entry.cidr)!, note: entry.note ?? '' })
    yield
  }
  for (const database of workgroup.databases ?? []) {
    world.databases.insert(key, {
      ...identify(tx, 'database', database), workgroup: id,
      svcVersion: database.svc_version ?? DEFAULT_VERSION, createTime: timestamp(tx, database.create_time)
    })
    yield
  }
  for (const stated of workgroup.workspaces ?? []) {
    added.push({ id: yield* addWorkspace(world, tx, id, stated), stated })
    yield
  }
}

function* addWorkspace(world: World, tx: Tx, workgroup: string, workspace: WorkspaceState): Slices<string> {
  const { key } = tx.sandbox
  const svcVersion = workspace.svc_version ?? DEFAULT_VERSION
  const createdAt = timestamp(tx, workspace.created_at)
  const isRw = workspace.is_rw ?? true
  // A spread of so many fields would take longer than the row.
  const { id, name } = identify(tx, 'workspace', workspace)
  const record: WorkspaceRecord = {
    id,
    name,
    workgroup,
    database: workspace.database ?? addDatabase(world, tx, workgroup, svcVersion, createdAt),
    creator: workspace.creator ?? CALLER,
    status: workspace.status ?? 'Active',
    refreshStatus: workspace.refresh_status ?? 'None',
    refreshMessage: workspace.refresh_message ?? '',
    snapshotTime: isRw ? null : timestamp(tx, workspace.snapshot_time ?? workspace.created_at),
    svcVersion,
    versionNumber: workspace.version_number ?? 1,
    typeName: workspace.workspace_type_name ?? DEFAULT_TYPE,
    isRw,
    enableHa: workspace.enable_ha ?? false,
    enableAutoStart: workspace.enable_auto_start ?? false,
    autoStopMinutes: workspace.auto_stop_minutes ?? 0,
    addons: workspace.addons ?? [],
    agentConfig: workspace.agent_config ?? {},
    solutionCatalogId: workspace.solution_catalog_id ?? null,
    lastActive: workspace.last_active === undefined ? tx.now : time(workspace.last_active),
    createdAt,
    lastModifiedTime: workspace.last_modified_time === undefined ? createdAt : timestamp(tx, workspace.last_modified_time)
  }
  world.workspaces.insert(key, record)
  yield* addContents(world, tx, record, workspace)
  return record.id
}

/** The database that a workspace which names none is created with. */
function addDatabase(world: World, tx: Tx, workgroup: string, svcVersion: string, createTime: string): string {
  const named = identify(tx, 'database', {})
  world.databases.insert(tx.sandbox.key, { ...named, workgroup, svcVersion, createTime })
  return named.id
}

function* addContents(
  world: World, tx: Tx, { id: workspace, svcVersion }: WorkspaceRecord, contents: WorkspaceState
): Slices<void> {
  const { key } = tx.sandbox
  for (const backup of contents.backups ?? []) {
    const backupTime = timestamp(tx, backup.time)
    const isAutomatic = backup.is_automatic ?? false
    world.backups.insert(key, {
      id: backup.id ?? tx.newId(), workspace, time: backupTime, isAutomatic,
      tag: backup.tag ?? `${isAutomatic ? 'automatic' : 'manual'}-${backupTime}`,
      status: backup.status ?? 'Succeeded', sizeBytes: backup.size_bytes ?? 0, version: backup.version ?? svcVersion
    })
    yield
  }
  for (const job of contents.restore_jobs ?? []) {
    world.backups.insertJob(key, {
      id: job.id ?? tx.newId(), workspace, status: job.status ?? 'Succeeded', output: job.output ?? '', createdAt: timestamp(tx, job.created_at)
    })
    yield
  }
  if (contents.backup_schedule !== undefined) {
    world.schedules.setBackup(key, workspace, backupScheduleOf(contents.backup_schedule))
  }
  for (const schedule of contents.schedules ?? []) {
    world.schedules.set(key, workspace, toSchedule(tx, schedule))
    yield
  }
  for (const user of contents.users ?? []) {
    world.databaseUsers.insert(key, workspace, {
      id: user.id ?? tx.newId(), username: user.username, passwordHash: user.password_hash!,
      created: timestamp(tx, user.created), updated: timestamp(tx, user.updated ?? user.created)
    })
    yield
  }
}

function toSchedule(tx: Tx, { id, repeat, repeat_on: repeatOn, date, time, timezone, workspace_type_name: workspaceTypeName }: ScheduleState) {
  const schedule = { repeat, repeatOn: repeatOn ?? null, date: repeat === 'none' ? (date ?? null) : null, time, timezone, workspaceTypeName: workspaceTypeName ?? null }
  return { ...schedule, id: id ?? tx.newId(), repeatOn: weekdaysOf(tx.now, schedule) }
}

/** Plans what the states and schedules lead to, as if each had been set now. */
function* adopt(world: World, tx: Tx, workspaces: readonly AddedWorkspace[]): Slices<void> {
  for (const { id, stated } of workspaces) {
    if (isAtRest(stated)) continue
    yield
    for (const lifecycle of [world.workspaceLifecycle, world.backupLifecycle, world.scheduleLifecycle]) {
      const workspace = world.workspaces.find(tx.sandbox.key, id)
      // A deletion that takes no time has ended already.
      if (workspace !== undefined) lifecycle.adopt(tx, workspace)
      yield
    }
  }
}

/** Whether nothing follows from what a workspace is: for most of many, that need not be asked of the database. */
function isAtRest({ status = 'Active', refresh_status: refresh, auto_stop_minutes: autoStop = 0, backups, backup_schedule: schedule, schedules }: WorkspaceState): boolean {
  return AT_REST.has(status) && (status !== 'Active' || autoStop === 0) && refresh !== REFRESH.through
    && backups === undefined && schedule === undefined && schedules === undefined
}

/** States that last. */
const AT_REST: ReadonlySet<string> = new Set(
  Object.keys(WORKSPACE_STATES).filter((state) => Object.values(WORKSPACE_TRANSITIONS).every(({ through }) => through !== state)))

function* addEvents({ engine }: World, tx: Tx, events: readonly EventState[]): Slices<void> {
  for (const { event: kind, workspace_id: resource, due, payload = {}, request_id: requestId = tx.requestId } of events) {
    engine.dueEvents.insert(tx.sandbox.key, { kind, resource, due: due === null ? null : time(due), payload, requestId })
    yield
  }
}

/** What is called by a readable id is named by it, too. */
function identify(tx: Tx, kind: string, { id: given, name }: { id?: string; name?: string }): { id: string; name: string } {
  const id = given ?? tx.newId()
  return { id, name: name ?? given ?? `${kind}-${id.slice(0, 8)}` }
}

/** The schema has checked that the text is a timestamp. */
const time = (text: string): number => parseTimestamp(text)!

/** A timestamp in the one form that replies have. */
const timestamp = (tx: Tx, text: string | undefined): string =>
  (text === undefined ? tx.timestamp : NORMAL_FORM.test(text) ? text : toTimestamp(time(text)))

const NORMAL_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
