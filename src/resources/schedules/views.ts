import { viewer } from '../field-table.js'
import { BACKUP_SCHEDULES, WORKSPACE_SCHEDULES } from './fields.js'

/** A backup schedule as the interface shows it. */
export const toBackupScheduleView = viewer(BACKUP_SCHEDULES.fields, {})

/** A workspace schedule as the interface shows it. */
export const toWorkspaceScheduleView = viewer(WORKSPACE_SCHEDULES.fields, {
  workspace_id: ({ workspace }) => workspace
})
