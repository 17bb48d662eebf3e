import type { WatchedTable } from '../db/row-watcher.js'

/** All tables with a sandbox's data, and the sandbox's own clock. Tables that do not exist are not watched. */
export const WATCHED_TABLES: readonly WatchedTable[] = [
  ...[
    'workgroups',
    'allowed_ips',
    'databases',
    'workspaces',
    'deleted_workspaces',
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
