/** What a quota counts in: the whole sandbox, or each workspace or database on its own. */
export type Scope = 'org' | 'workspace' | 'database'

/** How a quota counts. */
export interface QuotaRule {
  /** Maximum of a new sandbox; null: no limit. */
  readonly default: number | null
  readonly per: Scope
  /** Whether what has failed counts, too. */
  readonly failed: boolean
}

/** The quotas that a sandbox can have, with how they count unless a profile says otherwise. All are assumed. */
export const BUILT_IN_QUOTAS = {
  rw_workspaces: { default: null, per: 'org', failed: false },
  ro_workspaces: { default: null, per: 'org', failed: false },
  manual_backups: { default: null, per: 'workspace', failed: false },
  automatic_backups: { default: null, per: 'workspace', failed: false }
} as const satisfies Record<string, QuotaRule>

export type Quota = keyof typeof BUILT_IN_QUOTAS

export const QUOTAS = Object.keys(BUILT_IN_QUOTAS) as Quota[]

/** Where each quota can count. A database has at most one read-write workspace. */
export const SCOPES = {
  rw_workspaces: ['org'],
  ro_workspaces: ['org', 'database'],
  manual_backups: ['org', 'workspace', 'database'],
  automatic_backups: ['org', 'workspace', 'database']
} as const satisfies Record<Quota, readonly Scope[]>

/** Maximum numbers that are set together; null: no limit. */
type Plan = Readonly<Record<Quota, number | null>>

/** How quotas count, and the plans that they can be set to, by name. */
export interface QuotaTerms {
  readonly rules: Readonly<Record<Quota, QuotaRule>>
  readonly plans: ReadonlyMap<string, Plan>
}

/** The maximums of a new sandbox. */
export function defaultPlan(rules: QuotaTerms['rules']): Plan {
  return Object.fromEntries(QUOTAS.map((name) => [name, rules[name].default])) as unknown as Plan
}
