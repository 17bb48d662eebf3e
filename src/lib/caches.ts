/** Maximum length of a text whose result is kept, because clients choose the names of fields. */
const LONGEST = 1000

/** Memoizes a function. When there are too many results, all are forgotten. */
export function cached<Key, Value>(most: number, compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found as Value
    const value = compute(key)
    if (typeof key === 'string' && key.length > LONGEST) return value
    if (known.size >= most) known.clear()
    known.set(key, value)
    return value
  }
}
