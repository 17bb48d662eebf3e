import type { Database } from '../db/database.js'
import { isSubset } from '../lib/subset.js'
import { randomFrom } from '../sim/random.js'
import type { Fault, FaultEffect } from './fault-schemas.js'
import type { Sandbox } from './sandbox.js'

/** A fault rule as it is stored: with its defaults, and null where it leaves something open. */
export interface FaultRecord extends Required<
  Pick<Fault, 'after' | 'probability' | 'phase' | 'effect' | 'seen' | 'hits'>
> {
  /** Its position among the rules of the sandbox, from 1. */
  readonly number: number
  /** operationId; null: any. */
  readonly operation: string | null
  /** Id in the path; null: any, or none. */
  readonly workspace: string | null
  /** Id in the path; null: any, or none. */
  readonly workgroup: string | null
  /** What the body must have; undefined: any, or none. */
  readonly body?: unknown
  /** How often it fires in all; null: always. */
  readonly times: number | null
}

/** The properties of a request that a rule can match. */
interface FaultTarget {
  readonly operation: string | undefined
  readonly workspace: string | undefined
  readonly workgroup: string | undefined
  readonly body?: unknown
  readonly isRead: boolean
}

type FaultRow = Omit<FaultRecord, 'body' | 'effect'> & { body: string | null; effect: string }

/** Fault rules. Methods that change them must be called within a write; they update {@link Sandbox.hasFaults}. */
export class FaultStore {
  readonly #db
  readonly #list
  readonly #match
  readonly #highest
  readonly #size
  readonly #insert
  readonly #count
  readonly #remove
  readonly #clear

  constructor(db: Database) {
    const columns =
      'number, operation, workspace, workgroup, body, after, times, probability, phase, effect, seen, hits'
    this.#db = db
    this.#list = db.prepare<[number], FaultRow>(`SELECT ${columns} FROM faults WHERE sandbox = ? ORDER BY number`)
    this.#match = db.prepare<[number, string | null, string | null, string | null], FaultRow>(
      `SELECT ${columns} FROM faults WHERE sandbox = ? AND (operation IS NULL OR operation = ?)
         AND (workspace IS NULL OR workspace = ?) AND (workgroup IS NULL OR workgroup = ?) ORDER BY number`
    )
    this.#highest = db.prepare<[number], { number: number | null }>(
      'SELECT max(number) AS number FROM faults WHERE sandbox = ?'
    )
    this.#size = db.prepare<[number], { count: number }>('SELECT count(*) AS count FROM faults WHERE sandbox = ?')
    this.#insert = db.prepare<
      [
        number,
        number,
        string | null,
        string | null,
        string | null,
        string | null,
        number,
        number | null,
        number,
        FaultRecord['phase'],
        string,
        number,
        number
      ]
    >(`INSERT INTO faults (sandbox, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    this.#count = db.prepare<[number, number, number, number]>(
      'UPDATE faults SET seen = ?, hits = ? WHERE sandbox = ? AND number = ?'
    )
    this.#remove = db.prepare<[number, number]>('DELETE FROM faults WHERE sandbox = ? AND number = ?')
    this.#clear = db.prepare<[number]>('DELETE FROM faults WHERE sandbox = ?')
  }

  /** All rules of a sandbox, in the order in which they are tried. */
  list(sandbox: number): FaultRecord[] {
    return this.#list.all(sandbox).map(toRecord)
  }

  hasAny(sandbox: number): boolean {
    return this.#highest.get(sandbox)!.number !== null
  }

  count(sandbox: number): number {
    return this.#size.get(sandbox)!.count
  }

  /** The number of the next rule: one more than the highest in use. */
  nextNumber(sandbox: number): number {
    return (this.#highest.get(sandbox)!.number ?? 0) + 1
  }

  insert(sandbox: Sandbox, fault: FaultRecord): void {
    const { number, operation, workspace, workgroup, body, after, times, probability, phase, effect, seen, hits } =
      fault
    this.#insert.run(
      sandbox.key,
      number,
      operation,
      workspace,
      workgroup,
      body === undefined ? null : JSON.stringify(body),
      after,
      times,
      probability,
      phase,
      JSON.stringify(effect),
      seen,
      hits
    )
    sandbox.hasFaults = true
  }

  /** Replaces all rules, including their counters. Each rule must have a different number. */
  replace(sandbox: Sandbox, faults: readonly FaultRecord[]): void {
    this.#db.atomic(() => {
      this.#clear.run(sandbox.key)
      for (const fault of faults) this.insert(sandbox, fault)
    })
    sandbox.hasFaults = faults.length > 0
  }

  /** @param number the rule to remove; all if absent. @returns how many were removed */
  remove(sandbox: Sandbox, number?: number): number {
    const { changes } = number === undefined ? this.#clear.run(sandbox.key) : this.#remove.run(sandbox.key, number)
    sandbox.hasFaults = this.hasAny(sandbox.key)
    return changes
  }

  /**
   * Takes the rule that fires for a request, counting it as seen and as a hit: the first that matches, has let enough
   * requests pass, may still fire, and has luck. Matching rules before it count the request as seen, later ones do not.
   */
  take(sandbox: Sandbox, { operation, workspace, workgroup, body, isRead }: FaultTarget): FaultRecord | undefined {
    for (const row of this.#match.all(sandbox.key, operation ?? null, workspace ?? null, workgroup ?? null)) {
      const fault = toRecord({ ...row, seen: row.seen + 1 })
      if (fault.body !== undefined && !isSubset(fault.body, body)) continue
      if (fault.effect.stale !== undefined && !isRead) continue
      const { number, seen, hits, after, times } = fault
      if (seen > after && (times === null || hits < times) && hasLuck(sandbox, fault)) {
        this.#count.run(seen, hits + 1, sandbox.key, number)
        return { ...fault, hits: hits + 1 }
      }
      this.#count.run(seen, hits, sandbox.key, number)
    }
    return undefined
  }
}

/** Repeatable: depends only on the sandbox's seed, the rule, and how many requests it has seen. Uses up no ids. */
function hasLuck({ random }: Sandbox, { number, seen, probability }: FaultRecord): boolean {
  return probability === 1 || randomFrom('fault', random.seed, number, seen).fraction() < probability
}

function toRecord(row: FaultRow): FaultRecord {
  const { body, ...rest } = row
  return {
    ...rest,
    ...(body === null ? {} : { body: JSON.parse(body) as unknown }),
    effect: JSON.parse(row.effect) as FaultEffect
  }
}
