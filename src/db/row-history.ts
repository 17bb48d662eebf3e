import type { Slices } from '../lib/scheduler.js'
import type { Database } from './database.js'
import type { RawChange, Shape } from './row-watcher.js'

export type Value = string | number | null
type Statement = ReturnType<Database['prepare']>

/** The statements that repeat and undo one kind of change. */
interface Statements {
  readonly insert: Statement
  readonly update: Statement
  readonly remove: Statement
  readonly isTaken: Statement
  readonly moveAway: Statement
}

/** The statements for all rows of a sandbox in a table. */
interface Listing {
  /** Code of an insertion. */
  readonly code: number
  readonly list: Statement
  readonly clear: Statement
}

/**
 * Repeats and undoes row changes that the watcher of a database has reported, except those of the sandbox itself. They
 * must be complete and in order: rows are found by their rowids, which also keep lists in order.
 */
export class RowHistory {
  readonly #statements = new Map<string, Statements>()
  #known: readonly Listing[] | undefined

  constructor(private readonly db: Pick<Database, 'prepare' | 'watcher'>) {}

  /** All rows of a sandbox, as the insertions that would make them. */
  list(sandbox: number): RawChange[] {
    return this.#listings.flatMap(({ code, list }) =>
      (list.all(sandbox) as string[]).map((values): RawChange => [code, values])
    )
  }

  /** Deletes all rows of a sandbox, children first. */
  clear(sandbox: number): void {
    for (const { clear } of this.#listings.toReversed()) clear.run(sandbox)
  }

  /** Repeats a change. @param values decoded @param sandbox key of the sandbox to change */
  redo(code: number, values: readonly Value[], sandbox: number): void {
    this.#change(code, values, sandbox, true)
  }

  /** Undoes the newest change that has not been undone. @param sandbox key of the sandbox to change */
  undo([code, text]: RawChange, sandbox: number): void {
    this.#change(code, JSON.parse(text) as Value[], sandbox, false)
  }

  #change(code: number, values: readonly Value[], sandbox: number, isForward: boolean): void {
    const shape = this.db.watcher.shapes[code]!
    const { kind, columns } = shape
    const owner = columns.indexOf(OWNER)
    if (owner === -1) return
    const { insert, update, remove, isTaken, moveAway } = this.#statementsOf(shape)
    const row = values.at(-1)!
    const from = kind === 'update' && isForward ? columns.length : 0
    const target = values.slice(from, from + columns.length)
    target[owner] = sandbox
    if (kind === 'update') {
      update.run([...target, row])
    } else if ((kind === 'insert') === isForward) {
      // Another sandbox may use the rowid by now. Its row can have any other.
      if (isTaken.get(row) !== undefined) moveAway.run(row)
      insert.run([...target, row])
    } else {
      remove.run(row)
    }
  }

  get #listings(): readonly Listing[] {
    return (this.#known ??= this.db.watcher.shapes.flatMap(({ table, kind, columns }, code) =>
      kind === 'insert' && columns.includes(OWNER)
        ? [
            {
              code,
              list: this.db
                .prepare(
                  `SELECT json_array(${columns.map((column) => `"${column}"`).join(', ')}, rowid) FROM "${table}"
                     WHERE ${OWNER} = ? ORDER BY rowid`
                )
                .pluck(),
              clear: this.db.prepare(`DELETE FROM "${table}" WHERE ${OWNER} = ?`)
            }
          ]
        : []
    ))
  }

  #statementsOf({ table, columns }: Shape): Statements {
    const known = this.#statements.get(table)
    if (known !== undefined) return known
    const names = columns.map((column) => `"${column}"`)
    const statements: Statements = {
      insert: this.db.prepare(
        `INSERT INTO "${table}" (${names.join(', ')}, rowid) VALUES (${names.map(() => '?, ').join('')}?)`
      ),
      update: this.db.prepare(`UPDATE "${table}" SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE rowid = ?`),
      remove: this.db.prepare(`DELETE FROM "${table}" WHERE rowid = ?`),
      isTaken: this.db.prepare(`SELECT 1 FROM "${table}" WHERE rowid = ?`),
      moveAway: this.db.prepare(`UPDATE "${table}" SET rowid = (SELECT max(rowid) + 1 FROM "${table}") WHERE rowid = ?`)
    }
    this.#statements.set(table, statements)
    return statements
  }
}

/**
 * Undoes changes in a list of rows that {@link RowHistory.list} has made.
 * @param changes the newest first
 */
export function* undone(
  rows: readonly RawChange[],
  changes: readonly RawChange[],
  shapes: readonly Shape[]
): Slices<RawChange[]> {
  /** Parents first. */
  const tables = new Map<string, { readonly code: number; readonly rows: Map<number, string> }>()
  for (const [code, { table, kind, columns }] of shapes.entries())
    if (kind === 'insert' && columns.includes(OWNER)) tables.set(table, { code, rows: new Map() })
  for (const [index, [code, text]] of [...rows, ...changes].entries()) {
    const { table, kind, columns } = shapes[code]!
    const values = JSON.parse(text) as Value[]
    const row = values.at(-1) as number
    const known = tables.get(table)?.rows
    if (index >= rows.length && kind === 'insert') known?.delete(row)
    else known?.set(row, kind === 'update' ? JSON.stringify([...values.slice(0, columns.length), row]) : text)
    if (index % STEP === 0) yield
  }
  return [...tables.values()].flatMap(({ code, rows }) =>
    [...rows].sort(([one], [other]) => one - other).map(([, text]): RawChange => [code, text])
  )
}

/** Rows per slice. */
const STEP = 100

/** The column with the key of a row's sandbox. */
const OWNER = 'sandbox'
