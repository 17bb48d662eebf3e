import type { Shape } from '../interface/schemas.js'
import { toTimestamp } from '../lib/time.js'
import type { FiredSchema } from './clock-schemas.js'
import type { DueEvent } from './due-events.js'
import type { FiredEvent } from './engine.js'
import type { DueSchema, TimelineEntrySchema } from './schemas.js'
import type { TimelineEntry } from './timeline.js'

/** A fired event, as the control API shows it. */
export type Fired = Shape<typeof FiredSchema>

/** A scheduled event, as the control API shows it. */
export type Due = Shape<typeof DueSchema>

/** A state change, as the control API shows it. */
export type TimelineItem = Shape<typeof TimelineEntrySchema>

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
