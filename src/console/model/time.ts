/** A duration in words, with its two largest units. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`
  const seconds = Math.round(milliseconds / 1000)
  const units = [['d', 86_400], ['h', 3600], ['min', 60], ['s', 1]] as const
  const parts: string[] = []
  let rest = seconds
  for (const [name, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${name}`)
  }
  return parts.slice(0, 2).join(' ')
}

/** How far a time is from now. */
export function distance(time: number, now: number): string {
  return time >= now ? `in ${duration(time - now)}` : `${duration(now - time)} ago`
}

/** All times are shown in UTC, as the server writes them. */
export const dateTime = (timestamp: string) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)}`
export const clockTime = (timestamp: string) => timestamp.slice(11, 19)
export const toTimestamp = (time: number) => new Date(time).toISOString()
