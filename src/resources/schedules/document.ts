import type { Static } from '@sinclair/typebox'
import { wallTime } from '../../lib/time.js'
import type { DocumentCheck } from '../document.js'
import type { NewRow } from '../field-table.js'
import { type backupScheduleInDocument, scheduleInDocument, type WorkspaceScheduleRecord } from './fields.js'
import { cronProblem, NEVER_FIRES, settled } from './times.js'

type ScheduleState = Static<typeof scheduleInDocument.schema>

interface Workspace {
  readonly backup_schedule?: Static<typeof backupScheduleInDocument.schema>
  readonly schedules?: readonly ScheduleState[]
  readonly is_rw?: boolean
}

/** @param path path of the workspace */
export function checkBackupSchedule(
  { backup_schedule: schedule, is_rw: isRw = true }: Workspace,
  path: string,
  { complain, cronProblem: problemOf }: DocumentCheck
): void {
  if (!isRw && schedule !== undefined) complain(`${path}.backup_schedule`, 'must be absent for a read-only workspace')
  // The line is absent if the schema has rejected it.
  const line: string | undefined = schedule?.schedule
  const problem = line === undefined ? undefined : problemOf(line)
  if (problem !== undefined) complain(`${path}.backup_schedule.schedule`, problem)
}

/** @param path path of the workspace */
export function checkSchedules({ schedules = [] }: Workspace, path: string, { complain, unique }: DocumentCheck): void {
  schedules.forEach(({ id, repeat, date }, index) => {
    unique(`schedule of ${path}`, `${path}.schedules.${index}.id`, id)
    if (repeat === 'none' && date === undefined) {
      complain(`${path}.schedules.${index}.date`, 'is required when repeat is none')
    }
  })
}

/** The row of a schedule, as if it had just been set. */
export const toScheduleRow = (
  tx: NewRow,
  schedule: ScheduleState,
  { id }: { readonly id: string }
): WorkspaceScheduleRecord => settled(tx.now, scheduleInDocument.toRow(tx, schedule, { workspace: id }))

/** Maximum number of searches per document: a line that never fires may take a search through all years. */
const MOST_SEARCHES = 10

/** Returns a function that finds the error of a cron line, checking each line of a document once. */
export function cronProblems(): (line: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  const now = wallTime()
  let searches = 0
  return (line) => {
    if (!known.has(line) && searches < MOST_SEARCHES) {
      const problem = cronProblem(line, now)
      if (problem === NEVER_FIRES) searches++
      known.set(line, problem)
    }
    return known.get(line)
  }
}
