import { type Static, Type } from '@sinclair/typebox'
import type { Found, Stored } from '../../db/table.js'
import { ref, replySchema, requestSchema } from '../../interface/schemas.js'
import { parseTimestamp, toGoTime, toSeconds, toTimestamp } from '../../lib/time.js'
import { described, fromCatalogue, partState, stateGiven } from '../../profile/by-profile.js'
import {
  anyText,
  atCreation,
  byDefault,
  count,
  CREATOR,
  flag,
  id,
  nameOf,
  newId,
  text,
  version,
  when
} from '../document.js'
import { extraField } from '../extra.js'
import { as, completer, inDocument, type NewRow, properties, type ResourceTable } from '../field-table.js'
import { REFRESH_STATES, WORKSPACE_STATES } from './lifecycle.js'
import {
  AgentConfigSchema,
  FolderStatisticsSchema,
  MOST_ADDONS,
  SolutionInstallRequestSchema,
  WorkspaceAddonsRequestSchema,
  WorkspaceTypeSchema
} from './parts.js'

const minutes = count(
  'Minutes without data-plane activity after which it is paused; 0, the default of a new one: never.'
)
const addons = Type.Optional(
  Type.Array(ref(WorkspaceAddonsRequestSchema), {
    maxItems: MOST_ADDONS,
    description: 'Add-ons, stored but not installed; the list replaces the old one.'
  })
)
const absentSize = Type.Optional(Type.Integer({ description: 'Always absent.' }))

/** Minutes without activity after which a workspace is paused; 0: never. */
export const AUTO_STOP_FIELD = 'auto_stop_minutes'
/** Whether activity starts a paused workspace. */
export const AUTO_START_FIELD = 'enable_auto_start'

