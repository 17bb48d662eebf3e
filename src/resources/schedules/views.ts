import { type WithExtra, withExtra } from '../extra.js'
import type { BackupScheduleRecord, WorkspaceScheduleRecord } from './fields.js'
import type { BackupSchedule, WorkspaceSchedule } from './schemas.js'

/** A backup schedule as the interface and state documents show it. */
export function toBackupScheduleView(record: BackupScheduleRecord) {
  const { schedule, pause, maxBackupFiles, maxReservedDays, maxRetry } = record
  return withExtra(
    { schedule, pause, max_backup_files: maxBackupFiles, max_reserved_days: maxReservedDays, max_retry: maxRetry },
    record
  )
}

/** The stored form of a backup schedule; absent fields get their placeholder values. */
export function backupScheduleOf(
  workspace: string,
  given: BackupSchedule,
  extra: WithExtra['extra']
): BackupScheduleRecord {
  return {
    workspace,
    schedule: given.schedule,
    pause: given.pause ?? false,
    maxBackupFiles: given.max_backup_files ?? 7,
    maxReservedDays: given.max_reserved_days ?? 7,
    maxRetry: given.max_retry ?? 0,
    extra
  }
}

/** A workspace schedule as the interface shows it. */
export function toWorkspaceScheduleView(workspaceId: string, schedule: WorkspaceScheduleRecord): WorkspaceSchedule {
  const reply: WorkspaceSchedule = {
    workspace_id: workspaceId,
    repeat: schedule.repeat,
    ...(schedule.repeatOn === null ? {} : { repeat_on: schedule.repeatOn }),
    ...(schedule.date === null ? {} : { date: schedule.date }),
    time: schedule.time,
    timezone: schedule.timezone,
    ...(schedule.workspaceTypeName === null ? {} : { workspace_type_name: schedule.workspaceTypeName }),
    id: schedule.id
  }
  return withExtra(reply, schedule)
}
