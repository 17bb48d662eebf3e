import type { Static, TOptional, TSchema } from '@sinclair/typebox'
import type { Connection } from './connection.js'

/** A field, under the name of its column. */
interface Column<Type extends TSchema = TSchema> {
  /**
   * Its value in a record. Booleans are stored as 0 or 1, objects and arrays as JSON, undefined as NULL. If absent, the
   * field has no column.
   */
  readonly type?: Type
  /** Whether it keeps its first value, and is in an index or a foreign key, which are slow to store again. */
  readonly isFixed?: boolean
  /** If set, it is not stored, but read with this expression. */
  readonly from?: string
  readonly [other: string]: unknown
}

type Columns = Readonly<Record<string, Column>>

/** A table and its fields. Each row also has the key of its sandbox, in the column `sandbox`. */
interface TableShape<C extends Columns = Columns> {
  readonly name: string
  /** The columns that tell the rows of a sandbox apart; they keep their first values. */
  readonly key: readonly Name<C>[]
  /** Joins the tables of its derived columns. */
  readonly join?: string
  readonly fields: C
}

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name
type Value<C> = C extends { readonly type: infer Type extends TSchema } ? Static<Type> : never
type Where<C, Trait> = { [Name in keyof C]: C[Name] extends Trait ? Name : never }[keyof C]
type Optional = { readonly type: TOptional<TSchema> }
type Derived = { readonly from: string }
type InTable = { readonly type: TSchema }

/** A row as it is read: its columns in camel case. */
export type Found<C> = {
  readonly [Name in Exclude<Where<C, InTable>, Where<C, Optional>> & string as CamelCase<Name>]: Value<C[Name]>
} & { readonly [Name in Where<C, Optional> & string as CamelCase<Name>]?: Value<C[Name]> | undefined }

/** A row as it is written. */
export type Stored<C> = Found<Omit<C, Where<C, Derived>>>

type Bindable = string | number | null
type Name<C extends Columns> = keyof C & string
/** The values of some columns, which are all stored as they are. */
type ValuesOf<C, By extends readonly (keyof C)[]> = { readonly [Index in keyof By]: Value<C[By[Index]]> }

/**
 * The statements that follow from the columns of a table; each is prepared once. Rows are read as arrays, and values
 * are bound by position, because the driver does both twice as fast as by name.
 */
export class Table<C extends Columns> {
  readonly #names: readonly Name<C>[]

  constructor(
    private readonly db: Pick<Connection, 'prepare'>,
    private readonly shape: TableShape<C>
  ) {
    this.#names = columnsOf(shape.fields)
  }

  /** Inserts a row. */
  inserter(): (sandbox: number, record: Stored<C>) => void {
    return this.#insert('')
  }

  /** Inserts a row, or replaces the one with its key. */
  replacer(): (sandbox: number, record: Stored<C>) => void {
    return this.#insert(
      `ON CONFLICT DO UPDATE SET ${this.#changing()
        .map((name) => `${name} = excluded.${name}`)
        .join()}`
    )
  }

  /** Stores the columns that can change. */
  saver(): (sandbox: number, record: Stored<C>) => void {
    const { name: table, key } = this.shape
    const changing = this.#changing()
    const where = [...key, 'sandbox'].map((name) => `${name} = ?`).join(' AND ')
    const set = changing.map((name) => `${name} = ?`).join()
    return this.#write(`UPDATE ${table} SET ${set} WHERE ${where}`, [...changing, ...key])
  }

  /** Removes the rows with some values. @returns how many */
  remover<const By extends readonly Name<C>[]>(...by: By) {
    const statement = this.db.prepare<[number, ...Bindable[]]>(
      `DELETE FROM ${this.shape.name} WHERE sandbox = ? ${this.#with(by)}`
    )
    return (sandbox: number, ...values: ValuesOf<C, By>): number =>
      statement.run(sandbox, ...(values as readonly Bindable[])).changes
  }

  /**
   * Removes the rows in which a number is not above a bound, and all but the highest of the others.
   * @param most maximum number of rows that stay
   */
  pruner(column: Name<C>, most: number): (sandbox: number, bound: number) => void {
    const { name: table } = this.shape
    const statement = this.db.prepare<[number, number, number, number]>(
      `DELETE FROM ${table} WHERE sandbox = ? AND (${column} <= ? OR rowid IN (
         SELECT rowid FROM ${table} WHERE sandbox = ? ORDER BY ${column} DESC LIMIT -1 OFFSET ?))`
    )
    return (sandbox, bound) => {
      statement.run(sandbox, bound, sandbox, most)
    }
  }

  /** Finds the row with some values. */
  finder<const By extends readonly Name<C>[]>(...by: By) {
    const { get } = this.query(this.#with(by))
    return (sandbox: number, ...values: ValuesOf<C, By>) => get(sandbox, ...(values as readonly Bindable[]))
  }

  /** Lists the rows with some values, in the order of their creation. */
  lister<const By extends readonly Name<C>[]>(...by: By) {
    const { all } = this.query(`${this.#with(by)} ORDER BY ${this.shape.name}.rowid`)
    return (sandbox: number, ...values: ValuesOf<C, By>) => all(sandbox, ...(values as readonly Bindable[]))
  }

  /**
   * Reads rows in any other way.
   * @param rest what follows `WHERE sandbox = ?`, with a `?` for each parameter
   */
  query(rest: string) {
    const { name: table, join = '', fields } = this.shape
    // Each needs a name, because before Node 22.16, Node's SQLite returns a row only as an object.
    const expressions = this.#names.map((name) => `${fields[name]!.from ?? `${table}.${name}`} AS "${name}"`)
    const statement = this.db
      .prepare<[number, ...Bindable[]], readonly unknown[]>(
        `SELECT ${expressions.join()} FROM ${table} ${join} WHERE ${table}.sandbox = ? ${rest}`
      )
      .raw(true)
    const toRecord = recordReader(fields, (_, index) => String(index))
    return {
      get: (sandbox: number, ...parameters: Bindable[]): Found<C> | undefined => {
        const row = statement.get(sandbox, ...parameters)
        return row === undefined ? undefined : toRecord(row)
      },
      all: (sandbox: number, ...parameters: Bindable[]): Found<C>[] =>
        statement.all(sandbox, ...parameters).map(toRecord)
    }
  }

  #with(by: readonly Name<C>[]): string {
    return by.map((name) => `AND ${this.shape.name}.${name} = ?`).join(' ')
  }

  /** The stored columns that can change. */
  #changing(): string[] {
    const { key, fields } = this.shape
    return this.#stored().filter((name) => fields[name]!.isFixed !== true && !key.includes(name))
  }

  #stored(): string[] {
    return this.#names.filter((name) => this.shape.fields[name]!.from === undefined)
  }

  #insert(onConflict: string): (sandbox: number, record: Stored<C>) => void {
    const names = this.#stored()
    const places = Array(names.length + 1)
      .fill('?')
      .join()
    return this.#write(
      `INSERT INTO ${this.shape.name} (${[...names, 'sandbox'].join()}) VALUES (${places}) ${onConflict}`,
      names
    )
  }

  #write(sql: string, names: readonly string[]): (sandbox: number, record: Stored<C>) => void {
    const statement = this.db.prepare<[Bindable[]]>(sql)
    const values = names.map((name) => toColumn(this.shape.fields[name]!, `record.${camelCase(name)}`))
    const bind = compiled(['record', 'sandbox'], `return [${[...values, 'sandbox'].join()}]`) as (
      record: Stored<C>,
      sandbox: number
    ) => Bindable[]
    return (sandbox, record) => {
      statement.run(bind(record, sandbox))
    }
  }
}

