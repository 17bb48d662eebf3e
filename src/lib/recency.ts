/** Items in order of last use. A set keeps its items in the order in which they were added. */
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
