import type { Static } from '@sinclair/typebox'
import type { StateWords } from '../../profile/states.js'
import { withExtra } from '../extra.js'
import type { BackupRecord, RestoreJobRecord } from './fields.js'
import type { BackupRestoreStatusSchema, BackupSchema } from './schemas.js'

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
  job: RestoreJobRecord,
  { restore_job: { toWire } }: StateWords
): Static<typeof BackupRestoreStatusSchema> {
  const { id, status, output, createdAt } = job
  return withExtra({ name: id, status: toWire(status), output, created_at: createdAt }, job)
}
