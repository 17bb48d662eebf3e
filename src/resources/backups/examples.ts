import { MOMENT } from '../examples.js'
import type { BackupRecord, RestoreJobRecord } from './fields.js'

/** The backup of the demo data; it has the version of its workspace. */
export const DEMO_BACKUP: Omit<BackupRecord, 'version'> = {
  id: 'before-upgrade',
  workspace: 'main',
  tag: 'before-upgrade',
  time: MOMENT,
  isAutomatic: false,
  status: 'Succeeded',
  sizeBytes: 7_340_032
}

/** The same in a state document, made when the sandbox is. */
export const DEMO_BACKUP_STATE = {
  id: DEMO_BACKUP.id,
  tag: DEMO_BACKUP.tag,
  size_bytes: DEMO_BACKUP.sizeBytes
}

/** The restore job of the demo data. */
export const DEMO_JOB: RestoreJobRecord = {
  id: 'roll-back',
  workspace: 'main',
  status: 'Succeeded',
  output: `Restore of backup before-upgrade requested.
The workspace was taken out of service; reading the backup.
The backup was restored; the workspace is in service again.
`,
  createdAt: MOMENT
}
