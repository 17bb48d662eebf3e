import type { FastifyRequest } from 'fastify'
import { toTimestamp } from '../lib/time.js'
import type { Values } from '../profile/template.js'
import type { ControlPlane } from '../resources/control-plane.js'

/** What placeholders stand for in the reply to a request. @param result what `{{result}}` stands for */
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
