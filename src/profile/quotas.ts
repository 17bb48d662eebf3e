import { Type } from '@sinclair/typebox'
import { enumeration, type Shape } from '../interface/schemas.js'
import { nullable, strict } from '../lib/strict.js'
import { flag, forEach } from './form.js'

/** Where a quota counts: in the whole sandbox, or per workspace or database. */
type Scope = 'org' | 'workspace' | 'database'

export interface QuotaRule {
  /** The maximum in a new sandbox; null: no limit. */
  readonly default: number | null
  readonly per: Scope
  /** Whether failed workspaces or backups count, too. */
  readonly failed: boolean
}

/** All are assumed. */
export const BUILT_IN_QUOTAS = {
  rw_workspaces: { default: null, per: 'org', failed: false },
  ro_workspaces: { default: null, per: 'org', failed: false },
  manual_backups: { default: null, per: 'workspace', failed: false },
  automatic_backups: { default: null, per: 'workspace', failed: false }
} as const satisfies Record<string, QuotaRule>

export type Quota = keyof typeof BUILT_IN_QUOTAS

export const QUOTAS = Object.keys(BUILT_IN_QUOTAS) as Quota[]

/** Where each quota can count. A database has at most one read-write workspace. */
const SCOPES = {
  rw_workspaces: ['org'],
  ro_workspaces: ['org', 'database'],
  manual_backups: ['org', 'workspace', 'database'],
  automatic_backups: ['org', 'workspace', 'database']
} as const satisfies Record<Quota, readonly Scope[]>

const maximum = nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), 'null: no limit.')

export const QuotasSchema = strict(
  {
    ...forEach(QUOTAS, (name) =>
      Type.Optional(
        strict({
          default: Type.Optional(nullable(maximum.anyOf[0], 'Maximum in a new sandbox; null, no limit, if absent.')),
          per: Type.Optional(enumeration<Scope>(SCOPES[name], 'Where it counts.')),
          failed: flag('Whether failed ones count; false if absent.')
        })
      )
    ),
    plans: Type.Optional(
      Type.Record(Type.String({ pattern: '^.{1,256}$' }), strict(forEach(QUOTAS, () => Type.Optional(maximum))), {
        description: 'Sets of maximums, by the name of the plan; quotas that a plan omits get their default.'
      })
    )
  },
  { description: 'How many workspaces and backups there may be.' }
)

export type QuotaTerms = ReturnType<typeof quotasOf>

/** The quotas of a profile. Omitted parts are built in. */
export function quotasOf({ plans = {}, ...given }: Shape<typeof QuotasSchema> = {}) {
  const rules = forEach(QUOTAS, (name): QuotaRule => ({ ...BUILT_IN_QUOTAS[name], ...given[name] }))
  const defaults = forEach(QUOTAS, (name) => rules[name].default)
  return { rules, plans: new Map(Object.entries(plans).map(([name, plan]) => [name, { ...defaults, ...plan }])) }
}
