import { Type } from '@sinclair/typebox'
import { replySchema, requestSchema, requestText } from '../../interface/schemas.js'
import { described } from '../../profile/in-words.js'

const backup_id = Type.String({ ...requestText, description: 'Id of the backup.' })

export const DeleteBackupRequestSchema = requestSchema('P-040', 'DeleteBackupRequest', 'A backup to delete.', {
  backup_id
})

export const RestoreBackupRequestSchema = requestSchema('P-041', 'RestoreBackupRequest', 'A backup to restore.', {
  backup_id
})

export const BackupSchema = replySchema('P-039', 'Backup', 'A backup of a workspace.', {
  id: Type.String(),
  tag: Type.String({
    description: 'The tag given to the control API, otherwise `manual-` or `automatic-` and the time.'
  }),
  time: Type.String({ description: 'Timestamp of its start.' }),
  type: Type.String({ description: 'manual or automatic.' }),
  is_automatic: Type.Boolean(),
  status: described(
    Type.String(),
    ({ backup: { toWire } }) => `${toWire('Running')}, ${toWire('Succeeded')} or ${toWire('Failed')}.`
  ),
  size_bytes: Type.String({ description: 'Bytes, in decimal digits: 1048576 if it succeeded, otherwise 0.' }),
  version: Type.String({ description: 'Version of the database software of the workspace.' })
})

export const BackupRestoreStatusSchema = replySchema('P-038', 'BackupRestoreStatus', 'Progress of a restore job.', {
  name: Type.String({ description: 'Id of the job.' }),
  status: described(
    Type.String(),
    ({ restore_job: { toWire } }) =>
      `${['Pending', 'Running', 'Succeeded'].map(toWire).join(', ')} or ${toWire('Failed')}.`
  ),
  output: Type.String({ description: 'One line per step; if the job failed, the last line says why.' }),
  created_at: Type.String({ description: 'Timestamp.' })
})
