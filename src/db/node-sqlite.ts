import type { Connection } from './connection.js'
import { SqliteError } from './sqlite-error.js'

// The parts of Node's own SQLite (Node 22.13 or later) that a connection needs. The oldest Node that we support has no
// types for it.

interface NodeStatement {
  run: (...values: unknown[]) => { readonly changes: number }
  get: (...values: unknown[]) => unknown
  all: (...values: unknown[]) => unknown[]
  /** Absent before Node 22.16. */
  setReturnArrays?: (isOn: boolean) => void
}

interface NodeDatabase {
  prepare: (sql: string) => NodeStatement
  exec: (sql: string) => void
  function: (name: string, run: (...values: never[]) => unknown) => void
  close: () => void
  /** Absent before Node 22.16. */
  readonly isTransaction?: boolean
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeDatabase
}

/** Returns a function that opens a file, or `:memory:`, with Node's own SQLite; undefined if this Node has none. */
export function loadNodeSqlite(): ((path: string) => Connection) | undefined {
  const warner: { emitWarning: unknown } = process
  const { emitWarning } = warner
  // It is experimental, as the server itself says when it uses it.
  warner.emitWarning = () => undefined
  try {
    const sqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined
    return sqlite && ((path) => new NodeConnection(named(() => new sqlite.DatabaseSync(path))) as unknown as Connection)
  } finally {
    warner.emitWarning = emitWarning
  }
}

class NodeConnection {
  #isOpen = true

  constructor(private readonly database: NodeDatabase) {}

  prepare(sql: string): Statement {
    return new Statement(named(() => this.database.prepare(sql)))
  }

  exec(sql: string): this {
    named(() => this.database.exec(sql))
    return this
  }

  function(name: string, run: (...values: never[]) => unknown): this {
    this.database.function(name, run)
    return this
  }

  get inTransaction(): boolean {
    return this.#isOpen && (this.database.isTransaction ?? !this.#canBegin())
  }

  /** Whether no transaction is open. */
  #canBegin(): boolean {
    try {
      this.database.exec('BEGIN; ROLLBACK')
      return true
    } catch {
      return false
    }
  }

  close(): this {
    if (this.#isOpen) this.database.close()
    this.#isOpen = false
    return this
  }
}

class Statement {
  /** Converts a row, which Node returns as an object without a prototype. */
  #shape = (row: unknown): unknown => ({ ...(row as object) })

  constructor(private readonly statement: NodeStatement) {}

  run(...values: unknown[]) {
    return named(() => this.statement.run(...bindable(values)))
  }

  get(...values: unknown[]): unknown {
    const row = named(() => this.statement.get(...bindable(values)))
    return row === undefined ? undefined : this.#shape(row)
  }

  all(...values: unknown[]): unknown[] {
    return named(() => this.statement.all(...bindable(values))).map(this.#shape)
  }

  /** Rows become the value of their first column. */
  pluck(): this {
    const toArray = this.#arrays()
    this.#shape = (row) => toArray(row)[0]
    return this
  }

  /** Rows become arrays. */
  raw(): this {
    this.#shape = this.#arrays()
    return this
  }

  #arrays(): (row: unknown) => readonly unknown[] {
    if (this.statement.setReturnArrays === undefined) return (row) => Object.values(row as object) as unknown[]
    this.statement.setReturnArrays(true)
    return (row) => row as readonly unknown[]
  }
}

/** The names of the result codes that we distinguish. */
const CODES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  3850: 'SQLITE_IOERR_LOCK'
}

/** Runs something, and throws its errors in the form of the addon. */
function named<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    const { code, errcode = 1, message } = error as NodeJS.ErrnoException & { readonly errcode?: number }
    if (code !== 'ERR_SQLITE_ERROR') throw error
    throw new SqliteError(message, CODES[errcode] ?? CODES[errcode & 0xff] ?? 'SQLITE_ERROR')
  }
}

/** Values in the form that Node takes: as an array, without undefined. */
function bindable(values: readonly unknown[]): unknown[] {
  const [first] = values
  const all = Array.isArray(first) ? (first as readonly unknown[]) : values
  return all.map((value): unknown => value ?? null)
}
