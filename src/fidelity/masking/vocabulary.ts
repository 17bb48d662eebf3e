import type { TSchema } from '@sinclair/typebox'
import { ERROR_TYPES } from '../../interface/errors.js'
import { MESSAGES } from '../../interface/messages.js'
import { OPERATION_IDS } from '../../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../../interface/operation-routes.js'
import { besidesNull } from '../../interface/schemas.js'
import { objectOf } from '../../lib/json.js'
import { ORG_ROLES } from '../../profile/org-roles.js'
import type { Profile } from '../../profile/profile.js'
import { furtherTypes } from '../../profile/refusals.js'
import { STATES } from '../../resources/states.js'
import { NAMED_SCHEMAS, PREFIXES } from '../../resources/vocabulary.js'
import { catalogueListOf, CHOSEN, comparableOf, COMPARABLES } from '../comparables.js'
import { isForm, type Kind } from './forms.js'

/** Fields whose kind does not follow from their schemas: those of the envelope, and of all resources. */
const KINDS: Readonly<Partial<Record<string, Kind>>> = {
  Message: 'message',
  Reason: 'message',
  Result: 'result',
  Type: 'word',
  FieldName: 'path',
  ...Object.fromEntries(Object.values(COMPARABLES).flatMap(({ masked = {} }) => Object.entries(masked)))
}

/** By the placeholders of errors. Types are declared values. */
const ERROR_KINDS: Readonly<Partial<Record<string, Kind>>> = { message: 'message', details: 'result' }

const ENVELOPE = ['Error', 'ErrorDetails', 'Message']

interface Declared extends TSchema {
  readonly properties?: Readonly<Record<string, Declared>>
  readonly items?: Declared
  readonly anyOf?: readonly Declared[]
  readonly type?: string
}

export type Vocabulary = ReturnType<typeof vocabularyOf>

/** The names and values that the interface and a profile declare, as data that can be sent to a worker. */
export function vocabularyOf(profile: Profile) {
  const { words: stateWords, catalogue, names, edge, document } = profile
  const { toWire } = names.fields
  const texts = new Set<string>([
    ...ERROR_TYPES,
    ...furtherTypes(document.errors),
    ...Object.values(PREFIXES).map(names.prefixes.toWire),
    ...Object.entries(ORG_ROLES).flat(),
    ...catalogue.platforms,
    ...OPERATION_IDS,
    // The path of a role.
    '/',
    ...Object.values({ ...MESSAGES, ...document.messages })
  ])
  const result = toWire('Result')
  const known = new Set<string>([result])
  const kinds = new Map<string, Kind>([[result, 'result']])
  const schemas = new Map<string, string>()
  for (const named of NAMED_SCHEMAS) declare(profile.schema(named as never), named.$id)
  for (const name of edge.replies?.keys.values() ?? []) declareAround(name, 'result')
  declareError(document.replies?.error)
  for (const [kind, states] of Object.entries(STATES))
    for (const state of states) texts.add(stateWords[kind as keyof typeof stateWords].toWire(state))
  for (const { name, description = '' } of catalogue.regions) texts.add(name).add(description)
  for (const { name, image = '' } of catalogue.versions) texts.add(name).add(image)
  for (const { typeName } of catalogue.workspace_types) texts.add(typeName)
  const queries = new Set<string>()
  for (const { query } of Object.values(OPERATION_ROUTES))
    for (const [name, value] of new URLSearchParams(query)) {
      queries.add(name)
      texts.add(value)
    }
  for (const { moves } of edge.paths ?? [])
    for (const { source, name } of moves?.from.values() ?? []) if (source === 'query') queries.add(name)
  return {
    /** Values that stay in all objects of the interface. */
    texts: new Set([...texts].map(names.values.toWire)),
    /** Regions, which names of hosts contain. */
    regions: new Set(catalogue.regions.map(({ name }) => names.values.toWire(name))),
    /** Fields that a reply to any request has. */
    envelope: new Set([...ENVELOPE.map(toWire), ...Object.keys(objectOf(document.replies?.error))]),
    /** Names of fields. */
    names: known,
    /** By the name of the field, or by schema and name, separated by a dot. */
    kinds,
    /** Schemas of objects, by the field that contains them. */
    schemas,
    /** Parameters of queries. */
    queries,
    /** Templates of paths. */
    routes: edge.paths?.map(({ path }) => path.text) ?? Object.values(OPERATION_ROUTES).map(({ path }) => path)
  }

  function declare(schema: TSchema, id: string): void {
    const { properties = {}, items } = schema as Declared
    if (items !== undefined) declare(items, id)
    for (const [name, property] of Object.entries(properties)) {
      const declared = besidesNull(property)
      const wire = toWire(name)
      known.add(wire)
      for (const value of [...((declared['enum'] ?? []) as unknown[]), declared['const'] as unknown])
        if (typeof value === 'string') texts.add(value)
      const target = refOf(declared)
      // The first one counts: in a list of sizes, a workspace has another schema.
      if (target !== undefined) schemas.set(wire, schemas.get(wire) ?? target)
      declare(declared, id)
      const kind = kindOf(name, declared, id)
      // Only in the catalogue, the service has chosen the name.
      if (kind !== undefined) kinds.set(name === 'name' ? `${id}.${wire}` : wire, kind)
    }
  }

  /** Declares a field of a reply that is in no resource. */
  function declareAround(name: string, kind: Kind | undefined): void {
    if (!known.has(name) && kind !== undefined) kinds.set(name, kind)
    known.add(name)
  }

  /** Declares the fields and texts in the profile's form of errors. */
  function declareError(form: unknown): void {
    for (const [name, part] of Object.entries(objectOf(form))) {
      const isText = typeof part === 'string'
      if (isText) texts.add(part)
      declareAround(name, isText ? ERROR_KINDS[/\{\{\s*(\w+)/.exec(part)?.[1] ?? ''] : 'result')
      for (const item of [part].flat()) declareError(item)
    }
  }
}

function kindOf(name: string, { type, format, items }: Declared, id: string): Kind | undefined {
  const { states = {}, words: closed = [] } = comparableOf(id)
  const list = catalogueListOf(id, name) ?? CHOSEN[name]
  if (isForm(format)) return format
  if (name in states || closed.includes(name) || list === 'platforms' || list === 'roles') return 'word'
  if (list !== undefined) return list
  if (KINDS[name] !== undefined) return KINDS[name]
  return ['boolean', 'integer', 'number'].includes((items?.type ?? type) as string) ? 'plain' : undefined
}

/** The name of the schema that a field or its items refer to. */
function refOf({ $ref, items }: Declared): string | undefined {
  const reference = ($ref ?? items?.$ref) as string | undefined
  return reference?.replace(/#$/, '')
}
