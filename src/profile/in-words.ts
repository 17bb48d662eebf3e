import { type TSchema, Type } from '@sinclair/typebox'
import { byProfile } from './by-profile.js'
import type { StateKind, StateWords } from './states.js'

/** A schema whose description names states. */
export function described<T extends TSchema>(schema: T, description: (words: StateWords) => string): T {
  return byProfile(schema, ({ words }) => ({ description: description(words) }))
}

/** The schema of a state that a document gives: in the words of the profile, or built-in where that is clear. */
export function stateGiven(kind: StateKind, states: readonly string[], description: (words: StateWords) => string) {
  return byProfile(Type.Unsafe<string>({ type: 'string' }), ({ words }) => {
    const { toWire, fromWire } = words[kind]
    return {
      enum: [...new Set([...states.map(toWire), ...states.filter((state) => fromWire(state) === state)])],
      description: description(words)
    }
  })
}
