import { ALLOWED_IPS } from '../resources/allow-list/fields.js'
import { BACKUPS, RESTORE_JOBS } from '../resources/backups/fields.js'
import type { CatalogueList, Comparable, Comparables } from '../resources/comparable.js'
import { DATABASE_USERS } from '../resources/database-users/fields.js'
import { DATABASES } from '../resources/databases/fields.js'
import { comparable } from '../resources/field-table.js'
import { ORG_USERS } from '../resources/org-users/fields.js'
import { BACKUP_SCHEDULES, WORKSPACE_SCHEDULES } from '../resources/schedules/fields.js'
import { WORKGROUPS } from '../resources/workgroups/fields.js'
import { WORKSPACES } from '../resources/workspaces/fields.js'
import { AgentConfigSchema } from '../resources/workspaces/parts.js'

const workspace = comparable(WORKSPACES.fields)

/** The fields to compare, by schema. */
export const COMPARABLES: Comparables = {
  Workgroup: comparable(WORKGROUPS.fields),
  AllowedIP: comparable(ALLOWED_IPS.fields),
  SvcDatabase: comparable(DATABASES.fields),
  WorkspaceSize: { identity: 'workspace_id' },
  // A profile can keep deleted workspaces readable.
  Workspace: { ...workspace, occasional: [...workspace.occasional!, 'deleted_at'] },
  WorkspaceType: {
    identity: 'typeName',
    stable: ['typeName', 'cpu', 'memory', 'partition', 'ha'],
    lists: { typeName: 'workspace_types' },
    quantities: ['cpu', 'memory']
  },
  WorkspaceAddonsRequest: { identity: 'addons_id', stable: ['addons_id', 'enable', 'unique_name', 'is_free'] },
  AgentConfig: { stable: Object.keys(AgentConfigSchema.properties) },
  Backup: comparable(BACKUPS.fields),
  BackupRestoreStatus: comparable(RESTORE_JOBS.fields),
  BackupSchedule: comparable(BACKUP_SCHEDULES.fields),
  WorkspaceSchedule: comparable(WORKSPACE_SCHEDULES.fields),
  'svcIAM.IAMUser': comparable(DATABASE_USERS.fields),
  'org_handler.OrgListUserResponse': { ...comparable(ORG_USERS.fields), occasional: ['metadata.lastLogin'] },
  'org_handler.OrgRole': {
    identity: 'name',
    stable: ['name', 'displayName', 'path'],
    lists: { name: 'roles' }
  },
  Region: { identity: 'name' },
  SvcVersion: { identity: 'name' }
}

/** The fields to compare in objects of a schema; none if it belongs to no resource. */
export function comparableOf(schema: string | undefined): Comparable {
  return (schema === undefined ? undefined : COMPARABLES[schema]) ?? {}
}

type MetadataList = Exclude<CatalogueList, 'roles'>

/** Fields of requests whose values are from a list of the metadata. */
export const CATALOGUED: ReadonlyMap<string, MetadataList> = new Map([
  ['platform', 'platforms'],
  ['region', 'regions'],
  ['svc_version', 'versions'],
  ['workspace_type_name', 'workspace_types']
])

/** Where a profile has the default from each list. */
export const DEFAULTS = {
  platforms: 'platform',
  regions: 'region',
  versions: 'version',
  workspace_types: 'workspace_type'
} as const satisfies Record<MetadataList, string>

/** Fields of requests whose values are from a list. */
export const CHOSEN: Readonly<Record<string, CatalogueList>> = { ...Object.fromEntries(CATALOGUED), roles: 'roles' }

/** Resources that the mock adopts with their values if they exist before a recording begins. */
export const RESOURCES: readonly string[] = ['Workgroup', 'SvcDatabase', 'Workspace']

/** Lists of the metadata, by the schema of their items. */
export const CATALOGUE_LISTS: Readonly<Record<string, CatalogueList>> = {
  Region: 'regions',
  SvcVersion: 'versions',
  WorkspaceType: 'workspace_types'
}
