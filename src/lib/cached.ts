/** Caches what a function returns. If there are too many results, all are forgotten. */
export function cached<Key, Value>(most: number, compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found as Value
    const value = compute(key)
    if (known.size >= most) known.clear()
    known.set(key, value)
    return value
  }
}
