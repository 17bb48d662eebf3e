import type { RawChange, RowWatcher } from '../db/row-watcher.js'
import { type Fired, isFired } from '../sim/engine.js'
import type { Sleepers } from '../sim/sleepers.js'
import type { ChangeLog } from './change-log.js'
import type { Coverage } from './coverage.js'
import type { EventHub } from './event-hub.js'
import type { Journal } from './journal.js'
import type { Position, Recorder, Replacement, WholeState } from './recorder.js'
import type { Step } from './step.js'

/** The parts of a sandbox that learn of its commits. */
interface Observed {
  readonly journal: Journal
  readonly coverage: Coverage
  readonly eventHub: EventHub | undefined
  readonly sleepers: Sleepers | undefined
  readonly changes: ChangeLog
  readonly recorder: Recorder | undefined
  /** The counts of its limits, which begin again when it is replaced. */
  readonly windows: Map<object, unknown>
}

/** The effects of a write on a sandbox, once committed. */
export interface Committed {
  readonly sandbox: Observed
  /** RequestID of the author. */
  readonly id: string
  /** Whether the change was made; false if it was refused, or if only due events ran. */
  readonly isDone: boolean
  /** Row changes of the write itself, and events that fired on the way, in order. */
  readonly changes: readonly (RawChange | Fired)[]
  /** Whether it has set or moved the clock. */
  readonly isClockSet: boolean
  /** How it replaced the whole sandbox, if it did. */
  readonly replacement: Replacement | undefined
  /** Whether the journal forgets earlier requests. */
  readonly clearsJournal: boolean
  /** Where the sandbox stood before the write, and where it stands now. */
  readonly before: Position
  readonly position: Position
  /** The whole sandbox before the write, or after a replacement, if a recorder needs it. */
  readonly state: WholeState | undefined
}

/** Called after each commit. */
export type CommitListener = (committed: Committed) => void

/** The timeline columns that the coverage counts. */
const COUNTED = ['transition', 'attribute', 'from_state', 'to_state'] as const
type Counted = [transition: string, attribute: string, from: string | null, to: string]

/** Passes commits on to the sandbox's journal, change log, recorder, coverage, stream and sleepers, in this order. */
export function commitListener(watcher: RowWatcher): CommitListener {
  const newTimelineRow = watcher.insertReader('timeline', COUNTED)
  return (committed) => {
    const { sandbox, isDone, before, replacement, state } = committed
    const { journal, changes: log, windows, recorder, coverage, eventHub, sleepers } = sandbox
    const isReplaced = replacement !== undefined && isDone
    const steps = stepsOf(committed, isReplaced)

    if (committed.clearsJournal && isDone) journal.clear()
    for (const step of steps) journal.note(step)

    log.begin(before)
    for (const step of steps) log.add(step)
    if (isReplaced) {
      log.clear(-Infinity)
      windows.clear()
    }

    if (state !== undefined && replacement === undefined) recorder?.begin(state)
    if (recorder !== undefined) for (const step of steps) recorder.add(step)
    if (isReplaced && state !== undefined) recorder?.replace(committed.id, committed.position.at, replacement, state)

    for (const { changes } of steps)
      for (const change of changes) {
        const counted = newTimelineRow(change)
        if (counted !== undefined) coverage.countTransition(...(counted as Counted))
      }

    if (eventHub?.isOn === true && (isDone || committed.changes.some(isFired))) {
      if (replacement !== undefined) eventHub.tell({ kind: 'reset' })
      else {
        eventHub.tell({ kind: 'state', changes: watcher.isOn ? steps.flatMap(({ changes }) => changes) : undefined })
        if (committed.isClockSet) eventHub.tell({ kind: 'clock' })
      }
    }

    if (committed.isClockSet || replacement !== undefined) sleepers?.look()
  }
}

/** The write's own changes, and the events that fired between them, in order. */
function stepsOf({ id, changes, position }: Committed, isReplaced: boolean): Step[] {
  const { at, draws, clock } = position
  const steps: Step[] = []
  let own: RawChange[] = []
  for (const change of changes)
    if (isFired(change)) {
      if (own.length > 0) steps.push({ id, fired: undefined, at, changes: own, draws: undefined, clock: undefined })
      own = []
      const { event, changes, draws } = change
      steps.push({ id: event.requestId, fired: event, at: event.due!, changes, draws, clock: undefined })
    } else own.push(change)
  if (own.length > 0 || !isReplaced) steps.push({ id, fired: undefined, at, changes: own, draws, clock })
  return steps
}
