import { Type } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { Table } from '../db/table.js'
import { ServiceError } from '../interface/errors.js'
import { type Quota, type QuotaRule, QUOTAS, type QuotaTerms } from '../profile/quotas.js'

const QUOTA_ROWS = {
  name: 'quotas',
  key: ['name'],
  fields: { name: { type: Type.Unsafe<Quota>({ type: 'string' }) }, maximum: { type: Type.Integer() } }
} as const

/** The quotas of sandboxes. Without a row, there is no limit. */
export class QuotaStore {
  readonly #list
  readonly #find
  readonly #set
  readonly #remove
  readonly #terms: QuotaTerms

  constructor(db: Database, terms: QuotaTerms) {
    this.#terms = terms
    const table = new Table(db, QUOTA_ROWS)
    this.#list = table.lister()
    this.#find = table.finder('name')
    this.#set = table.replacer()
    this.#remove = table.remover('name')
  }

  /** All quotas; null: no limit. */
  list(sandbox: number): Record<Quota, number | null> {
    const set = new Map(this.#list(sandbox).map(({ name, maximum }) => [name, maximum]))
    return Object.fromEntries(QUOTAS.map((name) => [name, set.get(name) ?? null])) as Record<Quota, number | null>
  }

  /**
   * Checks that there is room for one more.
   * @param count counts by the rule; called only if there is a limit
   * @param remedy for the message
   * @throws {ServiceError} `quotaExceeded`
   */
  check(sandbox: number, quota: Quota, count: (rule: QuotaRule) => number, remedy = ''): void {
    const maximum = this.#find(sandbox, quota)?.maximum
    if (maximum === undefined) return
    const rule = this.#terms.rules[quota]
    if (count(rule) < maximum) return
    const scope = rule.per === 'org' ? '' : ` per ${rule.per}`
    throw new ServiceError('quotaExceeded', `The quota ${quota} (${maximum}${scope}) is used up${remedy}.`)
  }

  /** Sets a quota to its value in a new sandbox. */
  setDefault(sandbox: number, quota: Quota): void {
    this.set(sandbox, quota, this.#terms.rules[quota].default)
  }

  /** @param maximum null: no limit */
  set(sandbox: number, quota: Quota, maximum: number | null): void {
    if (maximum === null) this.#remove(sandbox, quota)
    else this.#set(sandbox, { name: quota, maximum })
  }
}
