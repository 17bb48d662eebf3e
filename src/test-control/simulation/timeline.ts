import type { ControlPlane } from '../../control-plane.js'
import { changeToWire } from '../../resources/states.js'
import type { TimelineEntry } from '../../sim/timeline.js'
import { type TimelineItem, toTimelineEntryView } from '../../sim/views.js'

/** Returns a function that shows a change of state in the words of the interface. */
export function toTimelineView({
  profile: { words }
}: Pick<ControlPlane, 'profile'>): (entry: TimelineEntry) => TimelineItem {
  return (entry: TimelineEntry) => toTimelineEntryView(changeToWire(entry, words))
}
