import { toTimestamp } from '../lib/time.js'
import type { DueEvent } from './due-events.js'
import type { FiredEvent } from './engine.js'
import type { TimelineEntry } from './timeline.js'

// Events and state changes, as the control API shows them.

export function toDueView({ due, kind, resource, requestId }: DueEvent) {
  return {
    due: due === null ? null : toTimestamp(due),
    held: due === null,
    event: kind,
    resource_id: resource,
    request_id: requestId
  }
}

export function toTimelineEntryView({ at, resource, requestId, ...change }: TimelineEntry) {
  return { at: toTimestamp(at), resource_id: resource, ...change, request_id: requestId }
}

export function toFiredView({ at, kind, resource, requestId }: FiredEvent) {
  return { at: toTimestamp(at), event: kind, resource_id: resource, request_id: requestId }
}
