import type { ProfileDocument } from '../../profile/schemas.js'
import { openProfile } from '../../resources/open-profile.js'
import { Api } from '../api.js'
import { conform, ofService } from '../conform.js'
import type { Exchange } from '../exchange.js'
import type { Entry } from '../fact-book.js'
import { wordsIn } from '../words.js'
import { learnBareReplies, learnListKeys } from './bare-replies.js'
import { learnCatalogue, learnDocumentedCatalogue } from './catalogue.js'
import { describe, type Described } from './described.js'
import { learnDocumentedFields } from './documented-fields.js'
import { Draft, makeValid, type Note, same } from './draft.js'
import { learnDurations } from './durations.js'
import type { Evidence } from './evidence.js'
import { learnFields } from './fields.js'
import { learnGateway } from './gateway.js'
import { learnMessages, learnRefusalMessages } from './messages.js'
import { learnDocumentedNames, learnNames, renamesIn } from './names.js'
import type { Mismatch } from './pairings.js'
import { learnLimits, learnQuotas } from './quotas.js'
import { learnRefusals, learnRepeats, learnRoles } from './refusals.js'
import { learnLag, learnReplyForms } from './reply-forms.js'
import { learnRoutes } from './routes.js'
import { learnDeleted, learnDocumentedStates, learnStates } from './states.js'
import { learnDocumentedStubs, learnStubs } from './stubs.js'
import { undoDocumented } from './undo.js'

/** What was learned. */
export interface Learned {
  readonly profile: ProfileDocument
  readonly notes: readonly Note[]
}

const resultOf = ({ document, notes }: Draft): Learned => ({ profile: document as unknown as ProfileDocument, notes })

const baseNote = (basePath: string) => `The service is at ${basePath}: start the mock with --base-path ${basePath}`

/** How many parts of a profile were learned from a document. */
export type Summary = ReturnType<typeof summaryOf>

/**
 * Learns a profile from the mock's own OpenAPI document and that of a service.
 * @param duplicates keys that the text of the service's document repeats
 * @param name the name of the profile; from the title of that document if absent
 * @throws {DocumentError} if nothing can be learned
 */
export function learnFromDocument(own: unknown, theirs: unknown, duplicates: readonly string[] = [], name?: string) {
  const described = describe(own, theirs)
  const titled = wordsIn(described.theirs.title).join('-').slice(0, LONGEST_NAME) || 'learned'
  const draft = new Draft({ profile: 1, name: name ?? titled })
  for (const key of duplicates) draft.flag([], `${key} is in the document twice; the last one counts.`)
  noteDocument(described, draft)
  learnDocumentedCatalogue(described, draft)
  learnDocumentedStates(described, draft)
  const renames = renamesIn(described, draft)
  learnDocumentedFields(described, renames, draft)
  for (const mismatch of described.pairings.mismatches) noteMismatch(mismatch, draft)
  learnDocumentedNames(renames, described, draft)
  const { routes, unserved } = learnRoutes(described, draft)
  const stubs = learnDocumentedStubs(described, unserved, draft)
  for (const [part, list] of Object.entries({ routes, stubs })) if (list.length > 0) draft.document[part] = list
  makeValid(draft)
  return { ...resultOf(draft), summary: summaryOf(described, draft) }
}

const LONGEST_NAME = 100

function noteDocument({ theirs: { basePath, duplicates, schemas } }: Described, notes: Draft): void {
  if (basePath !== '') notes.explain([], baseNote(basePath))
  for (const route of duplicates) notes.flag([], `${route} is in the document more than once; the first one counts.`)
  for (const reference of schemas.remote)
    notes.flag([], `The reference ${reference} leads to another document, which was not read.`)
  for (const reference of schemas.broken) notes.flag([], `The reference ${reference} leads nowhere.`)
}

function noteMismatch({ field, owner, own, theirs }: Mismatch, notes: Draft): void {
  const subject = field === undefined ? `The body or result of ${owner}` : `${field} of ${owner}`
  const [type, expected] = [theirs.type ?? 'any', own.type ?? 'any']
  notes.flag(['fields', owner], `${subject} is of type ${type} in the document, but of type ${expected} in the mock.`)
}

