import type Sqlite from 'better-sqlite3'

/** A connection to SQLite, without methods that prepare a statement on each call. */
export type Connection = Pick<Sqlite.Database, 'prepare' | 'exec' | 'function' | 'inTransaction' | 'close'>
