import { Lanes } from '../db/lanes.js'
import { type Pacer, SLICE_MS } from '../lib/pacer.js'
import { machineTime } from '../sim/clock.js'

interface Item {
  readonly lane: unknown
  readonly goOn: () => void
}

/**
 * Lets requests go on in the next turn of the event loop: sandboxes take turns, and what would make that turn too long
 * is left for the one after it.
 */
export class Turns {
  readonly #lanes = new Lanes<Item>(machineTime)
  /** When the time of this turn is up; undefined: none of its requests has gone on yet. */
  #deadline: number | undefined
  /** The same for requests of light lanes, while others have to wait. */
  #lightDeadline: number | undefined
  /** How many requests wait for a later turn. */
  #left = 0
  #lightLeft = 0

  constructor(private readonly pacer: Pacer) {}

  /**
   * @param lane the sandbox that a request is for
   * @param isLong whether it takes long, so that it waits for others even if its sandbox has used little time
   */
  add(lane: unknown, goOn: () => void, isLong = false): void {
    if (this.#lanes.isEmpty) this.#deadline = undefined
    this.#lanes.add(lane, { lane, goOn })
    if (!this.pacer.isBusy) setImmediate(this.#next)
    else if (!isLong && this.#lanes.isLight(lane)) setImmediate(this.#nextLight)
    else this.#leave()
  }

  /** One call for each request, so that what it leads to is done before the next one. */
  readonly #next = (): void => {
    const now = machineTime()
    this.#deadline ??= now + SLICE_MS
    if (now >= this.#deadline) {
      this.#leave()
      return
    }
    this.#goOn(this.#lanes.take(), now)
  }

  /** Those who have used little time do not wait for others, whatever these do, but only for as many like them. */
  readonly #nextLight = (): void => {
    const now = machineTime()
    if (this.#lightDeadline === undefined) {
      this.#lightDeadline = now + SLICE_MS
      setImmediate(this.#resumeLight)
    }
    if (now >= this.#lightDeadline) this.#lightLeft++
    // A lane that was light may have requests that were added when it was not.
    else if (!this.#goOn(this.#lanes.takeLight(), now)) this.#leave()
  }

  readonly #resumeLight = (): void => {
    this.#lightDeadline = undefined
    const left = this.#lightLeft
    this.#lightLeft = 0
    for (let i = 0; i < left; i++) this.#nextLight()
  }

  /** @returns whether there was one */
  #goOn(items: Iterable<Item>, now: number): boolean {
    for (const { lane, goOn } of items) {
      goOn()
      this.#lanes.charge(lane, machineTime() - now)
      return true
    }
    return false
  }

  #leave(): void {
    if (this.#left++ === 0) this.pacer.add(this.#resume)
  }

  readonly #resume = (): void => {
    this.#deadline = undefined
    for (; this.#left > 0; this.#left--) setImmediate(this.#next)
  }
}
