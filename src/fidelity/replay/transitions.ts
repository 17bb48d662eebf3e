import { OPERATION_IDS } from '../../interface/operation-ids.js'
import type { TransitionName } from '../../node/index.js'
import type { StateKind } from '../../profile/states.js'
import { BACKUP } from '../../resources/backups/lifecycle.js'
import { REFRESH, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { Transition } from '../../sim/state-machine.js'

const { pause, resize, restore, delete: removal } = WORKSPACE_TRANSITIONS
export const [PAUSE, RESIZE, RESTORE, REMOVAL] = [pause, resize, restore, removal] as const

type Known = Transition & { readonly name: TransitionName }

/** The transitions that lead through the states of each kind. A job has none of its own: it follows its workspace. */
const TRANSITIONS: Readonly<Record<StateKind, readonly Known[]>> = {
  workspace: Object.values(WORKSPACE_TRANSITIONS),
  refresh: [REFRESH as Known],
  backup: [BACKUP as Known],
  restore_job: []
}

/** The transitions that an operation can begin: it is named among their triggers. */
export const BEGUN_BY: Readonly<Record<string, readonly Known[]>> = Object.fromEntries(
  OPERATION_IDS.map((operation) => [
    operation,
    [...TRANSITIONS.workspace, ...TRANSITIONS.refresh].filter(({ trigger }) => trigger.split(/\W+/).includes(operation))
  ])
)

/** The transition during which something of a kind is in a state. */
export const runningIn = (kind: StateKind, state: string): Known | undefined =>
  TRANSITIONS[kind].find(({ during }) => during === state)

/** The states of a restore job that has not ended. */
export const UNFINISHED_JOB: readonly string[] = ['Pending', 'Running']
