import { invalidBody } from '../../lib/errors.js'
import { faultsOfRule, toRuleRecord, toRuleDocument, unknownTransition, type Rule } from '../../sim/rule-document.js'
import type { Origin, World } from '../../control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { check } from '../../lib/check.js'
import { presentFired, type Fired } from '../../sim/views.js'
import { ReleaseSchema, TransitionRulesSchema } from '../../sim/schemas.js'

/** The rules of a sandbox, in order. */
export function listRules(world: World, { key }: Sandbox): Rule[] {
  return world.engine.rules.list(key).map(toRuleDocument)
}

/**
 * Replaces the rules of a sandbox. They apply to transitions that begin from now on.
 * @returns the rules as they are then
 * @throws {ServiceError} naming every rule that is wrong; then nothing is changed
 */
export async function replaceRules(world: World, origin: Origin, replacement: { rules: readonly Rule[] }): Promise<Rule[]> {
  check(TransitionRulesSchema, replacement)
  const { rules } = replacement
  const faults = rules.flatMap((rule, index) => faultsOfRule(world.engine, rule, `rules.${index}`))
  if (faults.length > 0) throw invalidBody(faults)
  return world.write(origin, ({ sandbox }) => {
    world.engine.rules.replace(sandbox.key, rules.map(toRuleRecord))
    return listRules(world, sandbox)
  })
}

/** Lets transitions that are held end now: all, or those of one name or one resource. @returns what was run, in order */
export async function releaseHeld(world: World, origin: Origin, which: { transition?: string; resource_id?: string }): Promise<Fired[]> {
  check(ReleaseSchema, which)
  if (which.transition !== undefined) {
    const faults = unknownTransition(world.engine, which.transition, 'transition')
    if (faults.length > 0) throw invalidBody(faults)
  }
  const { sandbox } = origin
  const { fired } = await world.writeInSlices(origin, function* ({ now }) {
    const held = world.engine.dueEvents.listHeld(sandbox.key).filter(({ kind, resource }) =>
      (which.transition ?? kind) === kind && (which.resource_id ?? resource) === resource)
    for (const { sequence, payload } of held) world.engine.dueEvents.reschedule(sandbox.key, sequence, now, payload)
    return yield* world.engine.run(sandbox, now)
  })
  return fired.map(presentFired)
}
