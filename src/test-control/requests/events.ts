import type { ControlPlane } from '../../control-plane.js'
import type { RawChange, Row } from '../../db/row-watcher.js'
import type { JournalRecord, Note } from '../../journal/journal.js'
import { toTimestamp } from '../../lib/time.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { ShownChange } from './changes.js'

/** Something that a request has scheduled, and what became of it. */
export interface ScheduledEvent {
  readonly event: string
  readonly resource_id: string
  /** Timestamp; null while it is held. */
  readonly due: string | null
  readonly held: boolean
  readonly state: 'pending' | 'fired' | 'cancelled'
  /** Timestamp of its firing; null if it did not fire, or that is not kept. */
  readonly at: string | null
  /** RequestID of the request that took it back; null if it was not, or that is not kept. */
  readonly cancelled_by: string | null
  /** What it changed when it fired. */
  readonly changes: readonly ShownChange[]
}

/** What happened to the row of an event. */
interface Step {
  readonly step: 'scheduled' | 'moved' | 'cancelled' | 'fired'
  /** Sequence, kind and resource: the database gives a sequence anew when its row is gone. */
  readonly name: string
  readonly kind: string
  readonly resource: string
  readonly due: number | null
  /** RequestID of the request that has scheduled it. */
  readonly requestId: string
  /** RequestID under which it happened. */
  readonly by: string
  readonly changes: readonly RawChange[]
}

interface Life {
  readonly name: string
  readonly kind: string
  readonly resource: string
  due: number | null
  end: Step | undefined
}

/**
 * What a request has scheduled, in order, by the journal and by what is still due.
 * @param show turns the row changes of a firing into what is shown
 */
export function eventsOf(
  plane: ControlPlane,
  { key, journal }: Sandbox,
  id: string,
  show: (changes: readonly RawChange[]) => ShownChange[]
): ScheduledEvent[] {
  const lives: Life[] = []
  const open = new Map<string, Life>()
  for (const step of stepsOf(plane, journal.records())) {
    if (step.requestId !== id) continue
    const { name, kind, resource, due } = step
    let life = open.get(name)
    if (life === undefined) {
      life = { name, kind, resource, due, end: undefined }
      lives.push(life)
      open.set(name, life)
    }
    life.due = due
    if (step.step === 'fired' || step.step === 'cancelled') {
      life.end = step
      open.delete(name)
    }
  }
  const waiting = new Map(
    plane.engine.dueEvents
      .listOfRequest(key, id)
      .map((event) => [nameOf(event.sequence, event.kind, event.resource), event])
  )
  const hasGaps = (journal.find(id)?.omitted ?? 0) > 0
  const known = lives.map((life) =>
    toView(life, open.get(life.name) === life && waiting.delete(life.name), show, hasGaps)
  )
  // Those that were scheduled before the journal began, or in what it does not keep.
  const others = [...waiting].map(([name, { kind, resource, due }]) =>
    toView({ name, kind, resource, due, end: undefined }, true, show, false)
  )
  return [...known, ...others]
}

function toView(
  { kind, resource, due, end }: Life,
  isPending: boolean,
  show: (changes: readonly RawChange[]) => ShownChange[],
  hasGaps: boolean
): ScheduledEvent {
  // What has neither ended nor is due any more ended in what is not kept: a firing, or the state was replaced as a
  // whole.
  const state = isPending ? 'pending' : end?.step === 'fired' || (end === undefined && hasGaps) ? 'fired' : 'cancelled'
  return {
    event: kind,
    resource_id: resource,
    due: due === null ? null : toTimestamp(due),
    held: due === null,
    state,
    at: end?.step === 'fired' && end.due !== null ? toTimestamp(end.due) : null,
    cancelled_by: end?.step === 'cancelled' ? end.by : null,
    changes: end?.step === 'fired' ? show(end.changes) : []
  }
}

const nameOf = (sequence: number, kind: string, resource: string) => `${sequence} ${kind} ${resource}`

/** Everything that happened to the rows of events, in order. */
function stepsOf(plane: ControlPlane, records: readonly JournalRecord[]): Step[] {
  const notes = records.flatMap(({ id, notes }) => notes.map((note) => ({ id, note })))
  return notes.sort((a, b) => a.note.order - b.note.order).flatMap(({ id, note }) => stepsOfNote(plane, id, note))
}

function stepsOfNote(plane: ControlPlane, by: string, { fired, changes }: Note): Step[] {
  const steps: Step[] = []
  if (fired !== undefined) {
    const { sequence, kind, resource, due, requestId } = fired
    steps.push({ step: 'fired', name: nameOf(sequence, kind, resource), kind, resource, due, requestId, by, changes })
  }
  for (const change of changes) {
    // There may be very many others, which need not be looked into.
    if (!plane.isChangeOf(change, 'due_events')) continue
    const { change: what, before, after } = plane.describeChange(change)
    const row = toRow((after ?? before)!)
    // The row of an event that fires goes first of all.
    if (what === 'delete' && change === changes[0] && row.sequence === fired?.sequence) continue
    const { sequence, kind, resource, due, request_id: requestId } = row
    const step = what === 'insert' ? 'scheduled' : what === 'update' ? 'moved' : 'cancelled'
    steps.push({ step, name: nameOf(sequence, kind, resource), kind, resource, due, requestId, by, changes: [] })
  }
  return steps
}

const toRow = (row: Row) =>
  row as unknown as { sequence: number; kind: string; resource: string; due: number | null; request_id: string }
