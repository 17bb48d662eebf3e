import type { Json } from '../lib/json.js'
import type { Slices } from '../lib/scheduler.js'
import { wallTime } from '../lib/time.js'
import { QUOTAS } from '../profile/quotas.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { newDatabase } from '../resources/databases/fields.js'
import { time } from '../resources/document.js'
import { orgUserInDocument } from '../resources/org-users/fields.js'
import { ORG_SEED } from '../resources/org-users/seed.js'
import { partRow, type Parts, partsIn, partStore, WORKGROUP_PARTS, WORKSPACE_PARTS } from '../resources/parts.js'
import type { Tx } from '../resources/tx.js'
import { workgroupInDocument } from '../resources/workgroups/fields.js'
import { isAtRest } from '../resources/workspaces/document.js'
import { workspaceInDocument, type WorkspaceRecord } from '../resources/workspaces/fields.js'
import { storedFaults } from '../sandboxes/fault-rule.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { ClockState } from '../sim/clock.js'
import { drawsPast, Random } from '../sim/random.js'
import { withDefaults } from '../sim/rules.js'
import { type PreparedState, withEntries, type WorkgroupState, type WorkspaceState } from './schemas.js'
import { sizeOf } from './size.js'

/**
 * Fills an empty sandbox from a document. Omitted parts are as in a new sandbox, so the same document always gives the
 * same result. Must be called within a write, and each step within the same or a later one.
 * @param requestId RequestID that the timeline names as the cause
 * @throws {ServiceError} `quotaExceeded` if a stored document has more resources than are allowed now
 */
export function* applyState(
  plane: ControlPlane,
  sandbox: Sandbox,
  document: PreparedState,
  requestId: string
): Slices<void> {
  const { sandboxes, engine } = plane
  const { key } = sandbox
  plane.resources.check(sizeOf(document).resources)

  const random = { ...(document.random ?? { seed: sandbox.ownSeed, draws: 0 }) }
  // The document may have ids that the stream has yet to give, for example if it is an export without its `random`.
  random.draws = yield* drawsPast(random, idsOf(document))
  const ids = new Random(random)
  sandboxes.setIdentity(sandbox, {
    random,
    orgId: document.org?.id ?? ids.uuid(),
    orgName: document.org?.name ?? ''
  })
  const timeline = (document.timeline ?? []).slice(-plane.timeline.limit)
  yield* each(timeline, ({ at, resource_id: resource, request_id: cause = requestId, ...change }) =>
    plane.timeline.insert(key, { ...change, at: time(at), resource, requestId: cause })
  )
  sandboxes.saveClock(sandbox, toClock(document.clock, plane.timeline.newest(key)))
  sandboxes.reload(sandbox)

  const tx = engine.newTx(sandbox, engine.now(sandbox), requestId)
  for (const name of QUOTAS) {
    const maximum = document.quotas?.[name]
    if (maximum === undefined) tx.quotas.setDefault(name)
    else tx.quotas.set(name, maximum)
  }
  engine.rules.replace(key, (document.transitions ?? []).map(withDefaults))
  for (const fault of storedFaults(document.faults ?? [])) plane.faults.insert(sandbox, fault)
  for (const user of document.org_users ?? ORG_SEED) tx.orgUsers.insert(orgUserInDocument.toRow(tx, user, {}))
  yield* each(document.stub_items, (item) => tx.stubItems.insert(item))
  const workspaces: AddedWorkspace[] = []
  for (const workgroup of document.workgroups ?? []) yield* addAllOf(tx, workgroup, workspaces)
  if (document.events === undefined) yield* scheduleFromState(plane, tx, workspaces)
  else
    yield* each(document.events, ({ event: kind, workspace_id: resource, due, payload = {}, request_id: cause }) =>
      engine.dueEvents.insert(key, {
        kind,
        resource,
        due: due === null ? null : time(due),
        payload,
        requestId: cause ?? requestId
      })
    )
  sandboxes.reload(sandbox)
  sandboxes.saveDraws(sandbox)
  plane.resources.forget(key)
  plane.timeline.forget(key)
}

