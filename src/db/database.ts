import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '../lib/make-folder.js'
import { Scheduler } from '../lib/scheduler.js'
import type { Connection } from './connection.js'
import { DatabaseError } from './database-error.js'
import { GroupCommit } from './group-commit.js'
import { checkMigrations, migrate, MigrationError } from './migrate.js'
import { openConnection } from './open-connection.js'
import { RowWatcher, type WatchedTable } from './row-watcher.js'
import { CAN_SHRINK, Shrinker } from './shrink.js'
import { sqliteCode, SqliteError } from './sqlite-error.js'

/** One open database: prepared statements for reading, and one way to write. */
export interface Database {
  /** Prepares a statement. Call it once per statement and database, never per request. */
  prepare: Connection['prepare']
  /** See {@link GroupCommit.write}. */
  write: GroupCommit['write']
  /**
   * Runs one step of a writer. Steps may be nested. If it throws, all of its changes are rolled back.
   * @param isKept if it returns false for the result, they are rolled back, too
   */
  atomic: <T, Input = undefined>(step: (input: Input) => T, input?: Input, isKept?: (result: T) => boolean) => T
  /** Says which flows wait, and when the time of a transaction is up; counts commits. */
  readonly commits: Omit<GroupCommit, 'write' | 'flush' | 'finish'>
  /** Spaces out long transactions. */
  readonly scheduler: Scheduler
  readonly watcher: RowWatcher
  /** Runs part of a write without reporting its row changes. */
  unwatched: <T>(step: () => T) => T
  /** Runs a step and then undoes its changes, which nothing else sees. Must be called outside a write. */
  rolledBack: <T>(step: () => T) => T
  /**
   * Runs steps of a bulk change until the time slice of this transaction is used up. Reports no row changes and opens
   * no savepoint: if a step throws, the steps before it stay.
   * @returns whether all steps have run
   */
  inBulk: (steps: Iterator<unknown>) => boolean
  /** Whether only the space reserved for deletions is left. */
  readonly isNearlyFull: boolean
  /** Commits a meaningless change. @throws the database's error if it cannot be written */
  probe: () => Promise<void>
  /** Commits the queue and releases the file. */
  close: () => void
}

/**
 * Opens a database file (or `:memory:`), creating or upgrading it as needed, and locks it until it is closed.
 * @param watched tables whose changes {@link Database.watcher} can report
 * @param time monotonic clock in milliseconds, which limits the time per transaction; without it, there is no limit
 * @param maxBytes maximum size
 * @throws {DatabaseError} if the file cannot be used; then nothing has changed on disk
 */
export function openDatabase(
  path: string,
  watched: readonly WatchedTable[] = [],
  time = () => 0,
  maxBytes = Infinity
): Database {
  let sqlite: Connection | undefined
  try {
    if (path !== ':memory:') makeFolder(dirname(path))
    sqlite = openConnection(path)
    checkFile(sqlite)
    sqlite.exec(CAN_SHRINK)
    sqlite.exec('PRAGMA journal_mode = WAL')
    // A large transaction leaves a large WAL, which SQLite truncates when it restarts.
    sqlite.exec(`PRAGMA journal_size_limit = ${MAX_WAL}`)
    sqlite.exec('PRAGMA synchronous = FULL')
    sqlite.exec('PRAGMA foreign_keys = ON')
    // A savepoint's undo data soon outgrows SQLite's buffer. Writing it to a file took a third of the time of a create.
    sqlite.exec('PRAGMA temp_store = MEMORY')
    migrate(sqlite)
    return connect(sqlite, path, new RowWatcher(sqlite, watched), time, maxBytes)
  } catch (error) {
    sqlite?.close()
    throw unusable(path, error)
  }
}

/** Explains in one line why a database cannot be used. */
export function unusable(path: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  return new DatabaseError(`cannot use the database ${path}: ${explain(error)}`, { cause: error })
}

/** Locks a file and checks it. @throws if it cannot be used; then nothing has changed */
export function checkFile(sqlite: Connection): void {
  // Lock first and check under the lock, so that a refused file keeps every byte.
  sqlite.exec('PRAGMA locking_mode = EXCLUSIVE')
  checkMigrations(sqlite)
  checkPages(sqlite)
}

/** Checks the whole file, so that damage shows at startup rather than in a later request. */
function checkPages(sqlite: Connection): void {
  const found = sqlite.prepare('PRAGMA quick_check(1)').pluck().get() as string
  if (found !== 'ok') throw new SqliteError(found, 'SQLITE_CORRUPT')
}

/** Reserved for deletions, which write too: at most this many bytes, or this share of a small database. */
const RESERVE = 16 * 1024 * 1024
const RESERVE_SHARE = 1 / 8

/** Size to which the WAL is truncated when it restarts. */
const MAX_WAL = 16 * 1024 * 1024

/** With less free space than this, the disk is full, rather than our limit reached. */
const NO_ROOM = 16 * 1024 * 1024

/** Errors caused by our own limit. */
const overLimit = new WeakSet<object>()