/** A workspace, with the fields that it inherits from its workgroup, in the order in which replies were observed. */
export const WORKSPACES = {
  name: 'workspaces',
  shownAs: 'Workspace',
  key: ['id'],
  join: 'JOIN workgroups g ON g.sandbox = workspaces.sandbox AND g.id = workspaces.workgroup',
  fields: {
    id: { type: Type.String(), defaultOf: newId, document: id, reply: as('workspace_id', Type.String()) },
    /** Id of its workgroup. */
    workgroup: { type: Type.String(), isFixed: true, reply: as('workgroup_id', Type.String()) },
    workgroup_name: { type: Type.String(), from: 'g.name', reply: Type.String(), compared: 'stable' },
    /** Id of its database. */
    database: {
      type: Type.String(),
      isFixed: true,
      document: text('Id of its database; a new one is created if absent.'),
      create: as('svc_database_id', text('A database of the workgroup; a new one is created if absent.')),
      reply: as('database_id', Type.String())
    },
    folder_statistics: { reply: ref(FolderStatisticsSchema) },
    org_id: { reply: Type.String() },
    org_name: { reply: Type.String() },
    region: { type: Type.String(), from: 'g.region', reply: Type.String(), list: 'regions', compared: 'stable' },
    name: {
      type: Type.String(),
      defaultOf: nameOf('workspace'),
      document: text('Its id if that is given, otherwise `workspace-` and the first 8 characters of it.'),
      create: text('`workspace-` and the first 8 characters of the id if absent.'),
      update: as('workspace_name', text('New name.')),
      reply: Type.String(),
      compared: 'stable'
    },
    status: {
      type: Type.String(),
      default: 'Active',
      state: 'workspace',
      document: Type.Optional(
        stateGiven('workspace', Object.keys(WORKSPACE_STATES), ({ workspace }) =>
          byDefault('State', workspace.toWire('Active'))
        )
      ),
      reply: Type.String({ description: 'State.' })
    },
    condition_type: {
      reply: described(
        Type.Optional(Type.String()),
        ({ workspace: { toWire } }) =>
          `Normal in ${toWire('Active')}, Failed in ${toWire('Failed')}, Paused in ${toWire('Stopped')} and ` +
          `${toWire('Idle')}; in ${toWire('Pausing')}, PausePre for 5 s, then PauseRoll; otherwise absent.`
      ),
      compared: 'word'
    },
    svc_version: {
      type: Type.String(),
      defaultOf: ({ catalogue }: NewRow) => catalogue.defaults.version,
      document: version(),
      create: Type.Optional(
        fromCatalogue('newVersions', (defaults) => `A version of the metadata; ${defaults.version} if absent.`)
      ),
      reply: Type.String(),
      list: 'versions',
      compared: 'stable'
    },
    created_at: {
      type: Type.String(),
      defaultOf: atCreation,
      document: when('Creation'),
      shown: toGoTime,
      reply: Type.String({ description: 'Timestamp such as 2026-06-03 06:59:27.151543 +0000 UTC.' }),
      isCarried: true
    },
    type_name: {
      type: Type.String(),
      defaultOf: ({ catalogue }: NewRow) => catalogue.defaults.workspace_type,
      document: as(
        'workspace_type_name',
        Type.Optional(fromCatalogue('workspaceTypes', (defaults) => byDefault('Size', defaults.workspace_type)))
      ),
      create: as(
        'workspace_type_name',
        Type.Optional(
          fromCatalogue(
            'newWorkspaceTypes',
            (defaults) => `A type of the metadata; ${defaults.workspace_type} if absent.`
          )
        )
      ),
      update: as(
        'workspace_type_name',
        Type.Optional(fromCatalogue('workspaceTypes', 'Another type of the metadata.'))
      ),
      reply: as('workspace_type', ref(WorkspaceTypeSchema)),
      list: 'workspace_types',
      isCarried: true
    },
    is_rw: {
      type: Type.Boolean(),
      default: true,
      document: flag('Whether it can write; true if absent.'),
      create: flag(
        'Whether it can write; true if absent, and required to be true with a new database. A second read-write ' +
          'workspace of a database is a 400, whatever the state of the first.'
      ),
      reply: Type.Boolean(),
      compared: 'stable'
    },
    nginx_host: {
      reply: Type.String({ description: 'Host (and port) of its data plane, as --workspace-host-template says.' })
    },
    version_number: {
      type: Type.Integer(),
      default: 0,
      document: count('0 if absent.'),
      reply: Type.Integer({ description: '0 unless a state document gives it; an update leaves it as it is.' }),
      compared: 'stable'
    },
    creator: CREATOR,
    last_modified_time: {
      type: Type.String(),
      defaultOf: (_: NewRow, __: unknown, { createdAt }: { createdAt: string }) => createdAt,
      document: when('Last change', '`created_at`'),
      shown: toSeconds,
      reply: Type.String({ description: 'Timestamp of the last update or change of state.' })
    },
    status_since: {
      type: Type.String(),
      defaultOf: (_: NewRow, __: unknown, row: { lastModifiedTime: string }) => row.lastModifiedTime,
      document: when('Beginning of its state', '`last_modified_time`')
    },
    cloud_provider_id: { type: Type.String(), from: 'g.cloud_provider_id', reply: Type.String(), compared: 'stable' },
    [AUTO_STOP_FIELD]: {
      type: Type.Integer(),
      default: 0,
      document: count('0 if absent.'),
      create: minutes,
      update: minutes,
      reply: Type.Integer(),
      compared: 'stable'
    },
    [AUTO_START_FIELD]: {
      type: Type.Boolean(),
      default: false,
      document: flag('false if absent.'),
      create: flag('Whether activity starts it when it is paused; false if absent.'),
      update: flag('Whether activity starts it when it is paused.'),
      reply: Type.Boolean(),
      compared: 'stable'
    },
    refresh_status: {
      type: Type.String(),
      default: '',
      state: 'refresh',
      document: Type.Optional(
        stateGiven(
          'refresh',
          Object.keys(REFRESH_STATES),
          ({ refresh }) => `${refresh.toWire('') || 'Empty'} if absent.`
        )
      ),
      reply: described(
        Type.String(),
        ({ refresh: { toWire } }) =>
          `Outcome of the last refresh: ${['Refreshing', 'Refreshed'].map(toWire).join(', ')} or ` +
          `${toWire('Failed')}; ${toWire('') || 'empty'} before the first.`
      )
    },
    refresh_message: {
      type: Type.String(),
      default: '',
      document: anyText('Why the last refresh failed; empty if absent.'),
      reply: Type.String({ description: 'Why the last refresh failed, otherwise empty.' }),
      masked: 'message'
    },
    snapshot_time: {
      type: Type.Union([Type.String(), Type.Null()]),
      defaultOf: (tx: NewRow, { isRw = true, createdAt = tx.timestamp }: { isRw?: boolean; createdAt?: string }) =>
        isRw ? null : createdAt,
      document: when('Of a read-only one: the moment whose data it shows', '`created_at`'),
      shown: toSeconds,
      reply: Type.Optional(
        Type.String({ description: 'Timestamp of its creation or last refresh; only of a read-only workspace.' })
      ),
      compared: 'occasional'
    },
    addons: {
      type: Type.Array(Type.Unknown()),
      default: [],
      document: Type.Optional(Type.Array(partState(WorkspaceAddonsRequestSchema), { maxItems: MOST_ADDONS })),
      create: addons,
      update: addons,
      reply: Type.Union([Type.Array(ref(WorkspaceAddonsRequestSchema)), Type.Null()], {
        description: 'null if there are none.'
      }),
      isCarried: true
    },
    enable_copilot: { reply: Type.Boolean({ description: 'Always false.' }), compared: 'stable' },
    enable_ha: {
      type: Type.Boolean(),
      default: false,
      document: flag('false if absent.'),
      create: flag('High availability; false if absent.'),
      update: flag('High availability.'),
      reply: Type.Boolean(),
      compared: 'stable'
    },
    solution_catalog_id: {
      type: Type.Union([Type.String(), Type.Null()]),
      default: null,
      document: text('Id of the solution in the catalogue; none if absent.'),
      reply: Type.String({ description: 'Empty if there is none.' }),
      compared: 'stable'
    },
    agent_config: {
      type: Type.Record(Type.String(), Type.Unknown()),
      default: {},
      document: Type.Optional(partState(AgentConfigSchema)),
      update: Type.Optional(ref(AgentConfigSchema)),
      reply: ref(AgentConfigSchema),
      isCarried: true
    },
    pause: { update: flag('true pauses it, false resumes it.') },
    solution_install_request: { create: Type.Optional(ref(SolutionInstallRequestSchema)) },
    // The mock stores no data, and replies have been observed without a size that is 0.
    size: { reply: absentSize },
    graph_topology_size_bytes: { reply: absentSize },
    vertex_count: { reply: absentSize },
    edge_count: { reply: absentSize },
    /** When it became Active or last saw data-plane activity, in milliseconds since 1970. */
    last_active: {
      type: Type.Integer(),
      defaultOf: ({ now }: NewRow) => now,
      document: described(
        when(''),
        ({ workspace: { toWire } }) =>
          `When it became ${toWire('Active')} or last saw data-plane activity; the time of the clock if absent.`
      ),
      stored: (timestamp: string) => parseTimestamp(timestamp),
      stated: toTimestamp
    },
    extra: extraField('workspace')
  }
} as const satisfies ResourceTable

