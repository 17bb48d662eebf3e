import { Cron } from 'croner'
import { cached } from '../../lib/caches.js'
import { LAST_TIME, parseTimestamp, toDate } from '../../lib/time.js'
import type { WorkspaceScheduleRecord } from './fields.js'

const DAY = 86_400_000
/** 400 years, after which dates fall on the same weekdays. */
const CALENDAR = 146_097 * DAY
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
export const nextOfCron = (line: string, after: number): number | undefined => nextRuns(JSON.stringify([line, after]))

/**
 * When a workspace schedule next fires after a time. A local time that daylight saving repeats counts only the first
 * time. If daylight saving skips it, the schedule fires at the end of the gap.
 */
export function nextOfSchedule(schedule: WorkspaceScheduleRecord, after: number): number | undefined {
  const { repeat, repeatOn, date, time } = schedule
  const zone = nameOfZone(schedule.timezone)
  const isNext = (at: number) => at > after && at <= LAST_TIME
  const localOn = (day: string) => parseTimestamp(`${day}T${time}:00.000Z`)!
  if (repeat === 'none') return [firstAt(`${localOn(date!)} ${zone}`)].find(isNext)
  const days = repeat === 'weekly' ? repeatOn!.split(',') : WEEKDAYS.slice(0, repeat === 'daily' ? 7 : 5)
  const yesterday = Math.floor((after + offsetAt(after, zone)) / DAY - 1) * DAY
  const first = yesterday + localOn('1970-01-01')
  for (let local = first; local <= first + 9 * DAY; local += DAY) {
    if (!days.includes(WEEKDAYS[(toDate(local).getUTCDay() + 6) % 7]!)) continue
    const at = firstAt(`${local} ${zone}`)
    if (isNext(at)) return at
  }
  return undefined
}

/**
 * When the clocks of a zone first show a local time, or skip it: the time as if it were in UTC, and the zone. Many
 * schedules are alike, so the latest answers are cached.
 */
const firstAt = cached(1000, (question: string): number => {
  const [time = '', zone = ''] = question.split(' ')
  const local = Number(time)
  const [before, later] = [offsetAt(local - DAY, zone), offsetAt(local + DAY, zone)]
  const shown = [local - before, local - later].find((at) => at + offsetAt(at, zone) === local)
  if (shown !== undefined) return shown
  let [still, changed] = [local - later, local - before]
  while (changed - still > 1) {
    const between = Math.floor((still + changed) / 2)
    if (offsetAt(between, zone) === before) still = between
    else changed = between
  }
  return changed
})

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(time: number, zone: string): number {
  const [, sign, ...parts] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(offsetFormat(zone).format(time)) ?? []
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part: string | undefined) => Number(part ?? 0))
  return (sign === '-' ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds)
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

const offsetFormat = cached(
  Infinity,
  (zone: string) => new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
)

/** The latest answers are cached, and the latest patterns, each of which takes 80 kB. */
const nextRuns = cached(1000, (question: string) => {
  const [line, after] = JSON.parse(question) as [string, number]
  // The library ends with the year 2999, but the calendar repeats.
  const cycles = Math.floor(after / CALENDAR) * CALENDAR
  const next = patterns(line).nextRun(toDate(after - cycles))
  return next === null || next.getTime() + cycles > LAST_TIME ? undefined : next.getTime() + cycles
})

const patterns = cached(100, (line: string) => new Cron(line, { timezone: 'UTC' }))
