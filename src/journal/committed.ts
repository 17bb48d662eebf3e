import type { RawChange, RowWatcher } from '../db/row-watcher.js'
import type { DueEvent } from '../sim/due-events.js'
import type { Sleepers } from '../sim/sleepers.js'
import type { ChangeLog } from './change-log.js'
import type { Coverage } from './coverage.js'
import type { EventHub } from './event-hub.js'
import type { Journal } from './journal.js'
import type { Position, Recorder, Replacement, WholeState } from './recorder.js'

/** The parts of a sandbox that learn of its commits. */
interface Observed {
  readonly journal: Journal
  readonly coverage: Coverage
  readonly eventHub: EventHub | undefined
  readonly sleepers: Sleepers | undefined
  readonly changes: ChangeLog
  readonly recorder: Recorder | undefined
}

/** An event that has fired. */
export interface Fired {
  readonly event: DueEvent
  readonly changes: readonly RawChange[]
  /** Draws of the stream of ids that were used up when it had fired. */
  readonly draws: number
  /** Number of the write's own changes before it. */
  readonly after: number
}

/** What a write has done to a sandbox, once that is committed. */
export interface Committed {
  readonly sandbox: Observed
  /** RequestID of the author. */
  readonly id: string
  /** Whether the change was made; false if it was refused, or if only due events ran. */
  readonly isDone: boolean
  /** Row changes of the write itself. */
  readonly own: readonly RawChange[]
  /** Events that fired on the way, in order. */
  readonly fired: readonly Fired[]
  /** Whether it has set or moved the clock. */
  readonly isClockSet: boolean
  /** How it replaced the whole sandbox; undefined: it did not. */
  readonly replacement: Replacement | undefined
  /** Whether the requests before it are forgotten. */
  readonly clearsJournal: boolean
  /** Where the sandbox stood before the write, and where it stands now. */
  readonly before: Position
  readonly position: Position
  /** The whole sandbox before the write, or after a replacement, if a recorder needs it. */
  readonly state: WholeState | undefined
}

/** Called after a commit, with what it has stored. */
export type CommitListener = (committed: Committed) => void

/** The timeline columns that the coverage counts. */
const COUNTED = ['transition', 'attribute', 'from_state', 'to_state'] as const
type Counted = [transition: string, attribute: string, from: string | null, to: string]

/** What learns of the commits of every sandbox. */
export function commitListeners(watcher: RowWatcher): CommitListener[] {
  const newTimelineRow = watcher.insertReader('timeline', COUNTED)
  return [tellJournal, tellChangeLog, tellRecorder, tellCoverage, tellStream, tellSleepers]

  function tellCoverage(committed: Committed): void {
    for (const { changes } of stepsOf(committed))
      for (const change of changes) {
        const counted = newTimelineRow(change)
        if (counted !== undefined) committed.sandbox.coverage.countTransition(...(counted as Counted))
      }
  }

  function tellStream(committed: Committed): void {
    const { sandbox, isDone, isClockSet, fired, replacement } = committed
    const { eventHub } = sandbox
    if (eventHub?.isOn !== true || (!isDone && fired.length === 0)) return
    if (replacement !== undefined) {
      eventHub.tell({ kind: 'reset' })
      return
    }
    const changes = watcher.isOn ? [...stepsOf(committed)].flatMap((step) => step.changes) : undefined
    eventHub.tell({ kind: 'state', changes })
    if (isClockSet) eventHub.tell({ kind: 'clock' })
  }
}

function tellJournal(committed: Committed): void {
  const { id, isDone, clearsJournal, sandbox } = committed
  const { journal } = sandbox
  if (clearsJournal && isDone) journal.clear()
  for (const { event, changes } of stepsOf(committed))
    if (event === undefined) journal.noteChanges(id, changes)
    else journal.noteFired(event, changes)
}

function tellChangeLog(committed: Committed): void {
  const { id, isDone, before, position, replacement, sandbox } = committed
  const log = sandbox.changes
  log.begin(before)
  for (const { event, changes, draws, stand } of stepsOf(committed))
    log.add({
      id: event?.requestId ?? id,
      fired: event,
      at: event?.due ?? position.at,
      changes,
      draws: draws ?? stand?.draws,
      clock: stand?.clock
    })
  if (replacement !== undefined && isDone) log.clear(true)
  else log.stand(id, position)
}

function tellRecorder(committed: Committed): void {
  const { id, isDone, position, replacement, state, sandbox } = committed
  const { recorder } = sandbox
  if (recorder === undefined) return
  if (state !== undefined && replacement === undefined) recorder.begin(state)
  for (const { event, changes, draws, stand } of stepsOf(committed))
    if (event === undefined) recorder.change(id, position.at, changes, stand)
    else recorder.event(event, changes, draws!)
  if (replacement === undefined || !isDone) recorder.stand(id, position)
  else if (state !== undefined) recorder.replace(id, position.at, replacement, state)
}

function tellSleepers({ sandbox: { sleepers }, isClockSet, replacement }: Committed): void {
  if (isClockSet || replacement !== undefined) sleepers?.look()
}

/** Row changes made together: by an event, or by the write itself. */
interface Step {
  readonly event?: DueEvent
  readonly changes: readonly RawChange[]
  /** Draws that an event leaves used up. */
  readonly draws?: number
  /** Where the write's last own changes leave the sandbox. */
  readonly stand?: Position
}

/** What happened, in order: the write's own changes, with the events that fired between them. */
function* stepsOf({ own, fired, position }: Committed): Generator<Step> {
  let told = 0
  for (const { event, changes, draws, after } of fired) {
    if (after > told) yield { changes: own.slice(told, after) }
    told = after
    yield { event, changes, draws }
  }
  if (own.length > told) yield { changes: told === 0 ? own : own.slice(told), stand: position }
}
