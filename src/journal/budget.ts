import { Recency } from '../lib/recency.js'

/** Something that records what has happened and can drop the oldest of it. */
export interface Keeper {
  /** Bytes that it takes up. */
  readonly bytes: number
  giveUp: () => void
}

/** Limits the memory of all keepers together. When it is exceeded, the least recently used one drops records first. */
export class Budget {
  readonly #limit: number
  readonly #keepers = new Recency<Keeper>()
  #bytes = 0

  constructor(limit = Infinity) {
    this.#limit = limit
  }

  /** Bytes that all keepers take up. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds to the total, or subtracts if negative. */
  count(bytes: number): void {
    this.#bytes += bytes
  }

  /** Marks a keeper as just used, and makes the least recently used ones drop records until the limit is met. */
  use(keeper: Keeper): void {
    this.#keepers.touch(keeper)
    while (this.#bytes > this.#limit) {
      const idle = this.#keepers.oldest!
      if (idle.bytes === 0) this.#keepers.remove(idle)
      else idle.giveUp()
    }
  }

  /** Forgets a keeper that has become empty. */
  leave(keeper: Keeper): void {
    this.#keepers.remove(keeper)
  }
}
