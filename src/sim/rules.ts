import type { Database } from '../db/database.js'
import type { TransitionRule } from './schemas.js'

/** A transition rule as it is stored: null where it leaves something open. */
export interface TransitionRuleRecord extends Required<Pick<TransitionRule, 'transition' | 'outcome'>> {
  /** Id of the only resource that it applies to; null: any. */
  readonly resource: string | null
  /** ISO 8601 duration; null: as set by the profile. */
  readonly after: string | null
  /** Why it fails. */
  readonly reason: string | null
  /** Remaining uses; null: unlimited. */
  readonly times: number | null
}

/** The rows of transition rules. */
export class TransitionRuleStore {
  readonly #db
  readonly #list
  readonly #clear
  readonly #insert
  readonly #any
  readonly #match
  readonly #useUp
  readonly #drop

  constructor(db: Database) {
    const columns = 'transition, resource, after, outcome, reason, times'
    this.#db = db
    this.#list = db.prepare<[number], TransitionRuleRecord>(
      `SELECT ${columns} FROM transition_rules WHERE sandbox = ? ORDER BY position`
    )
    this.#clear = db.prepare<[number]>('DELETE FROM transition_rules WHERE sandbox = ?')
    this.#insert = db.prepare<
      [
        number,
        number,
        string,
        string | null,
        string | null,
        TransitionRuleRecord['outcome'],
        string | null,
        number | null
      ]
    >(`INSERT INTO transition_rules (sandbox, position, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
    this.#any = db.prepare<[number], 1>('SELECT 1 FROM transition_rules WHERE sandbox = ? LIMIT 1').pluck()
    this.#match = db.prepare<[number, string, string | null], TransitionRuleRecord & { position: number }>(
      `SELECT position, ${columns} FROM transition_rules
         WHERE sandbox = ? AND transition = ? AND resource IS ? ORDER BY position LIMIT 1`
    )
    this.#useUp = db.prepare<[number, number]>(
      'UPDATE transition_rules SET times = times - 1 WHERE sandbox = ? AND position = ?'
    )
    this.#drop = db.prepare<[number, number]>('DELETE FROM transition_rules WHERE sandbox = ? AND position = ?')
  }

  list(sandbox: number): TransitionRuleRecord[] {
    return this.#list.all(sandbox)
  }

  replace(sandbox: number, rules: readonly TransitionRuleRecord[]): void {
    this.#db.atomic(() => {
      this.#clear.run(sandbox)
      rules.forEach((rule, position) => {
        const { transition, resource, after, outcome, reason, times } = rule
        this.#insert.run(sandbox, position, transition, resource, after, outcome, reason, times)
      })
    })
  }

  /** The rule for a transition that starts now, preferring one for the resource to one for any. Counts as a use. */
  take(sandbox: number, transition: string, resource: string): TransitionRuleRecord | undefined {
    // Most sandboxes have no rules.
    if (this.#any.get(sandbox) === undefined) return undefined
    const rule = this.#match.get(sandbox, transition, resource) ?? this.#match.get(sandbox, transition, null)
    if (rule !== undefined && rule.times !== null) {
      ;(rule.times > 1 ? this.#useUp : this.#drop).run(sandbox, rule.position)
    }
    return rule
  }
}
