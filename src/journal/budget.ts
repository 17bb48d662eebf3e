import { Recency } from '../lib/recency.js'

/** Something that keeps what has happened, and can give up the oldest of it. */
export interface Keeper {
  /** How many bytes it takes up. */
  readonly bytes: number
  giveUp: () => void
}

/**
 * How much memory all keepers together may take up. When it is more, the one that was not used for longest pays first.
 */
export class Budget {
  readonly #limit: number
  readonly #keepers = new Recency<Keeper>()
  #bytes = 0

  constructor(limit = Infinity) {
    this.#limit = limit
  }

  /** What all keepers take up. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts what a keeper takes up more than before, or less. */
  count(bytes: number): void {
    this.#bytes += bytes
  }

  /** Notes that a keeper was used, and lets the others give up what is too much. */
  use(keeper: Keeper): void {
    this.#keepers.touch(keeper)
    while (this.#bytes > this.#limit) {
      const idle = this.#keepers.oldest!
      if (idle.bytes === 0) this.#keepers.remove(idle)
      else idle.giveUp()
    }
  }

  /** A keeper has nothing any more. */
  leave(keeper: Keeper): void {
    this.#keepers.remove(keeper)
  }
}
