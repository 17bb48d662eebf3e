import type { ViewedDue } from '../../recording/viewed.js'
import type { RequestRecord } from '../api/types.js'
import type { Recorded } from './recorded.js'
import { timelineIn } from './state-parts.js'
import { toTimestamp } from './time.js'

type ScheduledEvent = RequestRecord['events'][number]
type Changed = RequestRecord['changes'][number]

/** The record of a request, with its effects up to a place of a recording; undefined if there are none. */
export function recordOf(recorded: Recorded, place: number, id: string): RequestRecord | undefined {
  const changes: Changed[] = []
  const events = new Map<string, ScheduledEvent>()
  const ended: ScheduledEvent[] = []
  let request: RequestRecord['request'] = null
  let invalid: RequestRecord['validation']['faults'] | undefined
  let omitted = 0
  for (const step of recorded.upTo(place)) {
    for (const due of step.due ?? []) {
      if (due.request_id !== id) continue
      const event = withDue(due, events.get(due.key))
      events.delete(due.key)
      if (due.what !== 'ended') events.set(due.key, event)
      else if (step.kind === 'event' && due === step.due![0])
        ended.push({ ...event, state: 'fired', at: toTimestamp(step.at!), changes: [...(step.changes ?? [])] })
      else ended.push({ ...event, state: 'cancelled', cancelled_by: step.id ?? null })
    }
    if (step.id !== id) continue
    omitted += step.omitted ?? 0
    if (step.kind === 'change') for (const change of step.changes ?? []) changes.push(change)
    if (step.request !== undefined) {
      request = step.request as unknown as RequestRecord['request']
      invalid = step.request.invalid
    }
  }
  const timeline = timelineIn(recorded.stateAt(place)).filter(({ request_id: cause }) => cause === id)
  const all = [...ended, ...events.values()]
  if (request === null && changes.length + all.length + timeline.length === 0) return undefined
  return {
    request,
    validation: { ok: invalid === undefined, faults: invalid ?? [] },
    fault: request?.fault ?? null,
    changes,
    events: all,
    timeline,
    omitted
  }
}

function withDue({ event, resource_id, due }: ViewedDue, before: ScheduledEvent | undefined): ScheduledEvent {
  const known = before ?? { event, resource_id, state: 'pending', at: null, cancelled_by: null, changes: [] }
  return { ...known, due, held: due === null }
}
