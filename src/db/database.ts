import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { SqliteError } from 'better-sqlite3'
import { openConnection, type Connection } from './connection.js'
import { GroupCommit } from './group-commit.js'
import { checkMigrations, migrate, MigrationError } from './migrate.js'
import { RowWatcher, type WatchedTable } from './row-watcher.js'

/** The database cannot be used; the message is one line for the user. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

/** One open database: prepared statements for reading, and one way to write. */
export interface Database {
  /** Prepares a statement. Call it once per statement and database, never per request. */
  prepare: Connection['prepare']
  /** See {@link GroupCommit.write}. */
  write: GroupCommit['write']
  /** See {@link GroupCommit.atomic}. */
  atomic: GroupCommit['atomic']
  /** Tells which rows change. */
  readonly watcher: RowWatcher
  /**
   * Runs a part of a write of which no row change is told: what it does is no business of whoever watches.
   * @param isLarge whether it changes so many rows that it should be quick, see {@link RowWatcher.asleep}
   */
  unwatched: <T>(step: () => T, isLarge?: boolean) => T
  /** Commits what is queued and releases the file. */
  close: () => void
}

/**
 * Opens a database file (or `:memory:`), creating or upgrading it as needed. The file stays locked until it is closed, so
 * that no second server works on it.
 * @param watched tables whose changes {@link Database.watcher} can tell
 * @throws {DatabaseError} if the file cannot be used; then nothing has been changed on disk
 */
export function openDatabase(path: string, watched: readonly WatchedTable[] = []): Database {
  let sqlite: Connection | undefined
  try {
    if (path !== ':memory:') ensureDirectory(dirname(path))
    sqlite = openConnection(path)
    // The lock comes first and everything is checked under it, so that a refused file keeps every byte.
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE')
    checkMigrations(sqlite)
    checkPages(sqlite)
    sqlite.exec('PRAGMA journal_mode = WAL')
    sqlite.exec('PRAGMA synchronous = FULL')
    sqlite.exec('PRAGMA foreign_keys = ON')
    // What a savepoint keeps for its undoing outgrows SQLite's own buffer at once; written to a file, that was a third of a create. It must
    // not get large, though: what changes very many rows goes without one.
    sqlite.exec('PRAGMA temp_store = MEMORY')
    migrate(sqlite)
    return connect(sqlite, new RowWatcher(sqlite, watched))
  } catch (error) {
    sqlite?.close()
    throw unusable(path, error)
  }
}

/** Tells in one line why a database cannot be used. */
export function unusable(path: string, error: unknown): DatabaseError {
  return new DatabaseError(`cannot use the database ${path}: ${explain(error)}`, { cause: error })
}

/** Looks through the whole file once, so that damage is told at the start, and not by some requests later. */
function checkPages(sqlite: Connection): void {
  const found = sqlite.prepare('PRAGMA quick_check(1)').pluck().get() as string
  if (found !== 'ok') throw new SqliteError(found, 'SQLITE_CORRUPT')
}

/** Like `mkdir -p`. Node's own recursive form never returns below /proc. */
function ensureDirectory(path: string): void {
  if (existsSync(path)) return
  ensureDirectory(dirname(path))
  mkdirSync(path)
}

function connect(sqlite: Connection, watcher: RowWatcher): Database {
  const commits = new GroupCommit(sqlite)
  return {
    prepare: sqlite.prepare.bind(sqlite),
    write: commits.write.bind(commits),
    atomic: (step) => watcher.undoing(() => commits.atomic(step)),
    watcher,
    unwatched: (step, isLarge = false) => watcher.watch(undefined, isLarge ? () => watcher.asleep(step) : step),
    close: () => {
      commits.flush()
      sqlite.close()
    }
  }
}

function explain(error: unknown): string {
  if (error instanceof MigrationError) return error.cause === undefined ? `it ${error.message}` : error.message
  if (error instanceof SqliteError) {
    if (error.code.startsWith('SQLITE_BUSY')) return 'it is open in another server; stop that one, or choose another --db'
    if (error.code === 'SQLITE_NOTADB') return 'the file is not an SQLite database'
    if (isDamaged(error)) return 'the file is damaged; put a copy in its place, or choose another --db'
    if (error.code === 'SQLITE_FULL') return 'the disk is full'
    // A file of a read-only file system is opened all the same, but cannot be locked for writing.
    if (/^SQLITE_(CANTOPEN|READONLY|IOERR_LOCK)/.test(error.code)) return 'the file or its directory cannot be written'
  }
  const { code, message } = error as NodeJS.ErrnoException
  return code !== undefined && UNWRITABLE.has(code) ? 'the file or its directory cannot be written' : message
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST'])

/** Whether an error says that the database cannot be written for now (disk full, read-only, I/O): nothing was changed. */
export function isUnwritable(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|NOMEM)/.test(error.code)
}

/** Whether an error says that what was read from the file cannot be right. */
export function isDamaged(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)
}
