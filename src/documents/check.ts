import { schemaErrors } from '../interface/check.js'
import type { FieldError } from '../interface/errors.js'
import { cached } from '../lib/caches.js'
import type { Slices } from '../lib/scheduler.js'
import { parseTimestamp } from '../lib/time.js'
import { uniqueness } from '../lib/uniqueness.js'
import { BACKUP, RESTORE_STEP, UNFINISHED_JOB } from '../resources/backups/lifecycle.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { DocumentCheck } from '../resources/document.js'
import { checkOrgUsers } from '../resources/org-users/document.js'
import { type Parts, WORKGROUP_PARTS, WORKSPACE_PARTS } from '../resources/parts.js'
import { cronProblems } from '../resources/schedules/document.js'
import { BACKUP_FIRING, BACKUP_RETRY, WORKSPACE_FIRING } from '../resources/schedules/lifecycle.js'
import { checkWorkspace } from '../resources/workspaces/document.js'
import { AUTO_STOP, REFRESH, WORKSPACE_TRANSITIONS } from '../resources/workspaces/lifecycle.js'
import { faultIdErrors, faultRuleErrors } from '../sandboxes/fault-rule.js'
import { transitionRuleErrors } from '../sim/rules.js'
import {
  type EventState,
  type StateDocument,
  withEntries,
  type WorkgroupState,
  type WorkspaceState
} from './schemas.js'

/** Maximum number of field errors collected. */
const MOST_FIELD_ERRORS = 1000

/** The definitions that a document must fit. */
type Definitions = Pick<ControlPlane, 'engine' | 'profile'>

/**
 * The errors of a document whose fields are valid individually: dangling references, duplicates of unique values, or
 * contradictory states. Values that the schema rejected must be left out of it.
 */
export function* errorsBeyondSchema(document: StateDocument, plane: Definitions): Slices<FieldError[]> {
  const { engine } = plane
  const errors: FieldError[] = []
  const complain = (field: string, reason: string) => {
    if (errors.length < MOST_FIELD_ERRORS) errors.push({ field, reason })
  }
  const complainAll = (found: readonly FieldError[]) => {
    for (const { field, reason } of found) complain(field, reason)
  }
  const belongings = cached(Infinity, belongingsOf)
  const check: DocumentCheck = {
    complain,
    unique: uniqueness(complain),
    cronProblem: cronProblems(),
    words: plane.profile.words
  }
  const { unique } = check
  const writers = new Map<string, string>()

  const {
    clock,
    transitions = [],
    faults: requestFaults = [],
    org_users: orgUsers,
    stub_items: stubItems = [],
    workgroups = [],
    events = [],
    timeline = []
  } = document
  if (clock?.wall !== undefined && (clock.mode ?? 'real') !== 'real')
    complain('clock.wall', 'is allowed only in mode real')
  if (clock?.wall !== undefined && clock.now === undefined)
    complain('clock.wall', 'needs clock.now, the time that it belongs to')
  transitions.forEach((rule, index) => complainAll(transitionRuleErrors(engine, rule, `transitions.${index}`)))
  requestFaults.forEach((fault, index) => complainAll(faultRuleErrors(fault, `faults.${index}`)))
  complainAll(faultIdErrors(requestFaults, 'faults'))

  if (orgUsers !== undefined) checkOrgUsers(orgUsers, check)
  for (const [index, { path, id }] of stubItems.entries()) {
    unique('stub item', `stub_items.${index}.id`, `${path}/${id}`)
    yield
  }
  for (const [index, workgroup] of workgroups.entries()) yield* checkWorkgroup(workgroup, `workgroups.${index}`)
  const byId = new Map<string | undefined, WorkspaceState>()
  for (const { workspaces = [] } of workgroups) for (const workspace of workspaces) byId.set(workspace.id, workspace)
  for (const [index, event] of events.entries()) {
    const found = eventErrors(event, `events.${index}`, byId.get(event.workspace_id), plane, belongings)
    complainAll(found)
    if (found.length === 0) unique('event', `events.${index}`, onceOf(event))
    yield
  }
  yield* checkTimes()
  return errors

  /** Checks that past changes are in order, and that future events come after them. */
  function* checkTimes(): Slices<void> {
    let newest = { at: -Infinity, field: '' }
    for (const [index, { at }] of timeline.entries()) {
      yield
      const time = timeOf(at)
      if (time === undefined) continue
      if (time < newest.at)
        complain(`timeline.${index}.at`, `must not be before ${newest.field}, because the timeline is in order of time`)
      else newest = { at: time, field: `timeline.${index}.at` }
    }
    // A running clock shows another time now.
    const shown = clock?.mode === undefined || clock.mode === 'real' ? undefined : timeOf(clock.now)
    if (shown !== undefined && shown < newest.at)
      complain('clock.now', `must not be before ${newest.field}, the newest change`)
    for (const [index, { due }] of events.entries()) {
      const time = timeOf(due)
      if (time !== undefined && time < newest.at)
        complain(`events.${index}.due`, `must not be before ${newest.field}, the newest change`)
      yield
    }
  }

  function checkParts(parts: Parts, owner: object, path: string): void {
    for (const part of Object.values(parts)) part.check(owner as never, path, check)
  }

  function* checkWorkgroup(workgroup: WorkgroupState, path: string): Slices<void> {
    const { id, databases = [], workspaces = [] } = workgroup
    unique('workgroup', `${path}.id`, id)
    checkParts(WORKGROUP_PARTS, withEntries(workgroup), path)
    yield
    const databaseIds = new Set(databases.map((database) => database.id))
    for (const [index, workspace] of workspaces.entries()) {
      const at = `${path}.workspaces.${index}`
      const { database, is_rw: isRw = true } = workspace
      unique('workspace', `${at}.id`, workspace.id)
      if (database === undefined && !isRw) complain(`${at}.database`, 'is required for a read-only workspace')
      if (database !== undefined && !databaseIds.has(database))
        complain(`${at}.database`, `must be the id of a database of this workgroup, but is ${database}`)
      if (isRw && database !== undefined) {
        const other = writers.get(database)
        if (other === undefined) writers.set(database, at)
        else complain(`${at}.is_rw`, `must be false, because the database already has a read-write workspace, ${other}`)
      }
      checkWorkspace(workspace, at, check)
      checkParts(WORKSPACE_PARTS, workspace, at)
      yield
    }
  }
}

