import { cached } from '../../lib/caches.js'
import { toDate } from '../../lib/time.js'

const DAY = 86_400_000

/** The canonical name of a zone. A client may spell it in many ways. */
export const nameOfZone = cached(
  1000,
  (timezone: string) => new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone
)

/**
 * For each zone, its offset from UTC at the start of UTC days, in milliseconds; NaN if it is not in whole minutes.
 * Creating and using a format is slow.
 */
const offsetsOf = cached(Infinity, (name: string) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  return cached(100, (day: number) => readOffset(format.format(toDate(day * DAY))))
})

/**
 * The offset of a zone from UTC in milliseconds, if it is the same throughout a period; otherwise undefined. Checks it
 * once a day, because no zone changes back and forth within a day.
 */
export function offsetThroughout(timezone: string, from: number, to: number): number | undefined {
  const offsetAt = offsetsOf(nameOfZone(timezone))
  const first = Math.floor(from / DAY)
  const offset = offsetAt(first)
  for (let day = first + 1; day <= Math.floor(to / DAY) + 1; day++) if (offsetAt(day) !== offset) return undefined
  return Number.isNaN(offset) ? undefined : offset
}

/** Reads the offset of a date such as `1/31/2026, GMT-03:30`; that of UTC has no digits. */
function readOffset(text: string): number {
  const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(text) ?? [
    undefined,
    undefined,
    'NaN'
  ]
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
