import { type Condition, ERRORS } from '../../interface/errors.js'
import { groupBy } from '../../lib/group-by.js'
import { quantity } from '../../lib/quantity.js'
import { ORG_ROLE_NAMES } from '../../profile/org-roles.js'
import { WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { Transition } from '../../sim/state-machine.js'
import type { Entry } from '../fact-book.js'
import { shownBy } from '../sights.js'
import type { Draft } from './draft.js'
import { differencesIn, type Evidence, isOk, isRefused } from './evidence.js'
import { renamedTypes } from './names.js'

/** Conditions that the service itself answers. Others, such as a missing credential, are up to a gateway. */
const CONDITIONS: readonly Condition[] = [
  'invalidBody',
  'notAllowed',
  'forbidden',
  'quotaExceeded',
  'notFound',
  'bodyTooLarge',
  'unsupportedMediaType'
]

/** The parts of a refusal in a profile, with the aspect of the comparison that shows them, and their valid values. */
const MEMBERS = [
  { member: 'status', aspect: 'status', isPossible: (value: unknown) => Number(value) >= 400 },
  { member: 'type', aspect: 'error type', isPossible: (value: unknown) => /^[\w-]{1,64}$/.test(String(value)) }
] as const

/** Learns statuses and error types of refusals: for a condition if most operations share them, or per operation. */
export function learnRefusals(evidence: Evidence, draft: Draft): void {
  const { edge, names } = evidence.profile
  const renamed = renamedTypes(evidence)
  for (const condition of CONDITIONS)
    for (const { member, aspect, isPossible } of MEMBERS) {
      const entries = evidence.facts.filter(
        ({ key }) => key.aspect === aspect && key.condition === condition && key.operation !== undefined
      )
      const isNew = member === 'type' && renamed.has(ERRORS[condition].type)
      if (!isNew && entries.some(({ differences }) => differences > 0))
        learnMember(condition, member, entries, isPossible)
    }

  function learnMember(
    condition: Condition,
    member: 'status' | 'type',
    facts: readonly Entry[],
    isPossible: (value: unknown) => boolean
  ): void {
    const inner = (value: unknown) => (member === 'type' ? names.values.fromWire(String(value)) : value)
    const isAnswer = ({ ours, theirs }: Entry['examples'][number]) =>
      (member === 'type' || isPossible(ours)) && isPossible(inner(theirs))
    const seen = new Map<string, unknown>()
    let count = 0
    for (const [operation, entries] of groupBy(facts, ({ key }) => key.operation!)) {
      const answers = entries.flatMap(({ examples }) => examples.filter(isAnswer))
      const values = new Set(answers.map(({ theirs }) => inner(theirs)))
      if (entries.some(({ agreements }) => agreements > 0)) values.add(inForce(condition, operation, member))
      count += entries.reduce((sum, { agreements, differences }) => sum + agreements + differences, 0)
      const [value] = values
      if (values.size === 1) seen.set(operation, value)
      else if (values.size > 1)
        draft.flag(
          ['errors', condition],
          `${operation} answered ${condition} with the ${member} ${[...values].join(' and ')}.`
        )
    }
    const builtIn = ERRORS[condition][member]
    const usual = usualIn([...seen.values()]) ?? builtIn
    const why = `Seen in ${quantity(count, 'refusal')}.`
    give(['errors', condition, member], usual, builtIn, why)
    for (const [operation, value] of seen) give(['errors', condition, 'operations', operation, member], value, usual)
  }

  /** The mock's own status or type under the profile. */
  function inForce(condition: Condition, operation: string, member: 'status' | 'type'): unknown {
    return edge.refusals?.(condition, operation)?.[member] ?? ERRORS[condition][member]
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
      if (isRefused(exchange)) one.refused++
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
