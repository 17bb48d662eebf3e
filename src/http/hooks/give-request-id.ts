import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { OnRequest } from '../request-context.js'

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