function summaryOf({ own, operations }: Described, draft: Draft) {
  const { profile, notes } = resultOf(draft)
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

/** Learns one part of a profile. */
type LearnPart = (evidence: Evidence, draft: Draft) => void

const PARTS: readonly LearnPart[] = [
  learnListKeys,
  learnFields,
  learnNames,
  learnStates,
  learnDeleted,
  learnCatalogue,
  learnDurations,
  learnQuotas,
  learnMessages,
  learnRefusalMessages,
  learnRefusals,
  learnRepeats,
  learnGateway,
  learnRoles,
  learnReplyForms,
  learnLag,
  learnStubs
]

/** The maximum number of comparisons. Differences can hide others, so one comparison is not enough. */
const MOST_ROUNDS = 5

interface LearnOptions {
  /** The name of the profile. */
  readonly name?: string | undefined
  /** The result of learning from a document. */
  readonly base?: { readonly profile: object; readonly notes: readonly Note[] } | undefined
  /** Called after each exchange of each comparison. */
  readonly onExchange?: ((done: number, all: number, round: number) => void) | undefined
}

/**
 * Learns a profile that makes the mock behave as exchanges with a service show, as far as profiles can.
 * @returns the profile with notes, and a comparison under it
 */
export async function learnFromExchanges(
  exchanges: readonly Exchange[],
  { name, base, onExchange }: LearnOptions = {}
) {
  const draft = new Draft({ profile: 1, name: 'learned', ...base?.profile }, base?.notes)
  if (name !== undefined) draft.document['name'] = name
  makeValid(draft)
  const known = await openProfile(draft.document)
  const service = ofService(exchanges, new Api(known))
  learnBareReplies(service.calls, known, draft)
  learnLimits(service.exchanges, draft)
  makeValid(draft)
  let round = 0
  let best = await compared(new Draft(draft.document, draft.notes))
  const rejected = new Set<LearnPart>()
  for (let step = 1; step < MOST_ROUNDS; step++) {
    const undone = best.draft.copy()
    undoDocumented(best.evidence, undone)
    makeValid(undone)
    // Wrong names hide fields, so compare again first.
    if (!same(undone.document, best.draft.document)) {
      best = await compared(undone)
      continue
    }
    const parts = PARTS.filter((part) => !rejected.has(part))
    const next = changedBy(parts)
    if (same(next.document, best.draft.document)) break
    if (await accept(next)) continue
    for (const part of parts) {
      const alone = changedBy([part])
      if (!same(alone.document, best.draft.document) && !(await accept(alone))) rejected.add(part)
    }
  }
  // Without the flags from the comparison before, whose numbers are others.
  const last = best.draft.copy()
  for (const { place, text, isUnclear } of changedBy(PARTS).notes) if (isUnclear) last.flag(place, text)
  const { basePath, ledger, refused } = best.evidence
  const explain = (text: string) => last.explain([], text)
  for (const { id, verdict, agreements, differences, examples } of ledger)
    if (verdict === 'contradicted')
      explain(
        `Still differs: ${id} in ${differences} of ${agreements + differences} observations, ` +
          `such as exchange ${examples[0]!.exchange}.`
      )
  for (const reason of refused) explain(`Could not be adopted: ${reason}.`)
  const { profile, notes } = resultOf(last)
  const first: readonly Note[] = basePath === '' ? [] : [{ place: [], text: baseNote(basePath), isUnclear: false }]
  return { profile, notes: [...first, ...notes], conformance: best.evidence }

  async function compared(draft: Draft): Promise<{ readonly draft: Draft; readonly evidence: Evidence }> {
    round++
    const onEach = (done: number, all: number) => onExchange?.(done, all, round)
    return { draft, evidence: await conform(exchanges, { profile: draft.document, onExchange: onEach }) }
  }

  /** The best draft with what some parts learn from its evidence. */
  function changedBy(parts: readonly LearnPart[]): Draft {
    const next = best.draft.copy()
    for (const learnPart of parts) learnPart(best.evidence, next)
    makeValid(next)
    return next
  }

  /** Makes a draft the best one, unless it breaks more than it fixes. */
  async function accept(next: Draft): Promise<boolean> {
    const after = await compared(next)
    const isBetter = gainOf(best.evidence, after.evidence) >= 0
    if (isBetter) best = after
    return isBetter
  }
}

/**
 * The number of facts that no longer differ, minus those that no longer agree. Facts that were not comparable before do
 * not count: making more comparable is no loss.
 */
function gainOf(before: Evidence, after: Evidence): number {
  const now = new Map(after.facts.map((entry) => [keyOf(entry), entry.differences]))
  return before.facts.reduce((gain, entry) => {
    const differences = now.get(keyOf(entry))
    if (entry.differences > 0) return (differences ?? 0) > 0 ? gain : gain + 1
    return differences === 0 ? gain : gain - 1
  }, 0)
}

const keyOf = ({ key }: Entry) => JSON.stringify(key)
