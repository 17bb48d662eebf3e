const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1]
] as const

/** A duration in words, with at most two units. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`
  let rest = Math.round(milliseconds / 1000)
  const counts = UNITS.map(([name, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return { name, count }
  })
  const largest = counts.findIndex(({ count }) => count > 0)
  return counts
    .slice(largest, largest + 2)
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${count} ${name}`)
    .join(' ')
}

/** The distance of a time from now, in words. */
export function distance(time: number, now: number): string {
  return time >= now ? `in ${duration(time - now)}` : `${duration(now - time)} ago`
}

export const toTimestamp = (time: number) => new Date(time).toISOString()

// Swedish dates look like ISO 8601.
const formatIn = (timeZone: string | undefined) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })

/** The zone of all times on the page; undefined: that of the reader. */
let zone: string | undefined = 'UTC'
let format = formatIn(zone)

export function showIn(timeZone: string | undefined): void {
  zone = timeZone
  format = formatIn(zone)
}

/** Switches all times between UTC and the reader's zone. */
export function switchZone(): void {
  showIn(zone === undefined ? 'UTC' : undefined)
}

/** The name of the zone at a time, such as `UTC` or `GMT+2`. */
export function zoneAt(time: string | number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'short' }).formatToParts(new Date(time))
  return parts.find(({ type }) => type === 'timeZoneName')!.value
}

/** A time to the second, with a year of four digits. @param time timestamp, or milliseconds since 1970 */
export const dateTime = (time: string | number) => format.format(new Date(time)).padStart(19, '0')

/** A time of day to the millisecond. */
export const clockTime = (timestamp: string) => dateTime(timestamp).slice(11) + timestamp.slice(19, 23)

/** In any zone, the years between these times have four digits, and can be read again. */
const FIRST = Date.parse('0001-01-02T00:00:00Z')
const LAST = Date.parse('9999-12-30T00:00:00Z')

/** The offset of the zone from UTC at a time, in milliseconds. */
export function offsetAt(time: number): number {
  const known = Math.min(Math.max(time, FIRST), LAST)
  return Date.parse(`${dateTime(known).replace(' ', 'T')}Z`) - Math.floor(known / 1000) * 1000
}

/** Database columns with times in milliseconds since 1970. */
const TIME_COLUMNS: ReadonlySet<string> = new Set(['last_active', 'clock_base', 'clock_anchor'])

/** Whether a stored value is a time. 0 stands for a clock that was never set. */
export function isTime(column: string, value: unknown): value is string | number {
  return typeof value === 'number'
    ? TIME_COLUMNS.has(column) && value > 0
    : typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)
}
