import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import { type CamelCase, camelCase, type Found, type Stored } from '../db/table.js'
import { closed } from '../lib/closed.js'
import { isPlainTimestamp, parseTimestamp, toTimestamp } from '../lib/time.js'
import type { Catalogue } from '../profile/catalogue.js'
import type { Extra } from '../profile/fields.js'
import type { StateKind, StateWords } from '../profile/states.js'
import type { CatalogueList, Comparable } from './comparable.js'
import { EXTRA } from './extra.js'

/** What uses a field besides its column. */
type Use = 'document' | 'create' | 'update' | 'reply'

/** What the default of a field can depend on besides the row. */
export interface NewRow {
  readonly now: number
  /** `now` as a timestamp. */
  readonly timestamp: string
  readonly catalogue: Catalogue
  newId(): string
}

/** A field of a resource: all there is to know of it in one place. */
interface Field<Schema = TSchema | Named> {
  /** Its column, under the name of the field; see `db/table.ts` for this and the next two. */
  readonly type?: TSchema
  readonly isFixed?: boolean
  readonly from?: string
  /** What a new row has if nothing else is given. */
  readonly default?: unknown
  /**
   * The same where it depends on others.
   * @param given the values that are given
   * @param row the fields that are given, have a constant default, or come before this one
   */
  defaultOf?(tx: NewRow, given: never, row: never): unknown
  /** Its schema in a state document. */
  readonly document?: Schema
  /** Reads the value of a document or a request that is not stored as it is. */
  stored?(value: never): unknown
  /** Shows a stored value in a document where it is not stored as it is. */
  stated?(value: never): unknown
  /** Shows a stored value in a reply where it is not stored as it is. */
  shown?(value: never): unknown
  /** Its schema in a request that creates a resource. */
  readonly create?: Schema
  /** Its schema in a request that changes one. */
  readonly update?: Schema
  /** Its schema in a reply. */
  readonly reply?: Schema
  /** If it holds a state: what it is a state of. Documents and replies have it in the words of the profile. */
  readonly state?: StateKind
  /** If its values are from a list. */
  readonly list?: CatalogueList
  /** How a comparison with a real service takes it; see {@link ComparedAs}. */
  readonly compared?: ComparedAs
  /** Whether the mock takes it over from a reply of a real service although it is not compared. */
  readonly isCarried?: boolean
}

/**
 * `stable`: its value follows from the requests, so it is compared. `word`: the same, and its values are a closed
 * vocabulary. `message`: a sentence for people. `quantity`: a number as a text. `occasional`: some replies lack it. All
 * others are data, or chance.
 */
type ComparedAs = 'stable' | 'word' | 'message' | 'quantity' | 'occasional'

/** A schema of a field that has another name there. */
interface Named<Name extends string = string, Schema extends TSchema = TSchema> {
  readonly as: Name
  readonly schema: Schema
}

/** A field under another name than that of its column. */
export const as = <const Name extends string, Schema extends TSchema>(
  name: Name,
  schema: Schema
): { readonly as: Name; readonly schema: Schema } => ({ as: name, schema })

type Fields = Readonly<Record<string, Field>>

type StaticOf<Schemas extends TProperties> = Static<TObject<Schemas>>

/** A resource: its table (see `TableShape`), and what follows from its fields. */
export interface ResourceTable {
  readonly name: string
  readonly key: readonly string[]
  readonly join?: string
  readonly fields: Fields
}

type NameIn<F, U extends Use, Name> = F extends { readonly [K in U]: infer Given }
  ? Given extends Named<infer Other>
    ? Other
    : Name
  : never
type SchemaIn<F, U extends Use> = F extends { readonly [K in U]: infer Given }
  ? Given extends Named<string, infer Schema>
    ? Schema
    : Given extends TSchema
      ? Given
      : never
  : never

/** The properties that the fields have in one of their uses. */
type Properties<F extends Fields, U extends Use> = {
  -readonly [Name in keyof F as NameIn<F[Name], U, Name> & string]: SchemaIn<F[Name], U>
}

/** The properties that the fields have in one of their uses, for a schema. */
export function properties<F extends Fields, U extends Use>(fields: F, use: U): Properties<F, U> {
  return Object.fromEntries(usesOf(fields, use).map(({ shown, schema }) => [shown, schema])) as Properties<F, U>
}

/** A field in one of its uses. */
interface FieldUse {
  readonly field: Field
  /** Its name in a table, and in a record. */
  readonly name: string
  readonly record: string
  /** Its name and schema in this use. */
  readonly shown: string
  readonly schema: TSchema
}

/** The fields that have a use, in their order. */
function usesOf(fields: Fields, use: Use): FieldUse[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const given = field[use]
    if (given === undefined) return []
    const { as: shown, schema } = isNamed(given) ? given : { as: name, schema: given }
    return [{ field, name, record: camelCase(name), shown, schema }]
  })
}

const isNamed = (given: TSchema | Named): given is Named => 'as' in given

/**
 * Returns a function that reads what a document or a request gives of the columns. What is absent there is absent in
 * the result.
 */
export function reader<F extends Fields>(
  fields: F,
  use: Use
): (values: Readonly<Record<string, unknown>>) => Partial<Stored<F>> {
  const uses = usesOf(fields, use).filter(({ field }) => field.type !== undefined)
  return (values) => {
    const row: Record<string, unknown> = {}
    for (const { field, record, shown, schema } of uses) {
      const value = values[shown]
      if (value !== undefined) row[record] = storedForm(field, schema, value)
    }
    return row as Partial<Stored<F>>
  }
}

function storedForm(field: Field, schema: TSchema, value: unknown): unknown {
  if (field.stored !== undefined) return field.stored(value as never)
  return schema['format'] === 'timestamp' ? plainTimestamp(value as string) : value
}

