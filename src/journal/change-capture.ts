import type { Database } from '../db/database.js'
import type { RawChange } from '../db/row-watcher.js'
import type { DueEvent } from '../sim/due-events.js'
import type { FireObserver } from '../sim/engine.js'
import type { Sleepers } from '../sim/sleepers.js'
import type { ChangeLog } from './change-log.js'
import type { Coverage } from './coverage.js'
import type { EventHub } from './event-hub.js'
import type { Journal } from './journal.js'
import type { Position, Recorder, Replacement, WholeState } from './recorder.js'

interface Fired {
  readonly event: DueEvent
  readonly changes: readonly RawChange[]
  /** Draws of the stream of ids that were used up when it had fired. */
  readonly draws: number
  /** How many of the write's own changes were made before. */
  readonly after: number
}

/** The part of a sandbox that draws ids. */
interface Drawing {
  readonly random: { readonly draws: number }
}

const NOT_DRAWING: Drawing = { random: { draws: 0 } }

/** The timeline columns that the coverage counts. */
const COUNTED = ['transition', 'attribute', 'from_state', 'to_state'] as const
type Counted = [transition: string, attribute: string, from: string | null, to: string]

/** What learns of the effects of a write: a sandbox has one of each. */
interface Changed {
  readonly journal: Journal
  readonly coverage: Coverage
  readonly eventHub: EventHub
  readonly sleepers: Sleepers | undefined
  readonly changes?: ChangeLog
  readonly recorder?: Recorder | undefined
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
  /** How it replaces the whole sandbox; undefined: it does not. */
  readonly replacement: Replacement | undefined
  readonly sandbox: Drawing
  /** Where the sandbox stands before the write, and after it. */
  before: Position | undefined
  position: Position | undefined
  /** The whole sandbox before the write, or after it has replaced everything, if a recorder needs it. */
  state: WholeState | undefined

  constructor(sandbox: Drawing = NOT_DRAWING, replacement?: Replacement) {
    this.sandbox = sandbox
    this.replacement = replacement
  }
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
  #own: RawChange[] = []
  #sandbox: Drawing = NOT_DRAWING

  constructor(db: Database, engine: { observe: (observer: FireObserver) => void }) {
    this.#db = db
    this.#newTimelineRow = db.watcher.insertReader('timeline', COUNTED)
    engine.observe((event, changes) => {
      this.#fired.push({ event, changes, draws: this.#sandbox.random.draws, after: this.#own.length })
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
    this.#sandbox = notes.sandbox
    this.#own = []
    if (!settle()) return GOES_ON
    const moved: Fired[] = []
    this.#fired = moved
    const own: RawChange[] = []
    this.#own = own
    const result = this.#db.watcher.isOn ? this.#db.watcher.watch(own, change) : change()
    if (result === BEGINS_AGAIN) return GOES_ON
    // A change that continues is recorded part by part.
    const before = notes.own.length
    notes.own = before === 0 ? own : notes.own.concat(own)
    for (const fired of moved) notes.moved.push(before === 0 ? fired : { ...fired, after: before + fired.after })
    notes.isDone = true
    return result
  }

  /** Passes the notes on once they are committed. */
  keep(recorded: Changed, id: string, notes: WriteEffects): void {
    const { journal, coverage, eventHub, sleepers, changes: log, recorder } = recorded
    const { settled, own, moved, position, state, replacement, isDone } = notes
    const at = position?.at ?? 0
    const count = (changes: readonly RawChange[]) => {
      for (const change of changes) {
        const counted = this.#newTimelineRow(change)
        if (counted !== undefined) coverage.countTransition(...(counted as Counted))
      }
    }
    const keepFired = ({ event, changes, draws }: Fired) => {
      journal.noteFired(event, changes)
      log?.add({ id: event.requestId, fired: event, at: event.due ?? at, changes, draws, clock: undefined })
      recorder?.event(event, changes, draws)
      count(changes)
    }
    const keepOwn = (changes: readonly RawChange[], stand?: Position) => {
      if (changes.length === 0) return
      journal.noteChanges(id, changes)
      log?.add({ id, fired: undefined, at, changes, draws: stand?.draws, clock: stand?.clock })
      recorder?.change(id, at, changes, stand)
      count(changes)
    }
    if (state !== undefined && replacement === undefined) recorder?.begin(state)
    if (notes.before !== undefined) log?.begin(notes.before)
    settled.forEach(keepFired)
    let kept = 0
    for (const fired of moved) {
      keepOwn(own.slice(kept, fired.after))
      kept = fired.after
      keepFired(fired)
    }
    keepOwn(kept === 0 ? own : own.slice(kept), position)
    if (replacement !== undefined && isDone) {
      log?.clear(true)
      if (state !== undefined) recorder?.replace(id, at, replacement, state)
    } else if (position !== undefined) {
      log?.stand(id, position)
      recorder?.stand(id, position)
    }
    if (eventHub.isOn) this.#tell(eventHub, notes)
    if (notes.isClockSet || replacement !== undefined) sleepers?.look()
  }

  #tell(eventHub: EventHub, { settled, own, moved, isDone, isClockSet, replacement }: WriteEffects): void {
    if (replacement !== undefined && isDone) {
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
