import { isObject, type Json } from '../../lib/json.js'
import { RESIZABLE_AT_ONCE, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { Transition } from '../../sim/state-machine.js'
import { meaningOf } from '../meaning.js'
import { askedFor } from '../replay/conclude.js'
import { shownBy } from '../sights.js'
import { type Draft, times } from './draft.js'
import { differencesIn, type Evidence, isOk, refusedByBoth } from './evidence.js'

const { pause, resume, resize } = WORKSPACE_TRANSITIONS

/** The operations that do nothing where it is so already, unless a profile says that they are refused. */
const REPEATED: Readonly<Record<string, Transition>> = { pauseWorkspace: pause, resumeWorkspace: resume }

/** So many refusals are no chance. */
const LEAST = 2

/** The calls about workspaces, in their order, with the built-in state and the type that were shown before. */
function* inStates({ profile, sights, calls }: Evidence) {
  const { toWire } = profile.names.fields
  const workspacesIn = shownBy(sights, 'Workspace')
  const states = new Map<string, string>()
  const types = new Map<string, unknown>()
  for (const called of calls) {
    const { exchange, call } = called
    const id = call.params['workspaceID']
    if (id !== undefined) {
      yield { ...called, state: states.get(id) ?? '', type: types.get(id) }
      const during = REPEATED[call.operation]?.during
      if (during !== undefined && isOk(exchange)) states.set(id, during)
    }
    for (const { value } of workspacesIn.get(exchange) ?? []) {
      const word = String(value[toWire('status')])
      const id = String(value[toWire('workspace_id')])
      states.set(id, profile.words.workspace.fromWire(word))
      types.set(id, (value[toWire('workspace_type')] as Json | undefined)?.[toWire('typeName')])
    }
  }
}

/** Whether a pause or a resume is refused where it is so already, or under way. */
export function learnRepeats(evidence: Evidence, draft: Draft): void {
  const seen = new Map<string, { refused: number; accepted: number }>()
  for (const { exchange, call, state } of inStates(evidence)) {
    const isRepeated = REPEATED[call.operation]?.noopFrom.includes(state) === true
    if (!isRepeated || exchange.status === null || exchange.status >= 500) continue
    const one = seen.get(call.operation) ?? { refused: 0, accepted: 0 }
    seen.set(call.operation, one)
    if (isOk(exchange)) one.accepted++
    else if (exchange.status !== 429) one.refused++
  }
  for (const [operation, { refused, accepted }] of seen) {
    const place = ['errors', 'notAllowed', 'operations', operation, 'repeats']
    if (refused >= LEAST && accepted === 0) draft.set(place, true, `${times(refused, 'repetition')} refused.`)
    else if (refused > 0 && accepted > 0)
      draft.doubt(place, `${times(refused, 'repetition')} refused, ${accepted} accepted.`)
  }
}

/** The states in which a transition is refused that the mock begins, if it was refused in them each time. */
export function learnAllowed(evidence: Evidence, draft: Draft): void {
  const differing = new Set(differencesIn(evidence, 'transition').map(({ key }) => key.subject))
  const byBoth = refusedByBoth(evidence)
  const seen = new Map<string, { readonly refused: string[]; readonly accepted: Set<string> }>()
  const { toWire } = evidence.profile.names.fields
  for (const { exchange, call, state, type } of inStates(evidence)) {
    const name = askedFor(call, exchange)
    // A workspace that has the type already begins nothing.
    const asked = isObject(exchange.requestBody) ? exchange.requestBody[toWire('workspace_type_name')] : undefined
    if (asked !== undefined && asked === type) continue
    if (name === undefined || !differing.has(name) || !statesFor(name).includes(state)) continue
    const one = seen.get(name) ?? { refused: [], accepted: new Set() }
    seen.set(name, one)
    if (isOk(exchange)) one.accepted.add(state)
    else if (meaningOf(exchange) === 'notAllowed' && !byBoth.has(exchange.number)) one.refused.push(state)
  }
  for (const [name, { refused, accepted }] of seen) {
    if (refused.length < LEAST) continue
    const place = ['states', 'allowed', name]
    const told = `Refused ${times(refused.length, 'time')} in ${[...new Set(refused)].join(' and ')}.`
    if (refused.some((state) => accepted.has(state))) draft.doubt(place.slice(0, 2), `${name}: ${told}`)
    else
      draft.set(
        place,
        statesFor(name).filter((state) => !refused.includes(state)),
        told
      )
  }
}

/** The states in which the mock allows a transition. */
const statesFor = (name: string): readonly string[] =>
  name === resize.name
    ? [...resize.from, ...RESIZABLE_AT_ONCE]
    : (Object.values<Transition>(WORKSPACE_TRANSITIONS).find((one) => one.name === name)?.from ?? [])
