import type { Database } from '../../db/database.js'
import { toExtraColumn, type WithExtra, withParsedExtra } from '../extra.js'

/** When automatic backups of a workspace are made, and how many are kept. */
export interface BackupScheduleRecord extends WithExtra {
  /** Five-field cron, UTC. */
  readonly schedule: string
  readonly pause: boolean
  readonly maxBackupFiles: number
  readonly maxReservedDays: number
  readonly maxRetry: number
}

export const REPEATS = ['none', 'daily', 'weekdays', 'weekly'] as const
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** When to stop a workspace, or to start it with a size. */
export interface WorkspaceScheduleRecord extends WithExtra {
  readonly id: string
  readonly repeat: (typeof REPEATS)[number]
  /** For a weekly one: weekdays such as `Mon,Thu`. */
  readonly repeatOn: string | null
  /** For one that does not repeat: `YYYY-MM-DD`. */
  readonly date: string | null
  /** `HH:mm`. */
  readonly time: string
  /** IANA zone. */
  readonly timezone: string
  /** null: stop the workspace. */
  readonly workspaceTypeName: string | null
}

type BackupScheduleRow = Omit<BackupScheduleRecord, 'pause' | 'extra'> & { pause: 0 | 1; extra: string | null }
type WorkspaceScheduleRow = Omit<WorkspaceScheduleRecord, 'extra'> & { readonly extra: string | null }

interface OfWorkspace {
  readonly workspace: string
}

/** The rows of both kinds of schedules. Every method takes the sandbox key and the id of the workspace first. */
export class ScheduleStore {
  readonly #setBackup
  readonly #findBackup
  readonly #listAllBackup
  readonly #set
  readonly #find
  readonly #list
  readonly #listAll
  readonly #remove

  constructor(db: Database) {
    const columns = `id, repeat, repeat_on AS repeatOn, date, time, timezone, workspace_type_name AS workspaceTypeName,
      extra`
    this.#setBackup = db.prepare<[number, string, string, 0 | 1, number, number, number, string | null]>(
      `INSERT INTO backup_schedules (sandbox, workspace, schedule, pause, max_backup_files, max_reserved_days,
         max_retry, extra)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET schedule = excluded.schedule, pause = excluded.pause,
         max_backup_files = excluded.max_backup_files,
         max_reserved_days = excluded.max_reserved_days, max_retry = excluded.max_retry, extra = excluded.extra`
    )
    this.#findBackup = db.prepare<[number, string], BackupScheduleRow>(
      `SELECT schedule, pause, max_backup_files AS maxBackupFiles, max_reserved_days AS maxReservedDays,
         max_retry AS maxRetry, extra
         FROM backup_schedules WHERE sandbox = ? AND workspace = ?`
    )
    this.#listAllBackup = db.prepare<[number], BackupScheduleRow & OfWorkspace>(
      `SELECT workspace, schedule, pause, max_backup_files AS maxBackupFiles,
         max_reserved_days AS maxReservedDays, max_retry AS maxRetry, extra
         FROM backup_schedules WHERE sandbox = ?`
    )
    this.#set = db.prepare<
      [number, string, string, string, string | null, string | null, string, string, string | null, string | null]
    >(
      `INSERT INTO workspace_schedules (sandbox, workspace, id, repeat, repeat_on, date, time, timezone,
         workspace_type_name, extra)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET repeat = excluded.repeat, repeat_on = excluded.repeat_on,
         date = excluded.date, time = excluded.time,
         timezone = excluded.timezone, workspace_type_name = excluded.workspace_type_name, extra = excluded.extra`
    )
    this.#find = db.prepare<[number, string, string], WorkspaceScheduleRow>(
      `SELECT ${columns} FROM workspace_schedules WHERE sandbox = ? AND workspace = ? AND id = ?`
    )
    this.#list = db.prepare<[number, string], WorkspaceScheduleRow>(
      `SELECT ${columns} FROM workspace_schedules WHERE sandbox = ? AND workspace = ? ORDER BY rowid`
    )
    this.#listAll = db.prepare<[number], WorkspaceScheduleRow & OfWorkspace>(
      `SELECT workspace, ${columns} FROM workspace_schedules WHERE sandbox = ? ORDER BY rowid`
    )
    this.#remove = db.prepare<[number, string, string]>(
      'DELETE FROM workspace_schedules WHERE sandbox = ? AND workspace = ? AND id = ?'
    )
  }

  setBackup(sandbox: number, workspace: string, record: BackupScheduleRecord): void {
    const { schedule, pause, maxBackupFiles, maxReservedDays, maxRetry } = record
    const extra = toExtraColumn(record)
    this.#setBackup.run(sandbox, workspace, schedule, pause ? 1 : 0, maxBackupFiles, maxReservedDays, maxRetry, extra)
  }

  findBackup(sandbox: number, workspace: string): BackupScheduleRecord | undefined {
    const row = this.#findBackup.get(sandbox, workspace)
    return row && { ...withParsedExtra(row), pause: row.pause === 1 }
  }

  /** The backup schedules of all workspaces. */
  listAllBackup(sandbox: number): (BackupScheduleRecord & OfWorkspace)[] {
    return this.#listAllBackup.all(sandbox).map((row) => ({ ...withParsedExtra(row), pause: row.pause === 1 }))
  }

  /** Adds a schedule, or replaces the one with its id. */
  set(sandbox: number, workspace: string, schedule: WorkspaceScheduleRecord): void {
    const { id, repeat, repeatOn, date, time, timezone, workspaceTypeName } = schedule
    const extra = toExtraColumn(schedule)
    this.#set.run(sandbox, workspace, id, repeat, repeatOn, date, time, timezone, workspaceTypeName, extra)
  }

  find(sandbox: number, workspace: string, id: string): WorkspaceScheduleRecord | undefined {
    const row = this.#find.get(sandbox, workspace, id)
    return row && withParsedExtra(row)
  }

  /** In order of creation. */
  list(sandbox: number, workspace: string): WorkspaceScheduleRecord[] {
    return this.#list.all(sandbox, workspace).map(withParsedExtra)
  }

  /** The schedules of all workspaces. */
  listAll(sandbox: number): (WorkspaceScheduleRecord & OfWorkspace)[] {
    return this.#listAll.all(sandbox).map(withParsedExtra)
  }

  /** @returns whether there was one to remove */
  remove(sandbox: number, workspace: string, id: string): boolean {
    return this.#remove.run(sandbox, workspace, id).changes > 0
  }
}
