import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { strict } from '../lib/strict.js'
import { BUILT_IN_CATALOGUE, type Catalogue, nameOf, namesForNew } from './catalogue.js'
import { type Extra, type Fields, NO_FIELDS, withFields } from './fields.js'
import { BUILT_IN_WORDS, type StateKind, type StateWords } from './states.js'
import type { StoredKind } from './stored-kinds.js'

/** The parts of a profile that schemas depend on. */
interface SchemaParts {
  readonly catalogue: Catalogue
  readonly words: StateWords
  readonly fields: Fields
}

const BUILT_IN_PARTS: SchemaParts = { catalogue: BUILT_IN_CATALOGUE, words: BUILT_IN_WORDS, fields: NO_FIELDS }

/** The key in a schema for its keywords under a profile. Documents omit symbols. */
const KEYWORDS = Symbol('profile')

/** A schema whose keywords depend on the profile; {@link schemaUnder} applies another profile. */
function byProfile<T extends TSchema>(schema: T, keywords: (parts: SchemaParts) => object): T {
  return { ...schema, ...keywords(BUILT_IN_PARTS), [KEYWORDS]: keywords }
}

/** A copy of a schema under another profile. */
export function schemaUnder<T extends TSchema>(schema: T, parts: SchemaParts): T {
  return copy(schema, parts) as T
}

function copy(value: unknown, parts: SchemaParts): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, parts))
  if (typeof value !== 'object' || value === null) return value
  // TypeBox also marks its schemas with symbols, which the copy needs.
  const copied = Object.fromEntries(
    Reflect.ownKeys(value).map((key) => [key, copy((value as Record<symbol, unknown>)[key as symbol], parts)])
  )
  const { [KEYWORDS]: keywords } = value as { [KEYWORDS]?: (parts: SchemaParts) => object }
  if (keywords === undefined) return copied
  Reflect.deleteProperty(copied, KEYWORDS)
  return Object.assign(copied, keywords(parts))
}

/** A schema whose description names states. */
export function described<T extends TSchema>(schema: T, description: (words: StateWords) => string): T {
  return byProfile(schema, ({ words }) => ({ description: description(words) }))
}

/** The schema of a state in a document: in the words of the profile, or a built-in state unless that is ambiguous. */
export function stateGiven(kind: StateKind, states: readonly string[], description: (words: StateWords) => string) {
  return byProfile(Type.Unsafe<string>({ type: 'string' }), ({ words }) => {
    const { toWire, fromWire } = words[kind]
    return {
      enum: [...new Set([...states.map(toWire), ...states.filter((state) => fromWire(state) === state)])],
      description: description(words)
    }
  })
}

/** The lists of a catalogue that can be the values of an enumeration. */
const LISTS = {
  platforms: ({ platforms }) => platforms,
  regions: ({ regions }) => regions.map(nameOf),
  versions: ({ versions }) => versions.map(nameOf),
  newVersions: ({ versions }) => namesForNew(versions),
  workspaceTypes: ({ workspace_types: types }) => types.map(nameOf),
  newWorkspaceTypes: ({ workspace_types: types }) => namesForNew(types)
} as const satisfies Record<string, (catalogue: Catalogue) => readonly string[]>

/** The key in a schema for the list of its values. */
const LIST = Symbol('list')

/** The schema of a value from the catalogue. */
export function fromCatalogue(
  list: keyof typeof LISTS,
  description: string | ((defaults: Catalogue['defaults']) => string)
) {
  return byProfile(Type.Unsafe<string>({ type: 'string', [LIST]: list }), ({ catalogue }) => ({
    enum: [...LISTS[list](catalogue)],
    description: typeof description === 'string' ? description : description(catalogue.defaults)
  }))
}

export const isFromCatalogue = (schema: object): boolean => LIST in schema

/** The further fields of a resource in a state document. */
export function extraState(kind: StoredKind) {
  return Type.Optional(
    byProfile(Type.Unsafe<Extra>({ type: 'object', additionalProperties: false }), ({ fields }) => ({
      properties: fields.stored.get(kind) ?? {},
      description: 'The values that requests have set of fields that the profile adds.'
    }))
  )
}

/** A stored part of a request in a state document, with its further fields. */
export function partState<T extends TObject>(schema: T) {
  return byProfile(strict(schema.properties as T['properties']), (parts) => {
    const { properties } = schemaUnder(withFields(schema, parts.fields), parts)
    return { properties }
  })
}
