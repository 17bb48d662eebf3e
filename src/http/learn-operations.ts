import type { FastifyInstance } from 'fastify'
import type { ControlPlane } from '../resources/control-plane.js'
import { isControl } from './operation.js'

/** Fills the catalogue of operations from the routes registered after this call, and from the named schemas. */
export function learnOperations(
  app: FastifyInstance,
  { operations, profile }: Pick<ControlPlane, 'operations' | 'profile'>
): void {
  app.addHook('onRoute', ({ url, config: { operationId, operationIds, statuses } = {} }) => {
    if (isControl(url) || operationId === undefined || statuses === undefined) return
    for (const id of operationIds ?? [operationId]) {
      const isRestricted = profile.edge.roles?.allow.has(id) === true && !statuses.includes(403)
      operations.add({ operationId: id, statuses: isRestricted ? [...statuses, 403].sort((a, b) => a - b) : statuses })
    }
  })
  app.addHook('onReady', async () => {
    for (const [name, schema] of Object.entries(app.getSchemas())) operations.addSchema(name, schema as object)
  })
}
