import type { TSchema } from '@sinclair/typebox'
import { schemaErrors } from '../lib/check.js'
import { type FieldError, invalidBody } from '../lib/errors.js'
import { throwFieldErrors, typeName } from '../lib/validation.js'
import { BUILT_IN_CATALOGUE, type Catalogue } from './catalogue.js'
import { catalogueOf, toCatalogueDocument } from './catalogue-document.js'
import type { Durations } from './durations.js'
import { durationsOf, toDurationsDocument } from './durations-document.js'
import { compileEdge, type Edge, NO_EDGE } from './edge.js'
import { schemaUnder } from './from-catalogue.js'
import type { QuotaTerms } from './quotas.js'
import { quotasOf, toQuotasDocument } from './quotas-document.js'
import { FORM, type ProfileDocument, type ProfileInForce, ProfileSchema } from './schemas.js'

/** What is assumed about the service, as it is in force: complete, and checked. */
export class Profile {
  readonly name: string
  readonly catalogue: Catalogue
  readonly durations: Durations
  readonly quotas: QuotaTerms
  /** Paths and replies beside those of the operations. */
  readonly edge: Edge
  /** The schemas that {@link schema} has made, by the original. */
  readonly #schemas = new WeakMap<TSchema, TSchema>()

  constructor({ name, catalogue, durations, quotas, edge }: Omit<Profile, 'schema'>) {
    this.name = name
    this.catalogue = catalogue
    this.durations = durations
    this.quotas = quotas
    this.edge = edge
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
export const BUILT_IN = new Profile({
  name: 'built-in',
  catalogue: BUILT_IN_CATALOGUE,
  durations: new Map(),
  quotas: quotasOf(),
  edge: NO_EDGE
})

/**
 * Makes a profile of a document and the built-in assumptions.
 * @throws {ServiceError} `invalidBody` naming the paths of all errors
 */
export function compileProfile(document: unknown): Profile {
  throwFieldErrors(formErrors(document))
  throwFieldErrors(schemaErrors(ProfileSchema, document))
  const { name, catalogue, durations, quotas } = document as ProfileDocument
  const errors: FieldError[] = []
  const complain = (field: string, reason: string) => {
    errors.push({ field, reason })
  }
  const profile = new Profile({
    name,
    catalogue: catalogueOf(catalogue, complain),
    durations: durationsOf(durations, complain),
    quotas: quotasOf(quotas),
    edge: compileEdge(document as ProfileDocument, complain)
  })
  if (errors.length > 0) throw invalidBody(errors)
  return profile
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
export function toProfileDocument({ name, catalogue, durations, quotas, edge }: Profile): ProfileInForce {
  return {
    profile: FORM,
    name,
    catalogue: toCatalogueDocument(catalogue),
    durations: toDurationsDocument(durations),
    quotas: toQuotasDocument(quotas),
    ...edge.document
  }
}
