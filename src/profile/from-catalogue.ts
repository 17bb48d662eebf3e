import { Type } from '@sinclair/typebox'
import { byProfile } from './by-profile.js'
import type { Catalogue } from './catalogue.js'

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

/** Key in a schema for the list that its values come from. A symbol, so that it is in no document. */
const LIST = Symbol('list')

/** The schema of a value from the catalogue. */
export function fromCatalogue(list: keyof typeof LISTS, description: Description) {
  return byProfile(Type.Unsafe<string>({ type: 'string', [LIST]: list }), ({ catalogue }) => ({
    enum: [...LISTS[list](catalogue)],
    description: typeof description === 'string' ? description : description(catalogue.defaults)
  }))
}

/** Whether the values of a schema come from the catalogue. */
export function isFromCatalogue(schema: object): boolean {
  return LIST in schema
}
