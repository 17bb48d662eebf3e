import type { Database } from '../db/database.js'

/** How a transition ends: it succeeds, it fails, or it waits until it is released. */
export const OUTCOMES = ['complete', 'fail', 'hold'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** How a test wants transitions to end that start from now on. */
export interface TransitionRule {
  readonly transition: string
  /** Id of the only resource that it applies to; null: any. */
  readonly resource: string | null
  /** ISO 8601 duration; null: as set by the profile. */
  readonly after: string | null
  readonly outcome: Outcome
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
    this.#list = db.prepare<[number], TransitionRule>(
      `SELECT ${columns} FROM transition_rules WHERE sandbox = ? ORDER BY position`
    )
    this.#clear = db.prepare<[number]>('DELETE FROM transition_rules WHERE sandbox = ?')
    this.#insert = db.prepare<
      [number, number, string, string | null, string | null, Outcome, string | null, number | null]
    >(`INSERT INTO transition_rules (sandbox, position, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
    this.#any = db.prepare<[number], 1>('SELECT 1 FROM transition_rules WHERE sandbox = ? LIMIT 1').pluck()
    this.#match = db.prepare<[number, string, string | null], TransitionRule & { position: number }>(
      `SELECT position, ${columns} FROM transition_rules
         WHERE sandbox = ? AND transition = ? AND resource IS ? ORDER BY position LIMIT 1`
    )
    this.#useUp = db.prepare<[number, number]>(
      'UPDATE transition_rules SET times = times - 1 WHERE sandbox = ? AND position = ?'
    )
    this.#drop = db.prepare<[number, number]>('DELETE FROM transition_rules WHERE sandbox = ? AND position = ?')
  }

  list(sandbox: number): TransitionRule[] {
    return this.#list.all(sandbox)
  }

  replace(sandbox: number, rules: readonly TransitionRule[]): void {
    this.#db.atomic(() => {
      this.#clear.run(sandbox)
      rules.forEach((rule, position) => {
        const { transition, resource, after, outcome, reason, times } = rule
        this.#insert.run(sandbox, position, transition, resource, after, outcome, reason, times)
      })
    })
  }

  /** The rule for a transition that starts now, preferring one for the resource to one for any. Counts as a use. */
  take(sandbox: number, transition: string, resource: string): TransitionRule | undefined {
    // Most sandboxes have no rules.
    if (this.#any.get(sandbox) === undefined) return undefined
    const rule = this.#match.get(sandbox, transition, resource) ?? this.#match.get(sandbox, transition, null)
    if (rule !== undefined && rule.times !== null) {
      ;(rule.times > 1 ? this.#useUp : this.#drop).run(sandbox, rule.position)
    }
    return rule
  }
}
