/** Returns a function that complains about a value already used for the same kind of thing. Ignores absent ones. */
export function uniqueness(complain: (field: string, reason: string) => void) {
  const kinds = new Map<string, Map<string, string>>()
  return (kind: string, field: string, value: string | undefined): void => {
    if (value === undefined) return
    let seen = kinds.get(kind)
    if (seen === undefined) kinds.set(kind, (seen = new Map<string, string>()))
    const first = seen.get(value)
    if (first === undefined) seen.set(value, field)
    else complain(field, `is taken already, by ${first}`)
  }
}
