import { Type } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { Table } from '../db/table.js'
import { ServiceError } from '../interface/errors.js'
import { forEach } from '../profile/form.js'
import { type Quota, type QuotaRule, QUOTAS, type QuotaTerms } from '../profile/quotas.js'

const QUOTA_ROWS = {
  name: 'quotas',
  key: ['name'],
  fields: { name: { type: Type.Unsafe<Quota>({ type: 'string' }) }, maximum: { type: Type.Integer() } }
} as const

/**
 * The quotas of sandboxes. Without a row, there is no limit. Every function takes the sandbox key first.
 * @param terms the rules and defaults of the profile
 */
export function quotaStore(db: Database, { rules }: QuotaTerms) {
  const table = new Table(db, QUOTA_ROWS)
  const [list, find, replace, remove] = [table.lister(), table.finder('name'), table.replacer(), table.remover('name')]

  /** @param maximum null: no limit */
  function set(sandbox: number, quota: Quota, maximum: number | null): void {
    if (maximum === null) remove(sandbox, quota)
    else replace(sandbox, { name: quota, maximum })
  }

  return {
    /** All quotas; null: no limit. */
    list(sandbox: number): Record<Quota, number | null> {
      const maximums = new Map(list(sandbox).map(({ name, maximum }) => [name, maximum]))
      return forEach(QUOTAS, (name) => maximums.get(name) ?? null)
    },

    /**
     * Checks that there is room for one more.
     * @param count counts by the rule; called only if there is a limit
     * @param remedy for the message
     * @throws {ServiceError} `quotaExceeded`
     */
    check(sandbox: number, quota: Quota, count: (rule: QuotaRule) => number, remedy = ''): void {
      const maximum = find(sandbox, quota)?.maximum
      if (maximum === undefined) return
      const rule = rules[quota]
      if (count(rule) < maximum) return
      const scope = rule.per === 'org' ? '' : ` per ${rule.per}`
      throw new ServiceError('quotaExceeded', `The quota ${quota} (${maximum}${scope}) is used up${remedy}.`)
    },

    /** Sets a quota to its value in a new sandbox. */
    setDefault: (sandbox: number, quota: Quota) => set(sandbox, quota, rules[quota].default),
    set
  }
}
