import { Histogram } from '../lib/histogram.js'
import { FairQueue, type Scheduler, SLICE_MS } from '../lib/scheduler.js'
import { inNextTurn } from '../lib/time.js'
import type { Connection } from './connection.js'

/**
 * Where a writer enters its flow: at the end (`turn`); at the end, with work that may take a whole slice (`slice`); or
 * at the front, because it continues work under way (`rest`).
 */
export type Place = 'turn' | 'slice' | 'rest'

interface Writer {
  readonly run: () => unknown
  readonly flow: unknown
  readonly place: Place
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

const BATCHES = [1, 2, 5, 10, 20, 50, 100, 200, 500]

/**
 * Runs the writers of one event-loop turn in one SQLite transaction, so that they share the cost of the sync. A promise
 * settles only after the commit. Writers of one flow run in order of arrival. Flows take turns, and writers that do not
 * fit into the time of one transaction stay queued for the next.
 *
 * Nothing else runs while a batch is open (the driver is synchronous), so readers see committed state only.
 */
export class GroupCommit {
  /** Sizes of the committed batches. */
  readonly batches = new Histogram(BATCHES)
  /** Number of batches that could not be committed. */
  failures = 0
  readonly #begin
  readonly #commit
  readonly #rollback
  readonly #queue: FairQueue<Writer>
  /** Number of queued writers that may take a whole slice. */
  #slices = 0
  /** The scheduled flushes: of all flows, of light flows only, or both. */
  readonly #near = new Set<() => void>()
  /** When the work of this transaction must yield. */
  #deadline = Infinity

  /**
   * @param time monotonic clock in milliseconds
   * @param scheduler spaces out long transactions
   * @param check called before each commit; if it throws, the batch cannot be committed
   */
  constructor(
    private readonly sqlite: Connection,
    private readonly time: () => number,
    private readonly scheduler: Scheduler,
    private readonly check: () => void
  ) {
    this.#queue = new FairQueue(time)
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE')
    this.#commit = sqlite.prepare('COMMIT')
    this.#rollback = sqlite.prepare('ROLLBACK')
  }

  /**
   * Queues a writer, which must make its changes in steps of {@link Database.atomic}; each succeeds or fails alone.
   * @param flow identifies the owner; writers of one flow never overtake each other
   * @returns the writer's result, once it is durable
   * @throws the writer's error, or the database's error if the batch could not be committed (then none of it is stored)
   */
  write<T>(run: () => T, flow?: unknown, place: Place = 'turn'): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const { isBusy } = this.scheduler
      const isLight = place === 'turn' && flow !== undefined && this.#queue.isLight(flow)
      if (isLight && isBusy) this.#soon(this.#flushLight, false)
      else this.#soon(this.flush, isBusy)
      if (place !== 'turn') this.#slices++
      this.#queue.add(flow, { run, flow, place, resolve, reject }, place === 'rest')
    })
  }

  /** Number of queued writers. */
  get queued(): number {
    return this.#queue.size
  }

  /** Whether a flow has a queued writer that does not just continue work under way. */
  isWaiting(flow: unknown): boolean {
    // Work under way is at the front, so it is last only if nothing else is queued.
    const last = this.#queue.last(flow)
    return last !== undefined && last.place !== 'rest'
  }

  /** Whether a flow is waiting for sliced work that is under way or comes next. */
  isHeld(flow: unknown): boolean {
    const first = this.#slices > 0 ? this.#queue.first(flow) : undefined
    return first !== undefined && first.place !== 'turn'
  }

  /** Whether a writer that can continue later must stop now. */
  isTimeUp(): boolean {
    return this.time() >= this.#deadline
  }

  /** Runs and commits as much of the queue as there is time for. Scheduled automatically, at most once per turn. */
  readonly flush = (): void => {
    this.#near.delete(this.flush)
    if (this.#queue.isEmpty) return
    const begun = this.time()
    this.#commitTogether(this.#choose())
    if (this.time() - begun >= SLICE_MS) this.scheduler.rest()
    this.#flushRest()
  }

  #commitTogether(writers: Iterable<Writer>): void {
    const batch: Writer[] = []
    let outcomes: Outcome[] = []
    try {
      this.#begin.run()
      for (const writer of writers) {
        const begun = this.time()
        batch.push(writer)
        try {
          outcomes.push({ ok: true, value: writer.run() })
        } catch (error) {
          // The transaction is gone, with the work of all writers in it: the whole batch has failed.
          if (!this.sqlite.inTransaction) throw error
          outcomes.push({ ok: false, error })
        }
        this.#queue.charge(writer.flow, this.time() - begun)
      }
      this.check()
      this.#commit.run()
      this.batches.add(batch.length)
    } catch (error) {
      this.failures++
      if (this.sqlite.inTransaction) this.#rollback.run()
      // The writers still in the queue would fail as well.
      for (const writer of this.#queue.clear()) batch.push(writer)
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
    if (this.#queue.isEmpty) return
    this.#soon(this.flush, true)
    if (this.#queue.hasLight(isTurn)) this.#soon(this.#flushLight, false)
  }

  /** Schedules a flush, unless it is. @param afterOthers whether it waits for its turn among other long work */
  #soon(flush: () => void, afterOthers: boolean): void {
    if (this.#near.has(flush)) return
    this.#near.add(flush)
    if (afterOthers) this.scheduler.add(flush)
    else inNextTurn(flush)
  }

  /** Runs light flows ahead of the scheduler, because they need not wait for heavy ones. */
  readonly #flushLight = (): void => {
    this.#near.delete(this.#flushLight)
    if (!this.#queue.isEmpty) this.#commitTogether(this.#whileThereIsTime(this.#queue.takeLight(isTurn)))
    this.#flushRest()
  }

  /** Commits the whole queue. */
  finish(): void {
    while (!this.#queue.isEmpty) this.flush()
  }

  /**
   * Picks the writers of this transaction: first the ordinary ones until their time is up, then at least one that may
   * take a whole slice. Starts no slice in a flow that has run a writer here: a caller that sees the result of that
   * writer must find the state that it left.
   */
  *#choose(): Generator<Writer> {
    const had = new Set<unknown>()
    for (const writer of this.#whileThereIsTime(this.#queue.take(isTurn))) {
      if (this.#slices > 0) had.add(writer.flow)
      yield writer
    }
    if (this.#slices === 0) return
    const slices = this.#queue.take(({ place }, flow) => place !== 'turn' && !had.has(flow))
    for (const writer of this.#whileThereIsTime(slices)) {
      had.add(writer.flow)
      this.#slices--
      yield writer
    }
  }

  *#whileThereIsTime(writers: Iterable<Writer>): Generator<Writer> {
    this.#deadline = this.time() + SLICE_MS
    for (const writer of writers) {
      yield writer
      if (this.isTimeUp()) return
    }
  }
}

const isTurn = ({ place }: Writer) => place === 'turn'
