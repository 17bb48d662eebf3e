import { Type } from '@sinclair/typebox'
import type { Database } from '../db/database.js'
import { type Stored, Table } from '../db/table.js'
import { isSubset } from '../lib/subset.js'
import { randomFrom } from '../sim/random.js'
import type { Fault, FaultEffect } from './fault-schemas.js'
import type { Sandbox } from './sandbox.js'

const Count = Type.Integer()
const TextOrNull = Type.Union([Type.String(), Type.Null()])

const FAULTS = {
  name: 'faults',
  key: ['number'],
  fields: {
    /** Its position among the rules of the sandbox, from 1. */
    number: { type: Count },
    /** operationId; null: any. */
    operation: { type: TextOrNull },
    /** Id in the path; null: any, or none. */
    workspace: { type: TextOrNull },
    /** Id in the path; null: any, or none. */
    workgroup: { type: TextOrNull },
    /** JSON that the body must have; null: any, or none. */
    body: { type: TextOrNull },
    after: { type: Count },
    /** How often it fires in all; null: always. */
    times: { type: Type.Union([Count, Type.Null()]) },
    probability: { type: Type.Number() },
    phase: { type: Type.Unsafe<NonNullable<Fault['phase']>>({ type: 'string' }) },
    effect: { type: Type.Unsafe<FaultEffect>({ type: 'object' }) },
    seen: { type: Count },
    hits: { type: Count }
  }
} as const

type FaultRow = Stored<typeof FAULTS.fields>

/** A fault rule as it is stored: with its defaults, and null where it leaves something open. */
export interface FaultRecord extends Omit<FaultRow, 'body'> {
  /** What the body must have; undefined: any, or none. */
  readonly body?: unknown
}

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

  function insert(sandbox: Sandbox, { body, ...fault }: FaultRecord): void {
    insertRow(sandbox.key, { ...fault, body: body === undefined ? null : JSON.stringify(body) })
    sandbox.hasFaults = true
  }

  return {
    hasAny,
    insert,
    /** All rules of a sandbox, in the order in which they are tried. */
    list: (sandbox: number) => list(sandbox).map(toRecord),
    count: (sandbox: number) => count.get(sandbox)!,
    /** The number of the next rule: one more than the highest in use. */
    nextNumber: (sandbox: number) => (highest.get(sandbox) ?? 0) + 1,

    /** Replaces all rules, including their counters. Each rule must have a different number. */
    replace(sandbox: Sandbox, faults: readonly FaultRecord[]): void {
      db.atomic(() => {
        removeAll(sandbox.key)
        for (const fault of faults) insert(sandbox, fault)
      })
      sandbox.hasFaults = faults.length > 0
    },

    /** @param number the rule to remove; all if absent. @returns how many were removed */
    remove(sandbox: Sandbox, number?: number): number {
      const removed = number === undefined ? removeAll(sandbox.key) : removeOne(sandbox.key, number)
      sandbox.hasFaults = hasAny(sandbox.key)
      return removed
    },

    /**
     * Takes the rule that fires for a request, counting it as seen and as a hit: the first that matches, has let enough
     * requests pass, may still fire, and has luck. Matching rules before it count the request as seen, later ones do
     * not.
     */
    take(sandbox: Sandbox, { operation, workspace, workgroup, body, isRead }: FaultTarget): FaultRecord | undefined {
      for (const row of match(sandbox.key, operation ?? null, workspace ?? null, workgroup ?? null)) {
        const fault = toRecord({ ...row, seen: row.seen + 1 })
        if (fault.body !== undefined && !isSubset(fault.body, body)) continue
        if (fault.effect.stale !== undefined && !isRead) continue
        const { number, seen, hits, after, times } = fault
        if (seen > after && (times === null || hits < times) && hasLuck(sandbox, fault)) {
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

/** Repeatable: depends only on the sandbox's seed, the rule, and how many requests it has seen. Uses up no ids. */
function hasLuck({ random }: Sandbox, { number, seen, probability }: FaultRecord): boolean {
  return probability === 1 || randomFrom('fault', random.seed, number, seen).fraction() < probability
}

function toRecord({ body, ...fault }: FaultRow): FaultRecord {
  return { ...fault, ...(body === null ? {} : { body: JSON.parse(body) as unknown }) }
}
