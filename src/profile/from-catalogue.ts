import { Type } from '@sinclair/typebox'
import { byProfile, isByProfile } from './by-profile.js'
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

/** The schema of a value from the catalogue. */
export function fromCatalogue(list: keyof typeof LISTS, description: Description) {
  return byProfile(Type.Unsafe<string>({ type: 'string' }), ({ catalogue }) => ({
    enum: [...LISTS[list](catalogue)],
    description: typeof description === 'string' ? description : description(catalogue.defaults)
  }))
}

/** Whether the values of a schema come from the catalogue. */
export function isFromCatalogue(schema: object): boolean {
  return isByProfile(schema) && 'enum' in schema
}
