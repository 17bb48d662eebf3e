import type { Database } from '../db/database.js'
import type { RawChange } from '../db/row-watcher.js'
import type { DueEvent } from '../sim/due-events.js'
import type { FireObserver } from '../sim/engine.js'
import type { Sleepers } from '../sim/sleepers.js'
import type { Coverage } from './coverage.js'
import type { EventHub } from './event-hub.js'
import type { Journal } from './journal.js'

interface Fired {
  readonly event: DueEvent
  readonly changes: readonly RawChange[]
}

/** The timeline columns that the coverage counts. */
const COUNTED = ['transition', 'attribute', 'from_state', 'to_state'] as const
type Counted = [transition: string, attribute: string, from: string | null, to: string]

/** What learns of the effects of a write: a sandbox has one of each. */
interface Changed {
  readonly journal: Journal
  readonly coverage: Coverage
  readonly eventHub: EventHub
  readonly sleepers: Sleepers | undefined
}

/** The effects of a write, collected until it is known to be committed. */
export class WriteEffects {
  /** Events that fired before the change; they are kept even if it fails. */
  readonly settled: Fired[] = []
  own: RawChange[] = []
  /** Events that fired because the change moved the clock. */
  readonly moved: Fired[] = []
  /** Whether the change was made; false if it was refused. */
  isDone = false
  /** Whether it has set or moved the clock. */
  isClockSet = false
  /** Whether it has replaced the whole sandbox. */
  isWhole = false
}

/** Returned by a change that is not done and must continue in another transaction. */
export const GOES_ON = Symbol('goes on')
/** Returned by a change that must continue likewise, with everything it has done so far undone. */
export const BEGINS_AGAIN = Symbol('begins again')

/**
 * Captures the row changes of writes: a request's own changes under its RequestID, and those of events that fire on the
 * way under the RequestIDs of the requests that scheduled them.
 */
export class ChangeCapture {
  readonly #db: Database
  readonly #newTimelineRow: (change: RawChange) => unknown[] | undefined
  #fired: Fired[] = []

  constructor(db: Database, engine: { observe: (observer: FireObserver) => void }) {
    this.#db = db
    this.#newTimelineRow = db.watcher.insertReader('timeline', COUNTED)
    engine.observe((event, changes) => {
      this.#fired.push({ event, changes })
    })
  }

  /**
   * Runs the two parts of a write: `settle`, whose events commit one by one, and, once that has finished, `change`,
   * which is all or nothing. Even if one of them throws, the notes contain everything that was done and not undone.
   */
  collect<T>(
    notes: WriteEffects,
    settle: () => boolean,
    change: () => T | typeof GOES_ON | typeof BEGINS_AGAIN
  ): T | typeof GOES_ON {
    this.#fired = notes.settled
    if (!settle()) return GOES_ON
    const moved: Fired[] = []
    this.#fired = moved
    const own: RawChange[] = []
    const result = this.#db.watcher.isOn ? this.#db.watcher.watch(own, change) : change()
    if (result === BEGINS_AGAIN) return GOES_ON
    // A change that continues is recorded part by part.
    notes.own = notes.own.length === 0 ? own : notes.own.concat(own)
    for (const fired of moved) notes.moved.push(fired)
    notes.isDone = true
    return result
  }

  /** Passes the notes on once they are committed. */
  keep({ journal, coverage, eventHub, sleepers }: Changed, id: string, notes: WriteEffects): void {
    const { settled, own, moved } = notes
    const count = (changes: readonly RawChange[]) => {
      for (const change of changes) {
        const counted = this.#newTimelineRow(change)
        if (counted !== undefined) coverage.countTransition(...(counted as Counted))
      }
    }
    const keepFired = ({ event, changes }: Fired) => {
      journal.noteFired(event, changes)
      count(changes)
    }
    settled.forEach(keepFired)
    journal.noteChanges(id, own)
    count(own)
    moved.forEach(keepFired)
    if (eventHub.isOn) this.#tell(eventHub, notes)
    if (notes.isClockSet || notes.isWhole) sleepers?.look()
  }

  #tell(eventHub: EventHub, { settled, own, moved, isDone, isClockSet, isWhole }: WriteEffects): void {
    if (isWhole && isDone) {
      eventHub.tell({ kind: 'reset' })
      return
    }
    if (!isDone && settled.length === 0) return
    const changesOf = (fired: readonly Fired[]) => fired.flatMap(({ changes }) => changes)
    eventHub.tell({
      kind: 'state',
      changes: this.#db.watcher.isOn ? [...changesOf(settled), ...own, ...changesOf(moved)] : undefined
    })
    if (isClockSet) eventHub.tell({ kind: 'clock' })
  }
}
