import type { ProfileDocument } from '../../profile/schemas.js'
import { openProfile } from '../../resources/open-profile.js'
import type { Exchange } from '../exchange.js'
import type { Entry } from '../fact-book.js'
import { learnBareReplies, learnListKeys } from './bare-replies.js'
import { learnCatalogue } from './catalogue.js'
import { undoDocumented } from './documented.js'
import { Draft, type Note, same } from './draft.js'
import { learnDurations } from './durations.js'
import { type Evidence, gather } from './evidence.js'
import { learnFields } from './fields.js'
import { learnGateway } from './gateway.js'
import { learnMessages, learnRefusalMessages } from './messages.js'
import { learnNames } from './names.js'
import { learnLimits, learnQuotas } from './quotas.js'
import { learnRefusals, learnRepeats, learnRoles } from './refusals.js'
import { learnLag, learnReplyForms } from './reply-forms.js'
import { learnDeleted, learnStates } from './states.js'
import { learnStubs } from './stubs.js'
import { changesAnything, makeValid } from './valid.js'

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
  learnBareReplies(exchanges, await openProfile(draft.document), draft)
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
  for (const { place, text, isUnclear } of changedBy(PARTS).notes) if (isUnclear) best.draft.flag(place, text)
  // Comparisons ignore limits.
  learnLimits(exchanges, best.draft)
  makeValid(best.draft)
  const { basePath = '', ledger, refused } = best.evidence
  const explain = (text: string) => best.draft.explain([], text)
  for (const { id, verdict, agreements, differences, examples } of ledger)
    if (verdict === 'contradicted')
      explain(
        `Still differs: ${id} in ${differences} of ${agreements + differences} observations, ` +
          `such as exchange ${examples[0]!.exchange}.`
      )
  for (const reason of refused) explain(`Could not be adopted: ${reason}.`)
  const profile = best.draft.document as unknown as ProfileDocument
  const start = `The service is at ${basePath}: start the mock with --base-path ${basePath}`
  const first: readonly Note[] = basePath === '' ? [] : [{ place: [], text: start, isUnclear: false }]
  return { profile, notes: [...first, ...best.draft.notes], conformance: best.evidence }

  async function compared(draft: Draft): Promise<{ readonly draft: Draft; readonly evidence: Evidence }> {
    round++
    const document = changesAnything(draft.document) ? draft.document : undefined
    return { draft, evidence: await gather(exchanges, document, (done, all) => onExchange?.(done, all, round)) }
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
