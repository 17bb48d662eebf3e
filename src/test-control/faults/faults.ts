import { notFound, ServiceError } from '../../interface/errors.js'
import type { ControlPlane, Origin } from '../../resources/control-plane.js'
import { faultId, numberOf, toFaultRecord, toFaultView } from '../../sandboxes/fault-rule.js'
import { type Fault, type FaultRule, MOST_FAULT_RULES } from '../../sandboxes/fault-schemas.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { wholeResource } from '../cut-ids.js'

/**
 * Adds a rule to a sandbox, after the existing ones.
 * @throws {ServiceError} `quotaExceeded` if there would be too many rules
 */
export function addFault(plane: ControlPlane, origin: Origin, rule: FaultRule): Promise<Fault> {
  return plane.write(origin, ({ sandbox }) => {
    if (plane.faults.count(sandbox.key) >= MOST_FAULT_RULES) {
      throw new ServiceError(
        'quotaExceeded',
        `The sandbox has ${MOST_FAULT_RULES} faults, the maximum; remove some first.`
      )
    }
    const id = faultId(plane.faults.nextNumber(sandbox.key))
    const given = toFaultRecord({ ...rule, id, seen: 0, hits: 0 })
    const whole = (resource: string | null) => wholeResource(plane, sandbox, resource)
    const record = { ...given, workspace: whole(given.workspace), workgroup: whole(given.workgroup) }
    plane.faults.insert(sandbox, record)
    return toFaultView(record)
  })
}

/** The rules of a sandbox, in the order in which they are tried. */
export function listFaults(plane: ControlPlane, { key }: Sandbox): Fault[] {
  return plane.faults.list(key).map(toFaultView)
}

/**
 * Removes a rule of a sandbox.
 * @throws {ServiceError} `notFound` if no rule has the id
 */
export function removeFault(plane: ControlPlane, origin: Origin, id: string): Promise<void> {
  return plane.write(origin, ({ sandbox }) => {
    const number = numberOf(id)
    if (number === undefined || plane.faults.remove(sandbox, number) === 0) throw notFound('fault', id)
  })
}

/** Removes all rules of a sandbox. @returns how many there were */
export function clearFaults(plane: ControlPlane, origin: Origin): Promise<number> {
  return plane.write(origin, ({ sandbox }) => plane.faults.remove(sandbox))
}
