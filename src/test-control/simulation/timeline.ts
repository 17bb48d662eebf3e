import type { ControlPlane } from '../../resources/control-plane.js'
import { changeToWire } from '../../resources/states.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { TimelineEntry } from '../../sim/timeline.js'
import { type TimelineItem, toTimelineEntryView } from '../../sim/views.js'
import { wholeResource } from '../cut-ids.js'
import { type Traced, withTrace } from './trace.js'

/** The state changes so far, in order. @param id only those of one resource @param limit only the newest ones */
export function listTimeline(
  plane: ControlPlane,
  sandbox: Sandbox,
  id?: string,
  limit?: number
): Traced<TimelineItem>[] {
  const toView = toTimelineView(plane)
  const resource = wholeResource(plane, sandbox, id)
  return plane.timeline.list(sandbox.key, resource, limit).map((entry) => withTrace(sandbox, toView(entry)))
}

/** Returns a function that shows a change of state in the words of the interface. */
export function toTimelineView({
  profile: { words }
}: Pick<ControlPlane, 'profile'>): (entry: TimelineEntry) => TimelineItem {
  return (entry: TimelineEntry) => toTimelineEntryView(changeToWire(entry, words))
}
