import type { Database } from '../../db/database.js'
import type { QuotaRule } from '../../profile/quotas.js'
import { toExtraColumn, type WithExtra, withParsedExtra } from '../extra.js'

export interface BackupRecord {
  readonly id: string
  /** Id of its workspace. */
  readonly workspace: string
  readonly tag: string
  /** Timestamp of its start. */
  readonly time: string
  readonly isAutomatic: boolean
  readonly status: string
  readonly sizeBytes: number
  /** Version of the database software. */
  readonly version: string
}

/** A job that restores a workspace from a backup. */
export interface RestoreJobRecord extends WithExtra {
  readonly id: string
  /** Id of its workspace. */
  readonly workspace: string
  readonly status: string
  /** Log of its work, one line per step. */
  readonly output: string
  readonly createdAt: string
}

/** Number of backups of a workspace or a sandbox, maintained by database triggers. */
interface BackupCounts extends KindCounts {
  /** Automatic ones that have succeeded. */
  readonly succeeded: number
}

/** Number of backups by their kind. */
interface KindCounts {
  readonly automatic: number
  readonly automaticFailed: number
  readonly manual: number
  readonly manualFailed: number
}

type RestoreJobRow = Omit<RestoreJobRecord, 'extra'> & { readonly extra: string | null }

type BackupRow = Omit<BackupRecord, 'isAutomatic'> & { isAutomatic: 0 | 1 }

/** The rows of backups and restore jobs. Every method takes the sandbox key first; lists are in order of creation. */
export class BackupStore {
  readonly #insert
  readonly #find
  readonly #list
  readonly #listAll
  readonly #counts
  readonly #countsOfDatabase
  readonly #removeOld
  readonly #removeOldest
  readonly #finish
  readonly #remove
  readonly #insertJob
  readonly #findJob
  readonly #newestJob
  readonly #listJobs
  readonly #listAllJobs
  readonly #saveJob

