import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { ref } from '../../lib/schemas.js'
import { REGIONS, SVC_VERSIONS, WORKSPACE_TYPES } from '../../resources/metadata/catalogue.js'
import { MetadataSchema } from '../../resources/metadata/schemas.js'
import { success } from '../envelope.js'
import { operation } from '../operation.js'

const message = 'What the org can create.'
const metadata = { regions: REGIONS, svcVersions: SVC_VERSIONS, workspaceTypes: WORKSPACE_TYPES }

/** Operation 30. */
export const metadataRoutes: FastifyPluginCallbackTypebox = (app, _options, done) => {
  app.get(
    '/workspaces/meta',
    operation({
      operationId: 'getMetadata',
      tag: 'Workspaces',
      summary: 'List the supported regions, versions and workspace types',
      result: ref(MetadataSchema),
      example: { message, result: metadata }
    }),
    (request, reply) => {
      void reply.send(success(request, message, metadata))
    }
  )
  done()
}
