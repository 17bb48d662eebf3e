import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { AssumptionId } from './assumption-id.js'

/** The type of a schema, deeply readonly. */
export type Shape<T extends TSchema> = Frozen<Static<T>>

type Frozen<T> = T extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T

/** Marks details that the interface leaves open, with the id of the assumption that this server makes. */
export const assumed = (id: AssumptionId) => ({ 'x-assumption': id }) as const

/** The limits of a text in a request; see `docs/assumptions.md`. */
export const requestText = { minLength: 1, maxLength: 256 } as const

/** The schema without its alternative null. */
export const besidesNull = <T extends { readonly anyOf?: readonly T[]; readonly type?: string }>(schema: T): T =>
  schema.anyOf?.some(({ type }) => type === 'null') === true
    ? schema.anyOf.find(({ type }) => type !== 'null')!
    : schema

/** An assumed schema of a request body: its `required` fields are checked. */
export function requestSchema<T extends TProperties>(
  id: AssumptionId,
  $id: string,
  description: string,
  properties: T
) {
  return Type.Object(mark(id, properties), { $id, description, ...assumed(id) })
}

/** An assumed schema of a reply. */
export function replySchema<T extends TProperties>(id: AssumptionId, $id: string, description: string, properties: T) {
  return answered(requestSchema(id, $id, description, properties))
}

/** A schema in a reply: the server sends every field that is not optional, but clients must not rely on any. */
export function answered<T extends TProperties>({ required: _, ...schema }: TObject<T>): TObject<T> {
  return schema as TObject<T>
}

/** Marks each field as assumed, for unnamed objects inside a named schema. */
export function mark<T extends TProperties>(id: AssumptionId, properties: T): T {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, { ...schema, ...assumed(id) }])
  ) as TProperties as T
}

/** A reference to a schema that is published under its own name. */
export function ref<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id!}#` })
}

/** Keeps only the fields that the schema names: a value is stored as sent, but a reply must have no other fields. */
export function knownFields<T extends TObject>(schema: T, value: Static<T>): Static<T> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(schema.properties, name)))
}

export function enumeration<const T extends string>(values: readonly T[], description: string) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], description })
}

/** A named request schema with some of its optional fields made required. */
export function withRequired<T extends TObject, K extends keyof Static<T> & string>(
  id: AssumptionId,
  schema: T,
  fields: readonly K[]
) {
  return Type.Unsafe<Static<T> & Required<Pick<Static<T>, K>>>({
    allOf: [ref(schema), { type: 'object', required: [...fields], ...assumed(id) }]
  })
}
