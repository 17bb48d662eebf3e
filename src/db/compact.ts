import { statSync } from 'node:fs'
import { type Connection, openConnection } from './connection.js'
import { checkFile, DatabaseError, unusable } from './database.js'
import { CAN_SHRINK } from './shrink.js'

/** Size of a database in bytes, with the file beside it. */
export interface Sizes {
  readonly before: number
  readonly after: number
}

/**
 * Makes a database file as small as what is in it, and lets it shrink by itself from then on.
 * @param begin is told the size when all checks are passed
 * @throws {DatabaseError} if there is none, it is not one of this program, or a server has it open; then nothing has
 * been changed
 */
export function compactDatabase(path: string, begin: (before: number) => void): Sizes {
  if (path === ':memory:' || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw new DatabaseError(`cannot use the database ${path}: there is no such file`)
  let sqlite: Connection | undefined
  try {
    sqlite = openConnection(path)
    checkFile(sqlite)
    const before = sizeOf(path)
    begin(before)
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
