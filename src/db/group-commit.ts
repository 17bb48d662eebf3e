import type { Connection } from './connection.js'

interface Writer {
  readonly run: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/**
 * Runs the writers of one turn of the event loop in one SQLite transaction, in order of arrival. A promise settles only
 * after the commit, so what a caller has been told is on disk; the cost of the sync is shared by all of them.
 *
 * Nothing else runs while a batch is open (the driver is synchronous), so readers see committed state only.
 */
export class GroupCommit {
  readonly #sqlite: Connection
  readonly #begin
  readonly #commit
  readonly #rollback
  readonly #savepoint
  readonly #release
  readonly #rollbackTo
  #queue: Writer[] = []

  constructor(sqlite: Connection) {
    this.#sqlite = sqlite
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE')
    this.#commit = sqlite.prepare('COMMIT')
    this.#rollback = sqlite.prepare('ROLLBACK')
    this.#savepoint = sqlite.prepare('SAVEPOINT writer')
    this.#release = sqlite.prepare('RELEASE writer')
    this.#rollbackTo = sqlite.prepare('ROLLBACK TO writer')
  }

  /**
   * Queues a writer. It must make its changes inside {@link atomic}; several such steps may succeed and fail on their own.
   * @returns what the writer returned, once it is durable
   * @throws what the writer threw, or the database's error if the batch could not be committed (then nothing of it holds)
   */
  write<T>(run: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#queue.length === 0) setImmediate(() => { this.flush() })
      this.#queue.push({ run, resolve, reject })
    })
  }

  /** Runs one step of a writer: all of its changes hold, or, if it throws, none. Steps may be nested. */
  atomic<T>(step: () => T): T {
    this.#savepoint.run()
    try {
      const value = step()
      this.#release.run()
      return value
    } catch (error) {
      // SQLite has already rolled everything back after some errors (disk full, I/O); then there is no savepoint left.
      if (this.#sqlite.inTransaction) {
        this.#rollbackTo.run()
        this.#release.run()
      }
      throw error
    }
  }

  /** Runs and commits what is queued. Called by itself once a turn; before closing, call it to lose nothing. */
  flush(): void {
    const batch = this.#queue
    if (batch.length === 0) return
    this.#queue = []
    let outcomes: Outcome[]
    try {
      this.#begin.run()
      outcomes = batch.map((writer) => this.#attempt(writer))
      this.#commit.run()
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#rollback.run()
      outcomes = batch.map(() => ({ ok: false, error }))
    }
    batch.forEach((writer, index) => {
      const outcome = outcomes[index]!
      if (outcome.ok) writer.resolve(outcome.value as never)
      else writer.reject(outcome.error)
    })
  }

  #attempt(writer: Writer): Outcome {
    try {
      return { ok: true, value: writer.run() }
    } catch (error) {
      // The transaction is gone, with the work of the writers before this one: the whole batch has failed.
      if (!this.#sqlite.inTransaction) throw error
      return { ok: false, error }
    }
  }
}
