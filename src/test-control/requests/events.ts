import type { RawChange } from '../../db/row-watcher.js'
import { toTimestamp } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { type DueEvent, toEvent } from '../../sim/due-events.js'
import type { ShownChange } from './changes.js'
import type { RequestRecord } from './schemas.js'

/** An event that a request has scheduled, and its outcome. */
type ScheduledEvent = RequestRecord['events'][number]

type Event = Pick<DueEvent, 'kind' | 'resource' | 'due'>

/** What lasts, unlike the sequence: the database reuses it, and a long move that fails gives out other ones. */
const nameOf = ({ kind, resource, due }: Event) => `${kind} ${resource} ${due}`

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
  /** Those that have not ended; several can have the same name. */
  const open = new Map<string, ScheduledEvent[]>()
  const note = (event: Event, before: Event | undefined, end?: Partial<ScheduledEvent>) => {
    const { kind, resource, due } = event
    const begun = before && open.get(nameOf(before))?.shift()
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
    if (end !== undefined) return
    const same = open.get(nameOf(event)) ?? []
    same.push(life)
    open.set(nameOf(event), same)
  }

  const notes = journal.records().flatMap(({ id: by, notes }) => notes.map((one) => ({ by, ...one })))
  for (const { by, fired, changes } of notes.sort((a, b) => a.order - b.order)) {
    if (fired?.requestId === id) note(fired, fired, { state: 'fired', at: timeOf(fired.due), changes: show(changes) })
    for (const change of changes) {
      // There may be very many other changes, which need not be decoded.
      if (!plane.isChangeOf(change, 'due_events')) continue
      const { change: what, before, after } = plane.describeChange(change)
      const row = (after ?? before)!
      if (row['request_id'] !== id) continue
      const event = toEvent(row)
      // A firing event's own row is deleted first.
      if (what === 'delete' && change === changes[0] && event.sequence === fired?.sequence) continue
      note(event, before && toEvent(before), what === 'delete' ? { state: 'cancelled', cancelled_by: by } : undefined)
    }
  }

  // Also those that were scheduled before the journal started, or in parts that it did not keep.
  for (const event of plane.engine.dueEvents.listOfRequest(key, id)) note(event, event, {})
  // An event that has neither ended nor is still due must have ended in parts that were not kept: it fired, or the
  // whole state was replaced.
  const hasGaps = (journal.find(id)?.omitted ?? 0) > 0
  for (const life of [...open.values()].flat()) Object.assign(life, { state: hasGaps ? 'fired' : 'cancelled' })
  return all
}
