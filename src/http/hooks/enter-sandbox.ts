import type { FastifyReply, FastifyRequest } from 'fastify'
import { machineTime, wallTime } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { authenticator } from '../credentials.js'
import type { OnRequest } from '../request-context.js'

/** Identifies the caller by its credential, if the route needs one. */
export function authenticate(identify: ReturnType<typeof authenticator>): OnRequest {
  return (request, _reply, done) => {
    const { access } = request.route.config
    if (access !== undefined) request.caller = identify(request.headers, access)
    done()
  }
}

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

/** The form of an id that a client may choose: safe in headers and logs. */
const HARMLESS = /^[A-Za-z0-9._-]{1,128}$/

/**
 * Sets the RequestID of a request that has none: the client's own if its form is safe, otherwise a new one. New ones
 * come from the sandbox's stream, so that a run is repeatable. Requests refused before they reach a sandbox use none of
 * those.
 */
export function ensureRequestId(
  { requestIds }: Pick<ControlPlane, 'requestIds'>,
  request: FastifyRequest,
  reply: FastifyReply
): void {
  if (request.id !== '') return
  const own = request.headers['x-request-id']
  const isOwn = typeof own === 'string' && HARMLESS.test(own)
  const ids = request.enteredSandbox?.requestIds ?? requestIds
  const id = isOwn ? own : ids.uuid()
  request.id = id
  void reply.header('x-request-id', id)
}

/** Gives each request its RequestID, once its sandbox is known. */
export function giveRequestId(plane: Pick<ControlPlane, 'requestIds'>): OnRequest {
  return (request, reply, done) => {
    ensureRequestId(plane, request, reply)
    done()
  }
}
