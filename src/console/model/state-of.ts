import type { Overview } from '../api/types.js'

export type Words = Overview['states']

/** The built-in state that a word of the profile means. @param kind absent: any that has the word */
export function stateOf(words: Words, word: string, kind?: keyof Words): string {
  const renames = kind === undefined ? Object.values(words) : [words[kind]]
  return renames.flatMap((states) => Object.entries(states)).find(([, own]) => own === word)?.[0] ?? word
}
