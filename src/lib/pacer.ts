import type { Slices } from './slices.js'

/**
 * How long others may have to wait for a piece of work, in milliseconds, roughly: what takes longer is done in slices.
 */
export const SLICE_MS = 20

/** How often the event loop looks for what has come between two pieces of work. It accepts one connection each time. */
const MOST_LOOKS = 128
/** It may look for so many milliseconds, and so often in any case, if each look finds something to do. */
const LOOKING_MS = 20
const LEAST_LOOKS = 16

/**
 * Runs long pieces of work one at a time, whoever they are for, and lets the event loop look for what has come between
 * them. If each part of the server had its own piece in every turn of the loop, the turns would be too long, and
 * newcomers would wait for a minute behind 500 others. A look costs some microseconds if nothing has come.
 */
export class Pacer {
  readonly #time: () => number
  readonly #pieces: (() => void)[] = []
  #isLooking = false
  #looks = 0
  #until = 0

  /** @param time milliseconds since some moment; it never goes back */
  constructor(time: () => number) {
    this.#time = time
  }

  /** Whether others have their say now, so that whatever may take long has to wait its turn. */
  get isBusy(): boolean {
    return this.#isLooking
  }

  /** Runs a piece of work after those that wait. */
  add(piece: () => void): void {
    this.#pieces.push(piece)
    this.rest()
  }

  /** Does some work in slices, each after the pieces of others that wait. @throws what the work throws */
  async run<T>(slices: Slices<T>): Promise<T> {
    for (;;) {
      await new Promise<void>((resolve) => {
        this.add(resolve)
      })
      const deadline = this.#time() + SLICE_MS
      do {
        const { done, value } = slices.next()
        if (done === true) return value
      } while (this.#time() < deadline)
    }
  }

  /** Lets others have their say, because a piece of work has taken long. */
  rest(): void {
    if (!this.#isLooking) this.#begin()
  }

  #begin(): void {
    this.#isLooking = true
    this.#looks = 0
    this.#until = this.#time() + LOOKING_MS
    setImmediate(this.#look)
  }

  readonly #look = (): void => {
    this.#looks++
    if (this.#looks < LEAST_LOOKS || (this.#looks < MOST_LOOKS && this.#time() < this.#until)) {
      setImmediate(this.#look)
      return
    }
    this.#isLooking = false
    const piece = this.#pieces.shift()
    if (piece === undefined) return
    // What it adds comes after those that wait already.
    this.#begin()
    piece()
  }
}
