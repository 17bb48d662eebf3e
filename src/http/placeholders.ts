import type { FastifyRequest } from 'fastify'
import { toTimestamp } from '../lib/time.js'
import type { Values } from '../profile/template.js'
import type { ControlPlane } from '../resources/control-plane.js'

/** What placeholders stand for in the reply to a request. */
export function valuesOf({ engine }: Pick<ControlPlane, 'engine'>, request: FastifyRequest): Values {
  const { sandbox, params, query, body } = request
  return {
    path: params,
    query,
    body,
    org_id: sandbox.orgId,
    org_name: sandbox.orgName,
    request_id: request.id,
    get now() {
      return toTimestamp(engine.now(sandbox))
    }
  }
}
