import { type Condition, ERRORS } from '../../interface/errors.js'
import { groupBy } from '../../lib/group-by.js'
import { quantity } from '../../lib/quantity.js'
import { ORG_ROLE_NAMES } from '../../profile/org-roles.js'
import { CONDITIONS } from '../../profile/refusals.js'
import { WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { Transition } from '../../sim/state-machine.js'
import { isOk, isRefused } from '../exchange.js'
import { errorTypeOf, meaningOf } from '../meaning.js'
import { shownBy } from '../sights.js'
import type { Draft } from './draft.js'
import { differencesIn, type Evidence } from './evidence.js'
import { renamedTypes } from './names.js'

/** A refusal by both the service and the mock. */
type Refused = Evidence['refusals'][number]

/** The form of error types in a profile. */
const TYPE = /^[\w-]{1,64}$/

/** Learns statuses and error types of refusals: for a condition if most operations share them, or per operation. */
export function learnRefusals(evidence: Evidence, draft: Draft): void {
  const renamed = renamedTypes(evidence)
  const { fromWire } = evidence.profile.names.values
  const typeOf = ({ exchange }: Refused) => {
    const type = errorTypeOf(evidence.profile, exchange.body)
    return typeof type === 'string' && TYPE.test(fromWire(type)) ? fromWire(type) : undefined
  }
  for (const condition of CONDITIONS) {
    // That is up to a gateway.
    if (condition === 'unauthorized') continue
    const refused = evidence.refusals.filter((one) => one.condition === condition)
    learnMember(condition, 'status', refused, ({ exchange }) => exchange.status!)
    if (!renamed.has(ERRORS[condition].type)) learnMember(condition, 'type', refused, typeOf)
  }

  function learnMember(
    condition: Condition,
    member: 'status' | 'type',
    refused: readonly Refused[],
    valueOf: (refusal: Refused) => unknown
  ): void {
    const shown = refused.filter((one) => valueOf(one) !== undefined)
    const usualOf = new Map<string, unknown>()
    for (const [operation, own] of groupBy(shown, ({ call }) => call.operation)) {
      const [value, ...others] = new Set(own.map(valueOf))
      if (others.length === 0) usualOf.set(operation, value)
      else
        draft.flag(
          ['errors', condition],
          `${operation} answered ${condition} with the ${member} ${[value, ...others].join(' and ')}.`
        )
    }
    const builtIn = ERRORS[condition][member]
    const usual = usualIn([...usualOf.values()]) ?? builtIn
    give(['errors', condition, member], usual, builtIn, `Seen in ${quantity(shown.length, 'refusal')}.`)
    for (const [operation, value] of usualOf) give(['errors', condition, 'operations', operation, member], value, usual)
  }

  function give(place: readonly string[], value: unknown, implied: unknown, why?: string): void {
    if (value === implied) draft.remove(place)
    else draft.set(place, value, why)
  }
}

/** The value of most operations, if several have it, because a single one may be an exception. */
function usualIn(values: readonly unknown[]): unknown {
  for (const value of new Set(values)) {
    const count = values.filter((other) => other === value).length
    if (count > 1 && count > values.length / 2) return value
  }
  return undefined
}

const TRANSITIONS: readonly Transition[] = Object.values(WORKSPACE_TRANSITIONS)

/** A single refusal may be chance. */
const LEAST_REFUSALS = 2

/** Conditions that have nothing to do with a state. */
const OTHERWISE: readonly unknown[] = ['unauthorized', 'forbidden', 'notFound'] satisfies Condition[]

/** Learns whether an operation such as a pause is refused if it is done or under way already. */
export function learnRepeats({ profile, sights, calls }: Evidence, draft: Draft): void {
  const { toWire } = profile.names.fields
  const workspacesIn = shownBy(sights, 'Workspace')
  const states = new Map<unknown, string>()
  const seen = new Map<string, { refused: number; accepted: number }>()
  for (const { exchange, call } of calls) {
    const id = call.params['workspaceID']
    const transition = TRANSITIONS.find(({ operation }) => operation === call.operation)
    if (transition?.noopFrom.includes(states.get(id) ?? '') === true) {
      const one = seen.get(call.operation) ?? { refused: 0, accepted: 0 }
      seen.set(call.operation, one)
      if (isOk(exchange)) one.accepted++
      if (!OTHERWISE.includes(meaningOf(exchange)) && isRefused(exchange)) one.refused++
    }
    if (transition?.during !== undefined && isOk(exchange)) states.set(id, transition.during)
    for (const { value } of workspacesIn.get(exchange) ?? [])
      states.set(value[toWire('workspace_id')], profile.words.workspace.fromWire(String(value[toWire('status')])))
  }
  for (const [operation, { refused, accepted }] of seen) {
    const place = ['errors', 'notAllowed', 'operations', operation, 'repeats']
    const repetitions = quantity(refused, 'repetition')
    if (refused >= LEAST_REFUSALS && accepted === 0) draft.set(place, true, `${repetitions} refused.`)
    else if (refused > 0 && accepted > 0) draft.flag(place, `${repetitions} refused, ${accepted} accepted.`)
  }
}

/** The role that may call everything. */
const ADMIN = 'org-admin'

/** Learns operations that API keys may not call. */
export function learnRoles(evidence: Evidence, draft: Draft): void {
  const forbidden = differencesIn(evidence, 'status').filter(
    ({ key: { operation, condition }, examples }) =>
      operation !== undefined &&
      // A gateway answers requests without a credential.
      condition !== 'unauthorized' &&
      // If the mock refuses, too, the service only has another reason or status.
      examples.every(({ ours, theirs }) => Number(ours) < 400 && theirs === ERRORS.forbidden.status)
  )
  for (const { key, differences } of forbidden) {
    const operation = key.operation!
    const requests = evidence.calls.filter(({ call }) => call.operation === operation)
    const allowed = requests.filter(({ exchange }) => isOk(exchange))
    const isByKey = ({ exchange }: (typeof requests)[number]) => !('authorization' in exchange.requestHeaders)
    if (allowed.some(isByKey)) {
      draft.flag(['roles'], `${operation} was only sometimes forbidden, which no role explains.`)
      continue
    }
    draft.set(
      ['roles', 'api_key'],
      ORG_ROLE_NAMES.filter((name) => name !== ADMIN),
      'The missing role is a guess: exchanges only show which operations are forbidden.'
    )
    const others = allowed.length === 0 ? 'never allowed' : `allowed ${quantity(allowed.length, 'time')} with a session`
    draft.set(['roles', 'allow', operation], [ADMIN], `Forbidden ${quantity(differences, 'time')}, and ${others}.`)
  }
}
