import type { WatchedTable } from '../db/row-watcher.js'

/**
 * Every table of a sandbox's data, and of the sandbox itself its clock. Where a table does not exist, nothing is
 * watched.
 */
export const WATCHED_TABLES: readonly WatchedTable[] = [
  ...[
    'workgroups',
    'allowed_ips',
    'databases',
    'workspaces',
    'backups',
    'restore_jobs',
    'backup_schedules',
    'workspace_schedules',
    'database_users',
    'org_users',
    'quotas',
    'transition_rules',
    'faults',
    'due_events',
    'timeline'
  ].map((name) => ({ name })),
  { name: 'sandboxes', updatesOf: ['clock_mode', 'clock_base', 'clock_anchor', 'clock_rate'] }
]
