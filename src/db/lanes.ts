/** A lane is light as long as it uses no more than this share of the time, */
const LIGHT_SHARE = 0.05
/** and so many milliseconds at once. */
const LIGHT_MS = 50
/** Of so many items, one is of the lane that has waited for longest. */
const OLDEST_EVERY = 5

/** How much time a lane has used, less its share of what has passed since. */
interface Usage {
  milliseconds: number
  at: number
}

/**
 * Queues of items, one for each of those who share something. They take turns, so that who brings many lets the others
 * wait for one. Light lanes come first, then the one that has used least time.
 */
export class Lanes<T> {
  readonly #time: () => number
  readonly #lanes = new Map<unknown, T[]>()
  readonly #usages = new WeakMap<object, Usage>()
  /** Counts the items that were taken, so that each lane has its turn, however few are taken at a time. */
  #turn = 0

  /** @param time milliseconds since some moment */
  constructor(time: () => number) {
    this.#time = time
  }

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

  /** Whether a lane has used so little time lately that it need not wait for those who have used much. */
  isLight(lane: unknown): boolean {
    return this.#used(lane, this.#time()) < LIGHT_MS
  }

  /** Notes how much time an item of a lane has used. */
  charge(lane: unknown, milliseconds: number): void {
    if (typeof lane !== 'object' || lane === null) return
    const now = this.#time()
    const usage = this.#usages.get(lane)
    if (usage === undefined) this.#usages.set(lane, { milliseconds, at: now })
    else {
      usage.milliseconds = this.#used(lane, now) + milliseconds
      usage.at = now
    }
  }

  #used(lane: unknown, now: number): number {
    const usage = this.#usages.get(lane as object)
    return usage === undefined ? 0 : Math.max(0, usage.milliseconds - (now - usage.at) * LIGHT_SHARE)
  }

  /**
   * Takes items out, one of a lane and then one of another, for as long as somebody goes on asking.
   * @param fits of which lanes
   */
  *take(fits: (first: T, lane: unknown) => boolean = () => true): Generator<T> {
    for (;;) {
      this.#turn = (this.#turn + 1) % OLDEST_EVERY
      const item = this.#takeOne(fits, this.#turn === 0 ? Infinity : LIGHT_MS)
      if (item === undefined) return
      yield item
    }
  }

  /** {@link take}, of light lanes only. */
  *takeLight(fits: (first: T) => boolean = () => true): Generator<T> {
    for (;;) {
      const item = this.#takeOne((first, lane) => this.isLight(lane) && fits(first), LIGHT_MS)
      if (item === undefined) return
      yield item
    }
  }

  /** @param enough a lane that has used no more than that is not compared with those behind it */
  #takeOne(fits: (first: T, lane: unknown) => boolean, enough: number): T | undefined {
    const now = this.#time()
    let least = Infinity
    let found: { lane: unknown; items: T[] } | undefined
    for (const [lane, items] of this.#lanes) {
      const used = this.#used(lane, now)
      if ((found !== undefined && used >= least) || !fits(items[0]!, lane)) continue
      least = used
      found = { lane, items }
      if (used <= enough) break
    }
    if (found === undefined) return undefined
    const { lane, items } = found
    const item = items.shift()!
    // It comes again behind the others.
    this.#lanes.delete(lane)
    if (items.length > 0) this.#lanes.set(lane, items)
    return item
  }

  /** Takes all items out. */
  clear(): T[] {
    const items = [...this.#lanes.values()].flat()
    this.#lanes.clear()
    return items
  }
}
