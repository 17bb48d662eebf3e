import { WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { Transition } from '../../sim/state-machine.js'
import { shownBy } from '../sights.js'
import { type Draft, times } from './draft.js'
import { type Evidence, isOk, isRefused } from './evidence.js'

/** The operations that do nothing where it is so already, unless a profile says that they are refused. */
const REPEATED: Readonly<Record<string, Transition>> = {
  pauseWorkspace: WORKSPACE_TRANSITIONS.pause,
  resumeWorkspace: WORKSPACE_TRANSITIONS.resume
}

/** So many refusals are no chance. */
const LEAST = 2

/** Whether a pause or a resume is refused where it is so already, or under way. */
export function learnRepeats({ profile, sights, calls }: Evidence, draft: Draft): void {
  const { toWire } = profile.names.fields
  const workspacesIn = shownBy(sights, 'Workspace')
  const states = new Map<unknown, string>()
  const seen = new Map<string, { refused: number; accepted: number }>()
  for (const { exchange, call } of calls) {
    const id = call.params['workspaceID']
    const transition = REPEATED[call.operation]
    if (transition?.noopFrom.includes(states.get(id) ?? '') === true) {
      const one = seen.get(call.operation) ?? { refused: 0, accepted: 0 }
      seen.set(call.operation, one)
      if (isOk(exchange)) one.accepted++
      if (isRefused(exchange)) one.refused++
    }
    if (transition?.during !== undefined && isOk(exchange)) states.set(id, transition.during)
    for (const { value } of workspacesIn.get(exchange) ?? [])
      states.set(value[toWire('workspace_id')], profile.words.workspace.fromWire(String(value[toWire('status')])))
  }
  for (const [operation, { refused, accepted }] of seen) {
    const place = ['errors', 'notAllowed', 'operations', operation, 'repeats']
    const repetitions = times(refused, 'repetition')
    if (refused >= LEAST && accepted === 0) draft.set(place, true, `${repetitions} refused.`)
    else if (refused > 0 && accepted > 0) draft.doubt(place, `${repetitions} refused, ${accepted} accepted.`)
  }
}
