import { type TSchema, Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import { didYouMean, nearest } from '../lib/nearest.js'
import { fits } from './field-values.js'
import type { KnownSchemas } from './fields-document.js'
import { by, checkKnown, type Complain, whole } from './form.js'

const textLength = (description: string) => Type.Optional(whole(0, 1_000_000, description))
const bound = (description: string) => Type.Optional(Type.Number({ description }))

/** The part `requests` of a profile. */
export const RequestsSchema = by(
  'By schemas of request bodies and their fields: what the service accepts.',
  Type.Record(
    Type.String(),
    closed({
      required: Type.Optional(Type.Literal(true, { description: 'A request must have it.' })),
      default: Type.Optional(Type.Unknown({ description: 'What it is if a creation does not say it.' })),
      min_length: textLength('How many characters a text has at least.'),
      max_length: textLength('How many characters a text has at most.'),
      pattern: Type.Optional(Type.String({ maxLength: 1000, description: 'Regular expression that a text matches.' })),
      minimum: bound('The least number.'),
      maximum: bound('The largest number.')
    })
  )
)
type RequestsDocument = Shape<typeof RequestsSchema>

/** What a profile says of the fields of request bodies. */
export interface RequestRules {
  /** As it was given. */
  readonly document: RequestsDocument
  /** What bodies have that do not say it, by schema. */
  readonly defaults: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

/** Others change only what a request says. */
const CREATIONS: readonly string[] = ['CreateWorkgroupRequest', 'CreateWorkspaceRequest']

/** @param document has been checked by its schema */
export function compileRequests(document: RequestsDocument, known: KnownSchemas, complain: Complain): RequestRules {
  const bodies = new Map(
    known.schemas
      .filter(({ $id }) => !known.replies.has($id!))
      .map((schema) => [schema.$id!, (schema as unknown as Partial<Described>).properties])
  )
  for (const [name, fields] of Object.entries(document)) {
    const properties = bodies.get(name)
    if (properties === undefined) {
      complain(`requests.${name}`, `is not the body of requests only${didYouMean(nearest(name, [...bodies.keys()]))}`)
      continue
    }
    for (const [field, { pattern, default: value }] of Object.entries(fields)) {
      const place = `requests.${name}.${field}`
      const isField = checkKnown(field, Object.keys(properties), place, `is not a field of ${name}`, complain)
      if (pattern !== undefined && !isPattern(pattern)) complain(`${place}.pattern`, 'is not a regular expression')
      if (value !== undefined && !CREATIONS.includes(name))
        complain(`${place}.default`, `is only for ${CREATIONS.join(' and ')}: others change what they name`)
      else if (value !== undefined && isField && !fits(properties[field]!, value))
        complain(`${place}.default`, `is nothing that ${field} can be`)
    }
  }
  const defaultsOf = (fields: RequestsDocument[string]) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([field, { default: value }]) => (value === undefined ? [] : [[field, value]]))
    )
  return {
    document,
    defaults: new Map(
      Object.entries(document)
        .map(([name, fields]) => [name, defaultsOf(fields)] as const)
        .filter(([, values]) => Object.keys(values).length > 0)
    )
  }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== ''
  } catch {
    return false
  }
}

/** A schema with what a profile says of its fields. */
export function withRules<T extends TSchema>(schema: T, { document }: Pick<RequestRules, 'document'>): T {
  const rules = document[schema.$id ?? '']
  if (rules === undefined) return schema
  const { required = [], ...others } = schema as unknown as Described & object
  const must = Object.keys(rules).filter((field) => rules[field]!.required === true)
  const isGiven = (field: string) => rules[field]?.default !== undefined
  const all = [...new Set([...required, ...must])].filter((field) => !isGiven(field))
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

interface Described {
  readonly properties: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

/** What JSON Schema calls it. */
const keywordsOf = ({ min_length, max_length, pattern, minimum, maximum }: RequestsDocument[string][string]) =>
  Object.fromEntries(
    Object.entries({ minLength: min_length, maxLength: max_length, pattern, minimum, maximum }).filter(
      ([, value]) => value !== undefined
    )
  )
