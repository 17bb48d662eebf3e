import type { WatchedTable } from '../db/row-watcher.js'
import { RELATIONS, type ShownResources } from '../profile/stored-kinds.js'
import type { CatalogueList } from './comparable.js'
import { listsIn, type ResourceTable } from './field-table.js'
import { ORG_USERS } from './org-users/fields.js'
import { WORKGROUP_PARTS, WORKSPACE_PARTS } from './parts.js'
import { STUB_ITEMS } from './stub-items/fields.js'
import { WORKGROUPS } from './workgroups/fields.js'
import { WORKSPACES } from './workspaces/fields.js'

/** The tables of resources, parents first. */
export const RESOURCE_TABLES = [
  WORKGROUPS,
  ...Object.values(WORKGROUP_PARTS).map(({ inDocument: { table } }) => table),
  WORKSPACES,
  ...Object.values(WORKSPACE_PARTS).map(({ inDocument: { table } }) => table),
  ORG_USERS,
  STUB_ITEMS
]

/** The resources of {@link RESOURCE_TABLES}. A table has the ids of parents in columns with their names. */
export const SHOWN_RESOURCES: ShownResources = new Map(
  RESOURCE_TABLES.map(({ name, shownAs = name, fields }: ResourceTable) => [
    shownAs,
    {
      parents: RELATIONS.filter((parent) => parent in fields),
      state: fields['status']?.state,
      kind: fields['extra']?.extraOf
    }
  ])
)

/** The lists from which fields of replies take their values, by schema. */
export const LISTED: Readonly<Record<string, Readonly<Record<string, CatalogueList>>>> = {
  ...Object.fromEntries(
    RESOURCE_TABLES.map(({ name, shownAs = name, fields }: ResourceTable) => [shownAs, listsIn(fields)])
  ),
  WorkspaceType: { typeName: 'workspace_types' },
  Region: { name: 'regions' },
  SvcVersion: { name: 'versions' },
  'org_handler.OrgRole': { name: 'roles' }
}

/** All tables with a sandbox's data, and the sandbox's own clock. */
export const WATCHED_TABLES: readonly WatchedTable[] = [
  ...[
    ...RESOURCE_TABLES.map(({ name }) => name),
    'deleted_workspaces',
    'quotas',
    'transition_rules',
    'faults',
    'due_events',
    'timeline'
  ].map((name) => ({ name })),
  { name: 'sandboxes', updatesOf: ['clock_mode', 'clock_base', 'clock_anchor', 'clock_rate'] }
]
