import type { Static, TArray, TObject, TProperties, TSchema } from '@sinclair/typebox'
import { type CamelCase, camelCase, compiled, type Found, type Stored } from '../db/table.js'
import { strict } from '../lib/strict.js'
import { parseTimestamp, toTimestamp } from '../lib/time.js'
import type { Catalogue } from '../profile/catalogue.js'
import type { StateKind, StateWords } from '../profile/states.js'
import type { StoredKind } from '../profile/stored-kinds.js'
import type { CatalogueList, Comparable, Masked } from './comparable.js'
import { EXTRA } from './extra.js'

/** The uses of a field, other than in its table. */
type Use = 'document' | 'create' | 'update' | 'reply'

/** What defaults can depend on, other than the row. */
export interface NewRow {
  readonly now: number
  /** `now` as a timestamp. */
  readonly timestamp: string
  readonly catalogue: Catalogue
  newId(): string
}

/** Everything about a field of a resource. */
interface Field<Schema = TSchema | Named> {
  /** Its column, named like the field; see `db/table.ts` for this and the next two. */
  readonly type?: TSchema
  readonly isFixed?: boolean
  readonly from?: string
  readonly default?: unknown
  /**
   * A default that depends on other fields.
   * @param row the fields that are given, have a constant default, or come before this one
   */
  defaultOf?(tx: NewRow, given: never, row: never): unknown
  /** Its schema in a state document. */
  readonly document?: Schema
  /** Its schema in a request that creates a resource. */
  readonly create?: Schema
  /** Its schema in a request that changes one. */
  readonly update?: Schema
  /** Its schema in a reply. */
  readonly reply?: Schema
  /** Converts a value from a document or a request to its stored form. */
  stored?(value: never): unknown
  /** Converts a stored value to its form in a document. */
  stated?(value: never): unknown
  /** Converts a stored value to its form in a reply. */
  shown?(value: never): unknown
  /** The kind of state that it holds, if any. Documents and replies have it in the words of the profile. */
  readonly state?: StateKind
  /** The kind of resource whose further fields it holds, if any. */
  readonly extraOf?: StoredKind
  /** The list that its values are from, if any. */
  readonly list?: CatalogueList
  readonly compared?: ComparedAs
  /** How masking treats its text, unless its schema or list says so. */
  readonly masked?: Masked
  /** Whether the mock copies it from a reply of a real service although it is not compared. */
  readonly isCarried?: boolean
}

/**
 * How to compare a field with that of a real service. `stable`: its value follows from the requests, so it is compared.
 * `word`: as `stable`, with a closed vocabulary. `occasional`: some replies lack it. All others are data, or random.
 */
type ComparedAs = 'stable' | 'word' | 'occasional'

/** The schema of a field in a use in which it has another name. */
interface Named<Name extends string = string, Schema extends TSchema = TSchema> {
  readonly as: Name
  readonly schema: Schema
}

/** Gives a field another name than that of its column. */
export const as = <const Name extends string, Schema extends TSchema>(
  name: Name,
  schema: Schema
): { readonly as: Name; readonly schema: Schema } => ({ as: name, schema })

type Fields = Readonly<Record<string, Field>>

type StaticOf<Schemas extends TProperties> = Static<TObject<Schemas>>

/** A resource, with its table (see `TableShape`). */
export interface ResourceTable<F extends Fields = Fields> {
  readonly name: string
  /** The name of the schema of its replies, if it has one. */
  readonly shownAs?: string
  readonly key: readonly string[]
  readonly join?: string
  readonly fields: F
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

type Properties<F extends Fields, U extends Use> = {
  -readonly [Name in keyof F as NameIn<F[Name], U, Name> & string]: SchemaIn<F[Name], U>
}

/** The properties of the schema for one use of the fields. */
export function properties<F extends Fields, U extends Use>(fields: F, use: U): Properties<F, U> {
  return Object.fromEntries(usesOf(fields, use).map(({ shown, schema }) => [shown, schema])) as Properties<F, U>
}

/** A field in one of its uses. */
interface FieldUse {
  readonly field: Field
  /** Its name in the table. */
  readonly name: string
  /** Its name in a record. */
  readonly record: string
  /** Its name in this use. */
  readonly shown: string
  readonly schema: TSchema
}

function usesOf(fields: Fields, use: Use): FieldUse[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const given = field[use]
    if (given === undefined) return []
    const { as: shown, schema } = isNamed(given) ? given : { as: name, schema: given }
    return [{ field, name, record: camelCase(name), shown, schema }]
  })
}

