import { inNextTurn } from './time.js'

/** Work done in slices: it yields wherever it can be interrupted, and the caller resumes it. */
export type Slices<T> = Generator<undefined, T, undefined>

/** Collects the items of pages. */
export function* collect<T>(pages: Iterable<readonly T[]>, isTimeUp: () => boolean): Slices<T[]> {
  const all: (readonly T[])[] = []
  for (const page of pages) {
    all.push(page)
    if (isTimeUp()) yield
  }
  return all.flat()
}

/** Runs all slices at once. */
export function finish<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next()
    if (done === true) return value
  }
}

/** How long one piece of work may delay others, in milliseconds. Longer work runs in slices. */
export const SLICE_MS = 15

/** Maximum number of event-loop turns between two pieces of work. Each turn accepts one connection. */
const MOST_LOOKS = 128
/** Milliseconds that these turns may take, after a minimum number. */
const LOOKING_MS = 20
const LEAST_LOOKS = 16

/**
 * A cooperative scheduler: runs the long pieces of work of all parts of the server one at a time, and lets the event
 * loop turn in between. If each part ran its own piece in every turn, a new connection would wait a minute behind 500
 * others. A turn costs a few microseconds if nothing has arrived.
 */
export class Scheduler {
  readonly #pieces: (() => void)[] = []
  #isLooking = false
  #looks = 0
  #until = 0

  /** @param time monotonic clock in milliseconds */
  constructor(private readonly time: () => number) {}

  /** Whether the event loop is catching up, so that long work must wait. */
  get isBusy(): boolean {
    return this.#isLooking
  }

  add(piece: () => void): void {
    this.#pieces.push(piece)
    this.rest()
  }

  /** Waits until it is the caller's turn to do a piece of work. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.add(resolve))
  }

  /** Runs work in slices, each of which queues behind other pieces. */
  async run<T>(slices: Slices<T>): Promise<T> {
    for (;;) {
      await this.turn()
      const deadline = this.time() + SLICE_MS
      do {
        const { done, value } = slices.next()
        if (done === true) return value
      } while (this.time() < deadline)
    }
  }

  /** Lets the event loop catch up after a long piece of work. */
  rest(): void {
    if (!this.#isLooking) this.#begin()
  }

  #begin(): void {
    this.#isLooking = true
    this.#looks = 0
    this.#until = this.time() + LOOKING_MS
    inNextTurn(this.#look)
  }

  readonly #look = (): void => {
    this.#looks++
    if (this.#looks < LEAST_LOOKS || (this.#looks < MOST_LOOKS && this.time() < this.#until)) {
      inNextTurn(this.#look)
      return
    }
    this.#isLooking = false
    const piece = this.#pieces.shift()
    if (piece === undefined) return
    // Rest first, so that pieces added by this one queue behind those already waiting.
    this.#begin()
    piece()
  }
}

/** A flow is light while it uses no more than this share of the time, */
const LIGHT_SHARE = 0.05
/** and no more than this many milliseconds at once. */
const LIGHT_MS = 50
/** Charged to a new flow, so that a client with a new key for each request does not outrun the others. */
const NEW_MS = 25
/** Light flows that have used no more than this are served in order of arrival. */
const QUIET_MS = 5
/** Every nth item comes from the flow that has waited longest. */
const OLDEST_EVERY = 5

/** The time that a flow has used, less its share of the time that has passed since. */
interface Usage {
  milliseconds: number
  at: number
}

/**
 * One queue of items per flow. Flows take turns, so a flow with many items delays the others by one item only. Light
 * flows run first, then the flow that has used the least time.
 */
export class FairQueue<T> {
  readonly #flows = new Map<unknown, T[]>()
  readonly #usages = new WeakMap<object, Usage>()
  /** Number of items taken, modulo {@link OLDEST_EVERY}. */
  #turn = 0

  /** @param time clock in milliseconds */
  constructor(private readonly time: () => number) {}

  get isEmpty(): boolean {
    return this.#flows.size === 0
  }

  /** Number of items in all flows. */
  get size(): number {
    let size = 0
    for (const { length } of this.#flows.values()) size += length
    return size
  }

  first(flow: unknown): T | undefined {
    return this.#flows.get(flow)?.[0]
  }

  last(flow: unknown): T | undefined {
    return this.#flows.get(flow)?.at(-1)
  }

  /** Adds an item to the end of its flow, or to the front. */
  add(flow: unknown, item: T, isNext = false): void {
    const items = this.#flows.get(flow)
    if (items === undefined) this.#flows.set(flow, [item])
    else if (isNext) items.unshift(item)
    else items.push(item)
  }

  /** Whether a flow has used so little time lately that it need not wait for heavy ones. */
  isLight(flow: unknown): boolean {
    return this.#used(flow, this.time()) < LIGHT_MS
  }

  /** Charges a flow for the time that an item took. */
  charge(flow: unknown, milliseconds: number): void {
    if (typeof flow !== 'object' || flow === null) return
    const now = this.time()
    this.#usages.set(flow, { milliseconds: this.#used(flow, now) + milliseconds, at: now })
  }

  #used(flow: unknown, now: number): number {
    const usage = this.#usages.get(flow as object)
    return usage === undefined ? NEW_MS : Math.max(0, usage.milliseconds - (now - usage.at) * LIGHT_SHARE)
  }

  /**
   * Takes items, alternating between flows, for as long as the caller asks for more.
   * @param fits selects flows by their first item
   */
  *take(fits: (first: T, flow: unknown) => boolean = () => true): Generator<T> {
    for (;;) {
      this.#turn = (this.#turn + 1) % OLDEST_EVERY
      const item = this.#takeOne(fits, this.#turn === 0 ? Infinity : LIGHT_MS)
      if (item === undefined) return
      yield item
    }
  }

  /** Whether a light flow has an item. @param fits selects flows by their first item */
  hasLight(fits: (first: T) => boolean = () => true): boolean {
    for (const [flow, [first]] of this.#flows) if (this.isLight(flow) && fits(first!)) return true
    return false
  }

  /** Like {@link take}, for light flows only. */
  *takeLight(fits: (first: T) => boolean = () => true): Generator<T> {
    for (;;) {
      const item = this.#takeOne((first, flow) => this.isLight(flow) && fits(first), QUIET_MS)
      if (item === undefined) return
      yield item
    }
  }

  /** @param enough stop comparing at the first flow that has used no more than this */
  #takeOne(fits: (first: T, flow: unknown) => boolean, enough: number): T | undefined {
    const now = this.time()
    let least = Infinity
    let found: { flow: unknown; items: T[] } | undefined
    for (const [flow, items] of this.#flows) {
      const used = this.#used(flow, now)
      if ((found !== undefined && used >= least) || !fits(items[0]!, flow)) continue
      least = used
      found = { flow, items }
      if (used <= enough) break
    }
    if (found === undefined) return undefined
    const { flow, items } = found
    const item = items.shift()!
    // Move the flow behind the others.
    this.#flows.delete(flow)
    if (items.length > 0) this.#flows.set(flow, items)
    return item
  }

  /** Removes all items. */
  clear(): T[] {
    const items = [...this.#flows.values()].flat()
    this.#flows.clear()
    return items
  }
}
