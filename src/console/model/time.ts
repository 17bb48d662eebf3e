const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1]
] as const

/** A duration in words, by its largest unit and the one below it. */
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

/** How far a time is from now. */
export function distance(time: number, now: number): string {
  return time >= now ? `in ${duration(time - now)}` : `${duration(now - time)} ago`
}

/** All times are shown in UTC, as the server writes them. */
export const dateTime = (timestamp: string) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)}`
export const clockTime = (timestamp: string) => timestamp.slice(11, 19)
/** What an input of a date and time holds, read as UTC; and the other way round. */
export const fromInput = (text: string) => toTimestamp(Date.parse(`${text}Z`))
export const toInput = (timestamp: string) => timestamp.slice(0, 19)
export const toTimestamp = (time: number) => new Date(time).toISOString()
