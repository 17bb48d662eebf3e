import type { OperationId } from '../interface/operation-ids.js'
import { ALLOW_LIST_COMPARABLES } from '../resources/allow-list/comparable.js'
import { BACKUP_COMPARABLES } from '../resources/backups/comparable.js'
import type { CatalogueList, Comparable, Comparables } from '../resources/comparable.js'
import { DATABASE_USER_COMPARABLES } from '../resources/database-users/comparable.js'
import { DATABASE_COMPARABLES } from '../resources/databases/comparable.js'
import { METADATA_COMPARABLES } from '../resources/metadata/comparable.js'
import { ORG_USER_COMPARABLES } from '../resources/org-users/comparable.js'
import { SCHEDULE_COMPARABLES } from '../resources/schedules/comparable.js'
import { WORKGROUP_COMPARABLES } from '../resources/workgroups/comparable.js'
import { WORKSPACE_COMPARABLES } from '../resources/workspaces/comparable.js'

/** What is compared of each schema, as its resource declares it. */
export const COMPARABLES: Comparables = {
  ...WORKGROUP_COMPARABLES,
  ...ALLOW_LIST_COMPARABLES,
  ...DATABASE_COMPARABLES,
  ...WORKSPACE_COMPARABLES,
  ...BACKUP_COMPARABLES,
  ...SCHEDULE_COMPARABLES,
  ...DATABASE_USER_COMPARABLES,
  ...ORG_USER_COMPARABLES,
  ...METADATA_COMPARABLES
}

/** What is compared of a schema; nothing in particular of one that has no resource. */
export function comparableOf(schema: string | undefined): Comparable {
  return (schema === undefined ? undefined : COMPARABLES[schema]) ?? {}
}

/** The lists that the values of fields in requests are from. */
export const CHOSEN: Readonly<Record<string, CatalogueList>> = {
  platform: 'platforms',
  region: 'regions',
  svc_version: 'versions',
  workspace_type_name: 'workspace_types',
  roles: 'roles'
}

/** Lists of the metadata, by the schema of their items. */
export const CATALOGUE_LISTS: Readonly<Record<string, CatalogueList>> = {
  Region: 'regions',
  SvcVersion: 'versions',
  WorkspaceType: 'workspace_types'
}

/** Operations whose result is the text of a JSON value, with the schema of its items. */
export const JSON_TEXTS: Readonly<Partial<Record<OperationId, string>>> = { getWorkspaceSchedules: 'WorkspaceSchedule' }
