import Sqlite from 'better-sqlite3'

/**
 * A connection to SQLite. `pragma()` and `transaction()` are left out: the statements that they prepare cannot be kept.
 */
export type Connection = Pick<Sqlite.Database, 'prepare' | 'exec' | 'function' | 'inTransaction' | 'close'>

// If the addon was compiled with the headers of Node 24.19 or later, Node aborts when one of its objects is
// garbage-collected (nodejs/node#65446). A closed connection that we keep holds no SQLite memory, only empty shells.
const mustKeep = process.versions.node.startsWith('24.')
const kept: unknown[] = []

function keep<T>(object: T): T {
  if (mustKeep) kept.push(object)
  return object
}

/** Opens a file, or `:memory:`. Refuses a file that is in use at once. */
export function openConnection(path: string): Connection {
  const sqlite = keep(new Sqlite(path, { timeout: 0 }))
  const prepare = sqlite.prepare.bind(sqlite)
  sqlite.prepare = (source: string) => keep(prepare(source))
  return sqlite
}