  constructor(db: Database) {
    const columns = 'id, workspace, tag, time, is_automatic AS isAutomatic, status, size_bytes AS sizeBytes, version'
    const jobColumns = 'id, workspace, status, output, created_at AS createdAt, extra'
    this.#insert = db.prepare<[number, string, string, string, string, 0 | 1, string, number, string]>(
      `INSERT INTO backups (sandbox, id, workspace, tag, time, is_automatic, status, size_bytes, version)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
    )
    this.#find = db.prepare<[number, string], BackupRow>(`SELECT ${columns} FROM backups WHERE sandbox = ? AND id = ?`)
    this.#list = db.prepare<[number, string], BackupRow>(
      `SELECT ${columns} FROM backups WHERE sandbox = ? AND workspace = ? ORDER BY rowid`
    )
    this.#listAll = db.prepare<[number], BackupRow>(
      `SELECT ${columns} FROM backups WHERE sandbox = ? ORDER BY workspace, rowid`
    )
    this.#counts = db.prepare<[number, string], BackupCounts>(
      `SELECT automatic, automatic_failed AS automaticFailed, manual, manual_failed AS manualFailed, succeeded
         FROM backup_counts WHERE sandbox = ? AND scope = ?`
    )
    this.#countsOfDatabase = db.prepare<[number, string], KindCounts>(
      `SELECT total(c.automatic) AS automatic, total(c.automatic_failed) AS automaticFailed, total(c.manual) AS manual,
           total(c.manual_failed) AS manualFailed
         FROM workspaces w JOIN backup_counts c ON c.sandbox = w.sandbox AND c.scope = w.id
         WHERE w.sandbox = ? AND w.database = ?`
    )
    this.#removeOld = db.prepare<[number, string, string]>(
      'DELETE FROM backups WHERE sandbox = ? AND workspace = ? AND is_automatic = 1 AND time < ? AND status ' +
        `<> 'Running'`
    )
    this.#removeOldest = db.prepare<[number, string, number]>(
      `DELETE FROM backups WHERE rowid IN (SELECT rowid FROM backups
         WHERE sandbox = ? AND workspace = ? AND is_automatic = 1 AND status = 'Succeeded' ORDER BY rowid LIMIT ?)`
    )
    this.#finish = db.prepare<[string, number, number, string]>(
      'UPDATE backups SET status = ?, size_bytes = ? WHERE sandbox = ? AND id = ?'
    )
    this.#remove = db.prepare<[number, string]>('DELETE FROM backups WHERE sandbox = ? AND id = ?')
    this.#insertJob = db.prepare<[number, string, string, string, string, string, string | null]>(
      `INSERT INTO restore_jobs (sandbox, id, workspace, status, output, created_at, extra)
         VALUES (?, ?, ?, ?, ?, ?, ?)`
    )
    this.#findJob = db.prepare<[number, string], RestoreJobRow>(
      `SELECT ${jobColumns} FROM restore_jobs WHERE sandbox = ? AND id = ?`
    )
    this.#newestJob = db.prepare<[number, string], RestoreJobRow>(
      `SELECT ${jobColumns} FROM restore_jobs WHERE sandbox = ? AND workspace = ? ORDER BY rowid DESC LIMIT 1`
    )
    this.#listJobs = db.prepare<[number, string], RestoreJobRow>(
      `SELECT ${jobColumns} FROM restore_jobs WHERE sandbox = ? AND workspace = ? ORDER BY rowid`
    )
    this.#listAllJobs = db.prepare<[number], RestoreJobRow>(
      `SELECT ${jobColumns} FROM restore_jobs WHERE sandbox = ? ORDER BY workspace, rowid`
    )
    this.#saveJob = db.prepare<[string, string, number, string]>(
      'UPDATE restore_jobs SET status = ?, output = ? WHERE sandbox = ? AND id = ?'
    )
  }

  insert(sandbox: number, { id, workspace, tag, time, isAutomatic, status, sizeBytes, version }: BackupRecord): void {
    this.#insert.run(sandbox, id, workspace, tag, time, isAutomatic ? 1 : 0, status, sizeBytes, version)
  }

  find(sandbox: number, id: string): BackupRecord | undefined {
    const row = this.#find.get(sandbox, id)
    return row === undefined ? undefined : toBackup(row)
  }

  list(sandbox: number, workspace: string): BackupRecord[] {
    return this.#list.all(sandbox, workspace).map(toBackup)
  }

  /** Backups of all workspaces, grouped by workspace. */
  listAll(sandbox: number): BackupRecord[] {
    return this.#listAll.all(sandbox).map(toBackup)
  }

  /** Number of automatic or manual backups that count for a quota, where a workspace is to get one more. */
  countFor(
    sandbox: number,
    isAutomatic: boolean,
    { per, failed }: Pick<QuotaRule, 'per' | 'failed'>,
    { id, database }: { readonly id: string; readonly database: string }
  ): number {
    const counts =
      per === 'database'
        ? this.#countsOfDatabase.get(sandbox, database)
        : this.#counts.get(sandbox, per === 'workspace' ? id : '')
    if (counts === undefined) return 0
    const { automatic, automaticFailed, manual, manualFailed } = counts
    const [all, without] = isAutomatic ? [automatic, automaticFailed] : [manual, manualFailed]
    return failed ? all : all - without
  }

  /**
   * Removes a workspace's automatic backups that started before a time, and the oldest successful ones above a number.
   * The cost depends on how many are removed, not on how many stay.
   */
  retain(sandbox: number, workspace: string, { since, atMost }: { since: string; atMost: number }): void {
    this.#removeOld.run(sandbox, workspace, since)
    const surplus = (this.#counts.get(sandbox, workspace)?.succeeded ?? 0) - atMost
    if (surplus > 0) this.#removeOldest.run(sandbox, workspace, surplus)
  }

  /** Stores how a backup has ended. */
  finish(sandbox: number, id: string, status: string, sizeBytes: number): void {
    this.#finish.run(status, sizeBytes, sandbox, id)
  }

  remove(sandbox: number, id: string): void {
    this.#remove.run(sandbox, id)
  }

  insertJob(sandbox: number, job: RestoreJobRecord): void {
    const { id, workspace, status, output, createdAt } = job
    this.#insertJob.run(sandbox, id, workspace, status, output, createdAt, toExtraColumn(job))
  }

  findJob(sandbox: number, id: string): RestoreJobRecord | undefined {
    const row = this.#findJob.get(sandbox, id)
    return row && withParsedExtra(row)
  }

  /** The newest job of a workspace; no other one can be unfinished. */
  newestJob(sandbox: number, workspace: string): RestoreJobRecord | undefined {
    const row = this.#newestJob.get(sandbox, workspace)
    return row && withParsedExtra(row)
  }

  listJobs(sandbox: number, workspace: string): RestoreJobRecord[] {
    return this.#listJobs.all(sandbox, workspace).map(withParsedExtra)
  }

  /** Jobs of all workspaces, grouped by workspace. */
  listAllJobs(sandbox: number): RestoreJobRecord[] {
    return this.#listAllJobs.all(sandbox).map(withParsedExtra)
  }

  saveJob(sandbox: number, { id, status, output }: RestoreJobRecord): void {
    this.#saveJob.run(status, output, sandbox, id)
  }
}

function toBackup(row: BackupRow): BackupRecord {
  return { ...row, isAutomatic: row.isAutomatic === 1 }
}
