import { isObject, type Json, listOf, objectOf, pointerStep } from '../../lib/json.js'
import { percentDecoded } from '../percent-decoded.js'

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
const TYPES: ReadonlySet<unknown> = new Set<SchemaType>(['string', 'integer', 'number', 'boolean', 'array', 'object'])

/** A schema in a form that is independent of the version of OpenAPI: merged, with its type inferred. */
export interface Schema {
  /** Its name if it is a named schema. */
  name?: string
  type?: SchemaType
  nullable: boolean
  format?: string
  /** Its enumeration, without null. */
  values: readonly unknown[]
  default?: unknown
  example?: unknown
  minimum?: number
  minLength?: number
  /** The source of each field's schema, in the order of the document. */
  fields: Map<string, unknown>
  required: Set<string>
  items?: unknown
}

/** Schemas nested deeper in one another are not followed. */
const DEEPEST = 32

const NAMED = /^#\/(?:definitions|components\/schemas)\/([^/]+)$/

const emptySchema = (): Schema => ({ nullable: false, values: [], fields: new Map(), required: new Set() })

/** A longer chain of references is a circle. */
const MOST_STEPS = 100

/** Follows references within a document, and never reads other ones. */
export class References {
  /** References to other documents. */
  readonly remote = new Set<string>()
  /** Circles, and references that lead nowhere. */
  readonly broken = new Set<string>()
  readonly #document: unknown

  constructor(document: unknown) {
    this.#document = document
  }

  /** The object that a part of the document refers to; empty if it leads nowhere. */
  resolve(part: unknown): Json {
    let found = part
    for (let step = 0; isObject(found) && typeof found['$ref'] === 'string'; step++) {
      const { $ref } = found
      if (step === MOST_STEPS) {
        this.broken.add($ref)
        return {}
      }
      found = this.target($ref)
    }
    return isObject(found) ? found : {}
  }

  /** The target of a reference, which may be another one; undefined if it leads nowhere. */
  target(reference: string): unknown {
    if (!reference.startsWith('#')) {
      this.remote.add(reference)
      return undefined
    }
    const found = this.#at(reference.slice(1))
    if (found === undefined) this.broken.add(reference)
    return found
  }

  #at(pointer: string): unknown {
    if (pointer !== '' && !pointer.startsWith('/')) return undefined
    let found = this.#document
    for (const step of pointer.split('/').slice(1)) {
      const name = pointerStep(percentDecoded(step))
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
      found = (found as Json)[name]
    }
    return found
  }
}

/** Reads the schemas of a document, each once, so the same schema is the same object. */
export class Schemas {
  readonly #references: References
  readonly #read = new Map<unknown, Schema>()

  constructor(references: References) {
    this.#references = references
  }

  read(part: unknown): Schema {
    if (!isObject(part)) return emptySchema()
    const key = Object.keys(part).length === 1 ? (part['$ref'] ?? part) : part
    const known = this.#read.get(key)
    if (known !== undefined) return known
    const schema = emptySchema()
    this.#read.set(key, schema)
    this.#merge(part, schema, new Set())
    const type = schema.type ?? inferredType(schema)
    if (type !== undefined) schema.type = type
    const name = this.#nameOf(part, schema)
    if (name !== undefined) schema.name = name
    return schema
  }

  /** The name of a schema, or of the one that it extends without adding fields. */
  #nameOf({ $ref, allOf }: Json, { fields }: Schema): string | undefined {
    if (typeof $ref === 'string') {
      const [, name] = NAMED.exec($ref) ?? []
      return name === undefined ? undefined : pointerStep(name)
    }
    const [base, ...others] = listOf(allOf).filter((one) => typeof objectOf(one)['$ref'] === 'string')
    if (base === undefined || others.length > 0) return undefined
    const { name, fields: own } = this.read(base)
    return own.size === fields.size ? name : undefined
  }

  #merge(part: Json, into: Schema, above: ReadonlySet<unknown>): void {
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
    if (typeof part['format'] === 'string') into.format = part['format']
    if (typeof part['minimum'] === 'number') into.minimum = part['minimum']
    if (typeof part['minLength'] === 'number') into.minLength = part['minLength']
    for (const [name, field] of Object.entries(objectOf(properties))) into.fields.set(name, field)
    for (const name of listOf(required)) if (typeof name === 'string') into.required.add(name)
    if (items !== undefined) into.items = items
  }

  /** Merges alternatives: null makes a schema nullable, and several others contribute optional fields and values. */
  #mergeOneOf(parts: readonly unknown[], into: Schema, within: ReadonlySet<unknown>): void {
    const others = parts.filter((one) => !isNull(objectOf(one)))
    into.nullable ||= others.length < parts.length
    if (others.length === 1) this.#merge(objectOf(others[0]), into, within)
    if (others.length < 2) return
    const read = others.map((one) => {
      const schema = emptySchema()
      this.#merge(objectOf(one), schema, within)
      return schema
    })
    const { type } = read[0]!
    if (type !== undefined && read.every((one) => one.type === type)) into.type ??= type
    into.nullable ||= read.some(({ nullable }) => nullable)
    if (read.every(({ values }) => values.length > 0)) into.values = [...new Set(read.flatMap(({ values }) => values))]
    for (const { fields, items } of read) {
      for (const [name, field] of fields) if (!into.fields.has(name)) into.fields.set(name, field)
      into.items ??= items
    }
  }
}

function readType({ type, nullable, 'x-nullable': xNullable }: Json, into: Schema): void {
  const types = Array.isArray(type) ? (type as unknown[]) : [type]
  const [first] = types.filter((one) => TYPES.has(one))
  if (first !== undefined) into.type = first as SchemaType
  into.nullable ||= nullable === true || xNullable === true || types.includes('null')
}

const isNull = ({ type, enum: values, const: only }: Json) =>
  type === 'null' || only === null || (Array.isArray(values) && values.length === 1 && values[0] === null)

function inferredType({ fields, items, values: [value], format }: Schema): SchemaType | undefined {
  if (fields.size > 0) return 'object'
  if (items !== undefined) return 'array'
  if (typeof value === 'string' || format === 'date-time' || format === 'uuid') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : undefined
}

/** Whether two schemas have compatible types. A schema without a type allows all. */
export function isCompatible(one: Schema, other: Schema): boolean {
  const [a, b] = [one.type, other.type].map((type) => (type === 'integer' ? 'number' : type))
  return a === undefined || b === undefined || a === b
}
