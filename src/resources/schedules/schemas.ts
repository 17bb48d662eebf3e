import { type Static, Type } from '@sinclair/typebox'
import { assumed, mark, requestSchema, requestText } from '../../interface/schemas.js'
import { fromCatalogue } from '../../profile/from-catalogue.js'

const count = (minimum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description }))
const id = Type.String({ ...requestText, description: 'Id of the schedule.' })
const workspaceId = Type.String({ ...requestText, description: 'Id of the workspace, the one in the path.' })

export const BackupScheduleSchema = requestSchema(
  'P-042',
  'BackupSchedule',
  'When automatic backups are made, and how many are kept; sent and answered in this form.',
  {
    schedule: Type.String({ ...requestText, description: 'Five-field cron, UTC; one that never fires is a 400.' }),
    pause: Type.Optional(Type.Boolean({ description: 'true: it does not fire; false if absent.' })),
    max_backup_files: count(1, 'How many automatic backups are kept; 7 if absent.'),
    max_reserved_days: count(1, 'How many days they are kept; 7 if absent.'),
    max_retry: count(0, 'How often a failed one is retried; 0 if absent.')
  }
)
export type BackupSchedule = Static<typeof BackupScheduleSchema>

export const WorkspaceScheduleSchema = requestSchema(
  'P-043',
  'WorkspaceSchedule',
  'Stops a workspace, or starts and resizes it.',
  {
    workspace_id: workspaceId,
    repeat: Type.String({
      format: 'repeat',
      description:
        'none (or `No Repeat`), daily, weekdays (Monday to Friday) or weekly, in any case; lower case in replies.'
    }),
    repeat_on: Type.Optional(
      Type.String({
        format: 'weekdays',
        description: 'For weekly: weekdays such as Mon,Thu; if absent, the weekday on which it is set.'
      })
    ),
    date: Type.Optional(
      Type.String({
        format: 'calendar-date',
        description: 'YYYY-MM-DD; required if it does not repeat, otherwise ignored.'
      })
    ),
    time: Type.String({ format: 'clock-time', description: 'HH:mm, local.' }),
    timezone: Type.String({ format: 'time-zone', description: 'IANA zone.' }),
    workspace_type_name: Type.Optional(
      fromCatalogue(
        'workspaceTypes',
        'New size of the workspace, which is started first if necessary; if absent, the workspace is stopped.'
      )
    ),
    id: Type.Optional(
      Type.String({
        ...requestText,
        description: 'Id of the schedule; if absent or not in use, a new one is created, with this id if given.'
      })
    )
  }
)
export type WorkspaceSchedule = Static<typeof WorkspaceScheduleSchema>

/** The part of a WorkspaceSchedule that is needed to delete it. */
export const ScheduleDeletionSchema = Type.Object(
  { ...Type.Partial(Type.Omit(WorkspaceScheduleSchema, ['id'])).properties, ...mark('P-191', { id }) },
  { description: 'A workspace schedule to delete.', ...assumed('P-191') }
)
