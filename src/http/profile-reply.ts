import type { FastifyReply, FastifyRequest } from 'fastify'
import { toTimestamp } from '../lib/time.js'
import type { ProfileReply } from '../profile/reply.js'
import type { Values } from '../profile/template.js'
import type { ControlPlane } from '../resources/control-plane.js'

/** Sends a reply that a profile defines. */
export function sendReply(reply: FastifyReply, { status, headers, body }: ProfileReply, values: Values): void {
  const content = body?.(values)
  void reply.code(status)
  for (const [name, value] of headers) void reply.header(name, value(values))
  if (typeof content === 'string' || content === undefined) void reply.send(content)
  else {
    if (!headers.has('content-type')) void reply.type('application/json; charset=utf-8')
    void reply.send(JSON.stringify(content))
  }
}

/** The values of placeholders in the reply to a request. */
export function valuesOf({ engine }: Pick<ControlPlane, 'engine'>, request: FastifyRequest, result?: unknown): Values {
  const { params, query, body } = request
  return {
    path: params,
    query,
    body,
    request_id: request.id,
    result,
    get org_id() {
      return request.sandbox.orgId
    },
    get org_name() {
      return request.sandbox.orgName
    },
    get now() {
      return toTimestamp(engine.now(request.sandbox))
    }
  }
}
