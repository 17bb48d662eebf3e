import { offsetAt, toTimestamp } from './time.js'

/** A span of sandbox time, in milliseconds since 1970. */
export interface TimeWindow {
  readonly begin: number
  readonly end: number
}

/** What the timeline shows: everything that has happened, a span of milliseconds around now, or a window. */
export type Sight = 'fit' | number | TimeWindow

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Share of a span around now that is in the future. */
const AHEAD = 0.3
/** Margin at both ends of `fit`, as a share of the span. */
const MARGIN = 0.03

const SHORTEST = SECOND
const LONGEST = 100 * 365 * DAY

/** @param happened extent of everything that has happened */
export function windowOf(sight: Sight, happened: TimeWindow, now: number): TimeWindow {
  if (sight === 'fit') {
    const span = Math.max(happened.end - happened.begin, MINUTE)
    return beginningAt(happened.end - span * (1 + MARGIN), span * (1 + 2 * MARGIN))
  }
  return typeof sight === 'number' ? beginningAt(now - sight * (1 - AHEAD), sight) : sight
}

/** The window from the first to the last of the times and now. */
export function extentOf(times: readonly number[], now: number): TimeWindow {
  return times.reduce(({ begin, end }, time) => ({ begin: Math.min(begin, time), end: Math.max(end, time) }), {
    begin: now,
    end: now
  })
}

/** Moves a window by a share of its span. */
export function pan({ begin, end }: TimeWindow, share: number): TimeWindow {
  return beginningAt(begin + (end - begin) * share, end - begin)
}

/** Multiplies the span of a window. @param at the fixed point, from 0 at its beginning to 1 at its end */
export function zoom({ begin, end }: TimeWindow, factor: number, at = 0.5): TimeWindow {
  const span = Math.min(Math.max((end - begin) * factor, SHORTEST), LONGEST)
  return beginningAt(begin + (end - begin - span) * at, span)
}

const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** Makes a window whose middle is a time that a clock can have. */
function beginningAt(begin: number, span: number): TimeWindow {
  const from = Math.round(Math.min(Math.max(begin + span / 2, FIRST), LAST) - span / 2)
  return { begin: from, end: from + Math.round(span) }
}

const STEPS = [
  ...[100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * DAY)
]

/** Places about `count` ticks at most, at round times of the zone shown. */
export function ticksOf({ begin, end }: TimeWindow, count: number): { readonly at: number; readonly label: string }[] {
  const step = STEPS.find((size) => (end - begin) / size <= count) ?? (end - begin) / count
  const offset = offsetAt(begin)
  const ticks: { at: number; label: string }[] = []
  for (let at = Math.ceil((begin + offset) / step) * step - offset; at <= end; at += step)
    ticks.push({ at, label: labelOf(at, step) })
  return ticks
}

function labelOf(at: number, step: number): string {
  const shown = at + offsetAt(at)
  const text = toTimestamp(shown)
  if (step >= 90 * DAY) return text.slice(0, 7)
  if (shown % DAY === 0) return text.slice(5, 10)
  return text.slice(11, step < SECOND ? 23 : step < MINUTE ? 19 : 16)
}
