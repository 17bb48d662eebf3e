import { type Pacer, SLICE_MS } from '../lib/pacer.js'
import type { Connection } from './connection.js'
import { Lanes } from './lanes.js'

/**
 * Where a writer comes in: at its turn; at its turn, but as work that may use up a slice; or before all others of its
 * lane, because it goes on with what one of them has begun.
 */
export type Place = 'turn' | 'slice' | 'rest'

interface Writer {
  readonly run: () => unknown
  readonly lane: unknown
  readonly place: Place
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/**
 * Runs the writers of one turn of the event loop in one SQLite transaction. A promise settles only after the commit, so
 * what a caller has been told is on disk; the cost of the sync is shared by all of them. Writers of one lane run in
 * order of arrival; lanes take turns, and what does not fit into the time of one transaction stays queued for the next
 * one.
 *
 * Nothing else runs while a batch is open (the driver is synchronous), so readers see committed state only.
 */
export class GroupCommit {
  readonly #sqlite: Connection
  readonly #time: () => number
  readonly #pacer: Pacer
  readonly #begin
  readonly #commit
  readonly #rollback
  readonly #savepoint
  readonly #release
  readonly #rollbackTo
  readonly #lanes: Lanes<Writer>
  /** How many of the writers that are queued may use up a slice. */
  #slices = 0
  /** Whether a transaction is going to come, of all lanes and of light ones. */
  #isFlushNear = false
  #isLightFlushNear = false
  /** When the work of this transaction has to give way. */
  #deadline = Infinity

  /**
   * @param time milliseconds since some moment; it never goes back
   * @param pacer what comes between two transactions that take long
   */
  constructor(sqlite: Connection, time: () => number, pacer: Pacer) {
    this.#sqlite = sqlite
    this.#time = time
    this.#pacer = pacer
    this.#lanes = new Lanes(time)
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE')
    this.#commit = sqlite.prepare('COMMIT')
    this.#rollback = sqlite.prepare('ROLLBACK')
    this.#savepoint = sqlite.prepare('SAVEPOINT writer')
    this.#release = sqlite.prepare('RELEASE writer')
    this.#rollbackTo = sqlite.prepare('ROLLBACK TO writer')
  }

  /**
   * Queues a writer. It must make its changes inside {@link atomic}; several such steps may succeed and fail on their
   * own.
   * @param lane whom it is for; writers of one lane never overtake each other
   * @returns what the writer returned, once it is durable
   * @throws what the writer threw, or the database's error if the batch could not be committed (then nothing of it
   * holds)
   */
  write<T>(run: () => T, lane?: unknown, place: Place = 'turn'): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const isLight = place === 'turn' && lane !== undefined && this.#lanes.isLight(lane)
      if (isLight && this.#pacer.isBusy) this.#flushLightSoon()
      else this.#flushLater()
      if (place !== 'turn') this.#slices++
      this.#lanes.add(lane, { run, lane, place, resolve, reject }, place === 'rest')
    })
  }

  /** Whether anybody of a lane waits for a turn, and not only for the rest of what has begun. */
  isWaiting(lane: unknown): boolean {
    // What goes on comes before all others.
    const last = this.#lanes.last(lane)
    return last !== undefined && last.place !== 'rest'
  }

  /** Whether a lane waits for the rest of some work that was begun, or will be, in slices. */
  isHeld(lane: unknown): boolean {
    const first = this.#slices > 0 ? this.#lanes.first(lane) : undefined
    return first !== undefined && first.place !== 'turn'
  }

  /** Whether a writer that can go on later must end now. */
  isTimeUp(): boolean {
    return this.#time() >= this.#deadline
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

  /** Runs and commits what is queued, or as much of it as there is time for. Called by itself once a turn. */
  readonly flush = (): void => {
    this.#isFlushNear = false
    if (this.#lanes.isEmpty) return
    const begun = this.#time()
    this.#commitTogether(this.#choose())
    if (this.#time() - begun >= SLICE_MS) this.#pacer.rest()
    this.#flushRest()
  }

  #commitTogether(writers: Iterable<Writer>): void {
    const batch: Writer[] = []
    let outcomes: Outcome[] = []
    try {
      this.#begin.run()
      for (const writer of writers) {
        const begun = this.#time()
        batch.push(writer)
        outcomes.push(this.#attempt(writer))
        this.#lanes.charge(writer.lane, this.#time() - begun)
      }
      this.#commit.run()
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#rollback.run()
      // Who is still queued would fare no better.
      for (const writer of this.#lanes.clear()) batch.push(writer)
      this.#slices = 0
      outcomes = batch.map(() => ({ ok: false, error }))
    }
    this.#deadline = Infinity
    batch.forEach((writer, index) => {
      const outcome = outcomes[index]!
      if (outcome.ok) writer.resolve(outcome.value as never)
      else writer.reject(outcome.error)
    })
  }

  #flushRest(): void {
    if (!this.#lanes.isEmpty) this.#flushLater(true)
  }

  /** @param afterOthers whether others have their say before, even if nobody is known to wait */
  #flushLater(afterOthers = false): void {
    if (this.#isFlushNear) return
    this.#isFlushNear = true
    if (afterOthers || this.#pacer.isBusy) this.#pacer.add(this.flush)
    else setImmediate(this.flush)
  }

  #flushLightSoon(): void {
    if (this.#isLightFlushNear) return
    this.#isLightFlushNear = true
    setImmediate(this.#flushLight)
  }

  /** Those who have used little time do not wait for others, whatever these do. */
  readonly #flushLight = (): void => {
    this.#isLightFlushNear = false
    if (!this.#lanes.isEmpty) this.#commitTogether(this.#chooseLight())
    this.#flushRest()
  };

  *#chooseLight(): Generator<Writer> {
    this.#deadline = this.#time() + SLICE_MS
    for (const writer of this.#lanes.takeLight(({ place }) => place === 'turn')) {
      yield writer
      if (!this.isTimeUp()) continue
      this.#flushLightSoon()
      break
    }
  }

  /** Commits all that is queued. */
  finish(): void {
    while (!this.#lanes.isEmpty) this.flush()
  }

  /**
   * What runs in this transaction: first those whose turn it is, until their time is up; then one that may use up a
   * slice, and more of those while there is time. No slice is begun behind another writer of its lane, because who was
   * told of that one has to find the state that it left.
   */
  *#choose(): Generator<Writer> {
    const had = new Set<unknown>()
    this.#deadline = this.#time() + SLICE_MS
    for (const writer of this.#lanes.take(({ place }) => place === 'turn')) {
      if (this.#slices > 0) had.add(writer.lane)
      yield writer
      if (this.isTimeUp()) break
    }
    if (this.#slices === 0) return
    this.#deadline = this.#time() + SLICE_MS
    for (const writer of this.#lanes.take(({ place }, lane) => place !== 'turn' && !had.has(lane))) {
      had.add(writer.lane)
      this.#slices--
      yield writer
      if (this.isTimeUp()) break
    }
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
