import { notFound, ServiceError } from '../../lib/errors.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { Origin, World } from '../../control-plane.js'
import { check } from '../../lib/check.js'
import { faultId, faultsOfRule, numberOf, presentFault, toFaultRecord, type Fault, type FaultRule } from '../../sandboxes/fault-rule.js'
import { FaultRuleSchema, MOST_FAULT_RULES } from '../../sandboxes/fault-schemas.js'

/**
 * Adds a rule to a sandbox, behind those that there are.
 * @throws {ServiceError} `invalidBody` naming everything that is wrong with it, `quotaExceeded` if it would be one too many
 */
export function addFault(world: World, origin: Origin, rule: FaultRule): Promise<Fault> {
  check(FaultRuleSchema, rule, faultsOfRule(rule, ''))
  return world.write(origin, ({ sandbox }) => {
    if (world.faults.count(sandbox.key) >= MOST_FAULT_RULES) {
      throw new ServiceError('quotaExceeded', `The sandbox has ${MOST_FAULT_RULES} faults, the maximum; remove some first.`)
    }
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
 * Removes a rule of a sandbox.
 * @throws {ServiceError} `notFound` if there is none of that id
 */
export function removeFault(world: World, origin: Origin, id: string): Promise<void> {
  return world.write(origin, ({ sandbox }) => {
    const number = numberOf(id)
    if (number === undefined || world.faults.remove(sandbox, number) === 0) throw notFound('fault', id)
  })
}

/** Removes all rules of a sandbox. @returns how many there were */
export function clearFaults(world: World, origin: Origin): Promise<number> {
  return world.write(origin, ({ sandbox }) => world.faults.remove(sandbox))
}
