import type { Connection } from './connection.js'

/** A table whose changes are watched. */
export interface WatchedTable {
  readonly name: string
  /** The only columns that count, and only where they are updated. If absent, all columns and all kinds of changes. */
  readonly updatesOf?: readonly string[]
}

/**
 * A change of a row as the trigger tells it, not decoded: its code, and a JSON array of the old values, the new ones,
 * or both. One text is taken over, and kept, for much less than as many values.
 */
export type RawChange = readonly [code: number, values: string]

export type Row = Readonly<Record<string, unknown>>

/** A change of a row, by the names of its columns. */
export interface RowChange {
  readonly table: string
  readonly change: 'insert' | 'update' | 'delete'
  /** undefined: it came into being. */
  readonly before: Row | undefined
  /** undefined: it was deleted. */
  readonly after: Row | undefined
}

const KINDS = ['insert', 'update', 'delete'] as const
type Kind = (typeof KINDS)[number]

interface Shape {
  readonly table: string
  readonly kind: Kind
  readonly columns: readonly string[]
}

/**
 * Tells of every change of a row, whoever makes it: a statement, or the database itself where rows go with their
 * parent. Triggers do that, which live as long as the connection and are no part of the file. Noting a change costs a
 * few microseconds, for nothing is decoded.
 */
export class RowWatcher {
  readonly #sqlite: Connection
  readonly #shapes: readonly Shape[]
  #sink: RawChange[] | undefined

  /** @param tables those that there are not are passed over */
  constructor(sqlite: Connection, tables: readonly WatchedTable[]) {
    this.#sqlite = sqlite
    const columnsOf = sqlite.prepare<[string], string>("SELECT name FROM pragma_table_info(?, 'main')").pluck()
    const shapes = tables.flatMap(({ name, updatesOf }) => {
      const columns = columnsOf.all(name).filter((column) => updatesOf?.includes(column) ?? true)
      return columns.length === 0 ? [] : KINDS.map((kind) => ({ table: name, kind, columns, updatesOf }))
    })
    this.#shapes = shapes.map(({ updatesOf: _, ...shape }) => shape)
    if (!this.isOn) return
    sqlite.function('rows_watched', () => (this.#sink === undefined ? 0 : 1))
    sqlite.function('row_changed', (code, values) => {
      this.#sink?.push([code as number, values as string])
    })
    for (const [code, { updatesOf, ...shape }] of shapes.entries())
      if (updatesOf === undefined || shape.kind === 'update') sqlite.exec(watchTrigger(shape, code, updatesOf))
  }

  /** Whether any table is watched. */
  get isOn(): boolean {
    return this.#shapes.length > 0
  }

  /** Tells of each row that is deleted from some tables, whatever is watched, by the sandbox that it was in. */
  onDelete(tables: readonly string[], listener: (sandbox: number) => void): void {
    this.#sqlite.function('row_deleted', (sandbox) => {
      listener(sandbox as number)
    })
    for (const table of tables) this.#sqlite.exec(countTrigger(table))
  }

  /** Runs a step whose changes go into a list, and into no other; nowhere, if there is none. */
  watch<T>(sink: RawChange[] | undefined, step: () => T): T {
    const outer = this.#sink
    this.#sink = sink
    try {
      return step()
    } finally {
      this.#sink = outer
    }
  }

  /** Runs a step that undoes what it does if it throws; then nothing of it is told. */
  undoing<T>(step: () => T): T {
    const sink = this.#sink
    if (sink === undefined) return step()
    const { length } = sink
    try {
      return step()
    } catch (error) {
      sink.length = length
      throw error
    }
  }

  /** Gives a change the names of its table and columns. */
  decode([code, text]: RawChange): RowChange {
    const values = JSON.parse(text) as unknown[]
    const { table, kind, columns } = this.#shapes[code]!
    const rowFrom = (start: number): Row => {
      const row: Record<string, unknown> = {}
      for (const [index, column] of columns.entries()) row[column] = values[start + index]
      return row
    }
    return {
      table,
      change: kind,
      before: kind === 'insert' ? undefined : rowFrom(0),
      after: kind === 'delete' ? undefined : rowFrom(kind === 'update' ? columns.length : 0)
    }
  }

  /** Whether a change is one of a table. */
  isOf([code]: RawChange, table: string): boolean {
    return this.#shapes[code]!.table === table
  }

  /**
   * Reads some columns of the rows that come into being in a table, without making rows of them.
   * @returns a function that answers undefined for any other change
   */
  insertReader(table: string, columns: readonly string[]): (change: RawChange) => unknown[] | undefined {
    const code = this.#shapes.findIndex((shape) => shape.table === table && shape.kind === 'insert')
    const places = columns.map((column) => this.#shapes[code]?.columns.indexOf(column) ?? -1)
    return ([own, text]) => {
      if (own !== code) return undefined
      const values = JSON.parse(text) as unknown[]
      return places.map((place) => values[place])
    }
  }
}

function countTrigger(table: string): string {
  return `CREATE TEMP TRIGGER "deleted_${table}" AFTER DELETE ON main."${table}"
    BEGIN SELECT row_deleted(OLD.sandbox); END`
}

/** Where nobody watches, the condition spares writing down the values, which is most of the cost. */
function watchTrigger({ table, kind, columns }: Shape, code: number, updatesOf: readonly string[] | undefined): string {
  const values = (row: 'OLD' | 'NEW') => columns.map((column) => `${row}."${column}"`)
  const all = [...(kind === 'insert' ? [] : values('OLD')), ...(kind === 'delete' ? [] : values('NEW'))]
  const event = updatesOf === undefined ? kind : `${kind} OF ${updatesOf.join(', ')}`
  return `CREATE TEMP TRIGGER "watch_${table}_${kind}" AFTER ${event} ON main."${table}" WHEN rows_watched()
    BEGIN SELECT row_changed(${code}, json_array(${all.join(', ')})); END`
}
