import { toTimestamp } from '../lib/time.js'
import type { DueEvent } from './due-events.js'
import type { FiredEvent } from './engine.js'
import type { TimelineEntry } from './timeline.js'

/** A fired event, as the control API shows it. */
export interface Fired {
  readonly at: string
  readonly event: string
  readonly resource_id: string
  readonly request_id: string
}

/** A scheduled event, as the control API shows it. */
export interface Due {
  /** Timestamp; null while it is held. */
  readonly due: string | null
  readonly held: boolean
  readonly event: string
  readonly resource_id: string
  readonly request_id: string
}

/** A state change, as the control API shows it. */
export interface TimelineItem {
  readonly at: string
  readonly resource_id: string
  readonly transition: string
  readonly attribute: string
  readonly from: string | null
  readonly to: string
  readonly reason: string | null
  readonly request_id: string
}

export function toDueView({ due, kind, resource, requestId }: DueEvent): Due {
  return {
    due: due === null ? null : toTimestamp(due),
    held: due === null,
    event: kind,
    resource_id: resource,
    request_id: requestId
  }
}

export function toTimelineEntryView({ at, resource, requestId, ...change }: TimelineEntry): TimelineItem {
  return { at: toTimestamp(at), resource_id: resource, ...change, request_id: requestId }
}

export function toFiredView({ at, kind, resource, requestId }: FiredEvent): Fired {
  return { at: toTimestamp(at), event: kind, resource_id: resource, request_id: requestId }
}
