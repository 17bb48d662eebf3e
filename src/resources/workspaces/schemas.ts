import { type Static, Type } from '@sinclair/typebox'
import { ref, replySchema, requestSchema, requestText } from '../../interface/schemas.js'
import { fromCatalogue } from '../../profile/from-catalogue.js'
import { described } from '../../profile/in-words.js'
import { FolderStatisticsSchema } from '../databases/schemas.js'

const count = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
const minutes = Type.Integer({
  ...count,
  description: 'Minutes without data-plane activity after which it is paused; 0, the default of a new one: never.'
})
const text = (description: string) => Type.Optional(Type.String({ ...requestText, description }))

export const WorkspaceTypeSchema = replySchema('P-034', 'WorkspaceType', 'A size of workspace.', {
  typeName: Type.String(),
  cpu: Type.String({ description: 'Cores.' }),
  memory: Type.String({ description: 'GiB.' }),
  partition: Type.Integer({ description: 'Partitions.' }),
  ha: Type.Integer({ description: 'Replicas: more in a workspace with enable_ha.' })
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

/** More than any workspace needs. There is a limit because checking each takes time. */
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

export const AgentConfigSchema = requestSchema(
  'P-028',
  'AgentConfig',
  'Settings of the agent in the workspace, at first none; given fields replace the old ones.',
  {
    heartbeat_interval_seconds: Type.Optional(Type.Integer(count)),
    topology_update_interval_seconds: Type.Optional(Type.Integer(count)),
    catalog_activity_update_interval_seconds: Type.Optional(Type.Integer(count)),
    query_activity_update_interval_seconds: Type.Optional(Type.Integer(count)),
    enable_topology_force_update: Type.Optional(Type.Boolean())
  }
)

const addons = Type.Optional(
  Type.Array(ref(WorkspaceAddonsRequestSchema), {
    maxItems: MOST_ADDONS,
    description: 'Add-ons, stored but not installed; the list replaces the old one.'
  })
)

export const CreateWorkspaceRequestSchema = requestSchema('P-029', 'CreateWorkspaceRequest', 'A workspace to create.', {
  name: text('`workspace-` and the first 8 characters of the id if absent.'),
  workspace_type_name: Type.Optional(
    fromCatalogue('newWorkspaceTypes', ({ workspaceType }) => `A type of the metadata; ${workspaceType} if absent.`)
  ),
  svc_database_id: text('A database of the workgroup; a new one is created if absent.'),
  svc_version: Type.Optional(
    fromCatalogue('newVersions', ({ version }) => `A version of the metadata; ${version} if absent.`)
  ),
  is_rw: Type.Optional(
    Type.Boolean({
      description:
        'Whether it can write; true if absent, and required to be true with a new database. A second read-write ' +
        'workspace of a database is a 400, whatever the state of the first.'
    })
  ),
  enable_ha: Type.Optional(Type.Boolean({ description: 'High availability; false if absent.' })),
  enable_auto_start: Type.Optional(
    Type.Boolean({ description: 'Whether activity starts it when it is paused; false if absent.' })
  ),
  auto_stop_minutes: Type.Optional(minutes),
  addons,
  solution_install_request: Type.Optional(ref(SolutionInstallRequestSchema))
})

export const UpdateWorkspaceRequestSchema = requestSchema(
  'P-031',
  'UpdateWorkspaceRequest',
  'Changes to a workspace.',
  {
    workspace_name: text('New name.'),
    workspace_type_name: Type.Optional(fromCatalogue('workspaceTypes', 'Another type of the metadata.')),
    enable_ha: Type.Optional(Type.Boolean({ description: 'High availability.' })),
    enable_auto_start: Type.Optional(Type.Boolean({ description: 'Whether activity starts it when it is paused.' })),
    auto_stop_minutes: Type.Optional(minutes),
    pause: Type.Optional(Type.Boolean({ description: 'true pauses it, false resumes it.' })),
    addons,
    agent_config: Type.Optional(ref(AgentConfigSchema))
  }
)

export const WorkspaceSchema = replySchema(
  'P-033',
  'Workspace',
  'A database server, running or paused, on a database.',
  {
    workspace_id: Type.String(),
    name: Type.String(),
    workgroup_id: Type.String(),
    workgroup_name: Type.String(),
    database_id: Type.String(),
    org_id: Type.String(),
    org_name: Type.String(),
    creator: Type.String({ description: 'E-mail address of the user who created it.' }),
    cloud_provider_id: Type.String(),
    region: Type.String(),
    status: Type.String({ description: 'State.' }),
    condition_type: described(
      Type.String(),
      ({ workspace: { toWire } }) =>
        `Ready in ${toWire('Active')}, Paused in ${toWire('Stopped')} and ${toWire('Idle')}, ` +
        `Failed in ${toWire('Failed')}, otherwise Progressing.`
    ),
    refresh_status: described(
      Type.String(),
      ({ refresh: { toWire } }) =>
        `Outcome of the last refresh: ${['None', 'Refreshing', 'Refreshed'].map(toWire).join(', ')} or ` +
        `${toWire('Failed')}.`
    ),
    refresh_message: Type.String({ description: 'Why the last refresh failed, otherwise empty.' }),
    snapshot_time: Type.Optional(
      Type.String({ description: 'Timestamp of its creation or last refresh; only of a read-only workspace.' })
    ),
    svc_version: Type.String(),
    version_number: Type.Integer({ description: '1, plus 1 for each accepted update.' }),
    workspace_type: ref(WorkspaceTypeSchema),
    is_rw: Type.Boolean(),
    enable_ha: Type.Boolean(),
    enable_auto_start: Type.Boolean(),
    enable_copilot: Type.Boolean({ description: 'Always false.' }),
    auto_stop_minutes: Type.Integer(),
    nginx_host: Type.String({ description: 'Host (and port) of its data plane, as --workspace-host-template says.' }),
    addons: Type.Array(ref(WorkspaceAddonsRequestSchema)),
    agent_config: ref(AgentConfigSchema),
    solution_catalog_id: Type.Optional(Type.String()),
    size: Type.Integer({ description: 'Bytes; always 0.' }),
    graph_topology_size_bytes: Type.Integer({ description: 'Always 0.' }),
    vertex_count: Type.Integer({ description: 'Always 0.' }),
    edge_count: Type.Integer({ description: 'Always 0.' }),
    folder_statistics: ref(FolderStatisticsSchema),
    created_at: Type.String({ description: 'Timestamp.' }),
    last_modified_time: Type.String({ description: 'Timestamp of the last update or change of state.' })
  }
)
export type Workspace = Static<typeof WorkspaceSchema>
