import type { ControlPlane } from '../../resources/control-plane.js'
import { changeToWire } from '../../resources/states.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { TimelineEntry } from '../../sim/timeline.js'
import { toDueView, toTimelineEntryView } from '../../sim/views.js'
import { wholeResource } from '../cut-ids.js'

/** The scheduled events, in order. */
export function listEvents({ engine }: ControlPlane, sandbox: Sandbox) {
  return engine.dueEvents.list(sandbox.key).map((event) => withTrace(sandbox, toDueView(event)))
}

/** The state changes so far, in order. @param id only those of one resource @param limit only the newest ones */
export function listTimeline(plane: ControlPlane, sandbox: Sandbox, id?: string, limit?: number) {
  const toView = toTimelineView(plane)
  const resource = id && wholeResource(plane, sandbox, id)
  return plane.timeline.list(sandbox.key, resource, limit).map((entry) => withTrace(sandbox, toView(entry)))
}

export const toTimelineView =
  ({ profile: { words } }: ControlPlane) =>
  (entry: TimelineEntry) =>
    toTimelineEntryView(changeToWire(entry, words))

/** Adds the trace of the request behind an item, if the journal still has the request. */
function withTrace<T extends { readonly request_id: string }>(
  { journal }: Sandbox,
  item: T
): T & { readonly trace?: string } {
  const trace = journal.traceOf(item.request_id)
  return trace === undefined ? item : { ...item, trace }
}