export type WorkspaceRecord = Stored<typeof WORKSPACES.fields>

/** Completes a new workspace with its defaults. */
export const newWorkspace = completer(WORKSPACES.fields)

export const workspaceInDocument = inDocument(WORKSPACES)

/** A workspace with the fields that it inherits from its workgroup. */
export type FoundWorkspace = Found<typeof WORKSPACES.fields>

export const CreateWorkspaceRequestSchema = requestSchema(
  'P-029',
  'CreateWorkspaceRequest',
  'A workspace to create.',
  properties(WORKSPACES.fields, 'create')
)

export const UpdateWorkspaceRequestSchema = requestSchema(
  'P-031',
  'UpdateWorkspaceRequest',
  'Changes to a workspace.',
  properties(WORKSPACES.fields, 'update')
)

export const WorkspaceSchema = replySchema(
  'P-033',
  WORKSPACES.shownAs,
  'A database server, running or paused, on a database.',
  properties(WORKSPACES.fields, 'reply')
)
export type Workspace = Static<typeof WorkspaceSchema>

const place = { type: Type.Integer(), from: 'workspaces.rowid' } as const

/** Workspaces with their place in the order of creation, for lists that are read page by page. */
export const WORKSPACES_IN_PLACE = { ...WORKSPACES, fields: { ...WORKSPACES.fields, place } } as const

const { fields } = WORKSPACES

/** Workspaces in brief lists, with the fields of a summary. */
export const BRIEF_WORKSPACES = {
  ...WORKSPACES,
  fields: {
    id: fields.id,
    workgroup: fields.workgroup,
    database: fields.database,
    name: fields.name,
    status: fields.status,
    refresh_status: fields.refresh_status,
    type_name: { type: Type.String(), reply: as('workspace_type_name', Type.String({ description: 'Size.' })) },
    svc_version: fields.svc_version,
    is_rw: fields.is_rw,
    host: { reply: Type.String({ description: 'Host (and port) of its data plane.' }) },
    region: { type: Type.String(), from: 'g.region' },
    place
  }
} as const satisfies ResourceTable

export type BriefWorkspace = Found<typeof BRIEF_WORKSPACES.fields>
