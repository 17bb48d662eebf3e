import { notFound } from '../../errors.js'
import type { Sandbox } from '../../sandboxes/registry.js'
import type { Origin, World } from '../../world.js'
import { check } from '../check.js'
import { faultId, faultsOfRule, numberOf, presentFault, toFaultRecord, type Fault, type FaultRule } from './rule.js'
import { FaultRuleSchema } from './schemas.js'

/**
 * Adds a rule to a sandbox, behind those that there are.
 * @throws {ServiceError} `invalidBody` naming everything that is wrong with it
 */
export function addFault(world: World, origin: Origin, rule: FaultRule): Promise<Fault> {
  check(FaultRuleSchema, rule, faultsOfRule(rule, ''))
  return world.write(origin, ({ sandbox }) => {
    const id = faultId(world.faults.nextNumber(sandbox.key))
    const record = toFaultRecord({ ...rule, id, seen: 0, hits: 0 })
    world.faults.insert(sandbox, record)
    return presentFault(record)
  })
}

/** The rules of a sandbox, in the order in which they are tried. */
export function listFaults(world: World, { key }: Sandbox): Fault[] {
  return world.faults.list(key).map(presentFault)
}

/**
 * Removes rules of a sandbox.
 * @param id the one to remove; all if absent
 * @returns how many were removed
 * @throws {ServiceError} `notFound` if there is none of that id
 */
export function removeFaults(world: World, origin: Origin, id?: string): Promise<number> {
  return world.write(origin, ({ sandbox }) => {
    if (id === undefined) return world.faults.remove(sandbox)
    const number = numberOf(id)
    const removed = number === undefined ? 0 : world.faults.remove(sandbox, number)
    if (removed === 0) throw notFound('fault', id)
    return removed
  })
}
