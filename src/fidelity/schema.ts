import { isObject, type Json, listOf, objectOf, pointerStep, textOf, valueAt } from '../lib/json.js'
import { percentDecoded } from '../lib/percent-decoded.js'
import type { Name, NameOf } from './words.js'

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
const TYPES: ReadonlySet<unknown> = new Set<SchemaType>(['string', 'integer', 'number', 'boolean', 'array', 'object'])

export interface Field {
  readonly name: string
  readonly meant: Name
  readonly schema: () => Schema
}

/** A schema in a form that is independent of the version of OpenAPI: merged, with its type inferred. */
export interface Schema {
  /** Its name if it is a named schema. */
  name?: string | undefined
  type?: SchemaType | undefined
  nullable: boolean
  /** Its enumeration, without null. */
  values: readonly unknown[]
  /** In the order of the document. */
  readonly fields: Map<string, Field>
  readonly required: Set<string>
  items?: (() => Schema) | undefined
  format?: string | undefined
  default?: unknown
  example?: unknown
  minimum?: number | undefined
  minLength?: number | undefined
  /** Whether only requests have it. */
  isWriteOnly?: true | undefined
  /** The first of alternatives that have several types. */
  first?: Schema | undefined
}

/** Schemas nested deeper in one another are not followed. */
const DEEPEST = 100

const NAMED = /^#\/(?:definitions|components\/schemas)\/([^/]+)$/

const emptySchema = (): Schema => ({ nullable: false, values: [], fields: new Map(), required: new Set() })

/**
 * Reads the schemas of a document, each once, so the same schema is the same object. It follows references within the
 * document, and never reads other ones.
 */
export class Schemas {
  /** References to other documents. */
  readonly remote = new Set<string>()
  /** Circles, and references that lead nowhere. */
  readonly broken = new Set<string>()
  readonly #document: unknown
  readonly #nameOf: NameOf
  readonly #read = new Map<unknown, Schema>()
  /** The schemas that are being read, each as a part of the one before. */
  readonly #above = new Set<unknown>()
  /** Whether a part is left out, because it is among those above or too deep. */
  #isPartial = false

  constructor(document: unknown, nameOf: NameOf) {
    this.#document = document
    this.#nameOf = nameOf
  }

