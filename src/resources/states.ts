import type { KnownStates, StateKind, StateWords } from '../profile/states.js'
import { allowsChange, DELETED, type Transition } from '../sim/state-machine.js'
import type { TimelineEntry } from '../sim/timeline.js'
import { BACKED_UP_IN, BACKUP, BACKUP_STATES, RESTORE_STATES } from './backups/lifecycle.js'
import {
  DELETE,
  PAUSE,
  REFRESH,
  REFRESH_STATES,
  REFRESHABLE,
  RESIZABLE_AT_ONCE,
  RESIZE,
  RESTORE,
  RESUME,
  WORKSPACE_STATES,
  WORKSPACE_TRANSITIONS
} from './workspaces/lifecycle.js'

/** The states for which a profile can have other words. */
export const STATES: KnownStates = {
  workspace: [...Object.keys(WORKSPACE_STATES), DELETED],
  refresh: Object.keys(REFRESH_STATES),
  backup: Object.keys(BACKUP_STATES),
  restore_job: Object.keys(RESTORE_STATES)
}

/** All transitions, as `docs/assumptions.md` lists them. */
export const TRANSITIONS: readonly Transition[] = [...Object.values(WORKSPACE_TRANSITIONS), REFRESH, BACKUP]

/** The states of a workspace in which each transition can be requested. */
export const REQUESTABLE: ReadonlyMap<string, readonly string[]> = new Map([
  ...[PAUSE, RESUME, RESTORE, DELETE].map(({ name, from }) => [name, from] as const),
  [RESIZE.name, [...RESIZE.from, ...RESIZABLE_AT_ONCE]],
  [REFRESH.name, REFRESHABLE],
  [BACKUP.name, BACKED_UP_IN]
])

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

/** @param stateOf converts a text to the state of a workspace */
function kindOf({ transition, attribute, from, to }: Change, stateOf: (text: string) => string): StateKind | undefined {
  if (attribute === 'refresh_status') return 'refresh'
  if (attribute !== 'status') return undefined
  if (transition === BACKUP.name) return 'backup'
  // A restore changes the status of both the workspace and the job.
  if (transition !== RESTORE.name) return 'workspace'
  return allowsChange(RESTORE, from === null ? null : stateOf(from), stateOf(to)) ? 'workspace' : 'restore_job'
}
