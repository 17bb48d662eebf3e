import { parseTimestamp } from '../lib/time.js'

/** Seconds since 1970 are less until the year 5138. */
const LEAST_MILLISECONDS = 100_000_000_000

/** A time of a reply in milliseconds, in whatever form it is written; undefined if it cannot be read. */
export function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'number') return parseTimestamp(String(value))
  return value < LEAST_MILLISECONDS ? value * 1000 : value
}
