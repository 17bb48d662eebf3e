import { statSync } from 'node:fs'
import type { Connection } from '../db/connection.js'
import { checkFile, unusable } from '../db/database.js'
import { DatabaseError } from '../db/database-error.js'
import { openConnection } from '../db/open-connection.js'
import { CAN_SHRINK } from '../db/shrink.js'

/**
 * Shrinks a database file to the size of its contents, and lets it shrink by itself afterwards.
 * @returns its size in bytes, including the WAL, before and after
 * @throws {DatabaseError} without a change, if the file does not exist, is not ours, or is open in a server
 */
export function compactDatabase(path: string): { readonly before: number; readonly after: number } {
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
