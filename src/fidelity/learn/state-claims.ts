import type { StateKind } from '../../profile/states.js'
import { STATES } from '../../resources/states.js'
import { CONDITIONS } from '../../resources/workspaces/views.js'
import { DELETED } from '../../sim/state-machine.js'
import { comparableOf } from '../comparables.js'
import { isUsualFor } from '../openapi/states.js'
import type { Evidence } from './evidence.js'

/** Words that a profile can have. */
const WORD = /^(?!.{65})\S(?:.*\S)?$/

/** A word that was seen in a state of the mock. */
interface Claim {
  readonly kind: StateKind
  readonly state: string
  readonly word: string
  readonly count: number
}

/** A word that is that of no state, with the states that it can be for. */
interface Unexplained {
  readonly kind: StateKind
  readonly word: string
  readonly count: number
  readonly states: readonly string[]
}

/**
 * The words that the comparison has found for states, the most frequent first. What happens seldom is a transition at
 * another time, and a word with another condition, or whose meaning is usual for another state, stands for that one: a
 * transition that no read has shown leaves the mock in its first state.
 */
export function comparedWords(evidence: Evidence): Claim[] {
  const seen = new Map<string, { readonly words: Map<string, number>; total: number }>()
  for (const { key, agreements, differences, examples } of evidence.conformance.facts) {
    if (key.aspect !== 'state' || key.subject === undefined) continue
    const one = seen.get(key.subject) ?? { words: new Map<string, number>(), total: 0 }
    seen.set(key.subject, one)
    one.total += agreements + differences
    for (const { theirs } of examples)
      if (typeof theirs === 'string' && WORD.test(theirs))
        one.words.set(theirs, (one.words.get(theirs) ?? 0) + differences / examples.length)
  }
  const words = wordsIn(evidence)
  const own = evidence.profile.words
  const claims = [...seen].flatMap(([subject, { words: found, total }]) => {
    const [kind, state] = subject.split(' ') as [StateKind, string]
    // A state keeps a word that replies have.
    if (words.has(`${kind} ${own[kind].toWire(state)}`)) return []
    return [...found].flatMap(([word, count]) =>
      count > total / 2 && canBe(state, words.get(`${kind} ${word}`)) && !isMeantForAnother(kind, state, word)
        ? [{ kind, state, word, count: Math.round(count) }]
        : []
    )
  })
  return claims.sort((a, b) => b.count - a.count)

  function isMeantForAnother(kind: StateKind, state: string, word: string): boolean {
    const isFree = (other: string) => !words.has(`${kind} ${own[kind].toWire(other)}`)
    return !isUsualFor(state, word) && STATES[kind].some((other) => isUsualFor(other, word) && isFree(other))
  }
}

/**
 * The words in replies that are those of no state.
 * @param isWord whether a word is that of a state
 */
export function unexplainedWords(
  evidence: Evidence,
  isWord: (kind: StateKind, word: string) => boolean
): Unexplained[] {
  const words = wordsIn(evidence)
  const own = evidence.profile.words
  return [...words.values()].flatMap((seen) => {
    const { kind, word, count } = seen
    if (isWord(kind, word) || !WORD.test(word) || seen.condition === CONDITIONS[DELETED]) return []
    const isFree = (state: string) =>
      state !== DELETED && isWord(kind, own[kind].toWire(state)) && !words.has(`${kind} ${own[kind].toWire(state)}`)
    const states = STATES[kind].filter((state) => isFree(state) && canBe(state, seen))
    const usual = states.filter((state) => isUsualFor(state, word))
    return [{ kind, word, count, states: usual.length > 0 ? usual : states }]
  })
}

/** A word for a state in replies. */
interface Seen {
  readonly kind: StateKind
  readonly word: string
  /** The condition of the first workspace with it. */
  readonly condition: unknown
  count: number
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
  const expected = (CONDITIONS as Readonly<Record<string, string>>)[state]
  const condition = seen?.condition
  const isKnown = Object.values(CONDITIONS).some((one) => one === condition)
  return seen?.kind !== 'workspace' || !isKnown || expected === condition
}
