import { Lanes } from '../db/lanes.js'
import { SLICE_MS } from '../db/group-commit.js'
import { afterLooking } from '../lib/between-pieces.js'
import { machineTime } from '../sim/clock.js'

/**
 * Lets requests go on in the next turn of the event loop: sandboxes take turns, and what would make that turn too long
 * is left for the one after it.
 */
export class Turns {
  readonly #lanes = new Lanes<() => void>()
  /** When the time of this turn is up; undefined: none of its requests has gone on yet. */
  #deadline: number | undefined
  /** How many requests wait for the turn after this one. */
  #left = 0

  /** @param lane the sandbox that a request is for */
  add(lane: unknown, goOn: () => void): void {
    if (this.#lanes.isEmpty) this.#deadline = undefined
    this.#lanes.add(lane, goOn)
    setImmediate(this.#next)
  }

  /** One call for each request, so that what it leads to is done before the next one. */
  readonly #next = (): void => {
    const now = machineTime()
    this.#deadline ??= now + SLICE_MS
    if (this.#left > 0 || now >= this.#deadline) {
      if (this.#left++ === 0) afterLooking(this.#resume)
      return
    }
    for (const goOn of this.#lanes.take()) {
      goOn()
      return
    }
  }

  readonly #resume = (): void => {
    this.#deadline = undefined
    for (; this.#left > 0; this.#left--) setImmediate(this.#next)
  }
}
