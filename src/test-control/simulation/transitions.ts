import { invalidBody, type Fault } from '../../lib/errors.js'
import { parseDuration } from '../../sim/clock.js'
import type { Engine } from '../../sim/engine.js'
import type { Outcome, TransitionRule } from '../../sim/rules.js'
import type { Origin, World } from '../../control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { check } from '../../lib/check.js'
import { presentFired, type Fired } from '../clock/clock.js'
import { ReleaseSchema, TransitionRulesSchema } from '../../sim/schemas.js'

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

/** The rules of a sandbox, in order. */
export function listRules(world: World, { key }: Sandbox): Rule[] {
  return world.engine.rules.list(key).map(({ transition, resource, after, outcome, reason, times }) => ({
    transition,
    ...(resource === null ? {} : { resource_id: resource }),
    ...(after === null ? {} : { after }),
    outcome,
    ...(reason === null ? {} : { reason }),
    ...(times === null ? {} : { times })
  }))
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

/** What is wrong with a rule although each of its fields is right for itself. @param path where it is in the document */
export function faultsOfRule(engine: Engine, rule: Rule, path: string): Fault[] {
  const faults = unknownTransition(engine, rule.transition, `${path}.transition`)
  if (rule.after !== undefined && rule.outcome === 'hold') {
    faults.push({ field: `${path}.after`, reason: 'cannot be combined with outcome hold; a held transition ends when it is released' })
  } else if (rule.after !== undefined && parseDuration(rule.after) === undefined) {
    faults.push({ field: `${path}.after`, reason: 'must be an ISO 8601 duration such as PT30S' })
  }
  if (rule.reason !== undefined && rule.outcome !== 'fail') {
    faults.push({ field: `${path}.reason`, reason: 'is allowed only with outcome fail' })
  }
  return faults
}

function unknownTransition(engine: Engine, name: string, field: string): Fault[] {
  const known = [...engine.transitions.keys()]
  return known.includes(name) ? [] : [{ field, reason: `must be one of ${known.join(', ')}` }]
}

/** A rule as it is stored. */
export function toRuleRecord({ transition, resource_id: resource, after, outcome = 'complete', reason, times }: Rule): TransitionRule {
  return {
    transition,
    resource: resource ?? null,
    after: after ?? null,
    outcome,
    reason: outcome === 'fail' ? (reason ?? DEFAULT_REASON) : null,
    times: times ?? null
  }
}
