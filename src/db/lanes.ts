/** A lane is light as long as it uses no more than this share of the time, */
const LIGHT_SHARE = 0.05
/** and so many milliseconds at once. */
const LIGHT_MS = 50
/** After so many light lanes, a heavy one has its turn. */
const LIGHT_TURNS = 4

/** How much time a lane has used, less its share of what has passed since. */
interface Usage { milliseconds: number; at: number }

/**
 * Queues of items, one for each of those who share something. They take turns, so that who brings many lets the others
 * wait for one; and who has used little time comes before those who have used much.
 */
export class Lanes<T> {
  readonly #time: () => number
  readonly #light = new Map<unknown, T[]>()
  readonly #heavy = new Map<unknown, T[]>()
  readonly #usages = new WeakMap<object, Usage>()
  /** Counts the items that were taken, so that heavy lanes have their turn however few are taken at a time. */
  #turn = 0

  /** @param time milliseconds since some moment */
  constructor(time: () => number) {
    this.#time = time
  }

  get isEmpty(): boolean {
    return this.#light.size === 0 && this.#heavy.size === 0
  }

  /** What is first in a lane. */
  first(lane: unknown): T | undefined {
    return this.#items(lane)?.[0]
  }

  /** What is last in a lane. */
  last(lane: unknown): T | undefined {
    return this.#items(lane)?.at(-1)
  }

  /** Puts an item at the end of its lane, or before all others in it. */
  add(lane: unknown, item: T, isNext = false): void {
    const items = this.#items(lane)
    if (items === undefined) this.#lanesLike(lane).set(lane, [item])
    else if (isNext) items.unshift(item)
    else items.push(item)
  }

  /** Whether a lane has used so little time lately that it need not wait for those who have used much. */
  isLight(lane: unknown): boolean {
    const usage = this.#usages.get(lane as object)
    return usage === undefined || usage.milliseconds - (this.#time() - usage.at) * LIGHT_SHARE < LIGHT_MS
  }

  /** Notes how much time an item of a lane has used. */
  charge(lane: unknown, milliseconds: number): void {
    if (typeof lane !== 'object' || lane === null) return
    const now = this.#time()
    const usage = this.#usages.get(lane)
    if (usage === undefined) this.#usages.set(lane, { milliseconds, at: now })
    else {
      usage.milliseconds = Math.max(0, usage.milliseconds - (now - usage.at) * LIGHT_SHARE) + milliseconds
      usage.at = now
    }
  }

  /**
   * Takes items out, lane after lane and one of each, for as long as somebody goes on asking.
   * @param fits of which lanes
   */
  *take(fits: (first: T, lane: unknown) => boolean = () => true): Generator<T> {
    for (;;) {
      this.#turn = (this.#turn + 1) % (LIGHT_TURNS + 1)
      const item = this.#turn === 0
        ? this.#takeOf(this.#heavy, fits) ?? this.#takeOf(this.#light, fits)
        : this.#takeOf(this.#light, fits) ?? this.#takeOf(this.#heavy, fits)
      if (item === undefined) return
      yield item
    }
  }

  /** {@link take}, of light lanes only. */
  *takeLight(fits: (first: T, lane: unknown) => boolean = () => true): Generator<T> {
    for (let item; (item = this.#takeOf(this.#light, fits)) !== undefined;) yield item
  }

  #takeOf(lanes: Map<unknown, T[]>, fits: (first: T, lane: unknown) => boolean): T | undefined {
    for (const [lane, items] of lanes) {
      if (!fits(items[0]!, lane)) continue
      const item = items.shift()!
      lanes.delete(lane)
      // It comes again behind the others.
      if (items.length > 0) this.#lanesLike(lane).set(lane, items)
      return item
    }
    return undefined
  }

  /** Takes all items out. */
  clear(): T[] {
    const items = [...this.#light.values(), ...this.#heavy.values()].flat()
    this.#light.clear()
    this.#heavy.clear()
    return items
  }

  #items(lane: unknown): T[] | undefined {
    return this.#light.get(lane) ?? this.#heavy.get(lane)
  }

  #lanesLike(lane: unknown): Map<unknown, T[]> {
    return this.isLight(lane) ? this.#light : this.#heavy
  }
}
