import type { KnownStates, StateKind, StateWords } from '../profile/states.js'
import { allowsChange, DELETED } from '../sim/state-machine.js'
import type { TimelineEntry } from '../sim/timeline.js'
import { BACKUP, BACKUP_STATES, RESTORE_STATES } from './backups/lifecycle.js'
import { REFRESH_STATES, WORKSPACE_STATES, WORKSPACE_TRANSITIONS } from './workspaces/lifecycle.js'

/** The states that can have other words. */
export const STATES: KnownStates = {
  workspace: [...Object.keys(WORKSPACE_STATES), DELETED],
  refresh: Object.keys(REFRESH_STATES),
  backup: Object.keys(BACKUP_STATES),
  restore_job: Object.keys(RESTORE_STATES)
}

/** A change of state in the timeline. */
type Change = Pick<TimelineEntry, 'transition' | 'attribute' | 'from' | 'to'>

/** Converts a change to the words of the interface. */
export function changeToWire<T extends Change>(change: T, words: StateWords): T {
  return convert(
    change,
    (kind, state) => words[kind].toWire(state),
    (state) => state
  )
}

/** Converts a change from the words of the interface. */
export function changeFromWire<T extends Change>(change: T, words: StateWords): T {
  return convert(change, (kind, word) => words[kind].fromWire(word), words.workspace.fromWire)
}

function convert<T extends Change>(
  change: T,
  one: (kind: StateKind, text: string) => string,
  stateOf: (text: string) => string
): T {
  const kind = kindOf(change, stateOf)
  if (kind === undefined) return change
  return { ...change, from: change.from === null ? null : one(kind, change.from), to: one(kind, change.to) }
}

/** @param stateOf the state of a workspace that a text stands for */
function kindOf({ transition, attribute, from, to }: Change, stateOf: (text: string) => string): StateKind | undefined {
  if (attribute === 'refresh_status') return 'refresh'
  if (attribute !== 'status') return undefined
  if (transition === BACKUP.name) return 'backup'
  // Both the workspace and the job have entries for a restore.
  const { restore } = WORKSPACE_TRANSITIONS
  if (transition !== restore.name) return 'workspace'
  return allowsChange(restore, from === null ? null : stateOf(from), stateOf(to)) ? 'workspace' : 'restore_job'
}
