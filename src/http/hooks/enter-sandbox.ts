import type { FastifyRequest } from 'fastify'
import type { ControlPlane } from '../../control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { wallTime } from '../../sim/clock.js'
import type { OnRequest } from '../request-context.js'

/** Attaches the caller's sandbox to a request, creating it on first use. */
export function enterSandbox({ sandboxes, engine }: Pick<ControlPlane, 'sandboxes' | 'engine'>): OnRequest {
  return (request, _reply, done) => {
    const { caller } = request
    if (caller === undefined) {
      done()
      return
    }
    const sandbox = sandboxes.open(caller.sandboxId, !caller.isFork)
    if (sandbox instanceof Promise) {
      sandbox.then((created) => {
        enter(request, created)
        done()
      }, done)
    } else {
      enter(request, sandbox)
      done()
    }
  }

  function enter(request: FastifyRequest, sandbox: Sandbox): void {
    const received = wallTime()
    request.enteredSandbox = sandbox
    request.arrival = { at: engine.now(sandbox, received), received }
  }
}
