import type { BACKUP_STATES, RESTORE_STATES } from '../../resources/backups/lifecycle.js'
import { STATES } from '../../resources/states.js'
import type { REFRESH_STATES, WORKSPACE_STATES } from '../../resources/workspaces/lifecycle.js'
import { DELETED } from '../../sim/state-machine.js'
import { COMPARABLES } from '../comparables.js'
import type { Draft } from '../learn/draft.js'
import type { Comparison } from './comparison.js'
import { valuesOf } from './names.js'
import { plain } from './words.js'

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

/** The form of words for states in a profile. */
export const WORD = /^(?!.{65})\S(?:.*\S)?$/

/** Learns the service's words for the states of the mock. */
export function learnStates({ pairings }: Comparison, draft: Draft): void {
  const shown = Object.entries(COMPARABLES).flatMap(([schema, comparable]) =>
    Object.entries(comparable.states ?? {}).map(([field, kind]) => ({ schema, field, kind }))
  )
  for (const { schema, field, kind } of shown) {
    const match = pairings.named.get(schema)?.fields.matches.find(({ own }) => own.name === field)
    const left = new Set(match && valuesOf(match.theirs.schema()).filter((word) => WORD.test(word)))
    if (left.size === 0) continue
    const states = STATES[kind].filter((state) => state !== DELETED)
    const found = new Map<string, string>()
    // The same spelling takes precedence over the same meaning.
    for (const isMeant of [isSpeltAs, isUsualFor])
      for (const state of states) {
        const word = found.has(state) ? undefined : [...left].find((one) => isMeant(state, one))
        if (word === undefined) continue
        found.set(state, word)
        left.delete(word)
      }
    for (const state of states)
      if (found.has(state) && found.get(state) !== state) draft.set(['states', kind, state], found.get(state))
    const without = states.filter((state) => !found.has(state))
    if (without.length > 0)
      draft.flag(
        ['states', kind],
        `The document has no word for ${without.join(', ')} of a ${kind.replace('_', ' ')}. ` +
          `Unused words: ${[...left].join(', ') || 'none'}.`
      )
  }
}

const isSpeltAs = (state: string, word: string): boolean => plain(word) === plain(state)

/** Whether a word is usual for a state. */
export const isUsualFor = (state: string, word: string): boolean =>
  isSpeltAs(state, word) || (OTHER_WORDS[state] ?? []).includes(plain(word))
