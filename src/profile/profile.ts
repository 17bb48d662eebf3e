import type { TSchema } from '@sinclair/typebox'
import { schemaErrors } from '../interface/check.js'
import { type FieldError, invalidBody, ServiceError } from '../interface/errors.js'
import { mergeFieldErrors, throwFieldErrors, UNKNOWN_FIELD } from '../interface/validation.js'
import { type Json, objectOf, stepsTo, valueAt } from '../lib/json.js'
import { schemaUnder } from './by-profile.js'
import { BUILT_IN_CATALOGUE, type Catalogue } from './catalogue.js'
import { catalogueOf } from './catalogue-document.js'
import type { Durations } from './durations.js'
import { durationsOf, toDurationsDocument } from './durations-document.js'
import { compileEdge, type Edge, NO_EDGE } from './edge.js'
import { DELETED_FIELDS, type Fields, NO_FIELDS, withFields } from './fields.js'
import { fieldsOf, type KnownSchemas } from './fields-document.js'
import { forEach, readLength } from './form.js'
import { checkNames, compileNames, type Names, type Vocabulary } from './names.js'
import { checkOmit, compileOmit, type Omitted, type ReplyFields } from './omit.js'
import { quotasOf, type QuotaTerms } from './quotas.js'
import { checkReplyFields } from './replies.js'
import { compileRequests, type RequestRules, withRules } from './requests.js'
import { FORM, type ProfileDocument, type ProfileInForce, ProfileSchema } from './schemas.js'
import {
  type Allowed,
  BUILT_IN_WORDS,
  checkStates,
  compileAllowed,
  compilePhases,
  compileStates,
  type KnownStates,
  type Phases,
  type StateKind,
  type StateWords
} from './states.js'

/** Names and schemas of other rooms that a profile can change. */
export interface BuiltIn extends KnownSchemas {
  readonly vocabulary: Vocabulary
  readonly replies: ReplyFields
  readonly states: KnownStates
  /** The states of a workspace in which each transition can be requested. */
  readonly requestable: ReadonlyMap<string, readonly string[]>
}

/** All assumptions about the service, checked. */
interface Assumed {
  readonly name: string
  /** The profile as it was given. */
  readonly document: Partial<ProfileDocument>
  /** Whether no profile was given. */
  readonly isBuiltIn: boolean
  readonly catalogue: Catalogue
  readonly durations: Durations
  readonly quotas: QuotaTerms
  readonly edge: Edge
  readonly fields: Fields
  /** How long a deleted workspace stays readable, in milliseconds; undefined: not at all. */
  readonly readableFor: number | undefined
  readonly phases: Phases
  readonly allowed: Allowed
  /** undefined: as built in. */
  readonly requests: RequestRules | undefined
  readonly names: Names
  readonly omitted: Omitted
  readonly words: StateWords
}

export interface Profile extends Assumed {
  /** The same assumptions with other names. */
  readonly withNames: (names: Names) => Profile
  /** A schema under the profile: with its catalogue, words for states, rules and further fields. */
  readonly schema: <T extends TSchema>(schema: T) => T
}

const BUILT_IN_ASSUMED: Assumed = {
  name: 'built-in',
  document: {},
  isBuiltIn: true,
  catalogue: BUILT_IN_CATALOGUE,
  durations: new Map(),
  quotas: quotasOf(),
  edge: NO_EDGE,
  fields: NO_FIELDS,
  readableFor: undefined,
  phases: {},
  allowed: new Map(),
  requests: undefined,
  names: compileNames({}),
  omitted: new Map(),
  words: BUILT_IN_WORDS
}

/** @param given assumptions that replace built-in ones */
function profileWith(given: Partial<Assumed>): Profile {
  const assumed: Assumed = { ...BUILT_IN_ASSUMED, ...given }
  const { catalogue, words, fields, readableFor, requests } = assumed
  const hasBuiltInValues = catalogue === BUILT_IN_CATALOGUE && words === BUILT_IN_WORDS
  const changesNone = hasBuiltInValues && fields === NO_FIELDS && readableFor === undefined && requests === undefined
  const schemas = new WeakMap<TSchema, TSchema>()
  return {
    ...assumed,
    withNames: (names) => profileWith({ ...assumed, names }),
    schema: <T extends TSchema>(schema: T): T => {
      if (changesNone) return schema
      const known = schemas.get(schema)
      if (known !== undefined) return known as T
      const ruled = requests === undefined ? schema : withRules(schema, requests)
      const own = readableFor === undefined ? ruled : withFields(ruled, DELETED_FIELDS)
      const made = withFields(schemaUnder(own, assumed), fields)
      schemas.set(schema, made)
      return made
    }
  }
}

/** The assumptions of a server without a profile. */
export const BUILT_IN = profileWith({})

/**
 * Compiles the document of a profile.
 * @param builtIn gives the names and schemas that the profile can change, which depend on its catalogue and fields
 * @param fileName the name of a profile that does not have one
 * @throws {ServiceError} `invalidBody` with all errors
 */
