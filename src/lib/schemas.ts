import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'

/** What a schema describes, as a value that nobody changes. */
export type Shape<T extends TSchema> = Frozen<Static<T>>

type Frozen<T> = T extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T

/** Marks what the interface hides and this server assumes. */
export const assumed = { 'x-placeholder': true } as const

/** A text in a request, as `docs/placeholders.md` bounds it. */
export const requestText = { minLength: 1, maxLength: 256 } as const

/** A placeholder schema of a request body: its `required` fields are checked. */
export function requestSchema<T extends TProperties>($id: string, description: string, properties: T): TObject<T> {
  return Type.Object(mark(properties), { $id, description, ...assumed })
}

/** A placeholder schema of a reply: the server sends every field, but a client must not count on any. */
export function replySchema<T extends TProperties>($id: string, description: string, properties: T): TObject<T> {
  const { required: _, ...schema } = Type.Object(mark(properties), { $id, description, ...assumed })
  return schema as TObject<T>
}

/** Marks each field as assumed; for objects that are part of a named schema and have no name of their own. */
export function mark<T extends TProperties>(properties: T): T {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, { ...schema, ...assumed }])
  ) as TProperties as T
}

/** A reference to a schema that is published under its own name. */
export function ref<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id ?? ''}#` })
}

/**
 * What a schema knows of a value, for what is stored as it was sent: a reply must not give back what no schema names.
 */
export function knownFields<T extends TObject>(schema: T, value: Static<T>): Static<T> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(schema.properties, name)))
}

/** A text out of a fixed list. */
export function enumeration<const T extends string>(values: readonly T[], description: string) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], description })
}

/** A named request schema of which some optional fields are needed after all. */
export function withRequired<T extends TObject, K extends keyof Static<T> & string>(schema: T, fields: readonly K[]) {
  return Type.Unsafe<Static<T> & Required<Pick<Static<T>, K>>>({
    allOf: [ref(schema), { type: 'object', required: [...fields], ...assumed }]
  })
}
