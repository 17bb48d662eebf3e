/** Work done in slices: it yields wherever it can be interrupted, and the caller resumes it. */
export type Slices<T> = Generator<undefined, T, undefined>

/** Collects the items of pages, each of which is read in a moment. */
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

/** Roughly how long one piece of work may delay others, in milliseconds. Longer work runs in slices. */
export const SLICE_MS = 15

/** Event-loop turns between two pieces of work, at most. Each turn accepts one connection. */
const MOST_LOOKS = 128
/** Milliseconds these turns may take, and how many run in any case. */
const LOOKING_MS = 20
const LEAST_LOOKS = 16

/**
 * Runs long pieces of work one at a time, for all parts of the server, and lets the event loop turn in between. If each
 * part ran its own piece in every turn, the turns would be too long, and a new connection would wait a minute behind
 * 500 others. A turn costs a few microseconds if nothing has arrived.
 */
export class Scheduler {
  readonly #time: () => number
  readonly #pieces: (() => void)[] = []
  #isLooking = false
  #looks = 0
  #until = 0

  /** @param time monotonic clock in milliseconds */
  constructor(time: () => number) {
    this.#time = time
  }

  /** Whether the event loop is catching up, so that long work must wait. */
  get isBusy(): boolean {
    return this.#isLooking
  }

  /** Queues a piece of work. */
  add(piece: () => void): void {
    this.#pieces.push(piece)
    this.rest()
  }

  /** Waits until it is the caller's turn to do a piece of work. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.add(resolve)
    })
  }

  /** Runs work in slices, queueing behind other pieces before each one. @throws the work's error */
  async run<T>(slices: Slices<T>): Promise<T> {
    for (;;) {
      await this.turn()
      const deadline = this.#time() + SLICE_MS
      do {
        const { done, value } = slices.next()
        if (done === true) return value
      } while (this.#time() < deadline)
    }
  }

  /** Lets the event loop catch up after a long piece of work. */
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
    // Rest first, so that whatever the piece adds queues behind the pieces already waiting.
    this.#begin()
    piece()
  }
}