const columnsOf = <C extends Columns>(fields: C): readonly Name<C>[] =>
  Object.keys(fields).filter((name) => fields[name]!.type !== undefined)

/** Returns a function that makes a record of a row. @param keyOf the key of a value in a row; its column if absent */
export function recordReader<C extends Columns>(
  fields: C,
  keyOf: (name: string, index: number) => string = (name) => `'${name}'`
) {
  const members = columnsOf(fields).map(
    (name, index) => `${camelCase(name)}: ${fromColumn(fields[name]!, `row[${keyOf(name, index)}]`)}`
  )
  return compiled(['row'], `return { ${members.join()} }`) as (row: object) => Found<C>
}

/** Compiles a function, to handle a row as fast as hand-written code does. */
export function compiled(parameters: readonly string[], body: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is made of names of columns
  return new Function(...parameters, body)
}

export const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The JSON type of a column, which TypeBox's own kind does not show for `Unsafe`. */
const jsonTypeOf = ({ type }: Column) => type!['type'] as string | undefined

function toColumn(column: Column, value: string): string {
  switch (jsonTypeOf(column)) {
    case 'boolean':
      return `${value} ? 1 : 0`
    case 'object':
    case 'array':
      return `${value} == null ? null : JSON.stringify(${value})`
    default:
      return value
  }
}

function fromColumn(column: Column, value: string): string {
  switch (jsonTypeOf(column)) {
    case 'boolean':
      return `${value} === 1`
    case 'object':
    case 'array':
      return `${value} === null ? null : JSON.parse(${value})`
    default:
      return value
  }
}

type Method = (sandbox: number, ...rest: never[]) => unknown

/** A store bound to one sandbox: its methods without the sandbox key. */
type Bound<Store> = {
  readonly [Name in keyof Store as Store[Name] extends Method ? Name : never]: Store[Name] extends (
    sandbox: number,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never
}

/**
 * Makes bound views of a store. The statements stay in the store, prepared once. A view holds only the key, so making
 * one for a single call costs almost nothing.
 * @param store every method takes a sandbox key first
 */
export function binder<Store extends object>(store: Store): (sandbox: number) => Bound<Store> {
  class View {
    readonly sandbox: number
    constructor(sandbox: number) {
      this.sandbox = sandbox
    }
  }
  const methods = store as Record<string, (sandbox: number, ...rest: unknown[]) => unknown>
  for (const name of [...Object.keys(store), ...Object.getOwnPropertyNames(Object.getPrototypeOf(store))]) {
    if (name === 'constructor' || typeof methods[name] !== 'function') continue
    Object.defineProperty(View.prototype, name, {
      value(this: View, ...rest: unknown[]): unknown {
        return methods[name]!(this.sandbox, ...rest)
      }
    })
  }
  return (sandbox) => new View(sandbox) as unknown as Bound<Store>
}
