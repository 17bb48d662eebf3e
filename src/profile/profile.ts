import type { TSchema } from '@sinclair/typebox'
import { schemaErrors } from '../lib/check.js'
import { type FieldError, invalidBody } from '../lib/errors.js'
import { throwFieldErrors, typeName } from '../lib/validation.js'
import { schemaUnder } from './by-profile.js'
import { BUILT_IN_CATALOGUE, type Catalogue } from './catalogue.js'
import { catalogueOf, toCatalogueDocument } from './catalogue-document.js'
import type { Durations } from './durations.js'
import { durationsOf, toDurationsDocument } from './durations-document.js'
import { compileEdge, type Edge, NO_EDGE } from './edge.js'
import type { Names } from './names.js'
import type { Omitted } from './omit.js'
import type { QuotaTerms } from './quotas.js'
import { quotasOf, toQuotasDocument } from './quotas-document.js'
import { FORM, type ProfileDocument, type ProfileInForce, ProfileSchema } from './schemas.js'
import { BUILT_IN_WORDS, type KnownStates, type StateWords } from './states.js'
import { type BuiltInWording, compileWording, toWordingDocument, type Wording, wordingErrors } from './wording.js'

/** What is assumed about the service, as it is in force: complete, and checked. */
export class Profile {
  readonly name: string
  readonly catalogue: Catalogue
  readonly durations: Durations
  readonly quotas: QuotaTerms
  readonly names: Names
  readonly omitted: Omitted
  readonly words: StateWords
  /** Paths and replies beside those of the operations. */
  readonly edge: Edge
  /** The schemas that {@link schema} has made, by the original. */
  readonly #schemas = new WeakMap<TSchema, TSchema>()

  constructor({
    name,
    catalogue,
    durations,
    quotas,
    edge,
    wording: { names, omitted, words } = compileWording({})
  }: Pick<Profile, 'name' | 'catalogue' | 'durations' | 'quotas' | 'edge'> & { readonly wording?: Wording }) {
    this.name = name
    this.catalogue = catalogue
    this.durations = durations
    this.quotas = quotas
    this.edge = edge
    this.names = names
    this.omitted = omitted
    this.words = words
  }

  /** The same assumptions with other names. */
  withNames(names: Names): Profile {
    const { name, catalogue, durations, quotas, edge, omitted, words } = this
    return new Profile({ name, catalogue, durations, quotas, edge, wording: { names, omitted, words } })
  }

  /** A schema with the values of the catalogue, and the words for states. If both are built in, the schema itself. */
  schema<T extends TSchema>(schema: T): T {
    if (this.catalogue === BUILT_IN_CATALOGUE && this.words === BUILT_IN_WORDS) return schema
    const made = this.#schemas.get(schema) ?? schemaUnder(schema, this)
    this.#schemas.set(schema, made)
    return made as T
  }
}

/** The assumptions of a server without a profile. */
export const BUILT_IN = new Profile({
  name: 'built-in',
  catalogue: BUILT_IN_CATALOGUE,
  durations: new Map(),
  quotas: quotasOf(),
  edge: NO_EDGE
})

/**
 * Makes a profile of a document and the built-in assumptions.
 * @param builtIn the words that a profile with this catalogue can change
 * @throws {ServiceError} `invalidBody` naming the paths of all errors
 */
export function compileProfile(document: unknown, builtIn: (profile: Profile) => BuiltInWording): Profile {
  throwFieldErrors(formErrors(document))
  throwFieldErrors(schemaErrors(ProfileSchema, document))
  const { name, catalogue, durations, quotas, states, names, omit } = document as ProfileDocument
  const errors: FieldError[] = []
  const complain = (field: string, reason: string) => {
    errors.push({ field, reason })
  }
  const parts = {
    name,
    catalogue: catalogueOf(catalogue, complain),
    durations: durationsOf(durations, complain),
    quotas: quotasOf(quotas),
    edge: compileEdge(document as ProfileDocument, complain)
  }
  const wording = { states, names, omit }
  for (const { field, reason } of wordingErrors(wording, builtIn(new Profile(parts)))) complain(field, reason)
  if (errors.length > 0) throw invalidBody(errors)
  return new Profile({ ...parts, wording: compileWording(wording) })
}

/** Refuses another form as such: each of its fields could be an error. */
function formErrors(document: unknown): FieldError[] {
  if (typeof document !== 'object' || document === null || !('profile' in document)) return []
  const { profile: form } = document
  if (form === FORM) return []
  const shown = typeof form === 'number' || typeof form === 'string' ? JSON.stringify(form) : typeName(form)
  const remedy = typeof form === 'number' && form > FORM ? '; it was written for a newer server, use that one' : ''
  return [{ field: 'profile', reason: `must be ${FORM}, but is ${shown}${remedy}` }]
}

/** A profile as a document, with nothing left out. */
export function toProfileDocument(profile: Profile, states: KnownStates): ProfileInForce {
  const { name, catalogue, durations, quotas, edge } = profile
  return {
    profile: FORM,
    name,
    catalogue: toCatalogueDocument(catalogue),
    durations: toDurationsDocument(durations),
    quotas: toQuotasDocument(quotas),
    ...toWordingDocument(profile, states),
    ...edge.document
  }
}
