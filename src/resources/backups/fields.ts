import { Type } from '@sinclair/typebox'
import type { Stored } from '../../db/table.js'
import { extraColumn } from '../extra.js'

export const BACKUPS = {
  name: 'backups',
  key: ['id'],
  columns: {
    id: { type: Type.String() },
    /** Id of its workspace. */
    workspace: { type: Type.String(), isFixed: true },
    tag: { type: Type.String(), isFixed: true },
    /** Timestamp of its start. */
    time: { type: Type.String(), isFixed: true },
    is_automatic: { type: Type.Boolean(), isFixed: true },
    status: { type: Type.String() },
    size_bytes: { type: Type.Integer() },
    /** Version of the database software. */
    version: { type: Type.String(), isFixed: true }
  }
} as const

export type BackupRecord = Stored<typeof BACKUPS.columns>

/** A job that restores a workspace from a backup. */
export const RESTORE_JOBS = {
  name: 'restore_jobs',
  key: ['id'],
  columns: {
    id: { type: Type.String() },
    /** Id of its workspace. */
    workspace: { type: Type.String(), isFixed: true },
    status: { type: Type.String() },
    /** Log of its work, one line per step. */
    output: { type: Type.String() },
    created_at: { type: Type.String(), isFixed: true },
    extra: extraColumn
  }
} as const

export type RestoreJobRecord = Stored<typeof RESTORE_JOBS.columns>
