import type { ControlPlane, Origin } from '../../control-plane.js'
import { check } from '../../lib/check.js'
import { invalidBody } from '../../lib/errors.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { type Rule, ruleErrors, toRuleDocument, toRuleRecord, unknownTransition } from '../../sim/rule-document.js'
import { ReleaseSchema, TransitionRulesSchema } from '../../sim/schemas.js'
import { type Fired, toFiredView } from '../../sim/views.js'

/** The rules of a sandbox, in order. */
export function listRules(plane: ControlPlane, { key }: Sandbox): Rule[] {
  return plane.engine.rules.list(key).map(toRuleDocument)
}

/**
 * Replaces the rules of a sandbox. They apply to transitions that begin from now on.
 * @returns the rules as they are then
 * @throws {ServiceError} naming every rule that is wrong; then nothing is changed
 */
export async function replaceRules(
  plane: ControlPlane,
  origin: Origin,
  replacement: { rules: readonly Rule[] }
): Promise<Rule[]> {
  check(TransitionRulesSchema, replacement)
  const { rules } = replacement
  const faults = rules.flatMap((rule, index) => ruleErrors(plane.engine, rule, `rules.${index}`))
  if (faults.length > 0) throw invalidBody(faults)
  return plane.write(origin, ({ sandbox }) => {
    plane.engine.rules.replace(sandbox.key, rules.map(toRuleRecord))
    return listRules(plane, sandbox)
  })
}

/**
 * Lets transitions that are held end now: all, or those of one name or one resource.
 * @returns what was run, in order
 */
export async function releaseHeld(
  plane: ControlPlane,
  origin: Origin,
  which: { transition?: string; resource_id?: string }
): Promise<Fired[]> {
  check(ReleaseSchema, which)
  if (which.transition !== undefined) {
    const faults = unknownTransition(plane.engine, which.transition, 'transition')
    if (faults.length > 0) throw invalidBody(faults)
  }
  const { sandbox } = origin
  const { fired } = await plane.writeInSlices(origin, function* ({ now }) {
    const held = plane.engine.dueEvents
      .listHeld(sandbox.key)
      .filter(
        ({ kind, resource }) => (which.transition ?? kind) === kind && (which.resource_id ?? resource) === resource
      )
    for (const { sequence, payload } of held) plane.engine.dueEvents.reschedule(sandbox.key, sequence, now, payload)
    return yield* plane.engine.run(sandbox, now)
  })
  return fired.map(toFiredView)
}
