/** Caches what a function returns. If there are too many results, all are forgotten. */
export function cached<Key, Value>(most: number, compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (known.has(key)) return known.get(key) as Value
    const value = compute(key)
    if (known.size >= most) known.clear()
    known.set(key, value)
    return value
  }
}
