import type { TSchema } from '@sinclair/typebox'
import { BUILT_IN_CATALOGUE, type Catalogue } from './catalogue.js'
import { BUILT_IN_WORDS, type StateWords } from './states.js'

/** The parts of a profile that schemas depend on. */
interface Assumed {
  readonly catalogue: Catalogue
  readonly words: StateWords
}

const BUILT_IN_ASSUMED: Assumed = { catalogue: BUILT_IN_CATALOGUE, words: BUILT_IN_WORDS }

/** Key in a schema for its keywords under a profile. A symbol, so that it is in no document. */
const KEYWORDS = Symbol('profile')

/** Returns a schema with keywords that depend on the profile; {@link schemaUnder} makes that of another profile. */
export function byProfile<T extends TSchema>(schema: T, keywords: (assumed: Assumed) => object): T {
  return { ...schema, ...keywords(BUILT_IN_ASSUMED), [KEYWORDS]: keywords }
}

/** A copy of a schema, with the keywords of another profile at every {@link byProfile}. */
export function schemaUnder<T extends TSchema>(schema: T, assumed: Assumed): T {
  return copy(schema, assumed) as T
}

function copy(value: unknown, assumed: Assumed): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, assumed))
  if (typeof value !== 'object' || value === null) return value
  // The library marks its schemas by symbols as well.
  const copied = Object.fromEntries(
    Reflect.ownKeys(value).map((key) => [key, copy((value as Record<symbol, unknown>)[key as symbol], assumed)])
  )
  const { [KEYWORDS]: keywords } = value as { [KEYWORDS]?: (assumed: Assumed) => object }
  if (keywords === undefined) return copied
  Reflect.deleteProperty(copied, KEYWORDS)
  return Object.assign(copied, keywords(assumed))
}
