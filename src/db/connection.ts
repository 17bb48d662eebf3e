import Sqlite from 'better-sqlite3'

/**
 * A connection to SQLite. `pragma()` and `transaction()` are left out: they prepare statements that nobody could keep.
 */
export type Connection = Pick<Sqlite.Database, 'prepare' | 'exec' | 'function' | 'inTransaction' | 'close'>

// Where the addon was compiled with the headers of Node 24.19 or later, Node aborts when one of its objects is
// collected (nodejs/node#65446). A closed connection that is kept holds no memory of SQLite's, only its empty shells.
const mustKeep = process.versions.node.startsWith('24.')
const kept: unknown[] = []

function keep<T>(object: T): T {
  if (mustKeep) kept.push(object)
  return object
}

/** Opens a file, or `:memory:`. A file that is in use is refused at once. */
export function openConnection(path: string): Connection {
  const sqlite = keep(new Sqlite(path, { timeout: 0 }))
  const prepare = sqlite.prepare.bind(sqlite)
  sqlite.prepare = (source: string) => keep(prepare(source))
  return sqlite
}
