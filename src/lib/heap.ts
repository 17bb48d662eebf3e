/** A binary heap from which any item can be removed. Adding and removing take O(log n). */
export class Heap<T> {
  readonly #items: T[] = []
  /** Where each item is. */
  readonly #places = new Map<T, number>()

  /** @param isBefore a strict order */
  constructor(private readonly isBefore: (a: T, b: T) => boolean) {}

  get size(): number {
    return this.#items.length
  }

  /** The item before all others. */
  get first(): T | undefined {
    return this.#items[0]
  }

  /** Adds an item that is not in it. */
  add(item: T): void {
    this.#rise(item, this.#items.length)
  }

  /** @returns whether the item was in it */
  remove(item: T): boolean {
    const place = this.#places.get(item)
    if (place === undefined) return false
    this.#places.delete(item)
    const last = this.#items.pop()!
    if (last !== item) {
      this.#sink(last, place)
      this.#rise(last, this.#places.get(last)!)
    }
    return true
  }

  /** Puts an item in a place, or above it. */
  #rise(item: T, place: number): void {
    while (place > 0) {
      const above = (place - 1) >> 1
      const other = this.#items[above]!
      if (!this.isBefore(item, other)) break
      this.#put(other, place)
      place = above
    }
    this.#put(item, place)
  }

  /** Puts an item in a place, or below it. */
  #sink(item: T, place: number): void {
    for (;;) {
      const below = this.#firstBelow(place)
      if (below === undefined || !this.isBefore(this.#items[below]!, item)) break
      this.#put(this.#items[below]!, place)
      place = below
    }
    this.#put(item, place)
  }

  #firstBelow(place: number): number | undefined {
    const left = 2 * place + 1
    const right = left + 1
    if (left >= this.#items.length) return undefined
    return right < this.#items.length && this.isBefore(this.#items[right]!, this.#items[left]!) ? right : left
  }

  #put(item: T, place: number): void {
    this.#items[place] = item
    this.#places.set(item, place)
  }
}
