import { toDate } from '../../lib/time.js'

const DAY = 86_400_000

/** Cached data of a zone: creating and using a format is slow. */
interface Zone {
  readonly format: Intl.DateTimeFormat
  /** The offset from UTC at the start of UTC days, in milliseconds; NaN if it is not in whole minutes. */
  readonly offsets: Map<number, number>
}

/** A client may spell the name of a zone in many ways. */
const MOST_NAMES = 1000
const MOST_OFFSETS = 100

const names = new Map<string, string>()
const zones = new Map<string, Zone>()

/** The canonical name of a zone. */
export function nameOfZone(timezone: string): string {
  const known = names.get(timezone)
  if (known !== undefined) return known
  const name = new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone
  if (names.size >= MOST_NAMES) names.clear()
  names.set(timezone, name)
  return name
}

/**
 * The offset of a zone from UTC in milliseconds, if it is the same throughout a period; otherwise undefined. Checks it
 * once a day, because no zone changes back and forth within a day.
 */
export function offsetThroughout(timezone: string, from: number, to: number): number | undefined {
  const zone = zoneOf(nameOfZone(timezone))
  const first = Math.floor(from / DAY)
  const offset = offsetAt(zone, first)
  for (let day = first + 1; day <= Math.floor(to / DAY) + 1; day++) if (offsetAt(zone, day) !== offset) return undefined
  return Number.isNaN(offset) ? undefined : offset
}

function zoneOf(name: string): Zone {
  let zone = zones.get(name)
  if (zone === undefined) {
    zone = {
      format: new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' }),
      offsets: new Map()
    }
    zones.set(name, zone)
  }
  return zone
}

function offsetAt({ format, offsets }: Zone, day: number): number {
  let offset = offsets.get(day)
  if (offset === undefined) {
    offset = readOffset(format.format(toDate(day * DAY)))
    if (offsets.size >= MOST_OFFSETS) offsets.clear()
    offsets.set(day, offset)
  }
  return offset
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
