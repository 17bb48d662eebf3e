import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import type { QuotaRule } from '../../profile/quotas.js'
import { BACKUPS, RESTORE_JOBS } from './fields.js'

/** Numbers of backups, which database triggers maintain. */
interface KindCounts {
  readonly automatic: number
  readonly automaticFailed: number
  readonly manual: number
  readonly manualFailed: number
}

interface BackupCounts extends KindCounts {
  /** Automatic backups that have succeeded. */
  readonly succeeded: number
}

/** The rows of backups. Every function takes the sandbox key first; lists are in order of creation. */
export function backupStore(db: Database) {
  const table = new Table(db, BACKUPS)
  const counts = db.prepare<[number, string], BackupCounts>(
    `SELECT automatic, automatic_failed AS automaticFailed, manual, manual_failed AS manualFailed, succeeded
       FROM backup_counts WHERE sandbox = ? AND scope = ?`
  )
  const countsOfDatabase = db.prepare<[number, string], KindCounts>(
    `SELECT total(c.automatic) AS automatic, total(c.automatic_failed) AS automaticFailed, total(c.manual) AS manual,
         total(c.manual_failed) AS manualFailed
       FROM workspaces w JOIN backup_counts c ON c.sandbox = w.sandbox AND c.scope = w.id
       WHERE w.sandbox = ? AND w.database = ?`
  )
  const removeOld = db.prepare<[number, string, string]>(
    `DELETE FROM backups
       WHERE sandbox = ? AND workspace = ? AND is_automatic = 1 AND time < ? AND status <> 'Running'`
  )
  const removeOldest = db.prepare<[number, string, number]>(
    `DELETE FROM backups WHERE rowid IN (SELECT rowid FROM backups
       WHERE sandbox = ? AND workspace = ? AND is_automatic = 1 AND status = 'Succeeded' ORDER BY rowid LIMIT ?)`
  )
  const succeeded = (sandbox: number, workspace: string) => counts.get(sandbox, workspace)?.succeeded ?? 0
  return {
    insert: table.inserter(),
    save: table.saver(),
    find: table.finder('id'),
    list: table.lister('workspace'),
    listAll: table.lister(),
    remove: table.remover('id'),

    /** Number of a workspace's automatic backups that have succeeded. */
    succeeded,

    /** Number of automatic or manual backups that count towards a quota, before this workspace gets another. */
    countFor(
      sandbox: number,
      isAutomatic: boolean,
      { per, failed }: Pick<QuotaRule, 'per' | 'failed'>,
      { id, database }: { readonly id: string; readonly database: string }
    ): number {
      const found =
        per === 'database'
          ? countsOfDatabase.get(sandbox, database)
          : counts.get(sandbox, per === 'workspace' ? id : '')
      if (found === undefined) return 0
      const { automatic, automaticFailed, manual, manualFailed } = found
      const [all, without] = isAutomatic ? [automatic, automaticFailed] : [manual, manualFailed]
      return failed ? all : all - without
    },

    /**
     * Removes a workspace's automatic backups that started before a time, and then the oldest successful ones beyond a
     * number. The cost depends on how many are removed, not on how many stay.
     */
    retain(sandbox: number, workspace: string, { since, atMost }: { since: string; atMost: number }): void {
      removeOld.run(sandbox, workspace, since)
      const surplus = succeeded(sandbox, workspace) - atMost
      if (surplus > 0) removeOldest.run(sandbox, workspace, surplus)
    }
  }
}

/** The rows of restore jobs. Every function takes the sandbox key first; lists are in order of creation. */
export function restoreJobStore(db: Database) {
  const table = new Table(db, RESTORE_JOBS)
  return {
    insert: table.inserter(),
    save: table.saver(),
    find: table.finder('id'),
    /** The newest job of a workspace; no other one can be unfinished. */
    newestOf: table.query('AND workspace = ? ORDER BY rowid DESC LIMIT 1').get,
    list: table.lister('workspace'),
    listAll: table.lister()
  }
}
