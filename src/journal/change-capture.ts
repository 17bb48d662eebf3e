import type { Database } from '../db/database.js'
import type { RawChange } from '../db/row-watcher.js'
import type { DueEvent } from '../sim/due-events.js'
import type { FireObserver } from '../sim/engine.js'
import type { Coverage } from './coverage.js'
import type { EventHub } from './event-hub.js'
import type { Journal } from './journal.js'

interface Fired {
  readonly event: DueEvent
  readonly changes: readonly RawChange[]
}

/** What the coverage counts of a row of the timeline. */
const COUNTED = ['transition', 'attribute', 'from_state', 'to_state'] as const
type Counted = [transition: string, attribute: string, from: string | null, to: string]

/** Where what a write has done is noted: a sandbox has one of each. */
export interface Recorded {
  readonly journal: Journal
  readonly coverage: Coverage
  readonly eventHub: EventHub
}

/** What a write has done, until it is known that it holds. */
export class WriteEffects {
  /** Events that ran before the change, and hold whatever becomes of it. */
  readonly settled: Fired[] = []
  own: RawChange[] = []
  /** Events that the change ran itself, by moving the clock. */
  readonly moved: Fired[] = []
  /** Whether the change was made; else it was refused. */
  isDone = false
  /** Whether it has set or moved the clock. */
  isClockSet = false
  /** Whether it has made the sandbox something else as a whole. */
  isWhole = false
}

/** Says that a change is not done: it wants to be gone on with in another transaction. */
export const GOES_ON = Symbol('goes on')
/** Says the same, and that all that it has done was undone. */
export const BEGINS_AGAIN = Symbol('begins again')

/**
 * Collects what writes change: what a request changes itself under its RequestID, and what the events change that fire
 * on the way under the RequestIDs of those that had scheduled them.
 */
export class ChangeCapture {
  readonly #db: Database
  readonly #newTimelineRow: (change: RawChange) => unknown[] | undefined
  #fired: Fired[] = []

  constructor(db: Database, engine: { observe: (observer: FireObserver) => void }) {
    this.#db = db
    this.#newTimelineRow = db.watcher.insertReader('timeline', COUNTED)
    if (db.watcher.isOn)
      engine.observe((event, changes) => {
        this.#fired.push({ event, changes })
      })
  }

  /**
   * Runs the two parts of a write: `settle`, of which each event holds by itself, and, if that says that it has come to
   * its end, `change`, of which all holds or nothing. Whatever throws, the notes have what has been done and was not
   * undone.
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
    // Of a change that goes on, this is a part.
    notes.own = notes.own.length === 0 ? own : notes.own.concat(own)
    for (const fired of moved) notes.moved.push(fired)
    notes.isDone = true
    return result
  }

  /** Hands notes on, once they hold. */
  keep({ journal, coverage, eventHub }: Recorded, id: string, notes: WriteEffects): void {
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
