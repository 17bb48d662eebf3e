type Job = () => Promise<unknown>

/**
 * Runs few jobs at once. Those that wait take turns by whom they are for: one of each, in the order in which they came.
 */
export class TakingTurns {
  readonly #most: number
  readonly #waiting = new Map<object, Job[]>()
  #running = 0

  /** @param most how many run at once */
  constructor(most: number) {
    this.#most = most
  }

  /** Runs a job when it is its turn. @param whom whose turn that is */
  run<T>(whom: object, job: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const jobs = this.#waiting.get(whom) ?? []
      jobs.push(() => job().then(resolve, reject))
      this.#waiting.set(whom, jobs)
      this.#begin()
    })
  }

  #begin(): void {
    for (const [whom, jobs] of this.#waiting) {
      if (this.#running === this.#most) return
      // To the end of the line: a map is gone through in the order in which its keys were set.
      this.#waiting.delete(whom)
      const job = jobs.shift()!
      if (jobs.length > 0) this.#waiting.set(whom, jobs)
      this.#running++
      void job().finally(() => {
        this.#running--
        this.#begin()
      })
    }
  }
}
