import { Type } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { type Stored, Table } from '../db/table.js'
import type { TransitionRule } from './schemas.js'

const TextOrNull = Type.Union([Type.String(), Type.Null()])

const TRANSITION_RULES = {
  name: 'transition_rules',
  key: ['position'],
  fields: {
    position: { type: Type.Integer() },
    transition: { type: Type.String() },
    /** Id of the only resource that it applies to; null: any. */
    resource: { type: TextOrNull },
    /** ISO 8601 duration; null: as set by the profile. */
    after: { type: TextOrNull },
    outcome: { type: Type.Unsafe<NonNullable<TransitionRule['outcome']>>({ type: 'string' }) },
    /** Why it fails. */
    reason: { type: TextOrNull },
    /** Remaining uses; null: unlimited. */
    times: { type: Type.Union([Type.Integer(), Type.Null()]) }
  }
} as const

/** A transition rule as it is stored: null where it leaves something open. */
export type TransitionRuleRecord = Omit<Stored<typeof TRANSITION_RULES.fields>, 'position'>

/** The rows of transition rules. Every function takes the sandbox key first. */
export function transitionRuleStore(db: Database) {
  const table = new Table(db, TRANSITION_RULES)
  const insert = table.inserter()
  const clear = table.remover()
  const drop = table.remover('position')
  const any = db.prepare<[number], 1>('SELECT 1 FROM transition_rules WHERE sandbox = ? LIMIT 1').pluck()
  const match = table.query('AND transition = ? AND resource IS ? ORDER BY position LIMIT 1').get
  const useUp = db.prepare<[number, number]>(
    'UPDATE transition_rules SET times = times - 1 WHERE sandbox = ? AND position = ?'
  )
  return {
    list: table.query('ORDER BY position', ['transition', 'resource', 'after', 'outcome', 'reason', 'times']).all,
    replace(sandbox: number, rules: readonly TransitionRuleRecord[]): void {
      db.atomic(() => {
        clear(sandbox)
        rules.forEach((rule, position) => insert(sandbox, { ...rule, position }))
      })
    },
    /** The rule for a transition that starts now, preferring one for the resource to one for any. Counts as a use. */
    take(sandbox: number, transition: string, resource: string): TransitionRuleRecord | undefined {
      // Most sandboxes have no rules.
      if (any.get(sandbox) === undefined) return undefined
      const rule = match(sandbox, transition, resource) ?? match(sandbox, transition, null)
      if (rule === undefined || rule.times === null) return rule
      if (rule.times > 1) useUp.run(sandbox, rule.position)
      else drop(sandbox, rule.position)
      return rule
    }
  }
}

export type TransitionRuleStore = ReturnType<typeof transitionRuleStore>
