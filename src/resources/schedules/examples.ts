import { type TypeChoice, typeLike } from '../examples.js'
import type { BackupSchedule, WorkspaceSchedule } from './fields.js'

/** The backup schedule of the demo data, of the workspace `main`. */
export const DEMO_BACKUP_SCHEDULE = {
  schedule: '0 3 * * *',
  pause: false,
  max_backup_files: 5,
  max_reserved_days: 14,
  max_retry: 2
} satisfies BackupSchedule

/** The id of {@link morning}. */
export const MORNING = 'morning'

/** The first workspace schedule of the demo data, of the workspace `office-hours`. */
export const morning = (catalogue: TypeChoice) =>
  ({
    repeat: 'weekdays',
    time: '08:00',
    timezone: 'Europe/Berlin',
    workspace_type_name: typeLike('SVC-1', catalogue),
    id: MORNING
  }) as const satisfies Partial<WorkspaceSchedule>

/** The second one. */
export const EVENING = {
  repeat: 'weekdays',
  time: '19:00',
  timezone: 'Europe/Berlin',
  id: 'evening'
} as const satisfies Partial<WorkspaceSchedule>
