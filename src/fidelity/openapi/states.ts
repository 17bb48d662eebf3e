import type { StateKind } from '../../profile/states.js'
import type { BACKUP_STATES, RESTORE_STATES } from '../../resources/backups/lifecycle.js'
import { STATES } from '../../resources/states.js'
import type { REFRESH_STATES, WORKSPACE_STATES } from '../../resources/workspaces/lifecycle.js'
import { DELETED } from '../../sim/state-machine.js'
import { COMPARABLES } from '../comparables.js'
import type { Draft } from '../learn/draft.js'
import type { Comparison } from './comparison.js'
import { valuesOf } from './names-part.js'
import { plain } from './words.js'

type State =
  keyof typeof WORKSPACE_STATES | keyof typeof REFRESH_STATES | keyof typeof BACKUP_STATES | keyof typeof RESTORE_STATES

/** Other words for a state, without separators, the usual ones first. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  Creating: ['provisioning', 'deploying', 'initializing', 'pending', 'starting'],
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

/** Words that a profile can have for states. */
export const WORD = /^(?!.{65})\S(?:.*\S)?$/

const MOST_WORDS = Object.values(OTHER_WORDS).reduce((most, { length }) => Math.max(most, length), 0)

/** The words of the service for the states of the mock, where it lists them. */
export function learnStates({ pairings, sides }: Comparison, notes: Draft) {
  const learned: Partial<Record<StateKind, Record<string, string>>> = {}
  const shown = Object.entries(COMPARABLES).flatMap(([schema, comparable]) =>
    Object.entries(comparable.states ?? {}).map(([field, kind]) => ({ schema, field, kind }))
  )
  for (const { schema, field, kind } of shown) {
    const states = STATES[kind].filter((state) => state !== DELETED)
    const pairing = pairings.named.get(schema)
    const match = pairing?.fields.matches.find(({ own }) => own === field)
    if (pairing === undefined || match === undefined) continue
    const words = valuesOf(sides.theirs, pairing.theirs, match.theirs).filter((word) => WORD.test(word))
    if (words.length === 0) continue
    const { found, left } = matchStates(states, words)
    const renamed = [...found].filter(([state, word]) => state !== word)
    if (renamed.length > 0) learned[kind] = Object.fromEntries(renamed)
    const without = states.filter((state) => !found.has(state))
    if (without.length > 0)
      notes.doubt(
        ['states', kind],
        `The document lists no word for ${without.join(', ')}. ` +
          (left.length > 0 ? `Words that are left: ${left.join(', ')}.` : 'No word is left.')
      )
    else if (left.length > 0) notes.explain(['states', kind], `The mock has no states ${left.join(', ')}.`)
  }
  return learned
}

/** Pairs states and words one to one: first what is spelt alike, then what means the same. */
function matchStates(states: readonly string[], words: readonly string[]) {
  const found = new Map<string, string>()
  const left = new Set(words)
  const take = (state: string, isMeant: (word: string) => boolean) => {
    if (found.has(state)) return
    const word = [...left].find((one) => isMeant(one))
    if (word === undefined) return
    found.set(state, word)
    left.delete(word)
  }
  for (const state of states) take(state, (word) => word === state)
  for (const state of states) take(state, (word) => plain(word) === plain(state))
  // A usual word for one state goes before an unusual one for another.
  for (let rank = 0; rank < MOST_WORDS; rank++)
    for (const state of states) take(state, (word) => plain(word) === otherWords(state)[rank])
  const inOrder = states.flatMap((state) => (found.has(state) ? [[state, found.get(state)!] as const] : []))
  return { found: new Map(inOrder), left: [...left] }
}

/** Whether a word is usual for a state. */
export const isUsualFor = (state: string, word: string): boolean =>
  plain(word) === plain(state) || otherWords(state).includes(plain(word))

const otherWords = (state: string) => OTHER_WORDS[state] ?? []
