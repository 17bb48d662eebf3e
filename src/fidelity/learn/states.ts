import { groupBy } from '../../lib/group-by.js'
import { isObject, objectOf, textOf } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import { isoLength } from '../../lib/time.js'
import type { StateKind } from '../../profile/states.js'
import type { BACKUP_STATES, RESTORE_STATES } from '../../resources/backups/lifecycle.js'
import { STATES } from '../../resources/states.js'
import type { REFRESH_STATES, WORKSPACE_STATES } from '../../resources/workspaces/lifecycle.js'
import { CONDITIONS } from '../../resources/workspaces/views.js'
import { DELETED } from '../../sim/state-machine.js'
import { COMPARABLES } from '../comparables.js'
import { isOk } from '../exchange.js'
import { saysUnknown } from '../meaning.js'
import { valuesOf } from '../schema.js'
import { type Called, stateWordsIn } from '../sights.js'
import { type Interval, TOLERANCE_MS } from '../timing.js'
import { plain } from '../words.js'
import type { Described } from './described.js'
import { type Draft, seenTimes } from './draft.js'
import { largest, lengthOf } from './durations.js'
import type { Evidence } from './evidence.js'
import { mostCommon } from './further-field.js'
import { match } from './match.js'

type State =
  keyof typeof WORKSPACE_STATES | keyof typeof REFRESH_STATES | keyof typeof BACKUP_STATES | keyof typeof RESTORE_STATES

/** Other words for a state, without separators. No two states of a kind share a word. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  Creating: ['provisioning', 'deploying', 'initializing', 'pending'],
  Active: ['ready', 'running', 'available', 'online', 'healthy', 'up'],
  Pausing: ['stopping', 'suspending', 'hibernating'],
  Stopped: ['paused', 'suspended', 'hibernated', 'offline', 'down'],
  Idle: ['idling', 'autopaused', 'autostopped', 'standby', 'sleeping'],
  Resuming: ['starting', 'waking', 'unpausing'],
  Resizing: ['scaling', 'modifying', 'updating'],
  Restoring: ['recovering'],
  Terminating: ['deleting', 'destroying', 'removing'],
  Failed: ['error', 'failure', 'errored', 'unhealthy'],
  '': ['none', 'never', 'notrefreshed', 'unknown'],
  Refreshing: ['inprogress', 'running', 'syncing'],
  Refreshed: ['succeeded', 'success', 'completed', 'complete', 'done', 'synced'],
  Running: ['inprogress', 'processing', 'active', 'started', 'creating', 'restoring'],
  Succeeded: ['success', 'successful', 'completed', 'complete', 'done', 'finished', 'available'],
  Pending: ['queued', 'waiting', 'accepted', 'scheduled', 'created']
} satisfies Readonly<Record<State, readonly string[]>>

/** Learns the service's words for the states of the mock, as a document lists them. */
export function learnDocumentedStates({ pairings }: Described, draft: Draft): void {
  for (const [schema, { states: shown = {} }] of Object.entries(COMPARABLES))
    for (const [field, kind] of Object.entries(shown)) {
      const found = pairings.named.get(schema)?.fields.matches.find(({ own }) => own.name === field)
      const words = [...new Set(found && valuesOf(found.theirs.schema()))]
      if (words.length === 0) continue
      const states = STATES[kind].filter((state) => state !== DELETED)
      // The same spelling takes precedence over the same meaning.
      const { matches, missing, added } = match(states, words, isSpeltAs, isUsualFor)
      for (const { own, theirs } of matches) if (own !== theirs) draft.set(['states', kind, own], theirs)
      if (missing.length > 0)
        draft.flag(
          ['states', kind],
          `The document has no word for ${missing.join(', ')} of a ${kind.replace('_', ' ')}. ` +
            `Unused words: ${added.join(', ') || 'none'}.`
        )
    }
}

const isSpeltAs = (state: string, word: string): boolean => plain(word) === plain(state)

/** Whether a word is usual for a state. */
const isUsualFor = (state: string, word: string): boolean =>
  isSpeltAs(state, word) || (OTHER_WORDS[state] ?? []).includes(plain(word))

