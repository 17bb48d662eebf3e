import type { ControlPlane } from '../../resources/control-plane.js'
import { assertNotRemoved } from '../../sandboxes/sandbox.js'
import type { OnRequest } from '../request-context.js'
import { RequestQueue } from '../request-queue.js'

/**
 * Delays a read until due events have run and no sliced change of its sandbox is under way. A write does that itself.
 */
export function scheduleReads(plane: Pick<ControlPlane, 'mustWait' | 'isHeld' | 'settle' | 'scheduler'>): OnRequest {
  const turns = new RequestQueue(plane.scheduler)

  return (request, _reply, done) => {
    const { enteredSandbox: sandbox, arrival, method } = request
    if (sandbox === undefined || (method !== 'GET' && method !== 'HEAD')) {
      done()
    } else if (plane.mustWait(sandbox, arrival?.at)) {
      settle()
    } else {
      // Send the replies of one event-loop turn together, as group commit does for writes. Answering each read as it
      // comes would wake a waiting client every time, which costs more than the rest of the request.
      turns.add(sandbox, () => {
        // A sliced change may have started.
        if (plane.isHeld(sandbox)) settle()
        else goOn()
      })
    }

    function settle(): void {
      plane.settle(request).then(() => {
        done()
      }, done)
    }

    function goOn(): void {
      try {
        // The sandbox may be gone, and its key may belong to another one.
        assertNotRemoved(request.sandbox)
      } catch (error) {
        done(error as Error)
        return
      }
      done()
    }
  }
}
