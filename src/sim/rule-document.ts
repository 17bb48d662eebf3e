import type { FieldError } from '../interface/errors.js'
import { DURATION_FORMS, parseDuration, toIsoDuration } from '../lib/time.js'
import type { TransitionRuleRecord } from './rules.js'
import type { TransitionRule } from './schemas.js'
import type { Transition } from './state-machine.js'

const DEFAULT_REASON = 'Simulated failure.'

/** All transitions, by name. */
interface Transitions {
  readonly transitions: ReadonlyMap<string, Transition>
}

/** A rule as the control API and state documents show it. */
export function toRuleDocument({
  transition,
  resource,
  after,
  outcome,
  reason,
  times
}: TransitionRuleRecord): TransitionRule {
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
export function transitionRuleErrors({ transitions }: Transitions, rule: TransitionRule, path: string): FieldError[] {
  const errors = unknownTransition({ transitions }, rule.transition, `${path}.transition`)
  if (rule.after !== undefined && rule.outcome === 'hold') {
    errors.push({
      field: `${path}.after`,
      reason: 'cannot be combined with outcome hold; a held transition ends when it is released'
    })
  } else if (rule.after !== undefined && parseDuration(rule.after) === undefined) {
    errors.push({ field: `${path}.after`, reason: `must be a duration ${DURATION_FORMS}` })
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
}: TransitionRule): TransitionRuleRecord {
  return {
    transition,
    resource: resource ?? null,
    after: after === undefined ? null : toIsoDuration(after),
    outcome,
    reason: outcome === 'fail' ? (reason ?? DEFAULT_REASON) : null,
    times: times ?? null
  }
}
