import { Type } from '@sinclair/typebox'
import { ref, type Shape } from '../../interface/schemas.js'
import { nullable, strict } from '../../lib/strict.js'
import { BackupRestoreStatusSchema, BackupSchema } from '../../resources/backups/fields.js'
import { BackupScheduleSchema, WorkspaceScheduleSchema } from '../../resources/schedules/fields.js'

export const BelongingsSchema = strict(
  {
    backups: Type.Array(ref(BackupSchema), { description: 'In order of creation.' }),
    restore_jobs: Type.Array(ref(BackupRestoreStatusSchema), { description: 'In order of creation.' }),
    backup_schedule: nullable(ref(BackupScheduleSchema), 'null: none was set.'),
    schedules: Type.Array(ref(WorkspaceScheduleSchema), { description: 'Schedules that stop, start or resize it.' })
  },
  { description: 'Backups, restore jobs and schedules of a workspace.' }
)
export type Belongings = Shape<typeof BelongingsSchema>

export const ActivitySchema = strict(
  { status: Type.String({ description: 'The state of the workspace.' }) },
  { description: 'The outcome of an activity.' }
)

export const RunBackupSchema = strict(
  {
    tag: Type.Optional(
      Type.String({
        maxLength: 256,
        description: 'Name of the backup, which may be empty; `manual-` and the time if absent.'
      })
    )
  },
  { description: 'A backup to start.' }
)
