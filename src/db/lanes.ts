/** A lane is light while it uses no more than this share of the time, */
const LIGHT_SHARE = 0.05
/** and no more than this many milliseconds at once. */
const LIGHT_MS = 50
/** What a lane has used that nobody knows yet: whoever uses a new one for each request must not outrun the others. */
const NEW_MS = 25
/** Among light lanes, those that have used no more than this come in order of arrival. */
const QUIET_MS = 5
/** Every nth item comes from the lane that has waited longest. */
const OLDEST_EVERY = 5

/** The time that a lane has used, less its share of the time that has passed since. */
interface Usage {
  milliseconds: number
  at: number
}

/**
 * One queue of items per lane. Lanes take turns, so a lane with many items delays the others by one item only. Light
 * lanes run first, then the lane that has used the least time.
 */
export class Lanes<T> {
  readonly #time: () => number
  readonly #lanes = new Map<unknown, T[]>()
  readonly #usages = new WeakMap<object, Usage>()
  /** Counts the items taken, so that every lane gets its turn even if few are taken at a time. */
  #turn = 0

  /** @param time clock in milliseconds */
  constructor(time: () => number) {
    this.#time = time
  }

  get isEmpty(): boolean {
    return this.#lanes.size === 0
  }

  /** Number of items in all lanes. */
  get size(): number {
    let size = 0
    for (const { length } of this.#lanes.values()) size += length
    return size
  }

  first(lane: unknown): T | undefined {
    return this.#lanes.get(lane)?.[0]
  }

  last(lane: unknown): T | undefined {
    return this.#lanes.get(lane)?.at(-1)
  }

  /** Adds an item to the end of its lane, or to the front. */
  add(lane: unknown, item: T, isNext = false): void {
    const items = this.#lanes.get(lane)
    if (items === undefined) this.#lanes.set(lane, [item])
    else if (isNext) items.unshift(item)
    else items.push(item)
  }

  /** Whether a lane has used so little time lately that it need not wait for heavy ones. */
  isLight(lane: unknown): boolean {
    return this.#used(lane, this.#time()) < LIGHT_MS
  }

  /** Charges a lane for the time that an item took. */
  charge(lane: unknown, milliseconds: number): void {
    if (typeof lane !== 'object' || lane === null) return
    const now = this.#time()
    this.#usages.set(lane, { milliseconds: this.#used(lane, now) + milliseconds, at: now })
  }

  #used(lane: unknown, now: number): number {
    const usage = this.#usages.get(lane as object)
    return usage === undefined ? NEW_MS : Math.max(0, usage.milliseconds - (now - usage.at) * LIGHT_SHARE)
  }

  /**
   * Takes items, alternating between lanes, for as long as the caller asks for more.
   * @param fits selects lanes by their first item
   */
  *take(fits: (first: T, lane: unknown) => boolean = () => true): Generator<T> {
    for (;;) {
      this.#turn = (this.#turn + 1) % OLDEST_EVERY
      const item = this.#takeOne(fits, this.#turn === 0 ? Infinity : LIGHT_MS)
      if (item === undefined) return
      yield item
    }
  }

  /** Whether an item of a light lane is queued. @param fits selects lanes by their first item */
  hasLight(fits: (first: T) => boolean = () => true): boolean {
    for (const [lane, [first]] of this.#lanes) if (this.isLight(lane) && fits(first!)) return true
    return false
  }

  /** Like {@link take}, for light lanes only, beginning with those that have used the least time. */
  *takeLight(fits: (first: T) => boolean = () => true): Generator<T> {
    for (;;) {
      const item = this.#takeOne((first, lane) => this.isLight(lane) && fits(first), QUIET_MS)
      if (item === undefined) return
      yield item
    }
  }

  /** @param enough stop comparing at the first lane that has used no more than this */
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
    // Move the lane behind the others.
    this.#lanes.delete(lane)
    if (items.length > 0) this.#lanes.set(lane, items)
    return item
  }

  /** Removes all items. */
  clear(): T[] {
    const items = [...this.#lanes.values()].flat()
    this.#lanes.clear()
    return items
  }
}
