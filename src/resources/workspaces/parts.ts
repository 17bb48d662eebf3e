import { type Static, Type } from '@sinclair/typebox'
import { ref, replySchema, requestSchema, requestText } from '../../interface/schemas.js'
import { text } from '../document.js'

const count = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

export const WorkspaceTypeSchema = replySchema('P-034', 'WorkspaceType', 'A size of workspace.', {
  typeName: Type.String(),
  cpu: Type.String({ description: 'Cores.' }),
  memory: Type.String({ description: 'Such as 16Gi.' }),
  partition: Type.Integer({ description: 'Partitions.' }),
  ha: Type.Integer({ description: 'Replicas.' })
})

export const WorkspaceAddonsRequestSchema = requestSchema(
  'P-032',
  'WorkspaceAddonsRequest',
  'An add-on to switch on or off.',
  {
    addons_id: Type.String({ ...requestText, description: 'Id of the add-on.' }),
    enable: Type.Boolean(),
    enable_configuration: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'Settings of the add-on.' })
    ),
    unique_name: text('Name of this use of the add-on.'),
    is_free: Type.Optional(Type.Boolean()),
    workspace_id: text('Id of the workspace.')
  }
)

/** More than any workspace needs; checking each takes time. */
export const MOST_ADDONS = 1000

export const SolutionInstallRequestSchema = requestSchema(
  'P-030',
  'SolutionInstallRequest',
  'A solution to install; only its solution_catalog_id is stored, and nothing is installed.',
  {
    name: text('Name of the solution.'),
    solution_catalog_id: text('Id of the solution in the catalogue.'),
    data_source_origin: text('Source of its data.'),
    addons: Type.Optional(Type.Array(ref(WorkspaceAddonsRequestSchema), { maxItems: MOST_ADDONS }))
  }
)

/** Default settings of the agent. */
export const AGENT_DEFAULTS = {
  enable_topology_force_update: true,
  heartbeat_interval_seconds: 60,
  topology_update_interval_seconds: 30,
  catalog_activity_update_interval_seconds: 1,
  query_activity_update_interval_seconds: 30
}

export const AgentConfigSchema = requestSchema(
  'P-028',
  'AgentConfig',
  'Settings of the agent in the workspace; given fields replace the old ones.',
  {
    heartbeat_interval_seconds: Type.Optional(Type.Integer(count)),
    topology_update_interval_seconds: Type.Optional(Type.Integer(count)),
    catalog_activity_update_interval_seconds: Type.Optional(Type.Integer(count)),
    query_activity_update_interval_seconds: Type.Optional(Type.Integer(count)),
    enable_topology_force_update: Type.Optional(Type.Boolean())
  }
)

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
