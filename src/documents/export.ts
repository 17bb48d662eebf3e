import type { Static } from '@sinclair/typebox'
import { groupBy } from '../lib/group-by.js'
import { finish, type Slices } from '../lib/scheduler.js'
import { toTimestamp } from '../lib/time.js'
import type { Extra } from '../profile/fields.js'
import type { Profile } from '../profile/profile.js'
import { BUILT_IN_WORDS } from '../profile/states.js'
import type { StoredKind } from '../profile/stored-kinds.js'
import { allowedIpInDocument, type AllowedIpRecord } from '../resources/allow-list/fields.js'
import {
  backupInDocument,
  type BackupRecord,
  jobInDocument,
  type RestoreJobRecord
} from '../resources/backups/fields.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { databaseUserInDocument, type DatabaseUserRecord } from '../resources/database-users/fields.js'
import { databaseInDocument, type DatabaseRecord } from '../resources/databases/fields.js'
import { orgUserInDocument } from '../resources/org-users/fields.js'
import {
  backupScheduleInDocument,
  type BackupScheduleRecord,
  scheduleInDocument,
  type WorkspaceScheduleRecord
} from '../resources/schedules/fields.js'
import { changeToWire } from '../resources/states.js'
import { stubItemInDocument } from '../resources/stub-items/fields.js'
import type { SandboxStores } from '../resources/tx.js'
import { workgroupInDocument, type WorkgroupRecord } from '../resources/workgroups/fields.js'
import { fittingParts } from '../resources/workspaces/document.js'
import { workspaceInDocument, type WorkspaceRecord } from '../resources/workspaces/fields.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { ClockState } from '../sim/clock.js'
import type { DueEvent } from '../sim/due-events.js'
import type { TimelineEntry } from '../sim/timeline.js'
import { toTimelineEntryView } from '../sim/views.js'
import { type EventState, FORMAT, type PreparedState, type WorkgroupState, type WorkspaceState } from './schemas.js'
import { workspaceToWire } from './words.js'

/**
 * A sandbox as one document, without its journal and snapshots. The same state always gives the same text.
 * @param isRead see {@link exporterOf}
 */
export function exportState(plane: ControlPlane, sandbox: Sandbox, isRead = false): PreparedState {
  return finish(exportInSlices(plane, sandbox, () => false, isRead))
}

/** Number of workspaces per step of an export. */
const STEP = 200

/**
 * {@link exportState} in steps of a few milliseconds. Nothing may write in the sandbox between them.
 * @param isTimeUp asked after each step whether to yield
 */
export function* exportInSlices(
  plane: ControlPlane,
  sandbox: Sandbox,
  isTimeUp: () => boolean,
  isRead = false
): Slices<PreparedState> {
  const { key } = sandbox
  const exporter = exporterOf(plane, sandbox, isRead)
  const stores = plane.storesOf(sandbox)
  const workgroups: WorkgroupState[] = []
  let workspaces = 0
  const parts = yield* partsOf(stores, isTimeUp)
  for (const workgroup of stores.workgroups.list()) {
    const { id } = workgroup
    const exported: WorkspaceState[] = []
    for (const workspace of parts.workspaces.get(id) ?? []) {
      exported.push(exporter.workspace(workspace, parts.contents(workspace.id)))
      if (++workspaces % STEP === 0 && isTimeUp()) yield
    }
    const entries = (parts.entries.get(id) ?? []).map(exporter.entry)
    const databases = (parts.databases.get(id) ?? []).map(exporter.database)
    workgroups.push(exporter.workgroup(workgroup, { entries, databases, workspaces: exported }))
  }
  if (isTimeUp()) yield
  const events = plane.engine.dueEvents.list(key).sort(bySequence).map(exporter.event)
  if (isTimeUp()) yield
  const timeline = plane.timeline.list(key).map(exporter.change)
  return { ...exporter.settings(), workgroups, events, timeline }
}

/** Events due at the same time, now or after a release, are in this order. */
export const bySequence = (a: DueEvent, b: DueEvent): number => a.sequence - b.sequence

export interface WorkgroupContents {
  readonly entries: Static<typeof allowedIpInDocument.schema>[]
  readonly databases: Static<typeof databaseInDocument.schema>[]
  readonly workspaces: WorkspaceState[]
}

interface WorkspaceContents {
  readonly backups: readonly BackupRecord[]
  readonly jobs: readonly RestoreJobRecord[]
  readonly backupSchedule: BackupScheduleRecord | undefined
  readonly schedules: readonly WorkspaceScheduleRecord[]
  readonly users: readonly DatabaseUserRecord[]
}

/**
 * Makes the parts of the document of a sandbox.
 * @param isRead whether the document is for readers, and has the words of the profile. A stored one has the built-in
 *   states, and all values of further fields, also those that the profile in force does not allow.
 */
