import { Type } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { type Stored, Table } from '../db/table.js'
import type { FieldError } from '../interface/errors.js'
import { withoutNulls } from '../lib/json.js'
import { DURATION_FORMS, parseDuration, toIsoDuration } from '../lib/time.js'
import type { TransitionRule } from './schemas.js'
import type { Transition } from './state-machine.js'

const TextOrNull = Type.Union([Type.String(), Type.Null()])

const TRANSITION_RULES = {
  name: 'transition_rules',
  key: ['position'],
  fields: {
    position: { type: Type.Integer() },
    transition: { type: Type.String() },
    /** Id of the resource that it applies to; null: any. */
    resource: { type: TextOrNull },
    /** ISO 8601 duration; null: as set by the profile. */
    after: { type: TextOrNull },
    outcome: { type: Type.Unsafe<StoredRule['outcome']>({ type: 'string' }) },
    /** Why it fails. */
    reason: { type: TextOrNull },
    /** Remaining uses; null: unlimited. */
    times: { type: Type.Union([Type.Integer(), Type.Null()]) }
  }
} as const

/** A transition rule with its defaults. */
type StoredRule = TransitionRule & Required<Pick<TransitionRule, 'outcome'>>

type RuleRow = Omit<Stored<typeof TRANSITION_RULES.fields>, 'position'>

const DEFAULT_REASON = 'Simulated failure.'

interface Transitions {
  readonly transitions: ReadonlyMap<string, Transition>
}

/**
 * Field errors of a rule whose fields are valid individually.
 * @param path path of the rule in the document
 */
export function transitionRuleErrors({ transitions }: Transitions, rule: TransitionRule, path: string): FieldError[] {
  const errors = unknownTransition({ transitions }, rule.transition, `${path}.transition`)
  if (rule.after !== undefined && rule.outcome === 'hold') {
    errors.push({
      field: `${path}.after`,
      reason: 'cannot be combined with outcome hold; a held transition ends when it is released'
    })
  } else if (rule.after !== undefined && parseDuration(rule.after) === undefined) {
    errors.push({ field: `${path}.after`, reason: `must be a duration ${DURATION_FORMS}` })
  }
  if (rule.reason !== undefined && rule.outcome !== 'fail') {
    errors.push({ field: `${path}.reason`, reason: 'is allowed only with outcome fail' })
  }
  return errors
}

export function unknownTransition({ transitions }: Transitions, name: string, field: string): FieldError[] {
  const known = [...transitions.keys()]
  return known.includes(name) ? [] : [{ field, reason: `must be one of ${known.join(', ')}` }]
}

/** Fills in the defaults of a checked rule, and writes its duration in ISO 8601. */
export function withDefaults({ after, outcome = 'complete', reason, ...rest }: TransitionRule): StoredRule {
  return {
    ...rest,
    ...(after === undefined ? {} : { after: toIsoDuration(after) }),
    outcome,
    ...(outcome === 'fail' ? { reason: reason ?? DEFAULT_REASON } : {})
  }
}

const toRow = ({ transition, resource_id, after, outcome, reason, times }: StoredRule): RuleRow => ({
  transition,
  resource: resource_id ?? null,
  after: after ?? null,
  outcome,
  reason: reason ?? null,
  times: times ?? null
})

const toRule = ({ transition, resource, after, outcome, reason, times }: RuleRow): StoredRule =>
  withoutNulls({ transition, resource_id: resource, after, outcome, reason, times })

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
  const list = table.query('ORDER BY position').all
  return {
    list: (sandbox: number) => list(sandbox).map(toRule),
    replace(sandbox: number, rules: readonly StoredRule[]): void {
      db.atomic(() => {
        clear(sandbox)
        rules.forEach((rule, position) => insert(sandbox, { ...toRow(rule), position }))
      })
    },
    /** Uses the rule for a transition that starts now: one for the resource if there is one, otherwise one for any. */
    take(sandbox: number, transition: string, resource: string): StoredRule | undefined {
      // Most sandboxes have no rules.
      if (any.get(sandbox) === undefined) return undefined
      const row = match(sandbox, transition, resource) ?? match(sandbox, transition, null)
      if (row === undefined) return undefined
      if (row.times === 1) drop(sandbox, row.position)
      else if (row.times !== null) useUp.run(sandbox, row.position)
      return toRule(row)
    }
  }
}

export type TransitionRuleStore = ReturnType<typeof transitionRuleStore>
