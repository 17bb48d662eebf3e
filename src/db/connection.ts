import type Sqlite from 'better-sqlite3'

/**
 * A connection to SQLite. `pragma()` and `transaction()` are left out: the statements that they prepare cannot be kept.
 */
export type Connection = Pick<Sqlite.Database, 'prepare' | 'exec' | 'function' | 'inTransaction' | 'close'>