export function exporterOf(plane: ControlPlane, sandbox: Sandbox, isRead: boolean) {
  const { key } = sandbox
  const words = isRead ? plane.profile.words : BUILT_IN_WORDS
  const fitted = fittingUnder(isRead ? plane.profile : undefined)
  const parts = fittingParts(plane.profile)
  return {
    /** The document without its workgroups, events and timeline. */
    settings(): Omit<PreparedState, 'workgroups' | 'events' | 'timeline'> {
      const { quotas, orgUsers, stubItems } = plane.storesOf(sandbox)
      const items = stubItems.listAll()
      return {
        format: FORMAT,
        ...(plane.profile.isBuiltIn ? {} : { profile: plane.profile.name }),
        ...this.standing(),
        quotas: quotas.list(),
        transitions: plane.engine.rules.list(key),
        faults: plane.faults.list(key),
        org_users: orgUsers.list().map((user) => fitted('org_user', orgUserInDocument.toState(user))),
        ...(items.length === 0 ? {} : { stub_items: items.map(stubItemInDocument.toState) })
      }
    },

    /** The parts that are not in tables of their own. */
    standing() {
      const { orgId, orgName, random, clock } = sandbox
      return {
        org: { id: orgId, name: orgName },
        random: { seed: random.seed, draws: random.draws },
        clock: exportClock(clock)
      }
    },

    workgroup(workgroup: WorkgroupRecord, { entries, databases, workspaces }: WorkgroupContents): WorkgroupState {
      const { enableAllowList: enabled } = workgroup
      const state = workgroupInDocument.toState(workgroup)
      return fitted('workgroup', { ...state, allow_list: { enabled, entries }, databases, workspaces })
    },

    entry: (entry: AllowedIpRecord) => fitted('allowed_ip', allowedIpInDocument.toState(entry)),

    database: (database: DatabaseRecord) => fitted('database', databaseInDocument.toState(database)),

    workspace(workspace: WorkspaceRecord, contents: WorkspaceContents): WorkspaceState {
      const { backups, jobs, backupSchedule, schedules, users } = contents
      const state: WorkspaceState = {
        ...workspaceInDocument.toState(workspace),
        backups: backups.map(backupInDocument.toState),
        restore_jobs: jobs.map((job) => fitted('restore_job', jobInDocument.toState(job))),
        ...(backupSchedule && {
          backup_schedule: fitted('backup_schedule', backupScheduleInDocument.toState(backupSchedule))
        }),
        schedules: schedules.map((schedule) => fitted('schedule', scheduleInDocument.toState(schedule))),
        users: users.map((user) => fitted('database_user', databaseUserInDocument.toState(user)))
      }
      if (!isRead) return state
      return workspaceToWire({ ...fitted('workspace', state), ...parts(state) }, words)
    },

    event: ({ kind, resource, due, payload, requestId }: DueEvent): EventState => ({
      event: kind,
      workspace_id: resource,
      due: due === null ? null : toTimestamp(due),
      payload,
      request_id: requestId
    }),

    change: (entry: TimelineEntry) => toTimelineEntryView(changeToWire(entry, words))
  }
}

/** Leaves out stored values of further fields that a profile does not allow: no import would take them. */
function fittingUnder(profile: Profile | undefined) {
  return <T extends { readonly extra?: Extra }>(kind: StoredKind, state: T): T => {
    if (profile === undefined || state.extra === undefined) return state
    const { extra, ...rest } = state
    const kept = profile.fields.fitting(kind, extra)
    return (kept === undefined ? rest : { ...rest, extra: kept }) as T
  }
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
  const entries = groupBy(yield* listed(() => allowList.listAll()), ofWorkgroup)
  const inGroups = groupBy(yield* listed(() => databases.list()), ofWorkgroup)
  const ofBackups = groupBy(yield* listed(() => backups.listAll()), ofWorkspace)
  const jobs = groupBy(yield* listed(() => backups.listAllJobs()), ofWorkspace)
  const ofSchedules = groupBy(yield* listed(() => schedules.listAll()), ofWorkspace)
  const users = groupBy(yield* listed(() => databaseUsers.listAll()), ofWorkspace)
  const backupSchedules = new Map(schedules.listAllBackup().map((schedule) => [schedule.workspace, schedule]))
  return {
    workspaces: groupBy(pages.flat(), ofWorkgroup),
    entries,
    databases: inGroups,
    contents: (id: string): WorkspaceContents => ({
      backups: ofBackups.get(id) ?? [],
      jobs: jobs.get(id) ?? [],
      backupSchedule: backupSchedules.get(id),
      schedules: ofSchedules.get(id) ?? [],
      users: users.get(id) ?? []
    })
  }
}

export function contentsOf({ backups, schedules, databaseUsers }: SandboxStores, id: string): WorkspaceContents {
  return {
    backups: backups.list(id),
    jobs: backups.listJobs(id),
    backupSchedule: schedules.findBackup(id),
    schedules: schedules.list(id),
    users: databaseUsers.list(id)
  }
}

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
