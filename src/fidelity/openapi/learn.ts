import type { ProfileDocument } from '../../profile/schemas.js'
import { Draft, type Note } from '../learn/draft.js'
import { learnCatalogue } from './catalogue.js'
import { compareApis, type Comparison } from './comparison.js'
import { learnFields } from './fields-part.js'
import { learnNames, renamedFields } from './names-part.js'
import type { Mismatch } from './pairings.js'
import { learnRoutes } from './routes.js'
import { learnStates } from './states.js'
import { learnStubs } from './stubs.js'
import { wordsIn } from './words.js'

/** How much was found. */
export type Summary = ReturnType<typeof summaryOf>

export interface Learned {
  readonly profile: ProfileDocument
  readonly notes: readonly Note[]
  readonly summary: Summary
}

/**
 * Makes a profile under which the mock, whose own OpenAPI document is given, behaves as that of a service says.
 * @param duplicates keys that were in the text of the document more than once
 * @throws {DocumentError} if nothing can be learned from it
 */
export function learn(own: unknown, theirs: unknown, duplicates: readonly string[] = []): Learned {
  const comparison = compareApis(own, theirs)
  const notes = new Draft({})
  for (const key of duplicates) notes.doubt([], `${key} is in the document twice; the last one counts.`)
  noteDocument(comparison, notes)
  const renamed = renamedFields(comparison)
  const names = learnNames(comparison, renamed, notes)
  const values = new Map(Object.entries(names.values ?? {}))
  const { fields, omit } = learnFields(comparison, renamed, values, notes)
  for (const mismatch of comparison.pairings.mismatches) noteMismatch(mismatch, notes)
  for (const { operation, isOurs } of comparison.pairings.results)
    notes.doubt([], `${operation} has a result in the ${isOurs ? 'mock, but not in the document' : 'document only'}.`)
  const { routes, unserved } = learnRoutes(comparison, notes)
  const parts = {
    catalogue: learnCatalogue(comparison, notes),
    states: learnStates(comparison, notes),
    fields,
    omit,
    names,
    routes,
    stubs: learnStubs(comparison, unserved, notes)
  }
  const profile = {
    profile: 1,
    name: wordsIn(comparison.theirs.title).join('-').slice(0, LONGEST_NAME) || 'learned',
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0))
  } as ProfileDocument
  return { profile, notes: notes.notes, summary: summaryOf(comparison, parts, notes.notes) }
}

const LONGEST_NAME = 100

/** Notes on the document as a whole. */
function noteDocument({ theirs: { basePath, duplicates, references } }: Comparison, notes: Draft): void {
  if (basePath !== '') notes.explain([], `The service is at ${basePath}: start the mock with --base-path ${basePath}`)
  for (const route of duplicates) notes.doubt([], `${route} is in the document more than once; the first one counts.`)
  for (const reference of references.remote)
    notes.doubt([], `The reference ${reference} leads to another document, which was not read.`)
  for (const reference of references.broken) notes.doubt([], `The reference ${reference} leads nowhere.`)
}

function noteMismatch({ name, field, operation, own, theirs }: Mismatch, notes: Draft): void {
  const subject = field === undefined ? `The body or result of ${operation}` : `${field} of ${name ?? operation}`
  notes.doubt(
    field === undefined || name === undefined ? [] : ['fields', name, field],
    `${subject} is ${described(theirs.type)} in the document, but ${described(own.type)} in the mock.`
  )
}

const described = (type: string | undefined) => (type === undefined ? 'of any type' : `of type ${type}`)

type Parts = Required<Pick<ProfileDocument, 'names' | 'states' | 'fields' | 'omit' | 'routes' | 'stubs'>>

function summaryOf({ own, operations }: Comparison, parts: Parts, notes: readonly Note[]) {
  const countIn = (groups: object) =>
    Object.values<object>({ ...groups }).reduce((sum, group) => sum + Object.keys(group).length, 0)
  const { names, states, fields, omit, routes, stubs } = parts
  return {
    /** Operations of the mock, and how many of them the document has. */
    operations: own.operations.length,
    matched: operations.matches.length,
    /** Operations that the document lacks. The mock still serves them. */
    missing: operations.missing.length,
    /** Further paths to those that it has. */
    further: operations.further.length,
    renamed: countIn(names) + countIn(states),
    added: countIn(fields),
    omitted: countIn(omit),
    moved: routes.filter(({ off }) => off === true).length,
    stubbed: stubs.reduce((sum, { collection }) => sum + (collection?.does?.length ?? 1), 0),
    unclear: notes.filter(({ isUnclear }) => isUnclear).length
  }
}
