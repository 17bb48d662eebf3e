import { isDeepStrictEqual } from 'node:util'
import { type TSchema, Type } from '@sinclair/typebox'
import { requestText } from '../interface/schemas.js'
import { isOfType } from '../lib/json.js'
import { didYouMean, nearest } from '../lib/nearest.js'
import { typeName } from '../lib/type-name.js'
import { propertiesOf, sourceFinder } from './field-source.js'
import {
  type AnsweredField,
  type Extra,
  type FieldDocument,
  type Fields,
  type FieldsDocument,
  type FieldType,
  fitting,
  MIRRORS,
  NO_FIELDS
} from './fields.js'
import type { Complain } from './form.js'
import { type ShownResources, STORED_KINDS, type StoredKind } from './stored-kinds.js'

/** Schemas that a profile can add fields to. */
export interface KnownSchemas {
  /** All named schemas. */
  readonly schemas: readonly TSchema[]
  /** The names of schemas of replies. */
  readonly replies: { readonly has: (name: string) => boolean }
  readonly resources: ShownResources
}

/** The form of names of further fields. `__proto__` cannot be set like other properties. */
export const FIELD_NAME = /^(?!__proto__$)[A-Za-z_$@][\w$@-]{0,255}$/

const KIND_NAMES = Object.keys(STORED_KINDS) as StoredKind[]

/** More than any service needs. Each costs time in checks and replies. */
const MOST_FIELDS = 1000

type Properties = Record<string, TSchema>

/** @param document valid by its schema */
export function fieldsOf(document: FieldsDocument | undefined, known: KnownSchemas, complain: Complain): Fields {
  if (document === undefined) return NO_FIELDS
  const count = Object.values(document).reduce((sum, fields) => sum + Object.keys(fields).length, 0)
  if (count > MOST_FIELDS) {
    complain('fields', `must be at most ${MOST_FIELDS} in all, but are ${count}`)
    return NO_FIELDS
  }
  const named = new Map(known.schemas.map((schema) => [schema.$id!, schema]))
  const findSource = sourceFinder(named, known.resources)
  const properties = new Map<string, Properties>()
  const answered = new Map<string, AnsweredField[]>()
  const stored = new Map<StoredKind, Properties>()
  const settable = new Map<string, string[]>()
  const sent = sentIn(named)
  /** Whether request bodies use a schema. */
  const isSent = (name: string) => sent.has(name) || !known.replies.has(name)

  for (const [name, fields] of Object.entries(document)) {
    const schema = named.get(name)
    if (schema === undefined) {
      complain(`fields.${name}`, `is not a schema of the interface${didYouMean(nearest(name, [...named.keys()]))}`)
      continue
    }
    for (const [field, given] of Object.entries(fields)) {
      const path = `fields.${name}.${field}`
      if (!FIELD_NAME.test(field)) complain(path, 'must have a name of letters, digits, _, $, @ and -')
      else if (Object.hasOwn(propertiesOf(schema), field)) complain(path, `is already a field of ${name}`)
      // The validator would find the inherited member in a body without the field.
      else if (field in {}) complain(path, 'cannot be added, because every object has a member of that name')
      else add({ name, field, given, path })
    }
  }
  return {
    properties,
    answered,
    stored,
    fitting: (kind, extra) => {
      const kept = fitting(stored.get(kind) ?? {}, extra)
      return Object.keys(kept).length === 0 ? undefined : kept
    },
    taken: (kind, request, body) => pick(body, settable.get(settableKey(kind, request)))
  }

  function add(entry: Entry): void {
    const { name, field, given, path } = entry
    const forms = (['type', 'const', 'from'] as const).filter((form) => given[form] !== undefined)
    if (forms.length !== 1) {
      complain(path, `must have one of type, const and from${forms.length === 0 ? '' : `, not ${forms.join(' and ')}`}`)
      return
    }
    for (const other of ['enum', 'nullable', 'default', 'set_by'] as const)
      if (given.type === undefined && given[other] !== undefined)
        complain(`${path}.${other}`, `cannot go with ${forms[0]!}`)
    if (given.type !== undefined) addOwn(entry, given.type)
    else if (!known.replies.has(name))
      complain(`${path}.${forms[0]!}`, `cannot be in ${name}, which is not a schema of a reply`)
    else if (given.from !== undefined) addMirror(entry, given.from)
    else {
      show(name, field, describe(given, constantOf(given.const)))
      answer(name, { name: field, value: given.const })
    }
  }

  function addMirror({ name, field, given, path }: Entry, from: string): void {
    const found = findSource(name, from)
    if (typeof found === 'string') {
      const isAdded = Object.hasOwn(document?.[name] ?? {}, from)
      complain(`${path}.from`, isAdded ? `must be a built-in field, but ${from} is added` : found)
      return
    }
    const { source, schema, mirrored } = found
    const description = given.description ?? `The same as \`${from}\`.`
    show(name, field, { ...schema, description, [MIRRORS]: mirrored })
    answer(name, { name: field, source })
  }

  function addOwn({ name, field, given, path }: Entry, type: FieldType): void {
    checkValues(given, type, path)
    const { default: value, set_by: setBy = [] } = given
    const property = describe(given, propertyOf(given, type))
    const sent = describe(given, propertyOf(given, type, textLimits(given, isSent(name) && known.replies.has(name))))
    if (value === undefined && setBy.length === 0)
      complain(path, 'adds a required field without a default: it needs default or set_by')
    if (known.replies.has(name)) answer(name, { name: field, value, schema: sent, isStored: setBy.length > 0 })
    if (!show(name, field, isSent(name) ? sent : property))
      complain(path, 'is already set by another field of that name')
    setBy.forEach((request, index) => letSet(request, { name, field, path: `${path}.set_by.${index}` }, sent))
  }

  function letSet(request: string, { name, field, path }: Omit<Entry, 'given'>, property: TSchema): void {
    const shown = known.resources.get(name)?.kind
    // A field that only a request has is kept with the resource of the request.
    const own = KIND_NAMES.find((one) => request === name && has(STORED_KINDS[one], name))
    const kind = [shown, own].find((one) => one !== undefined && has(STORED_KINDS[one], request))
    if (kind === undefined) {
      // A schema inside another one is kept with that.
      if (request === name && isSent(name)) return
      const others: readonly string[] = shown === undefined ? [] : STORED_KINDS[shown]
      const there = others.length === 0 ? 'no request sets it' : `there are ${others.join(', ')}`
      complain(
        path,
        `must be the body of a request that creates or changes it, but is ${request}` +
          (didYouMean(nearest(request, others)) || `; ${there}`)
      )
      return
    }
    if (request !== name && !show(request, field, property)) {
      complain(path, `must not be ${request}, which has another field ${field}`)
      return
    }
    const other = propertyIn(stored.get(kind), field)
    if (other !== undefined && !isDeepStrictEqual(other, property)) {
      complain(path, `must not be ${request}, because another field ${field} is kept with the same resource`)
      return
    }
    const key = settableKey(kind, request)
    entryOf(settable, key, () => []).push(field)
    entryOf(stored, kind, (): Properties => ({}))[field] = property
  }

  /** Adds a property to a schema. @returns false if it already has a different one of that name */
  function show(name: string, field: string, property: TSchema): boolean {
    const schema = named.get(name)
    const other = propertyIn(properties.get(name), field) ?? propertyIn(propertiesOf(schema), field)
    if (other !== undefined) return isDeepStrictEqual(other, property)
    entryOf(properties, name, (): Properties => ({}))[field] = property
    return true
  }

  function answer(name: string, field: AnsweredField): void {
    entryOf(answered, name, () => []).push(field)
  }

  function checkValues(given: FieldDocument, type: FieldType, path: string): void {
    const { nullable = false, enum: values, default: value } = given
    values?.forEach((one, index) => {
      if (!isAllowed(one, type, nullable)) complain(`${path}.enum.${index}`, wrongType(one, type))
    })
    if (value === undefined) return
    if (!isAllowed(value, type, nullable)) complain(`${path}.default`, wrongType(value, type))
    else if (value !== null && values?.some((one) => isDeepStrictEqual(one, value)) === false)
      complain(`${path}.default`, `must be one of ${values.map((one) => JSON.stringify(one)).join(', ')}`)
  }
}

