/**
 * Runs a job soon after it is asked for, and once for all who ask in the meantime. The longer a run takes, the longer
 * the next one waits: the job runs for at most a fifth of the time.
 */
export class Coalesced {
  readonly #run: () => Promise<void>
  readonly #delay: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #isRunning = false
  #isAskedAgain = false
  #notBefore = 0

  constructor(run: () => Promise<void>, delay = 100) {
    this.#run = run
    this.#delay = delay
  }

  ask(): void {
    if (this.#isRunning) this.#isAskedAgain = true
    else this.#timer ??= setTimeout(() => void this.#go(), Math.max(this.#delay, this.#notBefore - performance.now()))
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#isAskedAgain = false
  }

  async #go(): Promise<void> {
    this.#timer = undefined
    this.#isRunning = true
    const begin = performance.now()
    // If this fails, the resync after the next connection asks again.
    await this.#run().catch(() => undefined)
    const end = performance.now()
    this.#notBefore = end + (end - begin) * 4
    this.#isRunning = false
    if (!this.#isAskedAgain) return
    this.#isAskedAgain = false
    this.ask()
  }
}
