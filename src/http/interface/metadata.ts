import type { FastifyPluginCallback } from 'fastify'
import { ref } from '../../interface/schemas.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { MetadataSchema } from '../../resources/metadata/schemas.js'
import { operationsIn } from '../operation.js'

/** Operation 30. */
export const metadataRoutes: FastifyPluginCallback<{ plane: ControlPlane }> = (app, { plane }, done) => {
  const { addRead } = operationsIn(app, plane)
  const { catalogue } = plane.profile
  const metadata = {
    regions: catalogue.regions,
    svcVersions: catalogue.versions.map(({ name, image }) => ({ name, image })),
    workspaceTypes: catalogue.workspace_types.map(({ typeName }) => plane.view.sizeOf(typeName, false))
  }

  addRead(
    '/workspaces/meta',
    {
      operationId: 'getMetadata',
      tag: 'Workspaces',
      summary: 'List the supported regions, versions and workspace types',
      result: ref(MetadataSchema),
      example: { result: metadata }
    },
    () => metadata
  )
  done()
}
