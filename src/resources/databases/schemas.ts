import { type Static, Type } from '@sinclair/typebox'
import { ref, replySchema, requestSchema, requestText } from '../../lib/schemas.js'

export const WorkspaceSizeSchema = replySchema('WorkspaceSize', 'What one workspace takes up.', {
  workspace_id: Type.String(),
  size: Type.Integer({ description: 'Bytes; always 0.' })
})

export const FolderStatisticsSchema = replySchema('FolderStatistics', 'What is stored, in bytes; always 0.', {
  backup_size: Type.Integer(),
  billed_size: Type.Integer(),
  log_size: Type.Integer(),
  total_size: Type.Integer(),
  workspaces: Type.Array(ref(WorkspaceSizeSchema))
})
export type FolderStatistics = Static<typeof FolderStatisticsSchema>

export const UpdateSvcDatabaseRequestSchema = requestSchema(
  'UpdateSvcDatabaseRequest',
  'What to change of a database.',
  {
    svc_database_name: Type.String({ ...requestText, description: 'New name.' })
  }
)

export const SvcDatabaseSchema = replySchema('SvcDatabase', 'Data that workspaces work on.', {
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
      description: 'Its workspaces; absent where a workgroup lists them itself.'
    })
  )
})
export type SvcDatabase = Static<typeof SvcDatabaseSchema>
