import { BUILT_IN_QUOTAS, defaultPlan, QUOTAS, type QuotaTerms } from './quotas.js'
import type { ProfileDocument, ProfileInForce } from './schemas.js'

/** The quotas as a profile gives them; what it leaves out is built in. */
export function quotasOf({ plans = {}, ...given }: NonNullable<ProfileDocument['quotas']> = {}): QuotaTerms {
  const rules = Object.fromEntries(
    QUOTAS.map((name) => [name, { ...BUILT_IN_QUOTAS[name], ...given[name] }])
  ) as QuotaTerms['rules']
  const byDefault = defaultPlan(rules)
  return { rules, plans: new Map(Object.entries(plans).map(([name, plan]) => [name, { ...byDefault, ...plan }])) }
}

/** The quotas as a profile shows them, with nothing left out. */
export function toQuotasDocument({ rules, plans }: QuotaTerms): ProfileInForce['quotas'] {
  return { ...rules, plans: Object.fromEntries(plans) }
}
