import { OPERATION_IDS } from '../../interface/operation-ids.js'
import type { TransitionName } from '../../node/index.js'
import type { StateKind } from '../../profile/states.js'
import { BACKUP, UNFINISHED_JOB } from '../../resources/backups/lifecycle.js'
import { AUTO_STOP_FIELD } from '../../resources/workspaces/fields.js'
import { REFRESH, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { Transition } from '../../sim/state-machine.js'
import type { Call } from '../api.js'
import type { StatePair } from '../comparison.js'
import type { Exchange } from '../exchange.js'
import type { LooseKey } from '../fact-book.js'
import { instantOf } from '../timing.js'
import type { OwnReply } from '../twin.js'
import type { Session } from './session.js'

type Known = Transition & { readonly name: TransitionName }

/** The transitions between the states of each kind. A restore job has none, because it follows its workspace. */
export const TRANSITIONS: Readonly<Record<StateKind, readonly Known[]>> = {
  workspace: Object.values(WORKSPACE_TRANSITIONS),
  refresh: [REFRESH as Known],
  backup: [BACKUP as Known],
  restore_job: []
}

/** The transitions that each operation can begin. */
export const BEGUN_BY: Readonly<Record<string, readonly Known[]>> = Object.fromEntries(
  OPERATION_IDS.map((operation) => [
    operation,
    [...TRANSITIONS.workspace, ...TRANSITIONS.refresh].filter(({ trigger }) => trigger.split(/\W+/).includes(operation))
  ])
)

/** The transition during which a state lasts. */
export const runningIn = (kind: StateKind, state: string): Known | undefined =>
  TRANSITIONS[kind].find(({ during }) => during === state)

/** Notes states that both show, and running transitions. */
export function noteStates(
  session: Session,
  exchange: Exchange,
  { operation, params }: Call,
  states: readonly StatePair[]
): void {
  for (const { kind, ours, theirs: theirItem, state, word } of states) {
    const theirs = session.states.stateOf(kind, word)
    const running = runningIn(kind, state)
    if (isSameState(session, kind, state, word)) {
      for (const ids of [session.unsure, session.unwatched]) ids.delete(session.textOf(ours, 'workspace_id'))
      session.states.bind(kind, theirs!, word)
      const expected = session.profile.words[kind].toWire(theirs!)
      const key = { aspect: 'state', operation, subject: `${kind} ${theirs}` } as const
      session.note(exchange, key, expected === word, expected, word)
      const own = session.textOf(ours, kind === 'backup' ? 'id' : 'workspace_id')
      const id = own === '' ? session.oursFor(params['workspaceID'] ?? '') : own
      const began = kind === 'backup' ? instantOf(session.fieldOf(theirItem, 'time')) : undefined
      if (running === undefined) continue
      if (began !== undefined) session.timing.beginUnlessKnown(running.name, id, { sent: began, answered: began })
      session.timing.see(running.name, id, exchange)
      continue
    }
    const begun = theirs === undefined ? undefined : runningIn(kind, theirs)
    const isAutoStop =
      kind === 'workspace' &&
      [running?.name, begun?.name].includes('workspace.pause') &&
      !session.timing.isKnown('workspace.pause', session.textOf(ours, 'workspace_id')) &&
      Number(session.fieldOf(ours, AUTO_STOP_FIELD) ?? 0) > 0
    const subject = isAutoStop
      ? 'workspace.auto-stop'
      : (running?.name ?? begun?.name ?? (theirs === undefined ? undefined : reachedBy(kind, theirs)))
    const key: LooseKey =
      theirs === undefined || subject === undefined
        ? { aspect: 'state', operation, subject: `${kind} ${state}` }
        : { aspect: 'transition', operation, subject }
    session.note(exchange, key, false, session.profile.words[kind].toWire(state), word)
  }
}

/** Whether a word of the service means the mock's state. Nothing shows exactly when a restore job begins to run. */
export function isSameState({ states }: Session, kind: StateKind, state: string, word: string): boolean {
  const theirs = states.stateOf(kind, word)
  return theirs === state || (kind === 'restore_job' && [theirs, state].every((one) => UNFINISHED_JOB.includes(one)))
}

/** The transition that leads to a state. */
const reachedBy = (kind: StateKind, state: string) =>
  kind === 'restore_job'
    ? 'restore.run'
    : Object.values(BEGUN_BY)
        .flat()
        .find(({ to }) => to.includes(state))?.name

/** Notes the transitions that a request has begun in the mock, to measure their length. */
export async function noteBeginnings(
  session: Session,
  exchange: Exchange,
  { operation, params }: Call,
  ours: OwnReply
): Promise<void> {
  const begun = BEGUN_BY[operation]
  if (begun === undefined || ours.status >= 400) return
  const { twin, timing } = session
  const id = ours.headers['x-request-id']
  for (const { event, held, request_id: cause, resource_id: resource } of await twin.events()) {
    if (!held || !begun.some(({ name }) => name === event)) continue
    if (cause === id) {
      timing.begin(event, resource, exchange)
      session.note(exchange, { aspect: 'transition', subject: event, operation }, true)
    } else if (
      resource === session.oursFor(params['workspaceID'] ?? '') &&
      session.hasPassed(event, resource, exchange)
    )
      // It may have ended, and begun again.
      timing.end(event, resource, exchange)
  }
}
