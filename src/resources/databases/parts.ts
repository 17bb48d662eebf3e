import { type Static, Type } from '@sinclair/typebox'
import { ref, replySchema } from '../../interface/schemas.js'

export const WorkspaceSizeSchema = replySchema('P-027', 'WorkspaceSize', 'The size of one workspace.', {
  workspace_id: Type.String(),
  size: Type.Integer({ description: 'Bytes; always 0.' })
})

export const FolderStatisticsSchema = replySchema(
  'P-024',
  'FolderStatistics',
  'Sizes of the stored data in bytes; always 0.',
  {
    backup_size: Type.Integer(),
    billed_size: Type.Integer(),
    log_size: Type.Integer(),
    total_size: Type.Integer(),
    milvus_size: Type.Integer(),
    workspaces: Type.Array(ref(WorkspaceSizeSchema))
  }
)
export type FolderStatistics = Static<typeof FolderStatisticsSchema>