  /** The object that a part of the document refers to; empty if it leads nowhere. */
  resolve(part: unknown, above: readonly unknown[] = []): Json {
    const { $ref } = objectOf(part)
    if (typeof $ref !== 'string') return objectOf(part)
    if (!above.includes(part)) return this.resolve(this.#target($ref), [...above, part])
    this.broken.add($ref)
    return {}
  }

  /** The target of a reference, which may be another one; undefined if it leads nowhere. */
  #target(reference: string): unknown {
    const [document, ...steps] = reference.split('/').map((step) => pointerStep(percentDecoded(step)))
    const found = document === '#' ? valueAt(this.#document, steps) : undefined
    if (found === undefined) (reference.startsWith('#') ? this.broken : this.remote).add(reference)
    return found
  }

  read(source: unknown): Schema {
    if (!isObject(source)) return emptySchema()
    const key = Object.keys(source).length === 1 ? (source['$ref'] ?? source) : source
    const known = this.#read.get(key)
    if (known !== undefined) return known
    const schema = emptySchema()
    if (this.#above.has(key) || this.#above.size === DEEPEST) {
      this.#isPartial = true
      return schema
    }
    this.#above.add(key)
    const { $ref, allOf, oneOf, anyOf } = source
    // First, because what holds for all alternatives outweighs what one of them says.
    merge(oneOfAll([...listOf(oneOf), ...listOf(anyOf)].map((one) => this.read(one))), schema)
    if (typeof $ref === 'string') merge(this.read(this.#target($ref)), schema)
    for (const one of listOf(allOf)) merge(this.read(one), schema)
    merge(this.#ownPart(source), schema)
    schema.type ??= inferredType(schema)
    this.#above.delete(key)
    // What is read within a circle lacks what is above it.
    this.#isPartial &&= this.#above.size > 0
    if (this.#isPartial) return schema
    this.#read.set(key, schema)
    schema.name = this.#schemaName(source, schema)
    return schema
  }

  /** What a schema says itself. */
  #ownPart(source: Json): Schema {
    const { type, enum: listed, const: only, properties, required, items } = source
    const types: readonly unknown[] = Array.isArray(type) ? type : [type]
    const values: readonly unknown[] = Array.isArray(listed) ? listed : only === undefined ? [] : [only]
    const fields = Object.entries(objectOf(properties)).map(([name, part]): Field => ({
      name,
      meant: this.#nameOf(name),
      schema: () => this.read(part)
    }))
    return {
      type: types.find((one): one is SchemaType => TYPES.has(one)),
      nullable:
        source['nullable'] === true || source['x-nullable'] === true || types.includes('null') || values.includes(null),
      values: values.filter((value) => value !== null),
      fields: new Map(fields.map((field) => [field.name, field])),
      required: new Set(listOf(required).filter((name) => typeof name === 'string')),
      items: items === undefined ? undefined : () => this.read(items),
      format: textOf(source['format']),
      default: source['default'],
      example: source['example'] ?? source['x-example'] ?? listOf(source['examples'])[0],
      minimum: numberOf(source['minimum']),
      minLength: numberOf(source['minLength']),
      isWriteOnly: source['writeOnly'] === true || undefined
    }
  }

  /** The name of a schema, or of the one that it extends without adding fields, or makes nullable. */
  #schemaName({ $ref: own, allOf, anyOf }: Json, { fields, nullable }: Schema): string | undefined {
    const parts = [{ $ref: own }, ...listOf(allOf), ...(nullable ? listOf(anyOf) : [])]
    const references = parts.flatMap((one) => textOf(objectOf(one)['$ref']) ?? [])
    const [$ref, ...others] = references
    if ($ref === undefined || others.length > 0 || this.read({ $ref }).fields.size < fields.size) return undefined
    const [, name] = NAMED.exec($ref) ?? []
    return name && pointerStep(name)
  }
}

/** Adds what one schema says to another, except its name. */
function merge({ name: _, nullable, values, fields, required, ...others }: Schema, into: Schema): void {
  into.nullable ||= nullable
  if (values.length > 0) into.values = values
  for (const [name, field] of fields) into.fields.set(name, field)
  for (const name of required) into.required.add(name)
  Object.assign(into, Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)))
}

/** One schema for alternatives: null makes it nullable, and several others contribute optional fields and values. */
function oneOfAll(alternatives: readonly Schema[]): Schema {
  const nullable = alternatives.some((one) => one.nullable)
  const others = alternatives.filter((one) => !one.nullable || one.type !== undefined || one.values.length > 0)
  const [first = emptySchema(), ...further] = others
  if (further.length === 0) return { ...first, nullable }
  const hasOneType = further.every(({ type }) => type === first.type)
  return {
    nullable,
    ...(hasOneType ? { type: first.type } : { first }),
    values: others.every(({ values }) => values.length > 0) ? [...new Set(others.flatMap(({ values }) => values))] : [],
    fields: new Map([...others, first].flatMap(({ fields }) => [...fields])),
    required: new Set(),
    items: others.find(({ items }) => items !== undefined)?.items
  }
}

function inferredType({ fields, items, values: [value], format }: Schema): SchemaType | undefined {
  if (fields.size > 0) return 'object'
  if (items !== undefined) return 'array'
  if (typeof value === 'string' || format === 'date-time' || format === 'uuid') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : undefined
}

/** The texts in the enumeration of a schema, or of its items. */
export const valuesOf = (schema: Schema): string[] =>
  (schema.items?.() ?? schema).values.filter((value) => typeof value === 'string')

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** Whether two schemas have compatible types. A schema without a type allows all. */
export function isCompatible(one: Schema, other: Schema): boolean {
  const [a, b] = [one.type, other.type].map((type) => (type === 'integer' ? 'number' : type))
  return a === undefined || b === undefined || a === b
}
