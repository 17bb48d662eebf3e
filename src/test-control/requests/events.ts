import type { RawChange } from '../../db/row-watcher.js'
import { toTimestamp } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { type DueEvent, toEvent } from '../../sim/due-events.js'
import type { ShownChange } from './changes.js'
import type { RequestRecord } from './schemas.js'

/** An event that a request has scheduled, and its outcome. */
type ScheduledEvent = RequestRecord['events'][number]

type Event = Pick<DueEvent, 'sequence' | 'kind' | 'resource' | 'due'>

/** Unique, unlike the sequence, which the database reuses after a deletion. */
const nameOf = ({ sequence, kind, resource }: Event) => `${sequence} ${kind} ${resource}`

/** After a long move that failed, the same event has another sequence. */
const isSame = ({ kind, resource, due }: Event, life: ScheduledEvent) =>
  kind === life.event && resource === life.resource_id && timeOf(due) === life.due

const nameIn = <T>(all: ReadonlyMap<string, T>, isIt: (one: T) => boolean): string =>
  [...all].find(([, one]) => isIt(one))?.[0] ?? ''

const timeOf = (due: number | null) => (due === null ? null : toTimestamp(due))

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
  const all: ScheduledEvent[] = []
  const open = new Map<string, ScheduledEvent>()
  const note = (event: Event, end?: Partial<ScheduledEvent>) => {
    const { kind, resource, due } = event
    const name =
      end === undefined || open.has(nameOf(event)) ? nameOf(event) : nameIn(open, (life) => isSame(event, life))
    const begun = open.get(name)
    const life: ScheduledEvent = begun ?? {
      event: kind,
      resource_id: resource,
      due: null,
      held: true,
      state: 'pending',
      at: null,
      cancelled_by: null,
      changes: []
    }
    if (begun === undefined) all.push(life)
    Object.assign(life, { due: timeOf(due), held: due === null }, end)
    if (end === undefined) open.set(name, life)
    else open.delete(name)
  }

  const notes = journal.records().flatMap(({ id: by, notes }) => notes.map((one) => ({ by, ...one })))
  for (const { by, fired, changes } of notes.sort((a, b) => a.order - b.order)) {
    if (fired?.requestId === id) note(fired, { state: 'fired', at: timeOf(fired.due), changes: show(changes) })
    for (const change of changes) {
      // There may be very many other changes, which need not be decoded.
      if (!plane.isChangeOf(change, 'due_events')) continue
      const { change: what, before, after } = plane.describeChange(change)
      const row = (after ?? before)!
      if (row['request_id'] !== id) continue
      const event = toEvent(row)
      // A firing event's own row is deleted first.
      if (what === 'delete' && change === changes[0] && event.sequence === fired?.sequence) continue
      note(event, what === 'delete' ? { state: 'cancelled', cancelled_by: by } : undefined)
    }
  }

  const waiting = new Map(plane.engine.dueEvents.listOfRequest(key, id).map((event) => [nameOf(event), event]))
  // An event that has neither ended nor is still due must have ended in parts that were not kept: it fired, or the
  // whole state was replaced.
  const hasGaps = (journal.find(id)?.omitted ?? 0) > 0
  for (const [name, life] of open)
    if (!waiting.delete(name) && !waiting.delete(nameIn(waiting, (event) => isSame(event, life))))
      Object.assign(life, { state: hasGaps ? 'fired' : 'cancelled' })
  // Events that were scheduled before the journal started, or in parts that it did not keep.
  for (const event of waiting.values()) note(event)
  return all
}
