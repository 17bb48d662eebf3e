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

/** Items in order of last use, for an LRU cache. */
export class Recency<T> {
  readonly #items = new Set<T>()

  /** The least recently used item; undefined if there is none. */
  get oldest(): T | undefined {
    return this.#items.values().next().value
  }

  has(item: T): boolean {
    return this.#items.has(item)
  }

  /** Marks an item as just used, adding it if it is new. */
  touch(item: T): void {
    this.#items.delete(item)
    this.#items.add(item)
  }

  remove(item: T): void {
    this.#items.delete(item)
  }
}
