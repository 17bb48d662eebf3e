import { existsSync, mkdirSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { SqliteError } from 'better-sqlite3'
import { Pacer } from '../lib/pacer.js'
import { type Connection, openConnection } from './connection.js'
import { GroupCommit } from './group-commit.js'
import { checkMigrations, migrate, MigrationError } from './migrate.js'
import { RowWatcher, type WatchedTable } from './row-watcher.js'
import { CAN_SHRINK, Shrinker } from './shrink.js'
import { UndoLog } from './undo-log.js'

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
  /** See {@link GroupCommit.isTimeUp}. */
  isTimeUp: () => boolean
  /** See {@link GroupCommit.isHeld}. */
  isHeld: (lane: unknown) => boolean
  /** See {@link GroupCommit.isWaiting}. */
  isWaiting: (lane: unknown) => boolean
  /** What comes between two transactions that take long. */
  readonly pacer: Pacer
  /** Tells which rows change. */
  readonly watcher: RowWatcher
  /** Undoes what several transactions have done. */
  readonly undoLog: UndoLog
  /** Runs a part of a write of which no row change is told: what it does is no business of those who watch. */
  unwatched: <T>(step: () => T) => T
  /**
   * Runs steps of a bulk change until their time in this transaction is up. No row change is told, and there is no
   * savepoint: if one of them throws, what was done before stays.
   * @returns whether that were all
   */
  inBulk: (steps: Iterator<unknown>) => boolean
  /** Whether it has nearly reached the size that it may have. The rest is for what deletes. */
  readonly isNearlyFull: boolean
  /** Commits something that does not matter. @throws the database's error if it cannot be written */
  probe: () => Promise<void>
  /** Commits what is queued and releases the file. */
  close: () => void
}

/**
 * Opens a database file (or `:memory:`), creating or upgrading it as needed. The file stays locked until it is closed,
 * so that no second server works on it.
 * @param watched tables whose changes {@link Database.watcher} can tell
 * @param time milliseconds that never go back, for the time that a transaction may take; without it, that is as long as
 * it likes
 * @param maxBytes how large it may become
 * @throws {DatabaseError} if the file cannot be used; then nothing has been changed on disk
 */
export function openDatabase(
  path: string,
  watched: readonly WatchedTable[] = [],
  time = () => 0,
  maxBytes = Infinity
): Database {
  let sqlite: Connection | undefined
  try {
    if (path !== ':memory:') ensureDirectory(dirname(path))
    sqlite = openConnection(path)
    checkFile(sqlite)
    sqlite.exec(CAN_SHRINK)
    sqlite.exec('PRAGMA journal_mode = WAL')
    // One large transaction makes the WAL large; it is cut off when the next one begins it from the start.
    sqlite.exec(`PRAGMA journal_size_limit = ${MAX_WAL}`)
    sqlite.exec('PRAGMA synchronous = FULL')
    sqlite.exec('PRAGMA foreign_keys = ON')
    // What a savepoint keeps for its undoing outgrows SQLite's own buffer at once; written to a file, that was a third
    // of a create.
    sqlite.exec('PRAGMA temp_store = MEMORY')
    migrate(sqlite)
    return connect(sqlite, path, new RowWatcher(sqlite, watched), time, maxBytes)
  } catch (error) {
    sqlite?.close()
    throw unusable(path, error)
  }
}

/** Tells in one line why a database cannot be used. */
export function unusable(path: string, error: unknown): DatabaseError {
  return new DatabaseError(`cannot use the database ${path}: ${explain(error)}`, { cause: error })
}

/**
 * Locks a file, and checks that it can be used.
 * @throws what is wrong with it; then nothing has been changed
 */
export function checkFile(sqlite: Connection): void {
  // The lock comes first and everything is checked under it, so that a refused file keeps every byte.
  sqlite.exec('PRAGMA locking_mode = EXCLUSIVE')
  checkMigrations(sqlite)
  checkPages(sqlite)
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

/**
 * What of the largest size is kept for deletions, which write, too: at most so many bytes, or this share of a small
 * database.
 */
const RESERVE = 16 * 1024 * 1024
const RESERVE_SHARE = 1 / 8

/** What the WAL may take up when it begins from the start. */
const MAX_WAL = 16 * 1024 * 1024

/** With less room than this on the disk, it is the disk that is full. */
const NO_ROOM = 16 * 1024 * 1024

/** Errors that a limit of our own has caused. */
const overLimit = new WeakSet<object>()

function connect(
  sqlite: Connection,
  path: string,
  watcher: RowWatcher,
  time: () => number,
  maxBytes: number
): Database {
  const pacer = new Pacer(time)
  const commits = new GroupCommit(sqlite, time, pacer)
  const shrinker = new Shrinker(sqlite, commits)
  const pageSize = sqlite.prepare('PRAGMA page_size').pluck().get() as number
  const usable = (maxBytes - Math.min(RESERVE, maxBytes * RESERVE_SHARE)) / pageSize
  if (maxBytes !== Infinity) sqlite.exec(`PRAGMA max_page_count = ${Math.floor(maxBytes / pageSize)}`)
  const atomic: Database['atomic'] = (step) => watcher.undoing(() => commits.atomic(step))
  const touch = sqlite.prepare('UPDATE runs SET probe = 1 - probe')
  const write: Database['write'] = (run, lane, place) => {
    const written = commits.write(maxBytes === Infinity ? run : () => telling(run), lane, place)
    shrinker.wake()
    return written
  }
  /** The limit is met by a statement, never by the commit; so may a full disk be. */
  const telling = <T>(run: () => T): T => {
    try {
      return run()
    } catch (error) {
      if (isFull(error) && hasRoom(path)) overLimit.add(error as object)
      throw error
    }
  }
  return {
    prepare: sqlite.prepare.bind(sqlite),
    write,
    atomic,
    isTimeUp: commits.isTimeUp.bind(commits),
    isHeld: commits.isHeld.bind(commits),
    isWaiting: commits.isWaiting.bind(commits),
    pacer,
    undoLog: new UndoLog(sqlite),
    watcher,
    unwatched: (step) => watcher.watch(undefined, step),
    inBulk: (steps) =>
      watcher.watch(undefined, () => {
        do if (steps.next().done === true) return true
        while (!commits.isTimeUp())
        return false
      }),
    get isNearlyFull() {
      return maxBytes !== Infinity && shrinker.used > usable
    },
    probe: () =>
      write(() => {
        atomic(() => {
          touch.run()
        })
      }),
    close: () => {
      commits.finish()
      sqlite.close()
    }
  }
}

/** Whether the disk has room; what is in memory has no disk to fill. */
function hasRoom(path: string): boolean {
  if (path === ':memory:') return true
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize > NO_ROOM
}

function explain(error: unknown): string {
  if (error instanceof MigrationError) return error.cause === undefined ? `it ${error.message}` : error.message
  if (error instanceof SqliteError) {
    if (error.code.startsWith('SQLITE_BUSY'))
      return 'it is open in another server; stop that one, or choose another --db'
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

/**
 * Whether an error says that the database cannot be written for now (disk full, read-only, I/O): nothing was changed.
 */
export function isUnwritable(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|NOMEM)/.test(error.code)
}

const isFull = (error: unknown) => error instanceof SqliteError && error.code === 'SQLITE_FULL'

/** Whether an error says that the database is as large as it may be: nothing was changed. */
export function isOverLimit(error: unknown): boolean {
  return overLimit.has(error as object)
}

/** Whether an error says that what was read from the file cannot be right. */
export function isDamaged(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)
}
