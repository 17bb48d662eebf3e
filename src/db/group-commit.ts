import type { Connection } from './connection.js'

interface Writer {
  readonly run: () => unknown
  /** Whether it has a transaction of its own. */
  readonly isAlone: boolean
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/**
 * Runs the writers of one turn of the event loop in one SQLite transaction, in order of arrival; a few large ones alone. A promise settles only
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
  /** Whether the next step is all that its transaction has; then it needs no savepoint. */
  #isAlone = false

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
   * @param isAlone for a writer that changes very many rows, all in one step: it gets a transaction of its own, and no savepoint.
   *   What a savepoint keeps grows with the rows, and SQLite goes through it at each statement.
   * @returns what the writer returned, once it is durable
   * @throws what the writer threw, or the database's error if the batch could not be committed (then nothing of it holds)
   */
  write<T>(run: () => T, isAlone = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#queue.length === 0) setImmediate(() => { this.flush() })
      this.#queue.push({ run, isAlone, resolve, reject })
    })
  }

  /** Runs one step of a writer: all of its changes hold, or, if it throws, none. Steps may be nested. */
  atomic<T>(step: () => T): T {
    if (this.#isAlone) return this.#whole(step)
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

  /** Runs a step that is all of its transaction: to undo it, the transaction begins once more. */
  #whole<T>(step: () => T): T {
    this.#isAlone = false
    try {
      return step()
    } catch (error) {
      if (this.#sqlite.inTransaction) {
        this.#rollback.run()
        this.#begin.run()
      }
      throw error
    }
  }

  /** Runs and commits what is queued. Called by itself once a turn; before closing, call it to lose nothing. */
  flush(): void {
    const queue = this.#queue
    this.#queue = []
    for (let next = 0; next < queue.length;) {
      const first = next++
      if (!queue[first]!.isAlone) while (next < queue.length && !queue[next]!.isAlone) next++
      this.#commitTogether(queue.slice(first, next))
    }
  }

  #commitTogether(batch: readonly Writer[]): void {
    let outcomes: Outcome[]
    try {
      this.#begin.run()
      this.#isAlone = batch[0]!.isAlone
      outcomes = batch.map((writer) => this.#attempt(writer))
      this.#commit.run()
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#rollback.run()
      outcomes = batch.map(() => ({ ok: false, error }))
    }
    this.#isAlone = false
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
