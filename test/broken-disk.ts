import Sqlite from 'better-sqlite3'
import type { Test } from 'tap'
import { replaceMethod } from './helper.js'

/**
 * Counts the commits, and lets them fail for as long as that is asked for, as on a broken disk. Call it before a server
 * is built.
 */
export function breakCommits(t: Test): { fail: boolean; failAt: number; code: string; commits: number } {
  const disk = { fail: false, failAt: Infinity, code: 'SQLITE_IOERR', commits: 0 }
  const { prepare } = Sqlite.prototype as { prepare: (this: unknown, sql: string) => { run: () => void } }
  replaceMethod(t, Sqlite.prototype as { prepare: unknown }, 'prepare', function (this: unknown, sql: string) {
    const statement = prepare.call(this, sql)
    if (sql !== 'COMMIT') return statement
    return {
      run: () => {
        if (disk.fail || disk.commits === disk.failAt) throw new Sqlite.SqliteError('disk I/O error', disk.code)
        disk.commits++
        statement.run()
      }
    }
  })
  return disk
}
