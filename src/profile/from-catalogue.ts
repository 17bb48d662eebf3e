import { type TSchema, Type } from '@sinclair/typebox'
import { BUILT_IN_CATALOGUE, type Catalogue } from './catalogue.js'

/** The lists of a catalogue that an enumeration can have its values from. */
const LISTS = {
  platforms: ({ platforms }) => platforms,
  regions: ({ regions }) => regions.map(({ name }) => name),
  versions: ({ versions }) => versions.map(({ name }) => name),
  newVersions: ({ versions }) => versions.filter(({ create }) => create).map(({ name }) => name),
  workspaceTypes: ({ workspaceTypes }) => workspaceTypes.map(({ typeName }) => typeName),
  newWorkspaceTypes: ({ workspaceTypes }) =>
    workspaceTypes.filter(({ create }) => create).map(({ typeName }) => typeName)
} as const satisfies Record<string, (catalogue: Catalogue) => readonly string[]>

/** The description of a field, if it depends on the defaults of the catalogue. */
type Description = string | ((defaults: Catalogue['defaults']) => string)

interface Source {
  readonly list: keyof typeof LISTS
  readonly description: Description
}

/** Key in a schema for where its values come from. A symbol, so that it is in no document. */
const SOURCE = Symbol('catalogue')

/** The schema of a value from the catalogue; {@link schemaUnder} makes that of another catalogue. */
export function fromCatalogue(list: keyof typeof LISTS, description: Description) {
  const source: Source = { list, description }
  return Type.Unsafe<string>({ type: 'string', ...valuesOf(source, BUILT_IN_CATALOGUE), [SOURCE]: source })
}

function valuesOf({ list, description }: Source, catalogue: Catalogue) {
  return {
    enum: [...LISTS[list](catalogue)],
    description: typeof description === 'string' ? description : description(catalogue.defaults)
  }
}

/** Whether the values of a schema come from the catalogue. */
export function isFromCatalogue(schema: object): boolean {
  return SOURCE in schema
}

/** A copy of a schema, with the values of another catalogue at every {@link fromCatalogue}. */
export function schemaUnder<T extends TSchema>(schema: T, catalogue: Catalogue): T {
  return copy(schema, catalogue) as T
}

function copy(value: unknown, catalogue: Catalogue): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, catalogue))
  if (typeof value !== 'object' || value === null) return value
  // The library marks its schemas by symbols as well.
  const copied = Object.fromEntries(
    Reflect.ownKeys(value).map((key) => [key, copy((value as Record<symbol, unknown>)[key as symbol], catalogue)])
  )
  const { [SOURCE]: source } = value as { [SOURCE]?: Source }
  if (source === undefined) return copied
  Reflect.deleteProperty(copied, SOURCE)
  return Object.assign(copied, valuesOf(source, catalogue))
}
