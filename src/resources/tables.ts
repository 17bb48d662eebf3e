import type { WatchedTable } from '../db/row-watcher.js'
import { ALLOWED_IPS } from './allow-list/fields.js'
import { BACKUPS, RESTORE_JOBS } from './backups/fields.js'
import { DATABASE_USERS } from './database-users/fields.js'
import { DATABASES } from './databases/fields.js'
import { ORG_USERS } from './org-users/fields.js'
import { BACKUP_SCHEDULES, WORKSPACE_SCHEDULES } from './schedules/fields.js'
import { STUB_ITEMS } from './stub-items/fields.js'
import { WORKGROUPS } from './workgroups/fields.js'
import { WORKSPACES } from './workspaces/fields.js'

/** The tables of resources, parents first. */
export const RESOURCE_TABLES = [
  WORKGROUPS,
  ALLOWED_IPS,
  DATABASES,
  WORKSPACES,
  BACKUPS,
  RESTORE_JOBS,
  BACKUP_SCHEDULES,
  WORKSPACE_SCHEDULES,
  DATABASE_USERS,
  ORG_USERS,
  STUB_ITEMS
]

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