function* each<T>(items: readonly T[] | undefined, add: (item: T) => void): Slices<void> {
  for (const item of items ?? []) {
    add(item)
    yield
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The ids in a document that a stream could have given, except those of requests. */
function* idsOf(document: PreparedState): Generator<string> {
  for (const { id } of identified(document)) if (id !== undefined && UUID.test(id)) yield id
  for (const { resource_id: id } of document.timeline ?? []) if (UUID.test(id)) yield id
}

/** The objects in a document that can have an id. */
function* identified(document: PreparedState): Generator<{ readonly id?: string }> {
  const { org = {}, org_users: users = [], stub_items: items = [], workgroups = [] } = document
  yield org
  yield* users
  yield* items
  yield* workgroups
  for (const workgroup of workgroups) {
    const { workspaces = [] } = workgroup
    yield* workspaces
    for (const [, parts] of partsIn(WORKGROUP_PARTS, withEntries(workgroup))) yield* parts
    for (const workspace of workspaces) for (const [, parts] of partsIn(WORKSPACE_PARTS, workspace)) yield* parts
  }
}

function toClock(
  { mode = 'real', now, wall, rate = 1 }: NonNullable<PreparedState['clock']> = {},
  newestChange: number
): ClockState {
  const machine = wallTime()
  const base = now === undefined ? machine : time(now)
  const hasRun = mode === 'real' && now !== undefined
  return {
    mode,
    // A clock that a reset keeps may be older than the baseline.
    base: hasRun ? base : Math.max(base, newestChange),
    anchor: wall === undefined ? machine : time(wall),
    rate
  }
}

interface AddedWorkspace {
  readonly id: string
  readonly stated: WorkspaceState
}

/** Adds a workgroup and its contents. @param added receives its workspaces */
function* addAllOf(tx: Tx, state: WorkgroupState, added: AddedWorkspace[]): Slices<void> {
  const { allow_list: allowList, workspaces = [] } = state
  const workgroup = workgroupInDocument.toRow(tx, state, { enableAllowList: allowList?.enabled ?? false })
  tx.workgroups.insert(workgroup)
  yield* addParts(tx, WORKGROUP_PARTS, withEntries(state), workgroup)
  for (const stated of workspaces) {
    const workspace = addWorkspace(tx, workgroup.id, stated)
    yield* addParts(tx, WORKSPACE_PARTS, stated, workspace)
    added.push({ id: workspace.id, stated })
    yield
  }
}

function* addParts(tx: Tx, parts: Parts, state: Json, owner: { readonly id: string }): Slices<void> {
  for (const [part, items] of partsIn(parts, state)) {
    const store = partStore(tx, part)
    yield* each(items, (item) => store.insert(partRow(tx, part, item, owner)))
  }
}

/** Adds a workspace, and a database if it names none. */
function addWorkspace(tx: Tx, workgroup: string, stated: WorkspaceState): WorkspaceRecord {
  let { database } = stated
  if (database === undefined) {
    const { svcVersion, createdAt: createTime } = workspaceInDocument.given(stated)
    const row = newDatabase(tx, { workgroup, svcVersion, createTime })
    tx.databases.insert(row)
    database = row.id
  }
  const workspace = workspaceInDocument.toRow(tx, stated, { workgroup, database })
  tx.workspaces.insert(workspace)
  return workspace
}

/** Schedules the events that follow from the states and schedules, as if each had just been set. */
function* scheduleFromState(plane: ControlPlane, tx: Tx, workspaces: readonly AddedWorkspace[]): Slices<void> {
  for (const { id, stated } of workspaces) {
    if (schedulesNothing(stated)) continue
    for (const lifecycle of [plane.workspaceLifecycle, plane.backupLifecycle, plane.scheduleLifecycle]) {
      const workspace = tx.workspaces.find(id)
      // A deletion that takes no time has already ended.
      if (workspace !== undefined) lifecycle.scheduleFromState(tx, workspace)
      yield
    }
  }
}

const schedulesNothing = (stated: WorkspaceState): boolean =>
  isAtRest(stated) &&
  stated.backups === undefined &&
  stated.backup_schedule === undefined &&
  stated.schedules === undefined
