import type { FieldError } from '../lib/errors.js'
import { parseDuration } from '../lib/time.js'
import type { Outcome, TransitionRule } from './rules.js'
import type { Transition } from './state-machine.js'

/** A transition rule, as the control API shows it. */
export interface Rule {
  readonly transition: string
  /** The one resource it is about; any if absent. */
  readonly resource_id?: string
  /** ISO 8601 duration; as the profile says if absent. */
  readonly after?: string
  /** `complete` if absent. */
  readonly outcome?: Outcome
  readonly reason?: string
  /** How often it still applies; always if absent. */
  readonly times?: number
}

const DEFAULT_REASON = 'Simulated failure.'

/** Knows every transition there is, by name. */
interface Transitions {
  readonly transitions: ReadonlyMap<string, Transition>
}

/** A rule as the control API and state documents show it. */
export function toRuleDocument({ transition, resource, after, outcome, reason, times }: TransitionRule): Rule {
  return {
    transition,
    ...(resource === null ? {} : { resource_id: resource }),
    ...(after === null ? {} : { after }),
    outcome,
    ...(reason === null ? {} : { reason }),
    ...(times === null ? {} : { times })
  }
}

/**
 * What is wrong with a rule although each of its fields is right for itself.
 * @param path where it is in the document
 */
export function ruleErrors({ transitions }: Transitions, rule: Rule, path: string): FieldError[] {
  const faults = unknownTransition({ transitions }, rule.transition, `${path}.transition`)
  if (rule.after !== undefined && rule.outcome === 'hold') {
    faults.push({
      field: `${path}.after`,
      reason: 'cannot be combined with outcome hold; a held transition ends when it is released'
    })
  } else if (rule.after !== undefined && parseDuration(rule.after) === undefined) {
    faults.push({ field: `${path}.after`, reason: 'must be an ISO 8601 duration such as PT30S' })
  }
  if (rule.reason !== undefined && rule.outcome !== 'fail') {
    faults.push({ field: `${path}.reason`, reason: 'is allowed only with outcome fail' })
  }
  return faults
}

/** What is wrong with the name of a transition. */
export function unknownTransition({ transitions }: Transitions, name: string, field: string): FieldError[] {
  const known = [...transitions.keys()]
  return known.includes(name) ? [] : [{ field, reason: `must be one of ${known.join(', ')}` }]
}

/** A rule as it is stored. */
export function toRuleRecord({
  transition,
  resource_id: resource,
  after,
  outcome = 'complete',
  reason,
  times
}: Rule): TransitionRule {
  return {
    transition,
    resource: resource ?? null,
    after: after ?? null,
    outcome,
    reason: outcome === 'fail' ? (reason ?? DEFAULT_REASON) : null,
    times: times ?? null
  }
}
