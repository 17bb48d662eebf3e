/**
 * Queues of items, one for each of those who share something. They take turns, so that who brings many lets the others
 * wait for one.
 */
export class Lanes<T> {
  readonly #lanes = new Map<unknown, T[]>()

  get isEmpty(): boolean {
    return this.#lanes.size === 0
  }

  /** What is first in a lane. */
  first(lane: unknown): T | undefined {
    return this.#lanes.get(lane)?.[0]
  }

  /** What is last in a lane. */
  last(lane: unknown): T | undefined {
    return this.#lanes.get(lane)?.at(-1)
  }

  /** Puts an item at the end of its lane, or before all others in it. */
  add(lane: unknown, item: T, isNext = false): void {
    const items = this.#lanes.get(lane)
    if (items === undefined) this.#lanes.set(lane, [item])
    else if (isNext) items.unshift(item)
    else items.push(item)
  }

  /**
   * Takes items out, lane after lane and one of each, for as long as somebody goes on asking.
   * @param fits of which lanes
   */
  *take(fits: (first: T, lane: unknown) => boolean = () => true): Generator<T> {
    for (const [lane, items] of this.#lanes) {
      if (!fits(items[0]!, lane)) continue
      const item = items.shift()!
      // What is put at the end of a map comes again.
      if (items.length === 0) this.#lanes.delete(lane)
      else {
        this.#lanes.delete(lane)
        this.#lanes.set(lane, items)
      }
      yield item
    }
  }

  /** Takes all items out. */
  clear(): T[] {
    const items = [...this.#lanes.values()].flat()
    this.#lanes.clear()
    return items
  }
}
