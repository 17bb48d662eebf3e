import { isObject, type Json, listOf, objectOf, pointerStep, textOf } from '../../lib/json.js'
import type { References } from './references.js'

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
const TYPES: ReadonlySet<unknown> = new Set<SchemaType>(['string', 'integer', 'number', 'boolean', 'array', 'object'])

/** A schema as it is compared: references followed, parts merged, types inferred, whatever the version of OpenAPI. */
export interface Schema {
  /** Its name among the named schemas. */
  readonly name?: string
  readonly type?: SchemaType
  readonly nullable: boolean
  readonly format?: string
  /** The values that it lists, without null. */
  readonly values: readonly unknown[]
  readonly default?: unknown
  readonly example?: unknown
  readonly minimum?: number
  readonly minLength?: number
  /** Fields with their schemas, in the order of the document. */
  readonly fields: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  /** The schema of its items. */
  readonly items?: unknown
}

const NOTHING: Schema = { nullable: false, values: [], fields: new Map(), required: new Set() }

/** Deeper nesting of schemas within schemas is not followed. */
const DEEPEST = 32

/** Where named schemas are. */
const NAMED = /^#\/(?:definitions|components\/schemas)\/([^/]+)$/

type Draft = { -readonly [Key in keyof Schema]: Schema[Key] } & {
  fields: Map<string, unknown>
  required: Set<string>
}

/** The schemas of a document. Each is read once, so the same one is the same object. */
export class Schemas {
  readonly #references: References
  readonly #read = new WeakMap<object, Schema>()
  readonly #named = new Map<string, Schema>()

  constructor(references: References) {
    this.#references = references
  }

  read(part: unknown): Schema {
    if (!isObject(part)) return NOTHING
    const { $ref } = part
    if (typeof $ref !== 'string' || Object.keys(part).length > 1) return keep(this.#read, part, () => this.#draft(part))
    return keep(this.#named, $ref, () => this.#draft(part))
  }

  #draft(part: Json): Schema {
    const draft: Draft = { nullable: false, values: [], fields: new Map(), required: new Set() }
    this.#merge(part, draft, new Set())
    const type = draft.type ?? inferredType(draft)
    const name = this.#nameOf(part, draft)
    return { ...draft, ...(type && { type }), ...(name !== undefined && { name }) }
  }

  /** The name of a schema, or of the one that it only adds conditions to. */
  #nameOf(part: Json, { fields }: Draft, depth = 0): string | undefined {
    const { $ref, allOf } = part
    if (typeof $ref === 'string') {
      const [, name] = NAMED.exec($ref) ?? []
      return name === undefined ? undefined : pointerStep(name)
    }
    const parts = listOf(allOf).filter((one) => typeof objectOf(one)['$ref'] === 'string')
    if (parts.length !== 1 || depth === DEEPEST) return undefined
    const name = this.#nameOf(objectOf(parts[0]), { fields } as Draft, depth + 1)
    return this.read(parts[0]).fields.size === fields.size ? name : undefined
  }

  #merge(part: Json, into: Draft, above: ReadonlySet<unknown>): void {
    if (above.has(part) || above.size === DEEPEST) return
    const within = new Set(above).add(part)
    const { $ref, allOf, oneOf, anyOf, enum: values, const: only, properties, required, items } = part
    if (typeof $ref === 'string') this.#merge(objectOf(this.#references.target($ref)), into, within)
    for (const one of listOf(allOf)) this.#merge(objectOf(one), into, within)
    this.#mergeOneOf([...listOf(oneOf), ...listOf(anyOf)], into, within)
    readType(part, into)
    if (Array.isArray(values) || only !== undefined) {
      const listed = Array.isArray(values) ? (values as unknown[]) : [only]
      into.values = listed.filter((value) => value !== null)
      into.nullable ||= listed.includes(null)
    }
    if (part['default'] !== undefined) into.default = part['default']
    const example = part['example'] ?? part['x-example'] ?? listOf(part['examples'])[0]
    if (example !== undefined) into.example = example
    into.format = textOf(part['format']) ?? into.format!
    if (typeof part['minimum'] === 'number') into.minimum = part['minimum']
    if (typeof part['minLength'] === 'number') into.minLength = part['minLength']
    for (const [name, field] of Object.entries(objectOf(properties))) into.fields.set(name, field)
    for (const name of listOf(required)) if (typeof name === 'string') into.required.add(name)
    if (items !== undefined) into.items = items
  }

  /** Alternatives: null makes it nullable; of several others, it has all fields and values, but needs none. */
  #mergeOneOf(parts: readonly unknown[], into: Draft, within: ReadonlySet<unknown>): void {
    const others = parts.filter((one) => !isNull(one))
    into.nullable ||= others.length < parts.length
    if (others.length === 1) this.#merge(objectOf(others[0]), into, within)
    if (others.length < 2) return
    const drafts = others.map((one) => {
      const draft: Draft = { nullable: false, values: [], fields: new Map(), required: new Set() }
      this.#merge(objectOf(one), draft, within)
      return draft
    })
    const [first] = drafts
    into.type ??= drafts.every(({ type }) => type === first!.type) ? first!.type! : into.type!
    into.nullable ||= drafts.some(({ nullable }) => nullable)
    if (drafts.every(({ values }) => values.length > 0)) into.values = [...new Set(drafts.flatMap((one) => one.values))]
    for (const { fields, items } of drafts) {
      for (const [name, field] of fields) if (!into.fields.has(name)) into.fields.set(name, field)
      into.items ??= items
    }
  }
}

function readType({ type, nullable, 'x-nullable': xNullable }: Json, into: Draft): void {
  const types = Array.isArray(type) ? (type as unknown[]) : [type]
  const [first] = types.filter((one) => TYPES.has(one))
  if (first !== undefined) into.type = first as SchemaType
  into.nullable ||= nullable === true || xNullable === true || types.includes('null')
}

const isNull = (part: unknown) => {
  const { type, enum: values, const: only } = objectOf(part)
  return type === 'null' || only === null || (Array.isArray(values) && values.length === 1 && values[0] === null)
}

function inferredType({ fields, items, values, format }: Draft): SchemaType | undefined {
  if (fields.size > 0) return 'object'
  if (items !== undefined) return 'array'
  const [value] = values
  if (typeof value === 'string' || format === 'date-time' || format === 'uuid') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' ? (values.every(Number.isInteger) ? 'integer' : 'number') : undefined
}

/** Whether a value of one type can be one of the other. A schema without a type allows all. */
export function isCompatible(one: Schema, other: Schema): boolean {
  const [a, b] = [one.type, other.type].map((type) => (type === 'integer' ? 'number' : type))
  return a === undefined || b === undefined || a === b
}

function keep<Key, Value>(
  kept: { get: (key: Key) => Value | undefined; set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value
): Value {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  return made
}
