import type { ControlPlane } from '../control-plane.js'
import { groupBy } from '../lib/group-by.js'
import { finish, type Slices } from '../lib/slices.js'
import { toTimestamp } from '../lib/time.js'
import { BUILT_IN_WORDS } from '../profile/states.js'
import { toAllowedIpState } from '../resources/allow-list/document.js'
import { toBackupState, toRestoreJobState } from '../resources/backups/document.js'
import { toDatabaseUserState } from '../resources/database-users/document.js'
import { toDatabaseState } from '../resources/databases/document.js'
import { toOrgUserState } from '../resources/org-users/document.js'
import type { OrgUserRecord } from '../resources/org-users/fields.js'
import { toBackupScheduleState, toWorkspaceScheduleState } from '../resources/schedules/document.js'
import { changeToWire } from '../resources/states.js'
import type { SandboxStores } from '../resources/stores.js'
import { toWorkgroupFields } from '../resources/workgroups/document.js'
import { toWorkspaceFields } from '../resources/workspaces/document.js'
import type { WorkspaceRecord } from '../resources/workspaces/fields.js'
import { toFaultView } from '../sandboxes/fault-rule.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { ClockState } from '../sim/clock.js'
import { toRuleDocument } from '../sim/rule-document.js'
import { toTimelineEntryView } from '../sim/views.js'
import { type Fitting, fittingUnder } from './fitting.js'
import { type EventState, FORMAT, type PreparedState, type WorkgroupState, type WorkspaceState } from './schemas.js'
import { workspaceToWire } from './words.js'

/** A sandbox as one document, without its journal and snapshots. The same state always gives the same text. */
export function exportState(plane: ControlPlane, sandbox: Sandbox): PreparedState {
  return finish(exportInSlices(plane, sandbox, () => false))
}

/** {@link exportState}, in slices if the sandbox is large. */
export function readState(
  plane: ControlPlane,
  sandbox: Sandbox,
  isRead = false
): PreparedState | Promise<PreparedState> {
  return plane.read(sandbox, (isTimeUp) => exportInSlices(plane, sandbox, isTimeUp, isRead))
}

/** Number of workspaces per step of an export. */
const STEP = 200

/**
 * {@link exportState} in steps of a few milliseconds. Nothing may write in the sandbox between them.
 * @param isTimeUp asked after each step whether to yield
 * @param isRead whether somebody reads the document, so it has the words of the profile. One that is stored has the
 *   built-in states, and all values of further fields, also those that the profile in force does not allow.
 * @returns the document
 */
export function* exportInSlices(
  plane: ControlPlane,
  sandbox: Sandbox,
  isTimeUp: () => boolean,
  isRead = false
): Slices<PreparedState> {
  const rest = yield* exportWithoutTimeline(plane, sandbox, isTimeUp, isRead)
  if (isTimeUp()) yield
  const words = isRead ? plane.profile.words : BUILT_IN_WORDS
  const timeline = plane.timeline.list(sandbox.key).map((entry) => toTimelineEntryView(changeToWire(entry, words)))
  return { ...rest, timeline }
}