/** The ids in a workspace that an event can refer to. */
function belongingsOf({ backups = [], restore_jobs: jobs = [], schedules = [] }: WorkspaceState) {
  const idsOf = (items: readonly { readonly id?: string }[]): ReadonlySet<unknown> => new Set(items.map(({ id }) => id))
  return {
    running: idsOf(backups.filter(({ status }) => status === BACKUP.during)),
    unfinished: idsOf(jobs.filter(({ status }) => UNFINISHED_JOB.includes(status))),
    schedules: idsOf(schedules)
  }
}

/** Checks that an event fits its workspace, because its handler relies on that. */
function eventErrors(
  { event, workspace_id: id, payload = {} }: EventState,
  path: string,
  workspace: WorkspaceState | undefined,
  { engine, profile }: Definitions,
  belongings: typeof belongingsOf
): FieldError[] {
  const kind = engine.kinds.get(event)
  if (kind === undefined)
    return [{ field: `${path}.event`, reason: `must be one of ${[...engine.kinds.keys()].join(', ')}` }]
  if (workspace === undefined)
    return [{ field: `${path}.workspace_id`, reason: `must be the id of a workspace of this document, but is ${id}` }]
  const errors = schemaErrors(profile.schema(kind.payload), payload).map(({ field, reason }) => ({
    field: `${path}.payload.${field}`,
    reason
  }))
  if (errors.length > 0) return errors

  const { status = 'Active', is_rw: isRw = true } = workspace
  const { words } = profile
  const { toWire } = words.workspace
  const { running, unfinished, schedules } = belongings(workspace)
  const needs = (field: string, isRight: boolean, reason: string): FieldError[] =>
    isRight ? [] : [{ field: `${path}.${field}`, reason }]
  const needsJob = () =>
    needs(
      'payload.job',
      unfinished.has(payload['job']),
      'must be the id of a restore job of the workspace that is ' +
        `${words.restore_job.toWire('Pending')} or ${words.restore_job.toWire('Running')}`
    )
  switch (event) {
    case REFRESH.name:
      return needs(
        'event',
        workspace.refresh_status === REFRESH.during,
        `needs a workspace whose refresh_status is ${words.refresh.toWire(REFRESH.during)}`
      )
    case BACKUP.name:
      return needs(
        'payload.backup',
        running.has(payload['backup']),
        `must be the id of a backup of the workspace that is ${words.backup.toWire(BACKUP.during)}`
      )
    case RESTORE_STEP.name:
      return needsJob()
    case BACKUP_FIRING.name:
      return needs(
        'event',
        workspace.backup_schedule !== undefined && workspace.backup_schedule.pause !== true,
        'needs a workspace with a backup_schedule that is not paused'
      )
    case BACKUP_RETRY.name:
      return needs('event', isRw, 'needs a read-write workspace')
    case WORKSPACE_FIRING.name:
      return needs(
        'payload.schedule',
        schedules.has(payload['schedule']),
        'must be the id of a schedule of the workspace'
      )
    case AUTO_STOP.name:
      return needs('event', status === 'Active', `needs a workspace that is ${toWire('Active')}`)
    default: {
      const { during } = engine.transitions.get(event)!
      return [
        ...needs(
          'event',
          status === during,
          `needs a workspace that is ${toWire(during)}, but it is ${toWire(status)}`
        ),
        ...(event === WORKSPACE_TRANSITIONS.restore.name ? needsJob() : []),
        ...needs(
          'payload.thenType',
          isRw ||
            payload['thenType'] === undefined ||
            payload['thenType'] === (workspace.workspace_type_name ?? profile.catalogue.defaults.workspace_type),
          'must be the size of the workspace, because it is read-only'
        )
      ]
    }
  }
}

/** A key that only one event at a time may have; undefined for kinds with no such limit. */
function onceOf({ event, workspace_id: workspace, payload = {} }: EventState): string | undefined {
  const subject = payload['backup'] ?? payload['job'] ?? payload['schedule']
  return event === BACKUP_RETRY.name
    ? undefined
    : `${event} of ${workspace}${typeof subject === 'string' ? ` for ${subject}` : ''}`
}

const timeOf = (text: unknown) => (typeof text === 'string' ? parseTimestamp(text) : undefined)
