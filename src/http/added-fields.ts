import { MiddlewareResponseSchema } from '../interface/envelope.js'
import type { Json } from '../lib/json.js'
import { fits } from '../profile/field-values.js'
import type { AnsweredField, Extra } from '../profile/fields.js'
import type { Profile } from '../profile/profile.js'
import { EXTRA } from '../resources/extra.js'
import type { FindRelated, Ids } from '../resources/related.js'
import type { Described } from '../resources/vocabulary.js'
import { schemaParts } from './schema-parts.js'

export type AddedFields = NonNullable<ReturnType<typeof addedFieldsOf>>

/**
 * Adds the further fields of a profile to replies.
 * @param schemas all schemas that are published under their own names
 * @returns undefined if replies have no further fields
 */
export function addedFieldsOf({ fields: { answered } }: Pick<Profile, 'fields'>, schemas: readonly object[]) {
  if (answered.size === 0) return undefined
  const partOf = schemaParts(schemas)
  const ways = new WeakMap<Described, Way>()

  /** Finds once for each schema which of its parts lead to fields. */
  function wayOf(schema: Described): Way {
    const known = ways.get(schema)
    if (known !== undefined) return known
    const { names, properties, items } = partOf(schema)
    // The items of a list that has a name are known by it, too.
    const fields = items === undefined ? names.flatMap((name) => answered.get(name) ?? []) : []
    // A schema that refers to itself counts as one that leads to fields.
    ways.set(schema, { fields, properties: [], items: undefined, leads: true })
    const way = {
      fields,
      properties: [...properties].filter(([, property]) => wayOf(property).leads),
      items: items !== undefined && wayOf(items).leads ? items : undefined
    }
    const leads = fields.length > 0 || way.properties.length > 0 || way.items !== undefined
    const whole = { ...way, leads }
    ways.set(schema, whole)
    return whole
  }

  function add(value: unknown, schema: Described, context: Context): unknown {
    if (typeof value !== 'object' || value === null) return value
    const { fields, properties, items, leads } = wayOf(schema)
    if (!leads) return value
    if (Array.isArray(value)) return items === undefined ? value : value.map((item) => add(item, items, context))
    const own = value as Json & { readonly [EXTRA]?: Extra }
    const added: Record<string, unknown> = { ...own }
    for (const [name, property] of properties) if (name in own) added[name] = add(own[name], property, context)
    for (const field of fields) {
      const shown = valueOf(field, added, context)
      if (shown !== undefined) added[field.name] = shown
      else Reflect.deleteProperty(added, field.name)
    }
    return added
  }

  return {
    /**
     * Copies a value with the fields that its schema has besides its own.
     * @param schema that of the value, by which it is found again
     * @param ids of what the request is about, where the value does not say it
     */
    addTo: (value: unknown, schema: object, findRelated: FindRelated, ids: Ids = {}): unknown =>
      add(value, schema, { findRelated, ids })
  }
}

interface Properties {
  properties?: Readonly<Record<string, unknown>>
}

/** A part of an OpenAPI document. */
interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Properties>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Replies }>>>>
}
type Replies = Readonly<
  Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Properties }>> }>
>

/** Adds the further fields of envelopes, in an OpenAPI document, to those with a result, which have no name. */
export function addToEnvelopes(document: unknown): unknown {
  const { components, paths } = document as Document
  const { properties: ofEnvelopes } = components.schemas[MiddlewareResponseSchema.$id!] ?? {}
  const replies = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) => Object.values(responses))
  for (const { schema } of replies.flatMap(({ content = {} }) => Object.values(content))) {
    const { properties } = schema
    if (properties !== undefined && 'RequestID' in properties) schema.properties = { ...ofEnvelopes, ...properties }
  }
  return document
}

/** What of a schema leads to fields that are added. */
interface Way {
  /** Those of the schema itself. */
  readonly fields: readonly AnsweredField[]
  readonly properties: readonly (readonly [name: string, property: Described])[]
  readonly items: Described | undefined
  /** Whether there is anything to add. */
  readonly leads: boolean
}

interface Context {
  readonly findRelated: FindRelated
  readonly ids: Ids
}

function valueOf(field: AnsweredField, own: Json, { findRelated, ids }: Context): unknown {
  const { name, value, source, schema, isStored } = field
  if (source === undefined) {
    if (schema === undefined) return value
    const { [EXTRA]: extra } = own as { readonly [EXTRA]?: Extra }
    // A value within something else that a request has sent is stored with that.
    const holder = isStored === true && extra !== undefined && Object.hasOwn(extra, name) ? extra : own
    return Object.hasOwn(holder, name) && fits(schema, holder[name]) ? holder[name] : value
  }
  let from: unknown = own
  for (const relation of source.relations) from = findRelated(relation, { ...ids, ...(from as Ids) })
  for (const step of source.path) from = (from as Json | undefined)?.[step]
  return from
}
