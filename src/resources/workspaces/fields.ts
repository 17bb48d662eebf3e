import { Type } from '@sinclair/typebox'
import type { Found, Stored } from '../../db/table.js'
import { extraColumn } from '../extra.js'

/** A workspace, with the fields that it inherits from its workgroup. */
export const WORKSPACES = {
  name: 'workspaces',
  key: ['id'],
  join: 'JOIN workgroups g ON g.sandbox = workspaces.sandbox AND g.id = workspaces.workgroup',
  columns: {
    id: { type: Type.String() },
    /** Id of its workgroup. */
    workgroup: { type: Type.String(), isFixed: true },
    /** Id of its database. */
    database: { type: Type.String(), isFixed: true },
    name: { type: Type.String() },
    creator: { type: Type.String(), isFixed: true },
    status: { type: Type.String() },
    refresh_status: { type: Type.String() },
    refresh_message: { type: Type.String() },
    /** For a read-only workspace: the time of the data that it shows. */
    snapshot_time: { type: Type.Union([Type.String(), Type.Null()]) },
    svc_version: { type: Type.String(), isFixed: true },
    version_number: { type: Type.Integer() },
    type_name: { type: Type.String() },
    is_rw: { type: Type.Boolean(), isFixed: true },
    enable_ha: { type: Type.Boolean() },
    enable_auto_start: { type: Type.Boolean() },
    /** 0: never. */
    auto_stop_minutes: { type: Type.Integer() },
    addons: { type: Type.Array(Type.Unknown()) },
    agent_config: { type: Type.Record(Type.String(), Type.Unknown()) },
    solution_catalog_id: { type: Type.Union([Type.String(), Type.Null()]), isFixed: true },
    /** When it became Active or last saw data-plane activity, in milliseconds since 1970. */
    last_active: { type: Type.Integer() },
    created_at: { type: Type.String(), isFixed: true },
    last_modified_time: { type: Type.String() },
    extra: extraColumn,
    workgroup_name: { type: Type.String(), from: 'g.name' },
    cloud_provider_id: { type: Type.String(), from: 'g.cloud_provider_id' },
    region: { type: Type.String(), from: 'g.region' }
  }
} as const

/** A workspace as it is stored. */
export type WorkspaceRecord = Stored<typeof WORKSPACES.columns>

/** A workspace with the fields that it inherits from its workgroup. */
export type FoundWorkspace = Found<typeof WORKSPACES.columns>

/** The same with its place in the order of creation, for lists that are read page by page. */
export const WORKSPACES_IN_PLACE = {
  ...WORKSPACES,
  columns: { ...WORKSPACES.columns, place: { type: Type.Integer(), from: 'workspaces.rowid' } }
} as const

/** The columns that brief lists show. */
export const BRIEF_COLUMNS = [
  'id',
  'workgroup',
  'database',
  'name',
  'status',
  'refresh_status',
  'type_name',
  'svc_version',
  'is_rw',
  'place'
] as const

export type BriefWorkspace = Found<Pick<typeof WORKSPACES_IN_PLACE.columns, (typeof BRIEF_COLUMNS)[number]>>

/** Workspaces as they were when they were deleted. */
export const DELETED_WORKSPACES = {
  name: 'deleted_workspaces',
  key: ['workgroup', 'id'],
  columns: {
    workgroup: { type: Type.String() },
    id: { type: Type.String() },
    /** Its last values. */
    workspace: { type: Type.Unsafe<WorkspaceRecord>({ type: 'object' }) },
    /** In milliseconds since 1970. */
    deleted_at: { type: Type.Integer() }
  }
} as const
