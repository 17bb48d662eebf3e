import type { Static } from '@sinclair/typebox'
import type { StateWords } from '../../profile/states.js'
import type { BackupRestoreStatusSchema, BackupSchema } from './schemas.js'
import type { BackupRecord, RestoreJobRecord } from './store.js'

/** A backup as the interface shows it. */
type Backup = Static<typeof BackupSchema>

export function toBackupView(
  { id, tag, time, isAutomatic, status, sizeBytes, version }: BackupRecord,
  { backup: { toWire } }: StateWords
): Backup {
  return {
    id,
    tag,
    time,
    type: isAutomatic ? 'automatic' : 'manual',
    is_automatic: isAutomatic,
    status: toWire(status),
    size_bytes: String(sizeBytes),
    version
  }
}

/** A restore job as the interface shows it. */
export function toRestoreJobView(
  { id, status, output, createdAt }: RestoreJobRecord,
  { restore_job: { toWire } }: StateWords
): Static<typeof BackupRestoreStatusSchema> {
  return { name: id, status: toWire(status), output, created_at: createdAt }
}
