import type { ViewedDue } from '../../recording/viewed.js'
import type { Due, RequestRecord } from '../api/types.js'
import type { Recorded } from './recorded.js'
import { eventsIn, timelineIn } from './state-parts.js'
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
  let hasGap = false
  for (const step of recorded.upTo(place)) {
    for (const due of step.due ?? []) {
      if (due.request_id !== id) continue
      // A replacement of the sandbox numbers its events anew.
      const isKnown = events.has(due.key) || due.what !== 'ended'
      const key = isKnown ? due.key : ([...events].find(([, one]) => isSame(one, due))?.[0] ?? due.key)
      const event = withDue(due, events.get(key))
      events.delete(key)
      if (due.what !== 'ended') events.set(due.key, event)
      else if (step.kind === 'event' && due === step.due![0])
        ended.push({ ...event, state: 'fired', at: toTimestamp(step.at!), changes: [...(step.changes ?? [])] })
      else ended.push({ ...event, state: 'cancelled', cancelled_by: step.id ?? null })
    }
    hasGap ||= step.kind === 'gap'
    if (step.id !== id) continue
    omitted += step.omitted ?? 0
    if (step.kind === 'change') for (const change of step.changes ?? []) changes.push(change)
    if (step.request !== undefined) {
      request = step.request as unknown as RequestRecord['request']
      invalid = step.request.invalid
    }
  }
  const state = recorded.stateAt(place)
  const timeline = timelineIn(state).filter(({ request_id: cause }) => cause === id)
  const due = eventsIn(state).filter(({ request_id: cause }) => cause === id)
  // An event that has neither ended nor is still due was in a state that was replaced, or fired in missing steps.
  const end = { state: hasGap ? 'fired' : 'cancelled' } as const
  const open = [...events.values()].map((event) =>
    due.some((one) => isSame(one, event)) ? event : { ...event, ...end }
  )
  const all = [...ended, ...open]
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

type Named = Pick<Due, 'event' | 'resource_id' | 'due'>

const isSame = (one: Named, other: Named) =>
  one.event === other.event && one.resource_id === other.resource_id && one.due === other.due

function withDue({ event, resource_id, due }: ViewedDue, before: ScheduledEvent | undefined): ScheduledEvent {
  const known = before ?? { event, resource_id, state: 'pending', at: null, cancelled_by: null, changes: [] }
  return { ...known, due, held: due === null }
}
