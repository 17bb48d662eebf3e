import type { Database } from '../../db/database.js'

/** When automatic backups of a workspace are made, and how many are kept. */
export interface BackupScheduleRecord {
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
export interface WorkspaceScheduleRecord {
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

type BackupScheduleRow = Omit<BackupScheduleRecord, 'pause'> & { pause: 0 | 1 }

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
    const columns = 'id, repeat, repeat_on AS repeatOn, date, time, timezone, workspace_type_name AS workspaceTypeName'
    this.#setBackup = db.prepare<[number, string, string, 0 | 1, number, number, number]>(
      `INSERT INTO backup_schedules (sandbox, workspace, schedule, pause, max_backup_files, max_reserved_days,
         max_retry)
         VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET schedule = excluded.schedule, pause = excluded.pause,
         max_backup_files = excluded.max_backup_files,
         max_reserved_days = excluded.max_reserved_days, max_retry = excluded.max_retry`
    )
    this.#findBackup = db.prepare<[number, string], BackupScheduleRow>(
      `SELECT schedule, pause, max_backup_files AS maxBackupFiles, max_reserved_days AS maxReservedDays,
         max_retry AS maxRetry
         FROM backup_schedules WHERE sandbox = ? AND workspace = ?`
    )
    this.#listAllBackup = db.prepare<[number], BackupScheduleRow & OfWorkspace>(
      `SELECT workspace, schedule, pause, max_backup_files AS maxBackupFiles,
         max_reserved_days AS maxReservedDays, max_retry AS maxRetry
         FROM backup_schedules WHERE sandbox = ?`
    )
    this.#set = db.prepare<
      [number, string, string, string, string | null, string | null, string, string, string | null]
    >(
      `INSERT INTO workspace_schedules (sandbox, workspace, id, repeat, repeat_on, date, time, timezone,
         workspace_type_name)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET repeat = excluded.repeat, repeat_on = excluded.repeat_on,
         date = excluded.date, time = excluded.time,
         timezone = excluded.timezone, workspace_type_name = excluded.workspace_type_name`
    )
    this.#find = db.prepare<[number, string, string], WorkspaceScheduleRecord>(
      `SELECT ${columns} FROM workspace_schedules WHERE sandbox = ? AND workspace = ? AND id = ?`
    )
    this.#list = db.prepare<[number, string], WorkspaceScheduleRecord>(
      `SELECT ${columns} FROM workspace_schedules WHERE sandbox = ? AND workspace = ? ORDER BY rowid`
    )
    this.#listAll = db.prepare<[number], WorkspaceScheduleRecord & OfWorkspace>(
      `SELECT workspace, ${columns} FROM workspace_schedules WHERE sandbox = ? ORDER BY rowid`
    )
    this.#remove = db.prepare<[number, string, string]>(
      'DELETE FROM workspace_schedules WHERE sandbox = ? AND workspace = ? AND id = ?'
    )
  }

  setBackup(sandbox: number, workspace: string, record: BackupScheduleRecord): void {
    const { schedule, pause, maxBackupFiles, maxReservedDays, maxRetry } = record
    this.#setBackup.run(sandbox, workspace, schedule, pause ? 1 : 0, maxBackupFiles, maxReservedDays, maxRetry)
  }

  findBackup(sandbox: number, workspace: string): BackupScheduleRecord | undefined {
    const row = this.#findBackup.get(sandbox, workspace)
    return row === undefined ? undefined : { ...row, pause: row.pause === 1 }
  }

  /** The backup schedules of all workspaces. */
  listAllBackup(sandbox: number): (BackupScheduleRecord & OfWorkspace)[] {
    return this.#listAllBackup.all(sandbox).map((row) => ({ ...row, pause: row.pause === 1 }))
  }

  /** Adds a schedule, or replaces the one with its id. */
  set(sandbox: number, workspace: string, schedule: WorkspaceScheduleRecord): void {
    const { id, repeat, repeatOn, date, time, timezone, workspaceTypeName } = schedule
    this.#set.run(sandbox, workspace, id, repeat, repeatOn, date, time, timezone, workspaceTypeName)
  }

  find(sandbox: number, workspace: string, id: string): WorkspaceScheduleRecord | undefined {
    return this.#find.get(sandbox, workspace, id)
  }

  /** In order of creation. */
  list(sandbox: number, workspace: string): WorkspaceScheduleRecord[] {
    return this.#list.all(sandbox, workspace)
  }

  /** The schedules of all workspaces. */
  listAll(sandbox: number): (WorkspaceScheduleRecord & OfWorkspace)[] {
    return this.#listAll.all(sandbox)
  }

  /** @returns whether there was one to remove */
  remove(sandbox: number, workspace: string, id: string): boolean {
    return this.#remove.run(sandbox, workspace, id).changes > 0
  }
}