const isNamed = (given: TSchema | Named): given is Named => 'as' in given

/** Returns a function that reads the columns that a document or a request gives; the others are absent. */
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
  // Timestamps are stored in the server's own form.
  return schema['format'] === 'timestamp' ? toTimestamp(parseTimestamp(value as string)!) : value
}

type Row<F extends Fields> = Stored<F>
/** Some values of a row. */
type Some<F extends Fields> = { readonly [Name in keyof Row<F>]?: Row<F>[Name] | undefined }
/** The names, as in a record, of the columns that have a default. */
type Defaulted<F extends Fields> = CamelCase<
  {
    [Name in keyof F]: F[Name] extends { readonly default: unknown } | { readonly defaultOf: unknown } ? Name : never
  }[keyof F] &
    string
>
/** The values of a new row, of which those with a default can be absent. */
type Given<F extends Fields> = Omit<Row<F>, Defaulted<F>> & Some<F>

/** Returns a function that completes a new row with the defaults of its fields. */
export function completer<F extends Fields>(fields: F): (tx: NewRow, given: Given<F>) => Row<F> {
  const all = Object.entries(fields)
    .filter(([, { type }]) => type !== undefined)
    .map(([name, field]) => ({ field, record: camelCase(name) }))
  const derived = all.filter(({ field }) => field.defaultOf !== undefined)
  const members = all.map(
    ({ field: { default: value }, record }) =>
      `${record}: given.${record}${value === undefined ? '' : ` ?? ${JSON.stringify(value)}`}`
  )
  // A literal: an object with so many properties, added one by one, would become a slow hash table.
  const begin = compiled(['given'], `return { ${members.join()} }`) as (given: Given<F>) => Record<string, unknown>
  return (tx, given) => {
    const row = begin(given)
    for (const { field, record } of derived) row[record] ??= field.defaultOf!(tx, given as never, row as never)
    return row as Row<F>
  }
}

/** A resource in a state document: its schema, and its row both ways. */
export function inDocument<F extends Fields>(table: ResourceTable<F>, options?: { description: string }) {
  const { fields } = table
  const schema = strict(properties(fields, 'document'), options)
  const uses = usesOf(fields, 'document').filter(({ field }) => field.type !== undefined)
  const given = reader(fields, 'document')
  const complete = completer(fields)
  const states = uses.filter(({ field }) => field.state !== undefined)
  return {
    table,
    schema,
    given,
    /** Whether it has a state. */
    hasState: states.length > 0,
    /** The kind under which a profile can give it further fields. */
    kind: uses.find(({ field }) => field.extraOf !== undefined)?.field.extraOf,

    /** A row as a document shows it, without nulls. */
    toState: (row: Row<F>): Static<typeof schema> => {
      const state: Record<string, unknown> = {}
      for (const { field, record, shown } of uses) {
        const value = row[record as keyof Row<F>]
        if (value !== null && value !== undefined)
          state[shown] = field.stated === undefined ? value : field.stated(value as never)
      }
      return state as Static<typeof schema>
    },

    /** Translates the states in what {@link toState} returns. */
    restate: <T extends object>(state: T, translate: (kind: StateKind, text: string) => string): T => {
      const copy = { ...state } as Record<string, unknown>
      for (const { field, shown } of states)
        if (copy[shown] !== undefined) copy[shown] = translate(field.state!, copy[shown] as string)
      return copy as T
    },

    /** The row that a document gives. @param others values that override those of the document */
    toRow: (tx: NewRow, state: Static<typeof schema>, others: Some<F>): Row<F> =>
      complete(tx, { ...given(state), ...others } as Given<F>)
  }
}

