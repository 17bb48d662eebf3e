import type { FieldError } from '../../interface/errors.js'
import { type Quota, QUOTAS } from '../../profile/quotas.js'
import type { ControlPlane, Origin } from '../../resources/control-plane.js'

/** Every quota; null means no limit. */
type Quotas = Record<Quota, number | null>

/**
 * Sets quotas of a sandbox; null means no limit, and omitted ones keep their values, or get those of a plan.
 * @returns all of them
 */
export function setQuotas(
  plane: ControlPlane,
  origin: Origin,
  setting: Partial<Quotas> & { plan?: string }
): Promise<Quotas> {
  const { plan, ...given } = setting
  const quotas = { ...(plan === undefined ? {} : plane.profile.quotas.plans.get(plan)), ...given }
  return plane.write(origin, (tx) => {
    for (const name of QUOTAS) {
      const maximum = quotas[name]
      if (maximum !== undefined) tx.quotas.set(name, maximum)
    }
    return tx.quotas.list()
  })
}

/** What is wrong with the plan of a setting, which is not checked yet. */
export function unknownPlan({ profile }: ControlPlane, setting: unknown): FieldError[] {
  const { plans } = profile.quotas
  const { plan } = (setting ?? {}) as { plan?: unknown }
  if (typeof plan !== 'string' || plans.has(plan)) return []
  const reason =
    plans.size === 0
      ? 'must be absent, because the profile has no plans'
      : `must be one of ${[...plans.keys()].join(', ')}`
  return [{ field: 'plan', reason }]
}
