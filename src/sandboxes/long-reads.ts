import type { Database } from '../db/database.js'
import type { Place } from '../db/group-commit.js'
import { SLICE_MS, type Slices } from '../lib/scheduler.js'
import { machineTime } from '../lib/time.js'
import { assertNotRemoved } from './registry.js'
import type { Sandbox } from './sandbox.js'

/** Maximum number of concurrent long reads, because each keeps in memory what it has read so far. */
const MOST_LONG_READS = 4

/** Reads large data. A read longer than a slice runs in slices; nobody writes in the sandbox until it ends. */
export class LongReads {
  /** Running long reads in total. */
  #total = 0
  readonly #waiting: (() => void)[] = []

  constructor(private readonly db: Database) {}

  /**
   * Reads at once if that takes no more than a slice, otherwise in slices, which must not change anything.
   * @param read must yield when isTimeUp() returns true
   */
  read<T>(sandbox: Sandbox, read: (isTimeUp: () => boolean) => Slices<T>): T | Promise<T> {
    let deadline = 0
    const restart = () => {
      deadline = machineTime() + SLICE_MS
    }
    restart()
    const begin = () => read(() => machineTime() >= deadline)
    const slices = begin()
    const first = slices.next()
    if (first.done === true) return first.value
    // Earlier waiters come first. They may change the data, so the read then starts over.
    return this.#total === MOST_LONG_READS || this.db.commits.isWaiting(sandbox)
      ? this.#readOn(sandbox, begin(), 'slice', restart)
      : this.#readOn(sandbox, slices, 'rest', restart)
  }

  async #readOn<T>(sandbox: Sandbox, slices: Slices<T>, first: Place, restart: () => void): Promise<T> {
    const reading = { isBegun: first === 'rest' }
    if (reading.isBegun) sandbox.longReads++
    while (this.#total === MOST_LONG_READS)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    this.#total++
    try {
      for (let place = first; ; place = 'rest') {
        const { done, value } = await this.db.write(
          () => {
            assertNotRemoved(sandbox)
            if (!reading.isBegun) sandbox.longReads++
            reading.isBegun = true
            restart()
            return slices.next()
          },
          sandbox,
          place
        )
        if (done === true) return value
      }
    } finally {
      if (reading.isBegun) sandbox.longReads--
      this.#total--
      this.#waiting.shift()?.()
    }
  }
}