export function compileProfile(
  document: unknown,
  builtIn: (profile: Profile) => BuiltIn,
  fileName = 'unnamed'
): Profile {
  throwFieldErrors(formErrors(document))
  const malformed = schemaErrors(ProfileSchema, document)
  if (malformed.length > 0) throw invalidBody(mergeFieldErrors(malformed, errorsBesides(malformed, document, builtIn)))
  const given = document as ProfileDocument
  const { name = fileName, catalogue, durations, quotas, fields, replies, requests, states = {}, names = {} } = given
  const errors = new Map<string, string>()
  // Of several problems of a field, such as one in each request of a collection, the first is enough.
  const complain = (field: string, reason: string) => {
    if (!errors.has(field)) errors.set(field, reason)
  }
  const parts = {
    name,
    document: given,
    isBuiltIn: false,
    catalogue: catalogueOf(catalogue, complain),
    durations: durationsOf(durations, complain),
    quotas: quotasOf(quotas),
    edge: compileEdge(given, complain),
    readableFor: states.deleted && readLength(states.deleted.readable_for)
  }
  const known = builtIn(profileWith(parts))
  const phases = compilePhases(states, known.states.workspace, complain)
  const allowed = compileAllowed(states, known.requestable, complain)
  const further = fieldsOf(fields, known, complain)
  const rules = requests && compileRequests(requests, known, complain)
  const all = further === NO_FIELDS ? known : builtIn(profileWith({ ...parts, fields: further }))
  checkStates(states, all.states, complain)
  checkOmit(given, all, complain)
  checkNames(names, all.vocabulary, complain)
  checkReplyFields(replies ?? {}, all.vocabulary.fields, complain)
  throwFieldErrors([...errors].map(([field, reason]) => ({ field, reason })))
  const words = compileStates(states)
  return profileWith({
    ...parts,
    phases,
    allowed,
    requests: rules,
    fields: further,
    names: compileNames(names),
    omitted: compileOmit(given, known.resources, words, phases),
    words
  })
}

/** Parts that can name the fields in `fields`. */
const ABOUT_FIELDS = ['names', 'omit', 'shown', 'replies']

/** Errors in what is left of a document without all that is malformed. */
function errorsBesides(
  malformed: readonly FieldError[],
  document: unknown,
  builtIn: (profile: Profile) => BuiltIn
): FieldError[] {
  const isAboutFields = malformed.some(({ field }) => /^fields(\.|$)/.test(field))
  let left: object = objectOf(document)
  for (const { field, reason } of malformed) {
    // An entry of a section without one of its values may make no sense.
    const steps = stepsTo(left, field, reason === UNKNOWN_FIELD ? Infinity : 2)
    // Without an item, others would have another index.
    while (Array.isArray(valueAt(left, steps.slice(0, -1)))) steps.pop()
    left = without(left, steps)
  }
  const others = Object.entries(left).filter(([part]) => !isAboutFields || !ABOUT_FIELDS.includes(part))
  try {
    compileProfile({ ...Object.fromEntries(others), profile: FORM }, builtIn)
    return []
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // What surrounds a removed part may lack it.
    const isAround = (name: string) => malformed.some(({ field }) => field.startsWith(`${name}.`))
    return error.details.flatMap(({ FieldName, Reason }) =>
      isAround(FieldName) ? [] : [{ field: FieldName, reason: Reason }]
    )
  }
}

/** A copy of a part of a document without the value at the end of some steps. */
function without(part: object, [step, ...inside]: readonly string[]): object {
  const left = Object.entries(part as Json).flatMap(([name, value]): [string, unknown][] => {
    if (name !== step) return [[name, value]]
    return inside.length === 0 ? [] : [[name, without(value as object, inside)]]
  })
  return Array.isArray(part) ? left.map(([, value]) => value) : Object.fromEntries(left)
}

/** Refuses another version of the form at once, because all its fields could be errors. */
function formErrors(document: unknown): FieldError[] {
  if (typeof document !== 'object' || document === null || !('profile' in document)) return []
  return document.profile === FORM ? [] : [{ field: 'profile', reason: `must be ${FORM}, the form of this server` }]
}

/** A complete profile as a document. */
export function toProfileDocument(profile: Profile, states: KnownStates): ProfileInForce {
  const { name, document, catalogue, durations, quotas, names, words } = profile
  const wordsOf = (kind: StateKind) =>
    Object.fromEntries(states[kind].map((state) => [state, words[kind].toWire(state)]))
  const inForce = {
    profile: FORM,
    name,
    catalogue,
    durations: toDurationsDocument(durations),
    quotas: { ...quotas.rules, plans: Object.fromEntries(quotas.plans) },
    states: { ...document.states, ...forEach(Object.keys(states) as StateKind[], wordsOf) },
    names: Object.fromEntries(Object.entries(names).map(([kind, { names: own }]) => [kind, Object.fromEntries(own)]))
  } as const
  return { ...inForce, omit: {}, shown: {}, ...document, ...inForce }
}
