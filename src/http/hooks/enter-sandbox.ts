import type { FastifyReply, FastifyRequest } from 'fastify'
import { machineTime, wallTime } from '../../lib/machine-time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { OnRequest } from '../request-context.js'

/** Attaches the caller's sandbox to a request, creating it on first use. */
export function enterSandbox({
  sandboxes,
  engine,
  traffic
}: Pick<ControlPlane, 'sandboxes' | 'engine' | 'traffic'>): OnRequest {
  return (request, reply, done) => {
    const { caller } = request
    if (caller === undefined) {
      done()
      return
    }
    const sandbox = sandboxes.open(caller.sandboxId, !caller.isFork)
    if (sandbox instanceof Promise) {
      sandbox.then((created) => {
        enter(request, reply, created)
        done()
      }, done)
    } else {
      enter(request, reply, sandbox)
      done()
    }
  }

  function enter(request: FastifyRequest, reply: FastifyReply, sandbox: Sandbox): void {
    const received = wallTime()
    if (request.route.config.isWaiting !== true) holdTime(reply, sandbox)
    request.enteredSandbox = sandbox
    const begun = traffic.isTimed ? machineTime() : undefined
    request.arrival = { at: engine.now(sandbox, received), received, begun }
  }
}

/** For those who sleep, no time passes until the reply has left, or its client has. */
function holdTime(reply: FastifyReply, { sleepers }: Sandbox): void {
  if (sleepers === undefined) return
  sleepers.beginRequest()
  reply.raw.once('close', () => {
    sleepers.endRequest()
  })
}
