import type { StateKind } from '../../profile/states.js'
import { STATES } from '../../resources/states.js'
import type { Draft } from './draft.js'
import { times } from './draft.js'
import type { Evidence } from './evidence.js'
import { comparedWords, unexplainedWords } from './state-claims.js'

/** The words of the service for the states of the mock. */
export function learnStates(evidence: Evidence, draft: Draft): void {
  const isWord = (kind: StateKind, word: string) => ownerOf(evidence, draft, kind, word) !== undefined
  for (const { kind, state, word, count } of comparedWords(evidence)) {
    const owner = ownerOf(evidence, draft, kind, word)
    if (owner === undefined || owner === state) give(kind, state, word, `Seen ${times(count, 'time')}.`)
    else draft.doubt(['states', kind], `${state} was ${word}, which is the word for ${owner} already.`)
  }
  for (const { kind, word, count, states } of unexplainedWords(evidence, isWord)) {
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

  function give(kind: StateKind, state: string, word: string, why: string): void {
    // Where it is the built-in word, a document has said otherwise.
    if (word === state) draft.remove(['states', kind, state])
    else draft.set(['states', kind, state], word, why)
  }
}

/** The state that has a word. */
function ownerOf({ profile }: Evidence, draft: Draft, kind: StateKind, word: string): string | undefined {
  const given = draft.get(['states', kind]) as Record<string, string> | undefined
  return STATES[kind].find((state) => (given?.[state] ?? profile.words[kind].toWire(state)) === word)
}