/** Computes the fields of a reply that are not columns, by their names there. */
type Shows<F extends Fields, Context> = Readonly<Record<string, (row: Found<F>, context: Context) => unknown>>

/** Returns a function that shows a row as the interface does, without nulls. */
export function viewer<F extends Fields, Context extends { readonly words: StateWords }>(
  fields: F,
  shows: Shows<F, Context>
): (row: Found<F>, context: Context) => StaticOf<Properties<F, 'reply'>> {
  const lines = usesOf(fields, 'reply').map(({ field, name, record, shown }) => {
    if (shows[shown] !== undefined)
      return `value = shows.${shown}(row, context); if (value !== undefined) view.${shown} = value`
    const isAsStored = field.state === undefined && field.shown === undefined
    const show = field.state === undefined ? `fields.${name}.shown` : `context.words.${field.state}.toWire`
    return `value = row.${record}; if (value != null) view.${shown} = ${isAsStored ? 'value' : `${show}(value)`}`
  })
  lines.push('if (row.extra != null) view[EXTRA] = row.extra', 'return view')
  const view = compiled(
    ['fields', 'shows', 'EXTRA', 'row', 'context'],
    `const view = {}; let value; ${lines.join('; ')}`
  ) as (...parameters: unknown[]) => StaticOf<Properties<F, 'reply'>>
  return (row, context) => view(fields, shows, EXTRA, row, context)
}

/** The fields of replies whose values are from a list. */
export const listsIn = (fields: Fields): Readonly<Record<string, CatalogueList>> =>
  Object.fromEntries(usesOf(fields, 'reply').flatMap(({ field, shown }) => (field.list ? [[shown, field.list]] : [])))

/** How to compare the fields with those of a real service. */
export function comparable(fields: Fields): Comparable {
  const [uses, created] = [usesOf(fields, 'reply'), usesOf(fields, 'create')]
  const namesOf = (...kinds: readonly ComparedAs[]) =>
    uses.filter(({ field }) => kinds.some((kind) => kind === field.compared)).map(({ shown }) => shown)
  const documents = new Map(usesOf(fields, 'document').map((use) => [use.name, use]))
  return {
    identity: uses.find(({ name }) => name === 'id')?.shown,
    stable: namesOf('stable', 'word'),
    sent: Object.fromEntries(
      usesOf(fields, 'update').flatMap(({ name, shown }) =>
        uses.filter((use) => use.name === name).map((use) => [use.shown, shown])
      )
    ),
    words: namesOf('word'),
    masked: Object.fromEntries(
      [...uses, ...created].flatMap(({ field, shown }) => (field.masked ? [[shown, field.masked]] : []))
    ),
    occasional: namesOf('occasional'),
    states: Object.fromEntries(uses.flatMap(({ field, shown }) => (field.state ? [[shown, field.state]] : []))),
    chosen: created.flatMap(({ name, field: { list }, shown: field }) =>
      uses.flatMap((use) => (list !== undefined && use.name === name ? [{ field, list, shown: use.shown }] : []))
    ),
    contents: Object.fromEntries(
      uses.flatMap(({ shown, schema }) => {
        const $ref = (schema as Partial<TArray>).items?.['$ref'] as string | undefined
        return $ref === undefined ? [] : [[shown, $ref.replace('#', '')]]
      })
    ),
    carried: uses.flatMap(({ name, field, shown }) => {
      const stated = documents.get(name)
      const isCarried = field.isCarried === true || field.compared === 'stable' || field.compared === 'word'
      return isCarried && stated !== undefined
        ? [{ field: shown, as: stated.shown, ...(field.list && { list: field.list }) }]
        : []
    })
  }
}
