/** Items of which the oldest is dropped in constant time on average: `Array.shift` moves all the others. */
export class Queue<T> {
  #items: (T | undefined)[] = []
  /** How many items at the beginning are dropped: at most half of them. */
  #first = 0

  get size(): number {
    return this.#items.length - this.#first
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Removes the oldest. There must be one. */
  shift(): T {
    const oldest = this.#items[this.#first]!
    this.#items[this.#first++] = undefined
    if (this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first)
      this.#first = 0
    }
    return oldest
  }

  /** A copy of the items, oldest first. */
  list(): T[] {
    return this.#items.slice(this.#first) as T[]
  }

  /** The items, newest first. */
  *newestFirst(): Generator<T> {
    for (let index = this.#items.length - 1; index >= this.#first; index--) yield this.#items[index]!
  }
}