/** The schemas of request bodies, and those inside them. */
function sentIn(named: ReadonlyMap<string, TSchema>): ReadonlySet<string> {
  const sent = new Set<string>()
  const visit = (name: string): void => {
    if (sent.has(name)) return
    sent.add(name)
    for (const [, other] of JSON.stringify(named.get(name)).matchAll(/"\$ref":"([^"]+)#"/g)) visit(other!)
  }
  Object.values(STORED_KINDS).flat().forEach(visit)
  return sent
}

/** A further field of a schema. */
interface Entry {
  readonly name: string
  readonly field: string
  readonly given: FieldDocument
  /** Its path in the profile. */
  readonly path: string
}

const has = (names: readonly string[], name: string) => names.includes(name)

const settableKey = (kind: StoredKind, request: string) => `${kind} ${request}`

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const entry = map.get(key) ?? make()
  map.set(key, entry)
  return entry
}

/** An own property, rather than an inherited one such as `toString`. */
const propertyIn = (properties: Properties = {}, name: string): TSchema | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined

/** The limits of a text in a request. If one schema describes request and reply, an empty default must stay valid. */
function textLimits({ type, enum: values, default: value }: FieldDocument, isShared: boolean): object {
  if (type !== 'string' || values !== undefined) return {}
  return value === '' && isShared ? { maxLength: requestText.maxLength } : requestText
}

function propertyOf({ enum: values, nullable = false }: FieldDocument, type: FieldType, limits = {}): TSchema {
  const isOpen = type === 'object' ? { additionalProperties: true } : {}
  const schema = { type, ...(values === undefined ? {} : { enum: values }), ...isOpen, ...limits }
  return Type.Unsafe(nullable ? { anyOf: [schema, { type: 'null' }] } : schema)
}

/** Scalars use an enumeration of one value, because OpenAPI 3.0 has no constants. */
const constantOf = (value: unknown): TSchema =>
  Type.Unsafe({
    type: Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value,
    ...(typeof value === 'object' && value !== null
      ? Array.isArray(value)
        ? {}
        : { additionalProperties: true }
      : { enum: [value] })
  })

const describe = ({ description = 'A field of the profile.' }: FieldDocument, property: TSchema): TSchema => ({
  ...property,
  description
})

const isAllowed = (value: unknown, type: FieldType, nullable: boolean) =>
  isOfType(value, type) || (nullable && value === null)

const wrongType = (value: unknown, type: FieldType) =>
  `must be of type ${type}, but is ${Number.isInteger(value) ? 'a number' : typeName(value)}`

function pick(body: object, fields: readonly string[] | undefined): Extra | null {
  if (fields === undefined) return null
  const values = fields.filter((field) => Object.hasOwn(body, field))
  return values.length === 0 ? null : Object.fromEntries(values.map((field) => [field, (body as Extra)[field]]))
}
