import { statSync } from 'node:fs'
import type { Connection } from '../db/connection.js'
import { checkFile, unusable } from '../db/database.js'
import { DatabaseError } from '../db/database-error.js'
import { openConnection } from '../db/open-connection.js'
import { CAN_SHRINK } from '../db/shrink.js'

/** Size of a database in bytes, including its WAL. */
interface Sizes {
  readonly before: number
  readonly after: number
}

/**
 * Shrinks a database file to the size of its contents, and lets it shrink by itself afterwards.
 * @throws {DatabaseError} if the file does not exist, was not made by this program, or is open in a server; nothing has
 * been changed then
 */
export function compactDatabase(path: string): Sizes {
  if (path === ':memory:' || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw new DatabaseError(`cannot use the database ${path}: there is no such file`)
  let sqlite: Connection | undefined
  try {
    sqlite = openConnection(path)
    checkFile(sqlite)
    const before = sizeOf(path)
    sqlite.exec(CAN_SHRINK)
    sqlite.exec('VACUUM')
    sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    sqlite.close()
    return { before, after: sizeOf(path) }
  } catch (error) {
    sqlite?.close()
    throw unusable(path, error)
  }
}

function sizeOf(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}
