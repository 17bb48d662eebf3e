import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { ref } from '../../interface/schemas.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { MetadataSchema } from '../../resources/metadata/schemas.js'
import { operation } from '../operation.js'

/** Operation 30. */
export const metadataRoutes: FastifyPluginCallbackTypebox<{ plane: ControlPlane }> = (app, { plane }, done) => {
  const { catalogue } = plane.profile
  const metadata = {
    regions: catalogue.regions,
    svcVersions: catalogue.versions.map(({ name, image }) => ({ name, image })),
    workspaceTypes: catalogue.workspace_types.map(({ typeName }) => plane.view.sizeOf(typeName, false))
  }

  app.get(
    '/workspaces/meta',
    operation({
      operationId: 'getMetadata',
      tag: 'Workspaces',
      summary: 'List the supported regions, versions and workspace types',
      result: ref(MetadataSchema),
      example: { result: metadata }
    }),
    (request) => request.succeed(metadata)
  )
  done()
}
