import { Type } from '@sinclair/typebox'
import { requestSchema, requestText } from '../../interface/schemas.js'

const backup_id = Type.String({ ...requestText, description: 'Id of the backup.' })

export const DeleteBackupRequestSchema = requestSchema('P-040', 'DeleteBackupRequest', 'A backup to delete.', {
  backup_id
})

export const RestoreBackupRequestSchema = requestSchema('P-041', 'RestoreBackupRequest', 'A backup to restore.', {
  backup_id
})
