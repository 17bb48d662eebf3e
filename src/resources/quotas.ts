import type { Database } from '../db/database.js'
import { ServiceError } from '../interface/errors.js'
import { type Quota, type QuotaRule, QUOTAS, type QuotaTerms } from '../profile/quotas.js'

/** The quotas of sandboxes. Without a row, there is no limit. */
export class QuotaStore {
  readonly #list
  readonly #find
  readonly #set
  readonly #remove
  readonly #terms: QuotaTerms

  constructor(db: Database, terms: QuotaTerms) {
    this.#terms = terms
    this.#list = db.prepare<[number], { name: Quota; maximum: number }>(
      'SELECT name, maximum FROM quotas WHERE sandbox = ?'
    )
    this.#find = db.prepare<[number, Quota], { maximum: number }>(
      'SELECT maximum FROM quotas WHERE sandbox = ? AND name = ?'
    )
    this.#set = db.prepare<[number, Quota, number]>(
      `INSERT INTO quotas (sandbox, name, maximum) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET maximum =
         excluded.maximum`
    )
    this.#remove = db.prepare<[number, Quota]>('DELETE FROM quotas WHERE sandbox = ? AND name = ?')
  }

  /** Every quota; null if unlimited. */
  list(sandbox: number): Record<Quota, number | null> {
    const set = new Map(this.#list.all(sandbox).map(({ name, maximum }) => [name, maximum]))
    return Object.fromEntries(QUOTAS.map((name) => [name, set.get(name) ?? null])) as Record<Quota, number | null>
  }

  /**
   * Checks that there is room for one more.
   * @param count called only if there is a limit, with what counts
   * @throws {ServiceError} `quotaExceeded`, with a remedy if there is one
   */
  check(sandbox: number, quota: Quota, count: (rule: QuotaRule) => number, remedy = ''): void {
    const maximum = this.#find.get(sandbox, quota)?.maximum
    if (maximum === undefined) return
    const rule = this.#terms.rules[quota]
    if (count(rule) < maximum) return
    const scope = rule.per === 'org' ? '' : ` per ${rule.per}`
    throw new ServiceError('quotaExceeded', `The quota ${quota} (${maximum}${scope}) is used up${remedy}.`)
  }

  /** Sets a quota to that of a new sandbox. */
  setDefault(sandbox: number, quota: Quota): void {
    this.set(sandbox, quota, this.#terms.rules[quota].default)
  }

  /** @param maximum null: no limit */
  set(sandbox: number, quota: Quota, maximum: number | null): void {
    if (maximum === null) this.#remove.run(sandbox, quota)
    else this.#set.run(sandbox, quota, maximum)
  }
}
