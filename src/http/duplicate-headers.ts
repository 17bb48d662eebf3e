/** The headers that say whom a request is for and whom it comes from, by the lengths of their names. */
const SINGLE: ReadonlyMap<number, string> = new Map(['host', 'x-api-key', 'x-mock-token', 'authorization'].map((name) => [name.length, name]))

/**
 * A header of those that a request may have once, and has more often. Node keeps the first of some and joins others, and a proxy
 * before it may have looked at another one.
 * @param raw names and values in turn, as they have arrived
 */
export function duplicateHeader(raw: readonly string[]): string | undefined {
  let seen = 0
  for (let i = 0; i < raw.length; i += 2) {
    // This is asked of every request, so the length comes first.
    const { length } = raw[i]!
    const name = SINGLE.get(length)
    if (name === undefined || raw[i]!.toLowerCase() !== name) continue
    if ((seen & (1 << length)) !== 0) return name
    seen |= 1 << length
  }
  return undefined
}
