import { Cron } from 'croner'
import { cached } from '../../lib/caches.js'
import { toDate } from '../../lib/time.js'
import type { WorkspaceScheduleRecord } from './fields.js'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The error that {@link cronProblem} returns for a line that can be parsed but never fires. */
export const NEVER_FIRES = 'never fires; no date matches it'

/** Checks a five-field cron line. @returns why it cannot be used, or undefined if it can */
export function cronProblem(line: string, now: number): string | undefined {
  if (line.trim().split(/\s+/).length !== 5) return 'must be a cron line of five fields, such as 0 3 * * *'
  try {
    return nextOfCron(line, now) === undefined ? NEVER_FIRES : undefined
  } catch (error) {
    return `must be a cron line of five fields, such as 0 3 * * * (${(error as Error).message})`
  }
}

/** When a cron line next fires after a time, in UTC. Times are milliseconds since 1970. */
export function nextOfCron(line: string, after: number): number | undefined {
  return nextRun(line, 'UTC', after)
}

/**
 * When a workspace schedule next fires after a time. A local time that daylight saving repeats counts only the first
 * time. If daylight saving skips it, the schedule fires at the end of the gap.
 */
export function nextOfSchedule(schedule: WorkspaceScheduleRecord, after: number): number | undefined {
  const { repeat, repeatOn, date, time, timezone } = schedule
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  if (repeat === 'none') {
    const [year, month, day] = date!.split('-').map(Number)
    // Croner knows no year 0.
    if (year === 0) return undefined
    // The year limits the search.
    return nextRun(`0 ${minute} ${hour} ${day!} ${month!} * ${year!}`, timezone, after)
  }
  const weekdays = repeat === 'weekly' ? repeatOn! : WEEKDAYS.slice(0, repeat === 'daily' ? 7 : 5).join()
  return nextRun(`${minute} ${hour} * * ${weekdays}`, timezone, after)
}

/** A schedule with only the fields that its repetition uses. */
export const settled = (now: number, schedule: WorkspaceScheduleRecord): WorkspaceScheduleRecord => ({
  ...schedule,
  date: schedule.repeat === 'none' ? schedule.date : null,
  repeatOn: weekdaysOf(now, schedule)
})

/** The weekdays of a weekly schedule in their usual spelling; by default, the current weekday. */
function weekdaysOf(
  now: number,
  { repeat, repeatOn, timezone }: Pick<WorkspaceScheduleRecord, 'repeat' | 'repeatOn' | 'timezone'>
): string | null {
  if (repeat !== 'weekly') return null
  if (repeatOn === null) return weekdayFormat(nameOfZone(timezone)).format(now)
  return [...new Set(repeatOn.split(',').map((day) => day.trim()))]
    .map((day) => day[0]!.toUpperCase() + day.slice(1).toLowerCase())
    .join(',')
}

/** There are a few hundred zones, and creating a format is slow. */
const weekdayFormat = cached(
  Infinity,
  (zone: string) => new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short' })
)

/** The canonical name of a zone, which can be spelt in many ways. */
const nameOfZone = cached(
  1000,
  (timezone: string) => new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone
)

const nextRun = (pattern: string, timezone: string, after: number): number | undefined =>
  nextRuns(JSON.stringify([pattern, nameOfZone(timezone), after]))

/** Many schedules are alike, so the latest answers are cached, and the latest patterns, each of which takes 80 kB. */
const nextRuns = cached(1000, (question: string) => {
  const [pattern, timezone, after] = JSON.parse(question) as [string, string, number]
  return patterns(JSON.stringify([pattern, timezone]))
    .nextRun(toDate(after))
    ?.getTime()
})

const patterns = cached(100, (text: string) => {
  const [pattern, timezone] = JSON.parse(text) as [string, string]
  return new Cron(pattern, { timezone })
})
