import type { Comparables } from '../comparable.js'

export const BACKUP_COMPARABLES = {
  Backup: {
    identity: 'id',
    stable: ['type', 'is_automatic', 'version'],
    states: { status: 'backup' },
    lists: { version: 'versions' },
    words: ['type'],
    quantities: ['size_bytes'],
    carried: { tag: 'text', time: 'timestamp', is_automatic: 'flag', version: 'versions' }
  },
  BackupRestoreStatus: { states: { status: 'restore_job' }, messages: ['output'] }
} as const satisfies Comparables