/** A word for a state in replies. */
interface Seen {
  readonly kind: StateKind
  readonly word: string
  /** The condition of the first workspace in that state. */
  readonly condition: unknown
  readonly count: number
}

/** Learns the service's words for the states of the mock from replies. */
export function learnStates(evidence: Evidence, draft: Draft): void {
  const inForce = evidence.profile.words
  const words = wordsIn(evidence)
  const isSeen = (kind: StateKind, state: string) => words.has(`${kind} ${inForce[kind].toWire(state)}`)
  for (const { kind, state, word, count } of comparedWords()) {
    const owner = ownerOf(kind, word)
    if (owner === undefined || owner === state) give(kind, state, word, seenTimes(count))
    else draft.flag(['states', kind], `${nameOf(kind)} ${state} was ${word}, which is already the word for ${owner}.`)
  }
  for (const seen of words.values()) explain(seen)

  function ownerOf(kind: StateKind, word: string): string | undefined {
    const given = draft.get(['states', kind]) as Record<string, string> | undefined
    return STATES[kind].find((state) => (given?.[state] ?? inForce[kind].toWire(state)) === word)
  }

  function give(kind: StateKind, state: string, word: string, why: string): void {
    // A document may have renamed a state that keeps its built-in word.
    if (word === state) draft.remove(['states', kind, state])
    else draft.set(['states', kind, state], word, why)
  }

  /**
   * Words that the comparison found in place of a state's own, most frequent first. Rare ones come from transitions at
   * another time. A word seen with another condition, or usual for another state, belongs to that state: if no read
   * showed a transition, the mock is still in the state before it.
   */
  function comparedWords() {
    const facts = evidence.facts.filter(({ key }) => key.aspect === 'state' && key.subject !== undefined)
    const claims = [...groupBy(facts, ({ key }) => key.subject!)].flatMap(([subject, entries]) => {
      const [kind, state] = subject.split(' ') as [StateKind, string]
      const total = entries.reduce((sum, { agreements, differences }) => sum + agreements + differences, 0)
      const shown = entries.flatMap(({ differences, examples }) =>
        examples.map(({ theirs }) => ({ word: String(theirs), share: differences / examples.length }))
      )
      return [...groupBy(shown, ({ word }) => word)].flatMap(([word, own]) => {
        const count = own.reduce((sum, { share }) => sum + share, 0)
        const isUsual = count > total / 2 && canBe(state, words.get(`${kind} ${word}`))
        // If replies show the state's own word, it keeps that.
        const isFree = !isSeen(kind, state) && !isMeantForAnother(kind, state, word)
        return isUsual && isFree ? { kind, state, word, count: Math.round(count) } : []
      })
    })
    return claims.sort((a, b) => b.count - a.count)
  }

  function isMeantForAnother(kind: StateKind, state: string, word: string): boolean {
    return !isUsualFor(state, word) && STATES[kind].some((other) => isUsualFor(other, word) && !isSeen(kind, other))
  }

  /** Finds the state of a word in replies that belongs to none. */
  function explain(seen: Seen): void {
    const { kind, word, count, condition } = seen
    if (ownerOf(kind, word) !== undefined || condition === CONDITIONS[DELETED]) return
    const isFree = (state: string) =>
      state !== DELETED && ownerOf(kind, inForce[kind].toWire(state)) !== undefined && !isSeen(kind, state)
    const possible = STATES[kind].filter((state) => isFree(state) && canBe(state, seen))
    const usual = possible.filter((state) => isUsualFor(state, word))
    const [state, ...others] = usual.length > 0 ? usual : possible
    const times = quantity(count, 'time')
    if (state !== undefined && others.length === 0)
      give(kind, state, word, `Seen ${times}; it is the usual word, or no other state is left.`)
    else {
      const why = state === undefined ? 'no state is left for it.' : `it may mean ${[state, ...others].join(' or ')}.`
      draft.flag(['states', kind], `${nameOf(kind)} ${word} was seen ${times}; ${why}`)
    }
  }
}

const nameOf = (kind: StateKind) => `The ${kind.replace('_', ' ')} state`

