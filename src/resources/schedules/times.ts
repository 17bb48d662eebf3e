import { Cron } from 'croner'
import { toDate } from '../../sim/clock.js'
import { hasNoDate } from './dates.js'
import type { Weekday, WorkspaceScheduleRecord } from './store.js'

/** Reads a five-field cron line. @returns why it cannot be used, or undefined if it can */
export function cronProblem(line: string, now: number): string | undefined {
  if (line.trim().split(/\s+/).length !== 5) return 'must be a cron line of five fields, such as 0 3 * * *'
  try {
    // What is wrong with its other fields is told all the same.
    if (hasNoDate(line)) readPattern(line, 'UTC')
    return hasNoDate(line) || nextOfCron(line, now) === undefined ? NEVER_FIRES : undefined
  } catch (error) {
    return `must be a cron line of five fields, such as 0 3 * * * (${(error as Error).message})`
  }
}

/** What {@link cronProblem} says of a line that can be read. */
export const NEVER_FIRES = 'never fires; no date matches it'

/** When a cron line fires next after a time, in UTC. Times are milliseconds since 1970. */
export function nextOfCron(line: string, after: number): number | undefined {
  return nextRun(line, 'UTC', after)
}

/**
 * When a workspace schedule fires next after a time. A local time that daylight saving repeats counts once, the first
 * time; for one that it skips, the schedule fires when the gap ends.
 */
export function nextOfSchedule(schedule: WorkspaceScheduleRecord, after: number): number | undefined {
  const { repeat, repeatOn, date, time, timezone } = schedule
  const [hour, minute] = time.split(':').map(Number)
  switch (repeat) {
    case 'none': {
      const [year, month, day] = date!.split('-').map(Number)
      // Without its year, the date would be looked for in every year up to a limit. There is no year 0 to look for.
      return year === 0 ? undefined : nextRun(`0 ${minute!} ${hour!} ${day!} ${month!} * ${year!}`, timezone, after)
    }
    case 'daily': return nextRun(`${minute!} ${hour!} * * *`, timezone, after)
    case 'weekdays': return nextRun(`${minute!} ${hour!} * * 1-5`, timezone, after)
    case 'weekly': return nextRun(`${minute!} ${hour!} * * ${repeatOn!}`, timezone, after)
  }
}

/** The weekdays of a weekly schedule in their usual spelling; that of the day it is set by default. */
export function weekdaysOf(now: number, { repeat, repeatOn, timezone }: Omit<WorkspaceScheduleRecord, 'id'>): string | null {
  if (repeat !== 'weekly') return null
  if (repeatOn === null) return weekdayOf(now, timezone)
  return [...new Set(repeatOn.split(',').map((day) => day.trim()))].map((day) => (day[0]!.toUpperCase() + day.slice(1).toLowerCase()) as Weekday).join(',')
}

/** The weekday of a time in a zone. */
function weekdayOf(time: number, timezone: string): Weekday {
  const format = weekdayFormats.get(timezone) ?? new Intl.DateTimeFormat('en-US', { timeZone: timezone, weekday: 'short' })
  weekdayFormats.set(timezone, format)
  return format.format(time) as Weekday
}

/** There are some hundred zones, and to make a format takes long. */
const weekdayFormats = new Map<string, Intl.DateTimeFormat>()

/** Of many schedules, most are alike; so the last answers are kept. */
const MOST_KNOWN = 1000
const known = new Map<string, number | undefined>()

function nextRun(pattern: string, timezone: string, after: number): number | undefined {
  const question = `${after} ${timezone} ${pattern}`
  if (known.has(question)) return known.get(question)
  const next = readPattern(pattern, timezone).nextRun(toDate(after))?.getTime()
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(question, next)
  return next
}

/** To read a pattern takes as long as to find its next time, and a schedule asks for that at each firing. */
const MOST_PATTERNS = 1000
const patterns = new Map<string, Cron>()

function readPattern(pattern: string, timezone: string): Cron {
  const name = `${timezone} ${pattern}`
  let cron = patterns.get(name)
  if (cron === undefined) {
    cron = new Cron(pattern, { timezone })
    if (patterns.size >= MOST_PATTERNS) patterns.clear()
    patterns.set(name, cron)
  }
  return cron
}
