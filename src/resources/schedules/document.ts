import { type Static, Type } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import { wallTime } from '../../lib/time.js'
import { type DocumentCheck, resources } from '../document.js'
import { properties, reader, stater } from '../field-table.js'
import type { Tx } from '../tx.js'
import { hasNoDate } from './dates.js'
import { BACKUP_SCHEDULES, newBackupSchedule, newSchedule, WORKSPACE_SCHEDULES } from './fields.js'
import { cronProblem, NEVER_FIRES, weekdaysOf } from './times.js'

const BackupScheduleStateSchema = closed(properties(BACKUP_SCHEDULES.fields, 'document'))
type BackupScheduleState = Static<typeof BackupScheduleStateSchema>

const WorkspaceScheduleStateSchema = closed(properties(WORKSPACE_SCHEDULES.fields, 'document'))
type WorkspaceScheduleState = Static<typeof WorkspaceScheduleStateSchema>

/** The schedules of a workspace in a state document. */
export const scheduleFields = {
  backup_schedule: Type.Optional(BackupScheduleStateSchema),
  schedules: resources(WorkspaceScheduleStateSchema)
}

const givenBackup = reader(BACKUP_SCHEDULES.fields, 'document')
export const toBackupScheduleState = stater(BACKUP_SCHEDULES.fields)

export function addBackupSchedule(tx: Tx, workspace: string, given: BackupScheduleState): void {
  const { schedule } = given
  tx.schedules.setBackup(newBackupSchedule(tx, { ...givenBackup(given), workspace, schedule }))
}

const given = reader(WORKSPACE_SCHEDULES.fields, 'document')
export const toWorkspaceScheduleState = stater(WORKSPACE_SCHEDULES.fields)

export function addWorkspaceSchedule(tx: Tx, workspace: string, state: WorkspaceScheduleState): void {
  const { repeat, time, timezone } = state
  const schedule = newSchedule(tx, { ...given(state), workspace, repeat, time, timezone })
  const date = repeat === 'none' ? schedule.date : null
  tx.schedules.set({ ...schedule, date, repeatOn: weekdaysOf(tx.now, schedule) })
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