function connect(
  sqlite: Connection,
  path: string,
  watcher: RowWatcher,
  time: () => number,
  maxBytes: number
): Database {
  const scheduler = new Scheduler(time)
  const commits = new GroupCommit(sqlite, time, scheduler, path === ':memory:' ? () => undefined : sameFile(path))
  const shrinker = new Shrinker(sqlite, commits)
  const pageSize = sqlite.prepare('PRAGMA page_size').pluck().get() as number
  const usable = (maxBytes - Math.min(RESERVE, maxBytes * RESERVE_SHARE)) / pageSize
  if (maxBytes !== Infinity) sqlite.exec(`PRAGMA max_page_count = ${Math.floor(maxBytes / pageSize)}`)
  const savepoint = sqlite.prepare('SAVEPOINT writer')
  const release = sqlite.prepare('RELEASE writer')
  const rollbackTo = sqlite.prepare('ROLLBACK TO writer')
  const atomic: Database['atomic'] = (step, input, isKept) => {
    const { reported } = watcher
    savepoint.run()
    try {
      const value = step(input as never)
      if (isKept?.(value) === false) {
        rollbackTo.run()
        watcher.reported = reported
      }
      release.run()
      return value
    } catch (error) {
      // After some errors (disk full, I/O), SQLite has already rolled everything back and no savepoint is left.
      if (sqlite.inTransaction) {
        rollbackTo.run()
        release.run()
      }
      watcher.reported = reported
      throw error
    }
  }
  const touch = sqlite.prepare('UPDATE runs SET probe = 1 - probe')
  const begin = sqlite.prepare('BEGIN IMMEDIATE')
  const deferKeys = sqlite.prepare('PRAGMA defer_foreign_keys = ON')
  const rollback = sqlite.prepare('ROLLBACK')
  // Our limit fails a statement, never the commit; a full disk may fail either.
  const noteLimit = (error: unknown) => {
    if (maxBytes !== Infinity && isFull(error) && hasRoom(path)) overLimit.add(error as object)
  }
  const write: Database['write'] = (run, flow, place) => {
    const written = commits.write(run, flow, place)
    // The pages are free only after the commit.
    written.then(shrinker.wake, noteLimit)
    return written
  }
  return {
    prepare: sqlite.prepare.bind(sqlite),
    write,
    atomic,
    commits,
    scheduler,
    watcher,
    unwatched: (step) => watcher.watch(undefined, step),
    rolledBack: (step) => {
      begin.run()
      try {
        deferKeys.run()
        return watcher.watch(undefined, step)
      } finally {
        if (sqlite.inTransaction) rollback.run()
      }
    },
    inBulk: (steps) =>
      watcher.watch(undefined, () => {
        do if (steps.next().done === true) return true
        while (!commits.isTimeUp())
        return false
      }),
    get isNearlyFull() {
      return maxBytes !== Infinity && shrinker.used > usable
    },
    probe: () => write(() => void touch.run()),
    close: () => {
      commits.finish()
      sqlite.close()
    }
  }
}

/** Returns a check that a file is still where it was: the next server would not find what is written to another one. */
function sameFile(path: string): () => void {
  const file = resolve(path)
  const inode = () => {
    try {
      return statSync(file).ino
    } catch {
      return undefined
    }
  }
  const own = statSync(file).ino
  return () => {
    if (inode() !== own)
      throw new SqliteError('the database file was deleted, moved or replaced', 'SQLITE_READONLY_DBMOVED')
  }
}

/** Whether the disk has room. A database in memory cannot fill a disk. */
function hasRoom(path: string): boolean {
  if (path === ':memory:') return true
  const folder = dirname(path)
  // Somebody may have deleted it to make room.
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > NO_ROOM
}

function explain(error: unknown): string {
  if (error instanceof MigrationError) return error.cause === undefined ? `it ${error.message}` : error.message
  const result = sqliteCode(error)
  if (result?.startsWith('SQLITE_BUSY') === true)
    return 'it is open in another server; stop that one, or choose another --db'
  if (result === 'SQLITE_NOTADB') return 'the file is not an SQLite database'
  if (isDamaged(error)) return 'the file is damaged; put a copy in its place, or choose another --db'
  if (result === 'SQLITE_FULL') return 'the disk is full'
  const { code = '', message } = error as NodeJS.ErrnoException
  // A file on a read-only file system can be opened, but not locked for writing.
  const cannotWrite = UNWRITABLE.has(code) || /^SQLITE_(CANTOPEN|READONLY|IOERR_LOCK)/.test(result ?? '')
  return cannotWrite ? 'it is a directory, or cannot be written there' : message
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST'])

/** Whether the database cannot be written at the moment (disk full, read-only, I/O); nothing was changed. */
export function isUnwritable(error: unknown): boolean {
  return /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|NOMEM)/.test(sqliteCode(error) ?? '')
}

const isFull = (error: unknown) => sqliteCode(error) === 'SQLITE_FULL'

/** Whether the database has reached its maximum size; nothing was changed. */
export function isOverLimit(error: unknown): boolean {
  return overLimit.has(error as object)
}

/** Whether the file is damaged. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error) ?? '')
}
