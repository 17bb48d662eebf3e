import type { Comparables } from '../comparable.js'

export const SCHEDULE_COMPARABLES = {
  BackupSchedule: { stable: ['schedule', 'pause', 'max_backup_files', 'max_reserved_days', 'max_retry'] },
  WorkspaceSchedule: {
    identity: 'id',
    stable: ['repeat', 'repeat_on', 'date', 'time', 'timezone', 'workspace_type_name'],
    lists: { workspace_type_name: 'workspace_types' },
    words: ['repeat']
  }
} as const satisfies Comparables
