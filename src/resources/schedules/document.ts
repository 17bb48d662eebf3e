import type { Static } from '@sinclair/typebox'
import { wallTime } from '../../lib/time.js'
import type { DocumentCheck } from '../document.js'
import { hasNoDate } from './dates.js'
import type { backupScheduleInDocument, scheduleInDocument } from './fields.js'
import { cronProblem, NEVER_FIRES } from './times.js'

interface Checked {
  readonly backup_schedule?: Static<typeof backupScheduleInDocument.schema>
  readonly schedules?: readonly Static<typeof scheduleInDocument.schema>[]
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
  // The line is absent if the schema has rejected it.
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
      if (problem === NEVER_FIRES && !hasNoDate(line)) searches++
      known.set(line, problem)
    }
    return known.get(line)
  }
}
