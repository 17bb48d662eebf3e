import { Type } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { type Stored, Table } from '../db/table.js'
import type { OperationId } from '../interface/operation-ids.js'
import { withoutNulls } from '../lib/json.js'
import { isSubset } from '../lib/subset.js'
import { randomFrom } from '../sim/random.js'
import { faultId, numberOf, type StoredFault } from './fault-rule.js'
import type { FaultEffect } from './fault-schemas.js'
import type { Sandbox } from './sandbox.js'

const Count = Type.Integer()
const TextOrNull = Type.Union([Type.String(), Type.Null()])

const FAULTS = {
  name: 'faults',
  key: ['number'],
  fields: {
    /** Position among the rules, from 1. */
    number: { type: Count },
    operation: { type: Type.Unsafe<OperationId | null>({ type: 'string' }) },
    /** Ids in the path; null: any, or none. */
    workspace: { type: TextOrNull },
    workgroup: { type: TextOrNull },
    /** JSON that the body must have; null: any, or none. */
    body: { type: TextOrNull },
    after: { type: Count },
    /** null: always. */
    times: { type: Type.Union([Count, Type.Null()]) },
    probability: { type: Type.Number() },
    phase: { type: Type.Unsafe<StoredFault['phase']>({ type: 'string' }) },
    effect: { type: Type.Unsafe<FaultEffect>({ type: 'object' }) },
    seen: { type: Count },
    hits: { type: Count }
  }
} as const

type FaultRow = Stored<typeof FAULTS.fields>

/** The properties of a request that a rule can match. */
interface FaultTarget {
  readonly operation: string | undefined
  readonly workspace: string | undefined
  readonly workgroup: string | undefined
  readonly body?: unknown
  readonly isRead: boolean
}

/** Fault rules. Functions that change them must be called within a write; they update {@link Sandbox.hasFaults}. */
export function faultStore(db: Database) {
  const table = new Table(db, FAULTS)
  const insertRow = table.inserter()
  const list = table.query('ORDER BY number').all
  const match = table.query(
    `AND (operation IS NULL OR operation = ?) AND (workspace IS NULL OR workspace = ?)
       AND (workgroup IS NULL OR workgroup = ?) ORDER BY number`
  ).all
  const highest = db.prepare<[number], number | null>('SELECT max(number) FROM faults WHERE sandbox = ?').pluck()
  const count = db.prepare<[number], number>('SELECT count(*) FROM faults WHERE sandbox = ?').pluck()
  const saveCounters = db.prepare<[number, number, number, number]>(
    'UPDATE faults SET seen = ?, hits = ? WHERE sandbox = ? AND number = ?'
  )
  const removeOne = table.remover('number')
  const removeAll = table.remover()

  const hasAny = (sandbox: number) => (highest.get(sandbox) ?? null) !== null

  return {
    hasAny,
    insert(sandbox: Sandbox, fault: StoredFault): StoredFault {
      const row = toRow(fault)
      insertRow(sandbox.key, row)
      sandbox.hasFaults = true
      return toFault(row)
    },
    /** All rules of a sandbox, in the order in which they are tried. */
    list: (sandbox: number) => list(sandbox).map(toFault),
    count: (sandbox: number) => count.get(sandbox)!,
    /** The number of the next rule: one more than the highest in use. */
    nextNumber: (sandbox: number) => (highest.get(sandbox) ?? 0) + 1,

    /** @param number the rule to remove; all if absent. @returns how many were removed */
    remove(sandbox: Sandbox, number?: number): number {
      const removed = number === undefined ? removeAll(sandbox.key) : removeOne(sandbox.key, number)
      sandbox.hasFaults = hasAny(sandbox.key)
      return removed
    },

    /**
     * Takes the rule that fires for a request: the first that matches, has let enough requests pass, may still fire,
     * and is drawn by its probability. Matching rules up to this one count the request as seen; later ones do not.
     */
    take(sandbox: Sandbox, { operation, workspace, workgroup, body, isRead }: FaultTarget): StoredFault | undefined {
      for (const row of match(sandbox.key, operation ?? null, workspace ?? null, workgroup ?? null)) {
        const fault = toFault({ ...row, seen: row.seen + 1 })
        if (fault.body !== undefined && !isSubset(fault.body, body)) continue
        if (fault.effect.stale !== undefined && !isRead) continue
        const { number } = row
        const { seen, hits, after, times = Infinity } = fault
        if (seen > after && hits < times && isDrawn(sandbox, number, fault)) {
          saveCounters.run(seen, hits + 1, sandbox.key, number)
          return { ...fault, hits: hits + 1 }
        }
        saveCounters.run(seen, hits, sandbox.key, number)
      }
      return undefined
    }
  }
}

export type FaultStore = ReturnType<typeof faultStore>

/** Repeatable: depends only on the sandbox's seed, the rule, and how many requests it has seen. */
function isDrawn({ random }: Sandbox, number: number, { seen, probability }: StoredFault): boolean {
  return probability === 1 || randomFrom('fault', random.seed, number, seen).fraction() < probability
}

const toRow = ({ id, operation, workspace_id, workgroup_id, body, times, ...rest }: StoredFault): FaultRow => ({
  ...rest,
  number: numberOf(id)!,
  operation: operation ?? null,
  workspace: workspace_id ?? null,
  workgroup: workgroup_id ?? null,
  body: body === undefined ? null : JSON.stringify(body),
  times: times ?? null
})

function toFault({ number, operation, workspace, workgroup, body, after, times, ...rest }: FaultRow): StoredFault {
  return {
    id: faultId(number),
    ...withoutNulls({ operation, workspace_id: workspace, workgroup_id: workgroup }),
    ...(body === null ? {} : { body: JSON.parse(body) as unknown }),
    after,
    ...withoutNulls({ times }),
    ...rest
  }
}
