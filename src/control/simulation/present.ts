import { toTimestamp } from '../../sim/clock.js'
import type { DueEvent } from '../../sim/due-events.js'
import type { TimelineEntry } from '../../sim/timeline.js'

/** An event that is due, as the control API shows it; one that is held has no time. */
export function presentDue({ due, kind, resource, requestId }: DueEvent) {
  return { due: due === null ? null : toTimestamp(due), held: due === null, event: kind, resource_id: resource, request_id: requestId }
}

/** A change of a state, as the control API shows it. */
export function presentTimelineEntry({ at, resource, requestId, ...change }: TimelineEntry) {
  return { at: toTimestamp(at), resource_id: resource, ...change, request_id: requestId }
}