/** All words for states in replies, by kind and word. */
function wordsIn({ sights, profile }: Evidence): ReadonlyMap<string, Seen> {
  const { toWire } = profile.names.fields
  const shown = stateWordsIn(sights, toWire).map(({ kind, word, value }) => ({
    kind,
    word,
    condition: kind === 'workspace' ? value[toWire('condition_type')] : undefined
  }))
  const groups = groupBy(shown, ({ kind, word }) => `${kind} ${word}`)
  return new Map([...groups].map(([key, own]) => [key, { ...own[0]!, count: own.length }]))
}

/** Whether a state fits the condition that a word was seen with. Unknown conditions fit all states. */
function canBe(state: string, seen: Seen | undefined): boolean {
  const isKnown = Object.values(CONDITIONS).some((one) => one === seen?.condition)
  const expected = (CONDITIONS as Readonly<Record<string, string>>)[state]
  return seen?.kind !== 'workspace' || !isKnown || expected === seen.condition
}

/** How long a deleted workspace is assumed to stay readable if no reply shows the end. Milliseconds. */
const LONG_ENOUGH = 600_000

/** Learns how long a deleted workspace stays readable, and in which state. */
export function learnDeleted({ calls, profile }: Evidence, draft: Draft): void {
  const [status, result] = ['status', 'Result'].map(profile.names.fields.toWire) as [string, string]
  // Replies may have no envelope, or one without its other fields.
  const workspaceIn = ({ exchange: { body } }: Called) =>
    objectOf(isObject(body) && result in body ? body[result] : body)
  const renamed = Object.entries((draft.get(['states', 'workspace']) ?? {}) as Record<string, string>)
  const stateOf = (word: string) =>
    renamed.find(([, own]) => own === word)?.[0] ?? profile.words.workspace.fromWire(word)
  const isGone = (called: Called) => {
    const workspace = workspaceIn(called)
    const word = textOf(workspace[status])
    if (word === undefined) return false
    const state = stateOf(word)
    const isDeleted = 'deleted_at' in workspace || state === 'gone' || !STATES.workspace.includes(state)
    return called.call.operation === 'getWorkspace' && isOk(called.exchange) && isDeleted
  }
  const words: string[] = []
  const readable: Interval[] = []
  const ofWorkspaces = calls.filter(({ call }) => ['getWorkspace', 'deleteWorkspace'].includes(call.operation))
  for (const history of groupBy(ofWorkspaces, ({ call }) => call.params['workspaceID']).values()) {
    const deletion = history.findIndex(({ call, exchange }) => call.operation === 'deleteWorkspace' && isOk(exchange))
    const after = history.slice(deletion)
    const first = after.findIndex(isGone)
    if (deletion < 0 || first < 0) continue
    const last = after.findLastIndex(isGone)
    words.push(String(workspaceIn(after[first]!)[status]))
    const next = after[last + 1]
    const isEnd = next !== undefined && saysUnknown(profile, next.exchange, next.call)
    readable.push({
      min: Math.max(0, after[last]!.exchange.sent - after[first]!.exchange.answered),
      max: isEnd ? next.exchange.answered - after[first - 1]!.exchange.sent : Infinity
    })
  }
  if (readable.length === 0) return
  const seen = `Seen for ${quantity(readable.length, 'deleted workspace')}.`
  const { readableFor = -Infinity } = profile
  const isFit = ({ min, max }: Interval) => min - TOLERANCE_MS <= readableFor && readableFor <= max + TOLERANCE_MS
  if (!readable.every(isFit)) {
    const hasEnd = readable.some(({ max }) => Number.isFinite(max))
    const longest = Math.max(LONG_ENOUGH, 2 * largest(readable.map(({ min }) => min)))
    const place = ['states', 'deleted', 'readable_for']
    draft.set(place, isoLength(Math.ceil((hasEnd ? lengthOf(readable).max : longest) / 1000) * 1000), seen)
    if (!hasEnd) draft.doubt(place, 'No reply shows when this ends.')
  }
  const word = mostCommon(words)!
  if (word !== '' && word !== profile.words.workspace.toWire('gone'))
    draft.set(['states', 'workspace', 'gone'], word, seen)
}
