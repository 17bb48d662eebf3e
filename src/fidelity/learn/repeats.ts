import { WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { Transition } from '../../sim/state-machine.js'
import type { Draft } from './draft.js'
import { times } from './draft.js'
import { type Evidence, isOk } from './evidence.js'
import { shownBy } from './sights.js'

const { pause, resume } = WORKSPACE_TRANSITIONS

/** The operations that do nothing where it is so already, unless a profile says that they are refused. */
const REPEATED: Readonly<Record<string, Transition>> = { pauseWorkspace: pause, resumeWorkspace: resume }

/** So many refusals are no chance. */
const LEAST = 2

/** Whether a pause or a resume is refused where it is so already, or under way. */
export function learnRepeats(evidence: Evidence, draft: Draft): void {
  const { profile, sights, calls } = evidence
  const { toWire } = profile.names.fields
  const stateOf = (word: unknown) => profile.words.workspace.fromWire(String(word))
  const workspacesIn = shownBy(sights, 'Workspace')
  const states = new Map<string, string>()
  const seen = new Map<string, { refused: number; accepted: number }>()
  for (const { exchange, call } of calls) {
    const id = call.params['workspaceID']
    const transition = REPEATED[call.operation]
    if (transition !== undefined && id !== undefined && exchange.status !== null && exchange.status < 500) {
      const isRepeated = transition.noopFrom.includes(states.get(id) ?? '')
      const one = seen.get(call.operation) ?? { refused: 0, accepted: 0 }
      if (isRepeated) seen.set(call.operation, one)
      if (isRepeated && isOk(exchange)) one.accepted++
      else if (isRepeated && exchange.status !== 429) one.refused++
      if (isOk(exchange)) states.set(id, transition.during)
    }
    for (const { value } of workspacesIn.get(exchange) ?? [])
      states.set(String(value[toWire('workspace_id')]), stateOf(value[toWire('status')]))
  }
  for (const [operation, { refused, accepted }] of seen) {
    const place = ['errors', 'notAllowed', 'operations', operation, 'repeats']
    if (refused >= LEAST && accepted === 0) draft.set(place, true, `${times(refused, 'repetition')} refused.`)
    else if (refused > 0 && accepted > 0)
      draft.doubt(place, `${times(refused, 'repetition')} refused, ${accepted} accepted.`)
  }
}
