import { schemaErrors } from '../../interface/check.js'
import { type FieldError, invalidBody } from '../../interface/errors.js'
import type { Shape } from '../../interface/schemas.js'
import { listOf, objectOf } from '../../lib/json.js'
import type { ControlPlane, Origin } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { transitionRuleErrors, unknownTransition, withDefaults } from '../../sim/rules.js'
import {
  MOST_TRANSITION_RULES,
  type ReleaseSchema,
  type TransitionRule,
  TransitionRuleSchema
} from '../../sim/schemas.js'
import { toFiredView } from '../../sim/views.js'
import { wholeResource, withWholeIds } from '../cut-ids.js'

/** The rules of a sandbox, in order. */
export function listRules(plane: ControlPlane, { key }: Sandbox): TransitionRule[] {
  return plane.engine.rules.list(key)
}

/** Rules, with the transitions that they can apply to. */
export function withTransitions({ engine }: ControlPlane, rules: readonly TransitionRule[]) {
  const transitions = [...engine.transitions.values()].map((transition) => {
    const { min, max } = engine.boundsOf(transition)
    return { name: transition.name, min_ms: min, max_ms: max }
  })
  return { rules, transitions }
}

/** Field errors of rules that the schema accepts, in a body of any shape, unless there are too many to check. */
export function ruleErrors({ engine }: ControlPlane, body: unknown): FieldError[] {
  const rules = listOf(objectOf(body)['rules'])
  if (rules.length > MOST_TRANSITION_RULES) return []
  return rules.flatMap((rule, index) =>
    schemaErrors(TransitionRuleSchema, rule).length > 0
      ? []
      : transitionRuleErrors(engine, rule as TransitionRule, `rules.${index}`)
  )
}

/** Replaces the rules of a sandbox. They apply to transitions that start from now on. @returns the new rules */
export function replaceRules(
  plane: ControlPlane,
  origin: Origin,
  { rules }: { rules: readonly TransitionRule[] }
): Promise<TransitionRule[]> {
  return plane.write(origin, ({ sandbox }) => {
    const own = rules.map((rule) => withWholeIds(plane, sandbox, withDefaults(rule)))
    plane.engine.rules.replace(sandbox.key, own)
    return listRules(plane, sandbox)
  })
}

/**
 * Ends held transitions now: all, or those of one name or one resource.
 * @returns the events that fired, in order
 */
export async function releaseHeld(plane: ControlPlane, origin: Origin, which: Shape<typeof ReleaseSchema>) {
  if (which.transition !== undefined) {
    const errors = unknownTransition(plane.engine, which.transition, 'transition')
    if (errors.length > 0) throw invalidBody(errors)
  }
  const { sandbox } = origin
  const wanted = which.resource_id && wholeResource(plane, sandbox, which.resource_id)
  const { fired } = await plane.writeInSlices(origin, function* ({ now }) {
    const held = plane.engine.dueEvents
      .listHeld(sandbox.key)
      .filter(({ kind, resource }) => (which.transition ?? kind) === kind && (wanted ?? resource) === resource)
    for (const { sequence, payload } of held) plane.engine.dueEvents.reschedule(sandbox.key, sequence, now, payload)
    return yield* plane.engine.run(sandbox, now)
  })
  return fired.map(toFiredView)
}
