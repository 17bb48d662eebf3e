import { groupBy } from '../../lib/group-by.js'
import { isoLength } from '../../lib/time.js'
import { BUILT_IN_DURATIONS } from '../../profile/durations.js'
import { type Interval, TOLERANCE_MS } from '../timing.js'
import { type Draft, seenTimes } from './draft.js'
import type { Evidence } from './evidence.js'

/** Round lengths, largest first. */
const UNITS = [3_600_000, 1_800_000, 600_000, 300_000, 60_000, 30_000, 10_000, 5000, 1000, 500, 100]

/** Learns how long transitions take. Only the realistic speed changes. */
export function learnDurations({ durations }: Evidence, draft: Draft): void {
  for (const [name, observed] of groupBy(durations, ({ transition }) => transition)) {
    const builtIn = BUILT_IN_DURATIONS[name].realistic
    const length = lengthOf(observed)
    const isBuiltIn = observed.every(({ min, max }) => min - slackOf(max) <= builtIn && builtIn <= max + slackOf(max))
    const place = ['durations', name]
    if (isBuiltIn && draft.get(place) === undefined) continue
    const realistic =
      length.min === length.max ? isoLength(length.min) : { min: isoLength(length.min), max: isoLength(length.max) }
    draft.set(place, { realistic }, seenTimes(observed.length))
  }
}

/** The same tolerance as in the comparison, because the clocks of service and recorder differ. */
const slackOf = (length: number) => TOLERANCE_MS + length / 1000

/** The tightest range that is consistent with all intervals: a single length if they have one in common. */
export function lengthOf(observed: readonly Interval[]): Interval {
  const latestStart = largest(observed.map(({ min }) => min))
  const earliestEnd = smallest(observed.map(({ max }) => max))
  if (latestStart <= earliestEnd) {
    const length = roundest(latestStart, earliestEnd)
    return { min: length, max: length }
  }
  // Rounding outwards keeps it consistent.
  return { min: Math.floor(earliestEnd / 100) * 100, max: Math.ceil(latestStart / 100) * 100 }
}

/** The roundest length near the middle, which somebody most likely chose. */
function roundest(min: number, max: number): number {
  const middle = (min + max) / 2
  const lengths = UNITS.map((unit) => Math.round(middle / unit) * unit)
  return lengths.find((length) => min <= length && length <= max && length > 0) ?? Math.round(middle)
}

/** The largest number; minus infinity if there are none. */
export const largest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), -Infinity)

/** The smallest number; infinity if there are none. */
export const smallest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b), Infinity)
