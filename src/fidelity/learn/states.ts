import type { StateKind } from '../../profile/states.js'
import { STATES } from '../../resources/states.js'
import { CONDITIONS } from '../../resources/workspaces/views.js'
import { DELETED } from '../../sim/state-machine.js'
import { comparableOf } from '../comparables.js'
import { isUsualFor, WORD } from '../openapi/states.js'
import { type Draft, times } from './draft.js'
import type { Evidence } from './evidence.js'

/** A word for a state in replies. */
interface Seen {
  readonly kind: StateKind
  readonly word: string
  /** The condition of the first workspace with it. */
  readonly condition: unknown
  count: number
}

/** The words of the service for the states of the mock. */
export function learnStates(evidence: Evidence, draft: Draft): void {
  const own = evidence.profile.words
  const words = wordsIn(evidence)
  const isSeen = (kind: StateKind, state: string) => words.has(`${kind} ${own[kind].toWire(state)}`)
  for (const { kind, state, word, count } of comparedWords()) {
    const owner = ownerOf(kind, word)
    if (owner === undefined || owner === state) give(kind, state, word, `Seen ${times(count, 'time')}.`)
    else draft.doubt(['states', kind], `${state} was ${word}, which is the word for ${owner} already.`)
  }
  for (const { kind, word, count, states } of unexplainedWords()) {
    const [state, ...others] = states
    const seen = `Seen ${times(count, 'time')}`
    if (state !== undefined && others.length === 0)
      give(kind, state, word, `${seen}; no other state is left for it, or its meaning is usual.`)
    else
      draft.doubt(
        ['states', kind],
        `${word} was seen ${times(count, 'time')}; ` +
          (state === undefined ? 'no state is left for it.' : `it may be ${states.join(' or ')}.`)
      )
  }

  /** The state that has a word. */
  function ownerOf(kind: StateKind, word: string): string | undefined {
    const given = draft.get(['states', kind]) as Record<string, string> | undefined
    return STATES[kind].find((state) => (given?.[state] ?? own[kind].toWire(state)) === word)
  }

  function give(kind: StateKind, state: string, word: string, why: string): void {
    // Where it is the built-in word, a document has said otherwise.
    if (word === state) draft.remove(['states', kind, state])
    else draft.set(['states', kind, state], word, why)
  }

  /**
   * The words that the comparison has found for states, the most frequent first. What happens seldom is a transition at
   * another time, and a word with another condition, or whose meaning is usual for another state, stands for that one:
   * a transition that no read has shown leaves the mock in its first state.
   */
  function comparedWords() {
    const seen = new Map<string, { readonly counts: Map<string, number>; total: number }>()
    for (const { key, agreements, differences, examples } of evidence.facts) {
      if (key.aspect !== 'state' || key.subject === undefined) continue
      const one = seen.get(key.subject) ?? { counts: new Map<string, number>(), total: 0 }
      seen.set(key.subject, one)
      one.total += agreements + differences
      for (const { theirs } of examples)
        if (typeof theirs === 'string' && WORD.test(theirs))
          one.counts.set(theirs, (one.counts.get(theirs) ?? 0) + differences / examples.length)
    }
    const claims = [...seen].flatMap(([subject, { counts, total }]) => {
      const [kind, state] = subject.split(' ') as [StateKind, string]
      // A state keeps a word that replies have.
      if (isSeen(kind, state)) return []
      return [...counts].flatMap(([word, count]) =>
        count > total / 2 && canBe(state, words.get(`${kind} ${word}`)) && !isMeantForAnother(kind, state, word)
          ? [{ kind, state, word, count: Math.round(count) }]
          : []
      )
    })
    return claims.sort((a, b) => b.count - a.count)
  }

  function isMeantForAnother(kind: StateKind, state: string, word: string): boolean {
    return !isUsualFor(state, word) && STATES[kind].some((other) => isUsualFor(other, word) && !isSeen(kind, other))
  }

  /** The words in replies that are those of no state, with the states that they can be for. */
  function unexplainedWords() {
    return [...words.values()].flatMap((seen) => {
      const { kind, word, count, condition } = seen
      if (ownerOf(kind, word) !== undefined || !WORD.test(word) || condition === CONDITIONS[DELETED]) return []
      const isFree = (state: string) =>
        state !== DELETED && ownerOf(kind, own[kind].toWire(state)) !== undefined && !isSeen(kind, state)
      const states = STATES[kind].filter((state) => isFree(state) && canBe(state, seen))
      const usual = states.filter((state) => isUsualFor(state, word))
      return [{ kind, word, count, states: usual.length > 0 ? usual : states }]
    })
  }
}

/** All words for states, by kind and word. */
function wordsIn({ sights, profile }: Evidence): ReadonlyMap<string, Seen> {
  const { toWire } = profile.names.fields
  const found = new Map<string, Seen>()
  for (const { schema, value } of sights)
    for (const [field, kind] of Object.entries(comparableOf(schema).states ?? {})) {
      const word = value[toWire(field)]
      if (typeof word !== 'string') continue
      const condition = kind === 'workspace' ? value[toWire('condition_type')] : undefined
      const known = found.get(`${kind} ${word}`) ?? { kind, word, condition, count: 0 }
      found.set(`${kind} ${word}`, known)
      known.count++
    }
  return found
}

/** Whether a state has the condition that a word was seen with. The service can have other words for conditions. */
function canBe(state: string, seen: Seen | undefined): boolean {
  const isKnown = Object.values(CONDITIONS).some((one) => one === seen?.condition)
  const expected = (CONDITIONS as Readonly<Record<string, string>>)[state]
  return seen?.kind !== 'workspace' || !isKnown || expected === seen.condition
}
