/** Maximum pause after a slow run, in milliseconds. */
const LONGEST_PAUSE = 2000

/** Runs a job soon after it is requested, once for many requests. After slow runs it pauses, to spare the server. */
export class Coalesced {
  readonly #run: () => Promise<void>
  #timer: ReturnType<typeof setTimeout> | undefined
  #isRunning = false
  #isRequestedAgain = false
  #notBefore = 0

  constructor(run: () => Promise<void>) {
    this.#run = run
  }

  /** @param delay in milliseconds; later requests join this one */
  request(delay = 100): void {
    if (this.#isRunning) this.#isRequestedAgain = true
    else this.#timer ??= setTimeout(() => void this.#go(), Math.max(delay, this.#notBefore - performance.now()))
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#isRequestedAgain = false
  }

  async #go(): Promise<void> {
    this.#timer = undefined
    this.#isRunning = true
    const begin = performance.now()
    // After a failure, the resync of the next connection requests it again.
    await this.#run().catch(() => undefined)
    const end = performance.now()
    this.#notBefore = end + Math.min((end - begin) * 4, LONGEST_PAUSE)
    this.#isRunning = false
    if (!this.#isRequestedAgain) return
    this.#isRequestedAgain = false
    this.request()
  }
}