/** {@link exportInSlices}, but for what only ever grows. */
export function* exportWithoutTimeline(
  plane: ControlPlane,
  sandbox: Sandbox,
  isTimeUp: () => boolean,
  isRead: boolean
): Slices<Omit<PreparedState, 'timeline'>> {
  const { key, orgId, orgName, random, clock } = sandbox
  const words = isRead ? plane.profile.words : BUILT_IN_WORDS
  const fit = isRead ? fittingUnder(plane.profile) : undefined
  const workgroups: WorkgroupState[] = []
  let workspaces = 0
  const stores = plane.storesOf(sandbox)
  const parts = yield* partsOf(stores, isTimeUp)
  for (const workgroup of stores.workgroups.list()) {
    const exported: WorkspaceState[] = []
    for (const workspace of parts.workspaces.get(workgroup.id) ?? []) {
      const stored = exportWorkspace(workspace, parts)
      exported.push(fit === undefined ? stored : workspaceToWire(fit.workspace(stored), words))
      if (++workspaces % STEP === 0 && isTimeUp()) yield
    }
    const state: WorkgroupState = {
      ...toWorkgroupFields(workgroup, (parts.entries.get(workgroup.id) ?? []).map(toAllowedIpState)),
      databases: (parts.databases.get(workgroup.id) ?? []).map(toDatabaseState),
      workspaces: exported
    }
    workgroups.push(fit?.workgroup(state) ?? state)
  }
  if (isTimeUp()) yield
  // By sequence, which orders events due at the same time, now or after a release.
  const events = plane.engine.dueEvents
    .list(key)
    .sort((a, b) => a.sequence - b.sequence)
    .map(({ kind, resource, due, payload, requestId }): EventState => ({
      event: kind,
      workspace_id: resource,
      due: due === null ? null : toTimestamp(due),
      payload,
      request_id: requestId
    }))
  return {
    format: FORMAT,
    ...(plane.profile.isBuiltIn ? {} : { profile: plane.profile.name }),
    org: { id: orgId, name: orgName },
    random: { seed: random.seed, draws: random.draws },
    clock: exportClock(clock),
    quotas: stores.quotas.list(),
    transitions: plane.engine.rules.list(key).map(toRuleDocument),
    faults: plane.faults.list(key).map(toFaultView),
    org_users: stores.orgUsers.list().map((user) => orgUser(user, fit)),
    workgroups,
    events
  }
}

function orgUser(user: OrgUserRecord, fit: Fitting | undefined) {
  const state = toOrgUserState(user)
  return fit?.resource('org_user', state) ?? state
}

/** The contents of workgroups and workspaces by their ids, read with a constant number of statements. */
function* partsOf(
  { workspaces, allowList, databases, backups, schedules, databaseUsers }: SandboxStores,
  isTimeUp: () => boolean
) {
  const ofWorkspace = ({ workspace }: { readonly workspace: string }) => workspace
  const ofWorkgroup = ({ workgroup }: { readonly workgroup: string }) => workgroup
  const pages = []
  for (const page of workspaces.pages()) {
    pages.push(page)
    if (isTimeUp()) yield
  }
  function* listed<T>(list: () => T): Slices<T> {
    const items = list()
    if (isTimeUp()) yield
    return items
  }
  return {
    workspaces: groupBy(pages.flat(), ofWorkgroup),
    entries: groupBy(yield* listed(() => allowList.listAll()), ofWorkgroup),
    databases: groupBy(yield* listed(() => databases.list()), ofWorkgroup),
    backups: groupBy(yield* listed(() => backups.listAll()), ofWorkspace),
    jobs: groupBy(yield* listed(() => backups.listAllJobs()), ofWorkspace),
    backupSchedules: new Map(schedules.listAllBackup().map((schedule) => [schedule.workspace, schedule])),
    schedules: groupBy(yield* listed(() => schedules.listAll()), ofWorkspace),
    users: groupBy(yield* listed(() => databaseUsers.listAll()), ofWorkspace)
  }
}

type Parts = ReturnType<typeof partsOf> extends Generator<unknown, infer T> ? T : never

/**
 * A clock as the document stores it. In mode `real`, stores the base instead of the current time, so that the text does
 * not change while the clock runs.
 */
export function exportClock({ mode, base, anchor, rate }: ClockState): NonNullable<PreparedState['clock']> {
  if (mode !== 'real') return { mode, now: toTimestamp(base), rate }
  return base === anchor && rate === 1
    ? { mode, rate }
    : { mode, now: toTimestamp(base), wall: toTimestamp(anchor), rate }
}

function exportWorkspace(workspace: WorkspaceRecord, parts: Parts): WorkspaceState {
  const { id } = workspace
  const backupSchedule = parts.backupSchedules.get(id)
  return {
    ...toWorkspaceFields(workspace),
    backups: (parts.backups.get(id) ?? []).map(toBackupState),
    restore_jobs: (parts.jobs.get(id) ?? []).map(toRestoreJobState),
    ...(backupSchedule === undefined ? {} : { backup_schedule: toBackupScheduleState(backupSchedule) }),
    schedules: (parts.schedules.get(id) ?? []).map(toWorkspaceScheduleState),
    users: (parts.users.get(id) ?? []).map(toDatabaseUserState)
  }
}
