import { type TSchema, Type } from '@sinclair/typebox'
import { schemaErrors } from '../interface/check.js'
import { assumed, enumeration, type Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { by, flag } from './form.js'
import type { Relation, StoredKind } from './stored-kinds.js'

export const FIELD_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export const allValues = Type.Optional(
  Type.Array(Type.Unknown(), { minItems: 1, maxItems: 1000, uniqueItems: true, description: 'All its values.' })
)

const FieldSchema = strict({
  type: Type.Optional(enumeration<FieldType>(FIELD_TYPES, 'Its type. A field has a type, a constant or a source.')),
  enum: allValues,
  nullable: flag('Whether it can be null; false if absent.'),
  default: Type.Optional(Type.Unknown({ description: 'Its value until a request sets it; required without set_by.' })),
  set_by: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      uniqueItems: true,
      description: 'Schemas of request bodies that can set it.'
    })
  ),
  from: Type.Optional(
    Type.String({
      description: 'The field that it mirrors: `status`, or `database.name` of its database.'
    })
  ),
  const: Type.Optional(Type.Unknown({ description: 'Its only value.' })),
  description: Type.Optional(Type.String({ maxLength: 10_000, description: 'What it means, for OpenAPI.' }))
})
export type FieldDocument = Shape<typeof FieldSchema>

/** The part `fields` of a profile. */
export const FieldsSchema = by(
  'By built-in names of schemas: their further fields.',
  Type.Record(Type.String(), FieldSchema)
)
export type FieldsDocument = Shape<typeof FieldsSchema>

/** Where a mirrored value comes from: the parents to follow, one after the other, and the path of a field there. */
interface Source {
  readonly relations: readonly Relation[]
  readonly path: readonly string[]
}

/** A further field of a reply. */
export interface AnsweredField {
  readonly name: string
  /** undefined: the field has a value of its own. */
  readonly source?: Source
  /** The value if no row has one; undefined: the field is absent then. */
  readonly value?: unknown
  /** The schema that a stored value must fit; undefined: none is stored. */
  readonly schema?: TSchema
  /** Whether requests can set it, so that rows store it. */
  readonly isStored?: boolean
}

/** Values of further fields in a row. */
export type Extra = Readonly<Record<string, unknown>>

type Properties = Readonly<Record<string, TSchema>>

export interface Fields {
  /** Further properties of named schemas. */
  readonly properties: ReadonlyMap<string, Properties>
  /** Further fields of replies, by schema. */
  readonly answered: ReadonlyMap<string, readonly AnsweredField[]>
  /** Further fields of rows, by kind. */
  readonly stored: ReadonlyMap<StoredKind, Properties>
  /** The stored values of a row that fit the profile; undefined if there are none. */
  readonly fitting: (kind: StoredKind, extra: Extra) => Extra | undefined
  /** The values in a request body that a row stores; null if there are none. */
  readonly taken: (kind: StoredKind, request: string, body: object) => Extra | null
}

export const NO_FIELDS: Fields = {
  properties: new Map(),
  answered: new Map(),
  stored: new Map(),
  fitting: () => undefined,
  taken: () => null
}

/** The field of a workspace that stays readable after its deletion. */
export const DELETED_FIELDS: Pick<Fields, 'properties'> = {
  properties: new Map([
    [
      'Workspace',
      { deleted_at: Type.String({ description: 'Timestamp; only of a deleted workspace.', ...assumed('P-015') }) }
    ]
  ])
}

/** The stored values that fit the properties of an object. They were valid when set, under any profile. */
export const fitting = (properties: Properties, values: Extra): Extra =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => Object.hasOwn(properties, name) && schemaErrors(properties[name]!, value).length === 0
    )
  )

/** The key in a schema for the built-in field that it mirrors. Documents omit symbols. */
export const MIRRORS = Symbol('mirrors')

/** A built-in field, with the name of the schema that has it. */
export interface Mirrored {
  readonly field: string
  readonly of: string | undefined
}

/** Adds the further fields of a named schema; those of a named list go into its items. */
export function withFields<T extends TSchema>(schema: T, { properties }: Pick<Fields, 'properties'>): T {
  const added = schema.$id === undefined ? undefined : properties.get(schema.$id)
  if (added === undefined) return schema
  const { items } = schema as { items?: TSchema }
  return items === undefined ? extended(schema, added) : { ...schema, items: extended(items, added) }
}

const extended = <T extends TSchema>(schema: T, added: Properties): T => ({
  ...schema,
  properties: { ...(schema as { properties?: Properties }).properties, ...added }
})
