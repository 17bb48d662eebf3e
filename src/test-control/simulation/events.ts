import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { type Due, toDueView } from '../../sim/views.js'
import { type Traced, withTrace } from './trace.js'

/** Everything that is scheduled, in order. */
export function listEvents({ engine }: ControlPlane, sandbox: Sandbox): Traced<Due>[] {
  return engine.dueEvents.list(sandbox.key).map((event) => withTrace(sandbox, toDueView(event)))
}
