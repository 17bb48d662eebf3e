import { type Condition, ERRORS } from '../../interface/errors.js'
import { groupBy } from '../../lib/group-by.js'
import type { Entry } from '../fact-book.js'
import { type Draft, times } from './draft.js'
import type { Evidence } from './evidence.js'
import { renamedTypes } from './names.js'

/** Conditions that both can find in a request. A missing credential is answered before the service. */
const CONDITIONS: readonly Condition[] = [
  'invalidBody',
  'notAllowed',
  'forbidden',
  'quotaExceeded',
  'notFound',
  'bodyTooLarge',
  'unsupportedMediaType'
]

/** What a refusal can have, with the aspect of the comparison that it is, and what is no answer of a service. */
const MEMBERS = [
  { member: 'status', aspect: 'status', isPossible: (value: unknown) => Number(value) >= 400 },
  { member: 'type', aspect: 'error type', isPossible: (value: unknown) => /^[\w-]{1,64}$/.test(String(value)) }
] as const

/** Statuses and types of refusals: of a condition if most operations have them, or of single operations. */
export function learnRefusals(evidence: Evidence, draft: Draft): void {
  const { edge, names } = evidence.profile
  const renamed = renamedTypes(evidence)
  for (const condition of CONDITIONS)
    for (const { member, aspect, isPossible } of MEMBERS) {
      const own = evidence.facts.filter(
        ({ key }) => key.aspect === aspect && key.condition === condition && key.operation !== undefined
      )
      const isNew = member === 'type' && renamed.has(ERRORS[condition].type)
      if (!isNew && own.some(({ differences }) => differences > 0)) learnMember(condition, member, own, isPossible)
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
        draft.doubt(['errors', condition], `${operation} answered with the ${member} ${[...values].join(' and ')}.`)
    }
    const builtIn = ERRORS[condition][member]
    const usual = usualIn([...seen.values()]) ?? builtIn
    const why = `Seen in ${times(count, 'refusal')}.`
    give(['errors', condition, member], usual, builtIn, why)
    for (const [operation, value] of seen) give(['errors', condition, 'operations', operation, member], value, usual)
  }

  /** What the mock answers under the profile. */
  function inForce(condition: Condition, operation: string, member: 'status' | 'type'): unknown {
    return edge.refusals?.(condition, operation)?.[member] ?? ERRORS[condition][member]
  }

  function give(place: readonly string[], value: unknown, implied: unknown, why?: string): void {
    if (value === implied) draft.remove(place)
    else draft.set(place, value, why)
  }
}

/** The value that more than half of several operations have: one operation may be an exception. */
function usualIn(values: readonly unknown[]): unknown {
  for (const value of new Set(values)) {
    const count = values.filter((other) => other === value).length
    if (count > 1 && count > values.length / 2) return value
  }
  return undefined
}
