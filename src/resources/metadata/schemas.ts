import { Type } from '@sinclair/typebox'
import { ref, replySchema } from '../../interface/schemas.js'
import { WorkspaceTypeSchema } from '../workspaces/parts.js'

export const RegionSchema = replySchema('P-036', 'Region', 'A region that workgroups can be in.', {
  name: Type.String(),
  description: Type.String()
})

export const SvcVersionSchema = replySchema('P-037', 'SvcVersion', 'A version of the database software.', {
  name: Type.String(),
  image: Type.String()
})

export const MetadataSchema = replySchema(
  'P-035',
  'resource_manager_handler.GetMetadata.metadata',
  'The catalogue: regions, versions and workspace types.',
  {
    regions: Type.Array(ref(RegionSchema)),
    svcVersions: Type.Array(ref(SvcVersionSchema)),
    workspaceTypes: Type.Array(ref(WorkspaceTypeSchema))
  }
)
