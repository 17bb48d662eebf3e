import { Cron } from 'croner'
import { cached } from '../../lib/caches.js'
import { LAST_TIME, parseTimestamp, toDate } from '../../lib/time.js'
import { hasNoDate } from './dates.js'
import type { WorkspaceScheduleRecord } from './fields.js'
import { nameOfZone, offsetThroughout } from './zones.js'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
type Weekday = (typeof WEEKDAYS)[number]

/** Checks a five-field cron line. @returns why it cannot be used, or undefined if it can */
export function cronProblem(line: string, now: number): string | undefined {
  if (line.trim().split(/\s+/).length !== 5) return 'must be a cron line of five fields, such as 0 3 * * *'
  try {
    // Report errors in its other fields first.
    if (hasNoDate(line)) readPattern(line, 'UTC')
    return hasNoDate(line) || nextOfCron(line, now) === undefined ? NEVER_FIRES : undefined
  } catch (error) {
    return `must be a cron line of five fields, such as 0 3 * * * (${(error as Error).message})`
  }
}

/** The error that {@link cronProblem} returns for a line that can be parsed but never fires. */
export const NEVER_FIRES = 'never fires; no date matches it'

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
  const timeOfDay = (hour * 60 + minute) * MINUTE
  switch (repeat) {
    case 'none': {
      const [year, month, day] = date!.split('-').map(Number)
      // Without its year, every year up to a limit would be searched for the date. There is no year 0 to search.
      if (year === 0) return undefined
      const once = onceAt(parseTimestamp(`${date!}T${time}:00.000Z`), timezone)
      if (once !== undefined) return once > after ? once : undefined
      return nextRun(`0 ${minute} ${hour} ${day!} ${month!} * ${year!}`, timezone, after)
    }
    case 'daily':
      return nextOnDays(EVERY_DAY, timeOfDay, timezone, after) ?? nextRun(`${minute} ${hour} * * *`, timezone, after)
    case 'weekdays':
      return (
        nextOnDays('Mon,Tue,Wed,Thu,Fri', timeOfDay, timezone, after) ??
        nextRun(`${minute} ${hour} * * 1-5`, timezone, after)
      )
    case 'weekly':
      return (
        nextOnDays(repeatOn!, timeOfDay, timezone, after) ??
        nextRun(`${minute} ${hour} * * ${repeatOn!}`, timezone, after)
      )
  }
}

const MINUTE = 60_000
const DAY = 86_400_000
const EVERY_DAY = WEEKDAYS.join()

// Usually no clock change is near. Then a little arithmetic replaces a search, which takes a hundred times as long.

/** Converts a local time, if the zone keeps the same offset for days around it. */
function onceAt(local: number | undefined, timezone: string): number | undefined {
  if (local === undefined) return undefined
  const offset = offsetThroughout(timezone, local - 2 * DAY, local + 2 * DAY)
  return offset === undefined ? undefined : local - offset
}

/** When a local time of day next comes on these weekdays, if the zone has one offset from the day before until then. */
function nextOnDays(weekdays: string, timeOfDay: number, timezone: string, after: number): number | undefined {
  const offset = offsetThroughout(timezone, after - DAY, after)
  if (offset === undefined) return undefined
  const local = after + offset
  let day = Math.floor(local / DAY)
  if (day * DAY + timeOfDay <= local) day++
  while (!weekdays.includes(weekdayOfDay(day))) day++
  const next = day * DAY + timeOfDay - offset
  return next <= LAST_TIME && offsetThroughout(timezone, after, next) === offset ? next : undefined
}

/** The weekday of a day since 1970, which started on a Thursday. */
function weekdayOfDay(day: number): Weekday {
  return WEEKDAYS[(((day + 3) % 7) + 7) % 7]!
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
    .map((day) => (day[0]!.toUpperCase() + day.slice(1).toLowerCase()) as Weekday)
    .join(',')
}

/** There are a few hundred zones, and creating a format is slow. */
const weekdayFormat = cached(
  Infinity,
  (zone: string) => new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short' })
)

const nextRun = (pattern: string, timezone: string, after: number): number | undefined =>
  nextRuns(JSON.stringify([pattern, nameOfZone(timezone), after]))

function readPattern(pattern: string, timezone: string): Cron {
  return patterns(JSON.stringify([pattern, nameOfZone(timezone)]))
}

/** Most schedules are alike, so the latest answers are cached, and the latest patterns, each of which takes 80 kB. */
const nextRuns = cached(1000, (question: string) => {
  const [pattern, zone, after] = JSON.parse(question) as [string, string, number]
  return readPattern(pattern, zone).nextRun(toDate(after))?.getTime()
})
const patterns = cached(100, (text: string) => {
  const [pattern, timezone] = JSON.parse(text) as [string, string]
  return new Cron(pattern, { timezone })
})
