import type { ControlPlane, Origin } from '../../control-plane.js'
import { check } from '../../lib/check.js'
import { type Quota, QUOTAS } from '../../sandboxes/quotas.js'
import { QuotasSchema } from '../../sim/schemas.js'

/** Every quota; null means no limit. */
type Quotas = Record<Quota, number | null>

/** Sets quotas of a sandbox; null means no limit, and omitted ones keep their values. @returns all of them */
export function setQuotas(plane: ControlPlane, origin: Origin, quotas: Partial<Quotas>): Promise<Quotas> {
  check(QuotasSchema, quotas)
  return plane.write(origin, (tx) => {
    for (const name of QUOTAS) {
      const maximum = quotas[name]
      if (maximum !== undefined) tx.quotas.set(name, maximum)
    }
    return tx.quotas.list()
  })
}
