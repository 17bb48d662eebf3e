import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { lazyCompiler } from '../interface/validation.js'
import { strict } from '../lib/strict.js'
import type { KnownSchemas } from './fields-document.js'
import { by, checkKnown, type Complain, whole } from './form.js'

const textLength = (description: string) => Type.Optional(whole(0, 1_000_000, description))
const bound = (description: string) => Type.Optional(Type.Number({ description }))

export const RequestsSchema = by(
  'By schemas of request bodies and their fields: rules and defaults.',
  Type.Record(
    Type.String(),
    strict({
      required: Type.Optional(Type.Literal(true, { description: 'Requests must have it.' })),
      default: Type.Optional(Type.Unknown({ description: 'Its value if a creation omits it.' })),
      min_length: textLength('The minimum length of a text, in characters.'),
      max_length: textLength('The maximum length of a text, in characters.'),
      pattern: Type.Optional(
        Type.String({ maxLength: 1000, description: 'Regular expression that a text must match.' })
      ),
      minimum: bound('The smallest number.'),
      maximum: bound('The largest number.')
    })
  )
)
type RequestsDocument = Shape<typeof RequestsSchema>

type FieldRules = RequestsDocument[string][string]

export type RequestRules = ReturnType<typeof compileRequests>

const TEXTS = { types: ['string'], called: 'texts' }
const NUMBERS = { types: ['integer', 'number'], called: 'numbers' }
const MEANT_FOR = { min_length: TEXTS, max_length: TEXTS, pattern: TEXTS, minimum: NUMBERS, maximum: NUMBERS }

/** Schemas whose fields can have defaults. Other requests change only the fields that they have. */
const CREATIONS: readonly string[] = ['CreateWorkgroupRequest', 'CreateWorkspaceRequest']

/** @param document valid by its schema */
export function compileRequests(document: RequestsDocument, known: KnownSchemas, complain: Complain) {
  const bodies = new Map(
    known.schemas
      .filter(({ $id }) => !known.replies.has($id!))
      .map((schema) => [schema.$id!, (schema as Partial<TObject>).properties])
  )
  const compile = lazyCompiler(known.schemas)
  for (const [name, fields] of Object.entries(document)) {
    const properties = bodies.get(name)
    checkKnown(name, [...bodies.keys()], `requests.${name}`, 'is not a schema that only requests use', complain)
    if (properties === undefined) continue
    for (const [field, rules] of Object.entries(fields)) {
      const { pattern, default: value } = rules
      const place = `requests.${name}.${field}`
      const isField = checkKnown(field, Object.keys(properties), place, `is not a field of ${name}`, complain)
      if (isField) checkEffect(rules, properties[field]!, place, complain)
      if (pattern !== undefined && !isPattern(pattern)) complain(`${place}.pattern`, 'is not a regular expression')
      else if (value !== undefined && !CREATIONS.includes(name))
        complain(
          `${place}.default`,
          `is only for ${CREATIONS.join(' and ')}: other requests change only the fields that they have`
        )
      else if (value !== undefined && isField && !compile({ ...properties[field]!, ...keywordsOf(rules) })(value))
        complain(`${place}.default`, `is not a valid ${field}`)
    }
  }
  const defaultsOf = (fields: RequestsDocument[string]) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([field, { default: value }]) => (value === undefined ? [] : [[field, value]]))
    )
  return {
    document,
    /** Values of fields that bodies omit, by schema. */
    defaults: new Map(Object.entries(document).map(([name, fields]) => [name, defaultsOf(fields)]))
  }
}

/** Reports rules that every value of a field breaks, or none. */
function checkEffect(rules: FieldRules, property: TSchema, place: string, complain: Complain): void {
  for (const [rule, { types, called }] of Object.entries(MEANT_FOR))
    if (rule in rules && property['type'] !== undefined && !types.includes(property['type'] as string))
      complain(`${place}.${rule}`, `is only for ${called}`)
  // The interface has limits, too.
  const limits: Readonly<Record<string, number>> = { ...property, ...keywordsOf(rules) }
  const { minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity } = limits
  if (minLength > maxLength) complain(place, `allows no text: of ${minLength} to ${maxLength} characters`)
  if (minimum > maximum) complain(place, `allows no number: from ${minimum} to ${maximum}`)
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== ''
  } catch {
    return false
  }
}

/** A schema with the rules of a profile. */
export function withRules<T extends TSchema>(schema: T, { document }: Pick<RequestRules, 'document'>): T {
  const rules = document[schema.$id ?? '']
  if (rules === undefined) return schema
  const { required = [], ...others } = schema as unknown as TObject
  const added = Object.keys(rules).filter((field) => rules[field]!.required === true)
  const hasDefault = (field: string) => rules[field]?.default !== undefined
  const all = [...new Set([...required, ...added])].filter((field) => !hasDefault(field))
  return {
    ...others,
    properties: Object.fromEntries(
      Object.entries(others.properties).map(([field, property]) => [
        field,
        { ...property, ...keywordsOf(rules[field] ?? {}) }
      ])
    ),
    ...(all.length === 0 ? {} : { required: all })
  } as unknown as T
}

/** The keywords of JSON Schema for the rules of a field. */
const keywordsOf = ({ min_length, max_length, pattern, minimum, maximum }: FieldRules) =>
  Object.fromEntries(
    Object.entries({ minLength: min_length, maxLength: max_length, pattern, minimum, maximum }).filter(
      ([, value]) => value !== undefined
    )
  )
