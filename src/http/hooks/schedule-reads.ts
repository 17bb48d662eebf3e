import type { ControlPlane } from '../../control-plane.js'
import { isUnwritable } from '../../db/database.js'
import { assertNotRemoved } from '../../sandboxes/sandbox.js'
import type { OnRequest } from '../request-context.js'
import { Turns } from '../turns.js'

/**
 * Lets a read go on when its sandbox is ready for it: what is due has run, and nobody moves it. A write sees to that
 * itself.
 */
export function scheduleReads(plane: Pick<ControlPlane, 'mustWait' | 'isHeld' | 'write' | 'pacer'>): OnRequest {
  const turns = new Turns(plane.pacer)

  return (request, _reply, done) => {
    const { enteredSandbox: sandbox, arrival, method } = request
    if (sandbox === undefined || (method !== 'GET' && method !== 'HEAD')) {
      done()
    } else if (plane.mustWait(sandbox, arrival?.at)) {
      waitForWrite()
    } else {
      // The replies of one turn of the event loop leave together, as those of writers do by the group commit: answering
      // each read as it comes wakes a waiting client for every one, which costs more than all the rest of the request.
      turns.add(sandbox, () => {
        // By then, the sandbox may be being moved.
        if (plane.isHeld(sandbox)) waitForWrite()
        else goOn()
      })
    }

    function waitForWrite(): void {
      plane
        .write(request, () => undefined)
        .then(goOn, (error: unknown) => {
          // While nothing can be written, a read answers what is known.
          if (isUnwritable(error)) goOn()
          else done(error as Error)
        })
    }

    function goOn(): void {
      try {
        // By then, the sandbox may be gone, and its key may lead to another one.
        assertNotRemoved(request.sandbox)
      } catch (error) {
        done(error as Error)
        return
      }
      done()
    }
  }
}
