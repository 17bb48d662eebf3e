import type { TSchema } from '@sinclair/typebox'
import { BUILT_IN_CATALOGUE, type Catalogue } from './catalogue.js'
import { schemaUnder } from './from-catalogue.js'

/** What is assumed about the service, as it is in force: complete, and checked. */
export class Profile {
  readonly name: string
  readonly catalogue: Catalogue
  /** The schemas that {@link schema} has made, by the original. */
  readonly #schemas = new WeakMap<TSchema, TSchema>()

  constructor({ name, catalogue }: Pick<Profile, 'name' | 'catalogue'>) {
    this.name = name
    this.catalogue = catalogue
  }

  /** A schema with the values of the catalogue. Without another catalogue, that is the schema itself. */
  schema<T extends TSchema>(schema: T): T {
    if (this.catalogue === BUILT_IN_CATALOGUE) return schema
    const made = this.#schemas.get(schema) ?? schemaUnder(schema, this.catalogue)
    this.#schemas.set(schema, made)
    return made as T
  }
}

/** The assumptions of a server without a profile. */
export const BUILT_IN = new Profile({ name: 'built-in', catalogue: BUILT_IN_CATALOGUE })
