import type { ProfileDocument } from '../../profile/schemas.js'
import type { Conformance } from '../conform.js'
import type { Exchange } from '../exchange.js'
import type { Note } from '../openapi/notes.js'
import { learnCatalogue } from './catalogue.js'
import { learnDeleted } from './deleted.js'
import { undoDocumented } from './documented.js'
import { Draft, same } from './draft.js'
import { learnDurations } from './durations.js'
import { type Evidence, gather } from './evidence.js'
import { learnFields } from './fields.js'
import { learnGateway } from './gateway.js'
import { limitsIn } from './limits.js'
import { learnMessages } from './messages.js'
import { learnNames } from './names.js'
import { learnQuotas } from './quotas.js'
import { learnRoles } from './roles.js'
import { learnStates } from './states.js'
import { learnStubs } from './stubs.js'
import { makeValid, saysSomething } from './valid.js'

/** Each turns some differences into a part of a profile. */
const PARTS: readonly ((evidence: Evidence, draft: Draft) => void)[] = [
  learnFields,
  learnNames,
  learnStates,
  learnDeleted,
  learnCatalogue,
  learnDurations,
  learnQuotas,
  learnMessages,
  learnGateway,
  learnRoles,
  learnStubs
]

/** Some differences hide others. After so many comparisons, what is left stays. */
const MOST_ROUNDS = 5

/** How to learn. */
interface LearnOptions {
  /** Name of the profile. */
  readonly name?: string | undefined
  /** A profile that says already what a document says, with notes on it. */
  readonly base?: { readonly profile: object; readonly notes: readonly Note[] } | undefined
  /** Called after each exchange of a comparison, and there are some. */
  readonly onExchange?: ((done: number, all: number, round: number) => void) | undefined
}

/** A profile that was learned from exchanges. */
interface LearnedFromExchanges {
  readonly profile: ProfileDocument
  readonly notes: readonly Note[]
  /** What a comparison under the profile still shows. */
  readonly conformance: Conformance
}

/** Learns a profile under which the mock does what exchanges with a service show, as far as a profile can say that. */
export async function learnFromExchanges(
  exchanges: readonly Exchange[],
  { name, base, onExchange }: LearnOptions = {}
): Promise<LearnedFromExchanges> {
  const draft = new Draft({ profile: 1, name: 'learned', ...base?.profile }, base?.notes)
  if (name !== undefined) draft.document['name'] = name
  makeValid(draft)
  let best: { draft: Draft; readonly evidence: Evidence } | undefined
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const before = draft.copy()
    const document = saysSomething(before.document) ? before.document : undefined
    const evidence = await gather(exchanges, document, (done, all) => onExchange?.(done, all, round))
    const isBest = best === undefined || differencesOf(evidence) <= differencesOf(best.evidence)
    if (isBest) best = { draft: before, evidence }
    undoDocumented(evidence, draft)
    // Other names hide what fields there are.
    if (same(draft.document, before.document)) for (const learnPart of PARTS) learnPart(evidence, draft)
    makeValid(draft)
    if (!same(draft.document, before.document)) continue
    // Only doubts were added.
    if (isBest) best = { draft, evidence }
    break
  }
  const { conformance, basePath = '' } = best!.evidence
  const notes: Note[] = [
    ...(basePath === ''
      ? []
      : [explained(`The service is at ${basePath}: start the mock with --base-path ${basePath}`)]),
    ...best!.draft.notes,
    ...limitsIn(conformance.ledger)
  ]
  return { profile: best!.draft.document as unknown as ProfileDocument, notes, conformance }
}

const explained = (text: string): Note => ({ place: [], text, isUnclear: false })

const differencesOf = ({ conformance }: Evidence) =>
  conformance.facts.reduce((sum, { differences }) => sum + differences, 0)
