import { learnCatalogue } from './catalogue.js'
import { compareApis, type Comparison } from './comparison.js'
import { learnFields } from './fields-part.js'
import { learnNames, renamedFields } from './names-part.js'
import { type Note, Notes } from './notes.js'
import type { Mismatch } from './pairings.js'
import type { LearnedProfile } from './profile.js'
import { learnRoutes } from './routes.js'
import { learnStates } from './states.js'
import { learnStubs } from './stubs.js'
import { wordsIn } from './words.js'

/** How much was found. */
export interface Summary {
  /** Operations of the mock, and how many of them the document has. */
  readonly operations: number
  readonly matched: number
  /** Operations that the document lacks. The mock still serves them. */
  readonly missing: number
  /** Further paths to those that it has. */
  readonly further: number
  readonly renamed: number
  readonly added: number
  readonly omitted: number
  readonly moved: number
  readonly stubbed: number
  readonly unclear: number
}

export interface Learned {
  readonly profile: LearnedProfile
  readonly notes: readonly Note[]
  readonly summary: Summary
}

/**
 * Makes a profile under which the mock behaves as a document says.
 * @param own the mock's own OpenAPI document
 * @param theirs that of the service: OpenAPI 3, or Swagger 2
 * @param duplicates keys that were in the text of the document more than once
 * @throws {LearnError} if nothing can be learned from it
 */
export function learn(own: unknown, theirs: unknown, duplicates: readonly string[] = []): Learned {
  const comparison = compareApis(own, theirs)
  const notes = new Notes()
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
    routes: [...routes],
    stubs: learnStubs(comparison, unserved, notes)
  }
  const profile = {
    profile: 1,
    name: wordsIn(comparison.theirs.title).join('-').slice(0, LONGEST_NAME) || 'learned',
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0))
  } as LearnedProfile
  return { profile, notes: distinct(notes.all), summary: summaryOf(comparison, parts, distinct(notes.all)) }
}

const LONGEST_NAME = 100

/** Notes on the document as a whole. */
function noteDocument({ theirs: { basePath, duplicates, references } }: Comparison, notes: Notes): void {
  if (basePath !== '') notes.explain([], `The service is at ${basePath}: start the mock with --base-path ${basePath}`)
  for (const route of duplicates) notes.doubt([], `${route} is in the document more than once; the first one counts.`)
  for (const reference of references.remote)
    notes.doubt([], `The reference ${reference} leads to another document, which was not read.`)
  for (const reference of references.broken) notes.doubt([], `The reference ${reference} leads nowhere.`)
}

function noteMismatch({ name, field, operation, own, theirs }: Mismatch, notes: Notes): void {
  const subject = field === undefined ? `The body or result of ${operation}` : `${field} of ${name ?? operation}`
  notes.doubt(
    field === undefined || name === undefined ? [] : ['fields', name, field],
    `${subject} is ${described(theirs.type)} in the document, but ${described(own.type)} in the mock.`
  )
}

const described = (type: string | undefined) => (type === undefined ? 'of any type' : `of type ${type}`)

function distinct(notes: readonly Note[]): Note[] {
  return [...new Map(notes.map((note) => [JSON.stringify([note.place, note.text]), note])).values()]
}

type Parts = Required<Omit<LearnedProfile, 'profile' | 'name'>>

function summaryOf({ own, operations }: Comparison, parts: Parts, notes: readonly Note[]): Summary {
  const countIn = (groups: Readonly<Record<string, object>>) =>
    Object.values(groups).reduce((sum, group) => sum + Object.keys(group).length, 0)
  const { names, states, fields, omit, routes, stubs } = parts
  return {
    operations: own.operations.length,
    matched: operations.matches.length,
    missing: operations.missing.length,
    further: operations.further.length,
    renamed: countIn({ ...names }) + countIn({ ...states }),
    added: countIn(fields),
    omitted: countIn(omit),
    moved: routes.filter((route) => 'off' in route).length,
    stubbed: stubs.reduce((sum, { collection }) => sum + (collection?.does?.length ?? 1), 0),
    unclear: notes.filter(({ isUnclear }) => isUnclear).length
  }
}
