import { type Static, Type } from '@sinclair/typebox'
import { ref, replySchema, requestSchema, requestText } from '../../interface/schemas.js'

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

export const UpdateSvcDatabaseRequestSchema = requestSchema(
  'P-026',
  'UpdateSvcDatabaseRequest',
  'Changes to a database.',
  {
    svc_database_name: Type.String({ ...requestText, description: 'New name.' })
  }
)

export const SvcDatabaseSchema = replySchema('P-025', 'SvcDatabase', 'A database that workspaces serve.', {
  database_id: Type.String(),
  name: Type.String(),
  org_id: Type.String(),
  org_name: Type.String(),
  workgroup_id: Type.String(),
  region: Type.String(),
  svc_version: Type.String(),
  create_time: Type.String({ description: 'Timestamp.' }),
  folder_statistics: ref(FolderStatisticsSchema),
  workspaces: Type.Optional(
    Type.Array(Type.Unsafe<unknown>({ $ref: 'Workspace#' }), {
      description: 'Its workspaces; absent in a list of a workgroup.'
    })
  )
})
export type SvcDatabase = Static<typeof SvcDatabaseSchema>
