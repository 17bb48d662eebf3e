import { QUOTAS, type Quota } from '../../sandboxes/quotas.js'
import type { Origin, World } from '../../control-plane.js'
import { check } from '../../lib/check.js'
import { QuotasSchema } from '../../sim/schemas.js'

/** Every quota; null means no limit. */
export type Quotas = Record<Quota, number | null>

/** Sets quotas of a sandbox; null is no limit, and what is left out stays. @returns all of them */
export function setQuotas(world: World, origin: Origin, quotas: Partial<Quotas>): Promise<Quotas> {
  check(QuotasSchema, quotas)
  const { key } = origin.sandbox
  return world.write(origin, () => {
    for (const name of QUOTAS) {
      const maximum = quotas[name]
      if (maximum !== undefined) world.quotas.set(key, name, maximum)
    }
    return world.quotas.list(key)
  })
}
