import type { FieldError } from '../lib/errors.js'
import { parseDuration } from '../lib/time.js'
import type { Outcome, TransitionRule } from './rules.js'
import type { Transition } from './state-machine.js'

/** A transition rule, as the control API shows it. */
export interface Rule {
  readonly transition: string
  /** The only resource that it applies to; any if absent. */
  readonly resource_id?: string
  /** ISO 8601 duration; as set by the profile if absent. */
  readonly after?: string
  /** `complete` if absent. */
  readonly outcome?: Outcome
  readonly reason?: string
  /** Remaining uses; unlimited if absent. */
  readonly times?: number
}

const DEFAULT_REASON = 'Simulated failure.'

/** All transitions, by name. */
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
 * Field errors of a rule whose fields are valid individually.
 * @param path path of the rule in the document
 */
export function ruleErrors({ transitions }: Transitions, rule: Rule, path: string): FieldError[] {
  const errors = unknownTransition({ transitions }, rule.transition, `${path}.transition`)
  if (rule.after !== undefined && rule.outcome === 'hold') {
    errors.push({
      field: `${path}.after`,
      reason: 'cannot be combined with outcome hold; a held transition ends when it is released'
    })
  } else if (rule.after !== undefined && parseDuration(rule.after) === undefined) {
    errors.push({ field: `${path}.after`, reason: 'must be an ISO 8601 duration such as PT30S' })
  }
  if (rule.reason !== undefined && rule.outcome !== 'fail') {
    errors.push({ field: `${path}.reason`, reason: 'is allowed only with outcome fail' })
  }
  return errors
}

export function unknownTransition({ transitions }: Transitions, name: string, field: string): FieldError[] {
  const known = [...transitions.keys()]
  return known.includes(name) ? [] : [{ field, reason: `must be one of ${known.join(', ')}` }]
}

/** Converts a rule to its stored form. */
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
