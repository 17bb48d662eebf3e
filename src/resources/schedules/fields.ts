import { Type } from '@sinclair/typebox'
import type { Stored } from '../../db/table.js'
import { enumeration } from '../../interface/schemas.js'
import { extraColumn } from '../extra.js'

export const REPEATS = ['none', 'daily', 'weekdays', 'weekly'] as const

/** When automatic backups of a workspace are made, and how many are kept. */
export const BACKUP_SCHEDULES = {
  name: 'backup_schedules',
  key: ['workspace'],
  columns: {
    /** Id of its workspace. */
    workspace: { type: Type.String() },
    /** Five-field cron, UTC. */
    schedule: { type: Type.String() },
    pause: { type: Type.Boolean() },
    max_backup_files: { type: Type.Integer() },
    max_reserved_days: { type: Type.Integer() },
    max_retry: { type: Type.Integer() },
    extra: extraColumn
  }
} as const

export type BackupScheduleRecord = Stored<typeof BACKUP_SCHEDULES.columns>

/** When to stop a workspace, or to start it with a size. */
export const WORKSPACE_SCHEDULES = {
  name: 'workspace_schedules',
  key: ['workspace', 'id'],
  columns: {
    /** Id of its workspace. */
    workspace: { type: Type.String() },
    id: { type: Type.String() },
    repeat: { type: enumeration(REPEATS, 'How it repeats.') },
    /** For a weekly one: weekdays such as `Mon,Thu`. */
    repeat_on: { type: Type.Union([Type.String(), Type.Null()]) },
    /** For one that does not repeat: `YYYY-MM-DD`. */
    date: { type: Type.Union([Type.String(), Type.Null()]) },
    /** `HH:mm`. */
    time: { type: Type.String() },
    /** IANA zone. */
    timezone: { type: Type.String() },
    /** null: stop the workspace. */
    workspace_type_name: { type: Type.Union([Type.String(), Type.Null()]) },
    extra: extraColumn
  }
} as const

export type WorkspaceScheduleRecord = Stored<typeof WORKSPACE_SCHEDULES.columns>
