import type { ProfileDocument } from '../../profile/schemas.js'
import { Draft, type Note } from '../learn/draft.js'
import { makeValid } from '../learn/valid.js'
import { learnCatalogue } from './catalogue.js'
import { compareApis, type Comparison } from './comparison.js'
import { learnFields } from './fields.js'
import { learnNames, renamesIn } from './names.js'
import type { Mismatch } from './pairings.js'
import { learnRoutes } from './routes.js'
import { learnStates } from './states.js'
import { learnStubs } from './stubs.js'
import { wordsIn } from './words.js'

export type Summary = ReturnType<typeof summaryOf>

export interface Learned {
  readonly profile: ProfileDocument
  readonly notes: readonly Note[]
  readonly summary: Summary
}

/**
 * Learns a profile from the mock's own OpenAPI document and that of a service.
 * @param duplicates keys that the text of the service's document repeats
 * @throws {DocumentError} if nothing can be learned
 */
export function learn(own: unknown, theirs: unknown, duplicates: readonly string[] = []): Learned {
  const comparison = compareApis(own, theirs)
  const { title } = comparison.theirs
  const draft = new Draft({ profile: 1, name: wordsIn(title).join('-').slice(0, LONGEST_NAME) || 'learned' })
  for (const key of duplicates) draft.flag([], `${key} is in the document twice; the last one counts.`)
  noteDocument(comparison, draft)
  learnCatalogue(comparison, draft)
  learnStates(comparison, draft)
  const renames = renamesIn(comparison, draft)
  learnFields(comparison, renames, draft)
  for (const mismatch of comparison.pairings.mismatches) noteMismatch(mismatch, draft)
  learnNames(renames, comparison, draft)
  const { routes, unserved } = learnRoutes(comparison, draft)
  const stubs = learnStubs(comparison, unserved, draft)
  for (const [part, list] of Object.entries({ routes, stubs })) if (list.length > 0) draft.document[part] = list
  makeValid(draft)
  const profile = draft.document as unknown as ProfileDocument
  return { profile, notes: draft.notes, summary: summaryOf(comparison, profile, draft.notes) }
}

const LONGEST_NAME = 100

function noteDocument({ theirs: { basePath, duplicates, references } }: Comparison, notes: Draft): void {
  if (basePath !== '') notes.explain([], `The service is at ${basePath}: start the mock with --base-path ${basePath}`)
  for (const route of duplicates) notes.flag([], `${route} is in the document more than once; the first one counts.`)
  for (const reference of references.remote)
    notes.flag([], `The reference ${reference} leads to another document, which was not read.`)
  for (const reference of references.broken) notes.flag([], `The reference ${reference} leads nowhere.`)
}

function noteMismatch({ field, owner, own, theirs }: Mismatch, notes: Draft): void {
  const subject = field === undefined ? `The body or result of ${owner}` : `${field} of ${owner}`
  const [type, expected] = [theirs.type ?? 'any', own.type ?? 'any']
  notes.flag(['fields', owner], `${subject} is of type ${type} in the document, but of type ${expected} in the mock.`)
}

function summaryOf({ own, operations }: Comparison, profile: ProfileDocument, notes: readonly Note[]) {
  const countIn = (groups: object = {}) =>
    Object.values<object>({ ...groups }).reduce((sum, group) => sum + Object.keys(group).length, 0)
  return {
    /** Operations of the mock, and how many of them the document has. */
    operations: own.operations.length,
    matched: operations.matches.length,
    renamed: countIn(profile.names) + countIn(profile.states),
    added: countIn(profile.fields),
    stubbed: profile.stubs?.length ?? 0,
    unclear: notes.filter(({ isUnclear }) => isUnclear).length
  }
}
