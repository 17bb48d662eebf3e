import type { Connection } from './connection.js'

export interface WatchedTable {
  readonly name: string
  /** If set, only updates of these columns count; otherwise all changes of all columns do. */
  readonly updatesOf?: readonly string[]
}

/**
 * A row change as the trigger reports it, not decoded: its code, and a JSON array of the old values, the new ones, or
 * both, and then the rowid. Passing and keeping one string is much cheaper than separate values.
 */
export type RawChange = readonly [code: number, values: string]

/** Row changes with a cause of their own, among those of the write that they are part of. */
export interface CausedChanges {
  readonly changes: readonly RawChange[]
}

/** What a step reports, in order. */
type Sink = (RawChange | CausedChanges)[]

export type Row = Readonly<Record<string, unknown>>

/** A row change, by column name. */
export interface RowChange {
  readonly table: string
  readonly change: 'insert' | 'update' | 'delete'
  /** undefined if the row was inserted */
  readonly before: Row | undefined
  /** undefined if the row was deleted */
  readonly after: Row | undefined
}

const KINDS = ['insert', 'update', 'delete'] as const
type Kind = (typeof KINDS)[number]

/** The meaning of the code of a change. */
export interface Shape {
  readonly table: string
  readonly kind: Kind
  readonly columns: readonly string[]
}

/**
 * Reports every row change, including those of rows that the database deletes with their parent. Uses triggers that are
 * not stored in the file. Recording a change takes a few microseconds, because nothing is decoded.
 */
export class RowWatcher {
  /** By code. */
  readonly shapes: readonly Shape[]
  #sink: Sink | undefined

  constructor(
    private readonly sqlite: Connection,
    tables: readonly WatchedTable[]
  ) {
    const columnsOf = sqlite.prepare<[string], string>("SELECT name FROM pragma_table_info(?, 'main')").pluck()
    const shapes = tables.flatMap(({ name, updatesOf }) => {
      const columns = columnsOf.all(name).filter((column) => updatesOf?.includes(column) ?? true)
      return KINDS.map((kind) => ({ table: name, kind, columns, updatesOf }))
    })
    this.shapes = shapes.map(({ updatesOf: _, ...shape }) => shape)
    if (!this.isOn) return
    sqlite.function('rows_watched', () => (this.#sink === undefined ? 0 : 1))
    sqlite.function('row_changed', (code, values) => {
      this.#sink?.push([code as number, values as string])
    })
    for (const [code, { updatesOf, ...shape }] of shapes.entries())
      if (updatesOf === undefined || shape.kind === 'update') sqlite.exec(watchTrigger(shape, code, updatesOf))
  }

  get isOn(): boolean {
    return this.shapes.length > 0
  }

  /** Calls the listener with the sandbox of each row deleted from these tables, whether they are watched or not. */
  onDelete(tables: readonly string[], listener: (sandbox: number) => void): void {
    this.sqlite.function('row_deleted', (sandbox) => listener(sandbox as number))
    for (const table of tables) this.sqlite.exec(countTrigger(table))
  }

  /** Runs a step and adds its changes to this list only, or to none if it is undefined. */
  watch<T>(sink: Sink | undefined, step: () => T): T {
    const outer = this.divert(sink)
    try {
      return step()
    } finally {
      this.divert(outer)
    }
  }

  /** Adds changes to this list from now on, or to none if it is undefined. @returns where they went before */
  divert(sink: Sink | undefined): Sink | undefined {
    const before = this.#sink
    this.#sink = sink
    return before
  }

  /** Adds changes that were watched apart. */
  report(changes: CausedChanges): void {
    this.#sink?.push(changes)
  }

  /** Number of changes in the list. Set it back to drop the reports of changes that were rolled back. */
  get reported(): number {
    return this.#sink?.length ?? 0
  }

  set reported(count: number) {
    if (this.#sink !== undefined) this.#sink.length = count
  }

  /** Names the table and columns of a change. */
  decode([code, text]: RawChange): RowChange {
    const values = JSON.parse(text) as unknown[]
    const { table, kind, columns } = this.shapes[code]!
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

  isOf([code]: RawChange, table: string): boolean {
    return this.shapes[code]!.table === table
  }

  /**
   * Reads some columns of the rows inserted into a table, without building whole rows.
   * @returns a function that returns undefined for any other change
   */
  insertReader(table: string, columns: readonly string[]): (change: RawChange) => unknown[] | undefined {
    const code = this.shapes.findIndex((shape) => shape.table === table && shape.kind === 'insert')
    const places = columns.map((column) => this.shapes[code]?.columns.indexOf(column) ?? -1)
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

/** When no changes are being collected, the condition skips serializing the values, which is most of the cost. */
function watchTrigger({ table, kind, columns }: Shape, code: number, updatesOf: readonly string[] | undefined): string {
  const values = (row: 'OLD' | 'NEW') => columns.map((column) => `${row}."${column}"`)
  const all = [...(kind === 'insert' ? [] : values('OLD')), ...(kind === 'delete' ? [] : values('NEW'))]
  all.push(`${kind === 'insert' ? 'NEW' : 'OLD'}.rowid`)
  const event = updatesOf === undefined ? kind : `${kind} OF ${updatesOf.join(', ')}`
  return `CREATE TEMP TRIGGER "watch_${table}_${kind}" AFTER ${event} ON main."${table}" WHEN rows_watched()
    BEGIN SELECT row_changed(${code}, json_array(${all.join(', ')})); END`
}
