import type { Comparables } from '../comparable.js'

export const BACKUP_COMPARABLES = {
  Backup: {
    identity: 'id',
    stable: ['type', 'is_automatic', 'version'],
    states: { status: 'backup' },
    lists: { version: 'versions' },
    words: ['type'],
    carried: { tag: 'text', time: 'timestamp', is_automatic: 'flag', version: 'versions' }
  },
  BackupRestoreStatus: { states: { status: 'restore_job' } }
} as const satisfies Comparables
