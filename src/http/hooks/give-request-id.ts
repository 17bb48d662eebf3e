import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ControlPlane } from '../../control-plane.js'
import type { OnRequest } from '../request-context.js'

/** The form of an id that a client may choose: it can stand in a header and in a log. */
const HARMLESS = /^[A-Za-z0-9._-]{1,128}$/

/**
 * Sets the RequestID of a request that has none yet: the client's own if its form is harmless, otherwise a new one. It
 * comes from its sandbox's stream, so that a run can be repeated; a request that was refused earlier uses up none of
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

/** Gives each request its RequestID, once it is known whether it belongs to a sandbox. */
export function giveRequestId(plane: Pick<ControlPlane, 'requestIds'>): OnRequest {
  return (request, reply, done) => {
    ensureRequestId(plane, request, reply)
    done()
  }
}
