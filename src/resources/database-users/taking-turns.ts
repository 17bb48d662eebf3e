type Job = () => Promise<unknown>

/** Runs a few jobs at once. Waiting jobs are taken round-robin by owner, and in order of arrival for each owner. */
export class TakingTurns {
  readonly #most: number
  readonly #waiting = new Map<object, Job[]>()
  #running = 0

  /** @param most maximum number of concurrent jobs */
  constructor(most: number) {
    this.#most = most
  }

  /** Runs a job when its owner has its turn. @param whom the owner */
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
      // Move the owner to the end of the line: a map iterates in insertion order.
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