/** A timestamp in the form of replies. */
const plainTimestamp = (text: string) => (isPlainTimestamp(text) ? text : toTimestamp(parseTimestamp(text)!))

type Row<F extends Fields> = Stored<F>
/** Some values of a row. */
type Some<F extends Fields> = { readonly [Name in keyof Row<F>]?: Row<F>[Name] | undefined }
/** The names in a record of the columns that have a default. */
type Defaulted<F extends Fields> = CamelCase<
  {
    [Name in keyof F]: F[Name] extends { readonly default: unknown } | { readonly defaultOf: unknown } ? Name : never
  }[keyof F] &
    string
>
/** The values of a new row. Those that have a default can be absent. */
type Given<F extends Fields> = Omit<Row<F>, Defaulted<F>> & Some<F>

/** Returns a function that completes a new row with the defaults of its fields. */
export function completer<F extends Fields>(fields: F): (tx: NewRow, given: Given<F>) => Row<F> {
  const all = Object.entries(fields).map(([name, field]) => ({ field, record: camelCase(name) }))
  const constant = all.filter(({ field }) => field.default !== undefined)
  const derived = all.filter(({ field }) => field.defaultOf !== undefined)
  return (tx, given) => {
    const row: Record<string, unknown> = { ...given }
    for (const { field, record } of constant) row[record] ??= field.default
    for (const { field, record } of derived) row[record] ??= field.defaultOf!(tx, given as never, row as never)
    return row as Row<F>
  }
}

/** A resource in a state document: its schema, and its row both ways. */
export function inDocument<F extends Fields>(fields: F, options?: { description: string }) {
  const schema = closed(properties(fields, 'document'), options)
  const uses = usesOf(fields, 'document').filter(({ field }) => field.type !== undefined)
  const given = reader(fields, 'document')
  const complete = completer(fields)
  return {
    schema,
    given,

    /** A row as a document shows it. A value that is null is absent there. */
    toState: (row: Row<F>): Static<typeof schema> => {
      const state: Record<string, unknown> = {}
      for (const { field, record, shown } of uses) {
        const value = row[record as keyof Row<F>]
        if (value !== null && value !== undefined)
          state[shown] = field.stated === undefined ? value : field.stated(value as never)
      }
      return state as Static<typeof schema>
    },

    /** The row that a document gives, with other values first. */
    toRow: (tx: NewRow, state: Static<typeof schema>, besides: Some<F>): Row<F> =>
      complete(tx, { ...given(state), ...besides } as Given<F>)
  }
}

/** Returns a function that says the states in a part of a document in other words. */
export function restater(fields: Fields) {
  const states = usesOf(fields, 'document').flatMap(({ field, shown }) =>
    field.state === undefined ? [] : [{ shown, kind: field.state }]
  )
  return <T extends object>(part: T, say: (kind: StateKind, state: string) => string): T => {
    const said = { ...part } as Record<string, unknown>
    for (const { shown, kind } of states) if (said[shown] !== undefined) said[shown] = say(kind, said[shown] as string)
    return said as T
  }
}

/** What a view of a resource shows for its derived fields. */
type Shows<F extends Fields, Context> = Readonly<Record<string, (row: Found<F>, context: Context) => unknown>>

/**
 * Returns a function that shows a row as the interface does. A field of the row without a value is absent.
 * @param shows the fields that are not simply those of the row, by their names in the reply
 */
export function viewer<F extends Fields, Context extends { readonly words: StateWords }>(
  fields: F,
  shows: Shows<F, Context>
): (row: Found<F>, context: Context) => StaticOf<Properties<F, 'reply'>> {
  const uses = usesOf(fields, 'reply').map((use) => ({ ...use, show: shows[use.shown] }))
  return (row, context) => {
    const view: Record<string | symbol, unknown> = {}
    const values = row as Readonly<Record<string, unknown>>
    for (const { field, record, shown, show } of uses) {
      if (show !== undefined) {
        const value = show(row, context)
        if (value !== undefined) view[shown] = value
        continue
      }
      const value = values[record]
      if (value === null || value === undefined) continue
      if (field.state !== undefined) view[shown] = context.words[field.state].toWire(value as string)
      else view[shown] = field.shown === undefined ? value : field.shown(value as never)
    }
    const { extra } = values as { readonly extra?: Extra | null }
    if (extra !== null && extra !== undefined) view[EXTRA] = extra
    return view as StaticOf<Properties<F, 'reply'>>
  }
}

/** What a comparison with a real service must know of the fields. */
export function comparable(fields: Fields): Comparable {
  const uses = usesOf(fields, 'reply')
  const namesOf = (...kinds: readonly ComparedAs[]) =>
    uses.filter(({ field }) => kinds.some((kind) => kind === field.compared)).map(({ shown }) => shown)
  const documents = new Map(usesOf(fields, 'document').map(({ shown, schema }) => [shown, schema]))
  return {
    identity: uses.find(({ name }) => name === 'id')?.shown,
    stable: namesOf('stable', 'word'),
    words: namesOf('word'),
    messages: namesOf('message'),
    quantities: namesOf('quantity'),
    occasional: namesOf('occasional'),
    states: Object.fromEntries(uses.flatMap(({ field, shown }) => (field.state ? [[shown, field.state]] : []))),
    lists: Object.fromEntries(uses.flatMap(({ field, shown }) => (field.list ? [[shown, field.list]] : []))),
    carried: uses.flatMap(({ field, shown }) => {
      const schema = documents.get(shown)
      const isCarried = field.isCarried === true || field.compared === 'stable' || field.compared === 'word'
      return isCarried && schema !== undefined
        ? [{ field: shown, schema, ...(field.list && { list: field.list }) }]
        : []
    })
  }
}
