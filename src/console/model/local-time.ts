/** Swedish dates are written as in ISO 8601. */
const format = (zone: string | undefined) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })

const here = format(undefined)

/**
 * A time in the reader's time zone, to the second.
 * @param time timestamp, or milliseconds since 1970
 */
export function localDateTime(time: string | number, zone?: string): string {
  return (zone === undefined ? here : format(zone)).format(new Date(time))
}

export const localClockTime = (time: string | number, zone?: string) => localDateTime(time, zone).slice(11)

/** The time zone of the reader at a time, such as `UTC` or `GMT+2`. */
export function zoneName(time: string | number, zone?: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'short' }).formatToParts(new Date(time))
  return parts.find(({ type }) => type === 'timeZoneName')!.value
}

/** Columns of stored rows that hold a time as milliseconds since 1970. */
const TIME_COLUMNS: ReadonlySet<string> = new Set(['last_active', 'clock_base', 'clock_anchor'])

/** Whether a stored value is a time. A clock that has not been set has a 0 there. */
export function isTime(column: string, value: unknown): value is string | number {
  return typeof value === 'number'
    ? TIME_COLUMNS.has(column) && value > 0
    : typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)
}
