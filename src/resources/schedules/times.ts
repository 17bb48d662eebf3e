import { Cron } from 'croner'
import { cached } from '../../lib/caches.js'
import { LAST_TIME, parseTimestamp, toDate } from '../../lib/time.js'
import { hasNoDate } from './dates.js'
import type { WorkspaceScheduleRecord } from './fields.js'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
type Weekday = (typeof WEEKDAYS)[number]

const MINUTE = 60_000
const DAY = 86_400_000

/** The error that {@link cronProblem} returns for a line that can be parsed but never fires. */
export const NEVER_FIRES = 'never fires; no date matches it'

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
    const once = onceAt(parseTimestamp(`${date!}T${time}:00.000Z`)!, timezone)
    if (once !== undefined) return once > after ? once : undefined
    // The year limits the search.
    return nextRun(`0 ${minute} ${hour} ${day!} ${month!} * ${year!}`, timezone, after)
  }
  const weekdays = repeat === 'weekly' ? repeatOn! : WEEKDAYS.slice(0, repeat === 'daily' ? 7 : 5).join()
  const next = nextOnDays(weekdays, (hour * 60 + minute) * MINUTE, timezone, after)
  return next ?? nextRun(`${minute} ${hour} * * ${weekdays}`, timezone, after)
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

// Usually no clock change is near. Then a little arithmetic replaces a search, which takes a hundred times as long.

/** Converts a local time, if the zone keeps the same offset for days around it. */
function onceAt(local: number, timezone: string): number | undefined {
  const offset = offsetThroughout(timezone, local - 2 * DAY, local + 2 * DAY)
  return offset === undefined ? undefined : local - offset
}

/** The next local time of day on these weekdays, if the zone has one offset from the day before until then. */
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

/**
 * The offset of a zone from UTC in milliseconds, if it is the same throughout a period; otherwise undefined. Checks it
 * once a day, because no zone changes back and forth within a day.
 */
function offsetThroughout(timezone: string, from: number, to: number): number | undefined {
  const offsetAt = offsetsOf(nameOfZone(timezone))
  const first = Math.floor(from / DAY)
  const offset = offsetAt(first)
  for (let day = first + 1; day <= Math.floor(to / DAY) + 1; day++) if (offsetAt(day) !== offset) return undefined
  return offset
}

/**
 * For each zone, its offset from UTC at the start of UTC days, in milliseconds; NaN if it is not in whole minutes.
 * Creating and using a format is slow.
 */
const offsetsOf = cached(Infinity, (name: string) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  return cached(100, (day: number) => readOffset(format.format(toDate(day * DAY))))
})

/** Reads the offset of a date such as `1/31/2026, GMT-03:30`; that of UTC has no digits. */
function readOffset(text: string): number {
  const match = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(text)
  if (match === null) return NaN
  const [, sign, hours = '0', minutes = '0'] = match
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE
}

/** The canonical name of a zone, which can be spelt in many ways. */
const nameOfZone = cached(
  1000,
  (timezone: string) => new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone
)

const nextRun = (pattern: string, timezone: string, after: number): number | undefined =>
  nextRuns(JSON.stringify([pattern, nameOfZone(timezone), after]))

/** Many schedules are alike, so the latest answers are cached, and the latest patterns, each of which takes 80 kB. */
const nextRuns = cached(1000, (question: string) => {
  const [pattern, zone, after] = JSON.parse(question) as [string, string, number]
  return readPattern(pattern, zone).nextRun(toDate(after))?.getTime()
})

function readPattern(pattern: string, timezone: string): Cron {
  return patterns(JSON.stringify([pattern, nameOfZone(timezone)]))
}

const patterns = cached(100, (text: string) => {
  const [pattern, timezone] = JSON.parse(text) as [string, string]
  return new Cron(pattern, { timezone })
})
