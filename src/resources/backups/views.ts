import { viewer } from '../field-table.js'
import { BACKUPS, RESTORE_JOBS } from './fields.js'

/** A backup as the interface shows it. */
export const toBackupView = viewer(BACKUPS.fields, {
  type: ({ isAutomatic }) => (isAutomatic ? 'automatic' : 'manual'),
  size_bytes: ({ sizeBytes }) => String(sizeBytes)
})

/** A restore job as the interface shows it. */
export const toRestoreJobView = viewer(RESTORE_JOBS.fields, {})
