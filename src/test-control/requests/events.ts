import type { RawChange, Row } from '../../db/row-watcher.js'
import type { JournalRecord, Note } from '../../journal/journal.js'
import { toTimestamp } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { ShownChange } from './changes.js'

/** An event that a request has scheduled, and its outcome. */
export interface ScheduledEvent {
  readonly event: string
  readonly resource_id: string
  /** Timestamp; null while it is held. */
  readonly due: string | null
  readonly held: boolean
  readonly state: 'pending' | 'fired' | 'cancelled'
  /** When it fired; null if it did not fire, or if that was not kept. */
  readonly at: string | null
  /** RequestID of the request that cancelled it; null if none did, or if that was not kept. */
  readonly cancelled_by: string | null
  /** Row changes of its firing. */
  readonly changes: readonly ShownChange[]
}

/** A step in the life of an event's row. */
interface Step {
  readonly step: 'scheduled' | 'moved' | 'cancelled' | 'fired'
  /** Sequence, kind and resource, because the database reuses a sequence after its row is deleted. */
  readonly name: string
  readonly kind: string
  readonly resource: string
  readonly due: number | null
  /** RequestID of the request that scheduled it. */
  readonly requestId: string
  /** RequestID under which the step happened. */
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
 * The events that a request has scheduled, in order, from the journal and the events still due.
 * @param show turns the row changes of a firing into their view
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
  // Events that were scheduled before the journal started, or in parts that it did not keep.
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
  // An event that has neither ended nor is still due must have ended in parts that were not kept: it fired, or the
  // whole state was replaced.
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

/** All steps of all events, in order. */
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
    // There may be very many other changes, which need not be decoded.
    if (!plane.isChangeOf(change, 'due_events')) continue
    const { change: what, before, after } = plane.describeChange(change)
    const row = toRow((after ?? before)!)
    // A firing event's own row is deleted first.
    if (what === 'delete' && change === changes[0] && row.sequence === fired?.sequence) continue
    const { sequence, kind, resource, due, request_id: requestId } = row
    const step = what === 'insert' ? 'scheduled' : what === 'update' ? 'moved' : 'cancelled'
    steps.push({ step, name: nameOf(sequence, kind, resource), kind, resource, due, requestId, by, changes: [] })
  }
  return steps
}

const toRow = (row: Row) =>
  row as unknown as { sequence: number; kind: string; resource: string; due: number | null; request_id: string }
