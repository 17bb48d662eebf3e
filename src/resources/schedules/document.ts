import { type Static, Type } from '@sinclair/typebox'
import { enumeration, requestText } from '../../interface/schemas.js'
import { closed } from '../../lib/closed.js'
import { extraState } from '../../profile/extra-state.js'
import { fromCatalogue } from '../../profile/from-catalogue.js'
import { wallTime } from '../../sim/clock.js'
import { count, type DocumentCheck, flag, resources, text } from '../document.js'
import { extraOf } from '../extra.js'
import type { Tx } from '../tx.js'
import { hasNoDate } from './dates.js'
import { type BackupScheduleRecord, REPEATS, type WorkspaceScheduleRecord } from './fields.js'
import { cronProblem, NEVER_FIRES, weekdaysOf } from './times.js'
import { backupScheduleOf, toBackupScheduleView } from './views.js'

const BackupScheduleStateSchema = closed({
  schedule: Type.String({ ...requestText, description: 'Five-field cron, UTC.' }),
  pause: flag('false if absent.'),
  max_backup_files: count('7 if absent.', 1),
  max_reserved_days: count('7 if absent.', 1),
  max_retry: count('0 if absent.'),
  extra: extraState('backup_schedule')
})
type BackupScheduleState = Static<typeof BackupScheduleStateSchema>

const WorkspaceScheduleStateSchema = closed({
  id: text('A new UUID if absent.'),
  repeat: enumeration(REPEATS, 'How it repeats.'),
  repeat_on: Type.Optional(
    Type.String({
      format: 'weekdays',
      description: 'Weekdays of a weekly one; the current weekday if absent.'
    })
  ),
  date: Type.Optional(
    Type.String({
      format: 'calendar-date',
      description: 'Date of one that does not repeat; required there.'
    })
  ),
  time: Type.String({ format: 'clock-time', description: 'HH:mm, local.' }),
  timezone: Type.String({ format: 'time-zone', description: 'IANA zone.' }),
  workspace_type_name: Type.Optional(
    fromCatalogue('workspaceTypes', 'New size of the workspace; it is stopped if absent.')
  ),
  extra: extraState('schedule')
})
type WorkspaceScheduleState = Static<typeof WorkspaceScheduleStateSchema>

/** The schedules of a workspace in a state document. */
export const scheduleFields = {
  backup_schedule: Type.Optional(BackupScheduleStateSchema),
  schedules: resources(WorkspaceScheduleStateSchema)
}

export function addBackupSchedule(tx: Tx, workspace: string, schedule: BackupScheduleState): void {
  tx.schedules.setBackup(backupScheduleOf(workspace, schedule, schedule.extra))
}

export function addWorkspaceSchedule(tx: Tx, workspace: string, given: WorkspaceScheduleState): void {
  const { id, repeat, repeat_on: repeatOn, date, time, timezone, workspace_type_name: workspaceTypeName } = given
  const schedule = {
    repeat,
    repeatOn: repeatOn ?? null,
    date: repeat === 'none' ? (date ?? null) : null,
    time,
    timezone,
    workspaceTypeName: workspaceTypeName ?? null,
    extra: given.extra
  }
  tx.schedules.set({ ...schedule, workspace, id: id ?? tx.newId(), repeatOn: weekdaysOf(tx.now, schedule) })
}

export function toBackupScheduleState(schedule: BackupScheduleRecord): BackupScheduleState {
  return { ...toBackupScheduleView(schedule), ...extraOf(schedule) }
}

export function toWorkspaceScheduleState(schedule: WorkspaceScheduleRecord): WorkspaceScheduleState {
  const { id, repeat, repeatOn, date, time, timezone, workspaceTypeName } = schedule
  return {
    id,
    repeat,
    ...(repeatOn === null ? {} : { repeat_on: repeatOn }),
    ...(date === null ? {} : { date }),
    time,
    timezone,
    ...(workspaceTypeName === null ? {} : { workspace_type_name: workspaceTypeName }),
    ...extraOf(schedule)
  }
}

/** The schedules of a workspace, with the fields that they depend on. */
interface Checked {
  readonly backup_schedule?: BackupScheduleState
  readonly schedules?: readonly WorkspaceScheduleState[]
  readonly is_rw?: boolean
}

/**
 * @param path path of the workspace
 * @param cronProblemOf see {@link cronProblems}
 */
export function checkSchedules(
  { backup_schedule: backup, schedules = [], is_rw: isRw = true }: Checked,
  path: string,
  { complain, unique }: DocumentCheck,
  cronProblemOf: (line: string) => string | undefined
): void {
  if (!isRw && backup !== undefined) complain(`${path}.backup_schedule`, 'must be absent for a read-only workspace')
  // If the schema has rejected the line, it is absent.
  const line: string | undefined = backup?.schedule
  const problem = line === undefined ? undefined : cronProblemOf(line)
  if (problem !== undefined) complain(`${path}.backup_schedule.schedule`, problem)
  schedules.forEach(({ id, repeat, date }, index) => {
    unique(`schedule of ${path}`, `${path}.schedules.${index}.id`, id)
    if (repeat === 'none' && date === undefined) {
      complain(`${path}.schedules.${index}.date`, 'is required when repeat is none')
    }
  })
}

/** Finding out that a line never fires may take a search through all years, so limit the number of searches. */
const MOST_SEARCHES = 10

/** Returns a function that finds the error of a cron line, checking each line of a document once. */
export function cronProblems(): (line: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  const now = wallTime()
  let searches = 0
  return (line) => {
    if (!known.has(line) && searches < MOST_SEARCHES) {
      const problem = cronProblem(line, now)
      if (problem === NEVER_FIRES && !hasNoDate(line)) searches++
      known.set(line, problem)
    }
    return known.get(line)
  }
}
