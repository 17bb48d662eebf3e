import type { Database } from '../db/database.js'
import type { ClockState } from '../sim/clock.js'
import type { RandomState } from '../sim/random.js'

/** A sandbox as it is stored. */
export interface SandboxRecord {
  /** Key of its rows. */
  readonly key: number
  /** SHA-256 of the credential that names it, in hexadecimal digits. */
  readonly id: string
  readonly orgId: string
  readonly orgName: string
  /** Where its stream of ids stands. */
  readonly random: RandomState
  readonly clock: ClockState
}

interface SandboxRow {
  key: number
  id: string
  org_id: string
  org_name: string
  seed: string
  draws: number
  clock_mode: ClockState['mode']
  clock_base: number
  clock_anchor: number
  clock_rate: number
}

/** The rows of sandboxes. */
export class SandboxStore {
  readonly #find
  readonly #insert
  readonly #count
  readonly #saveDraws
  readonly #saveClock

  constructor(db: Database) {
    this.#find = db.prepare<[string], SandboxRow>('SELECT * FROM sandboxes WHERE id = ?')
    this.#insert = db.prepare<[string, string, string, string, number, string, number, number, number], { key: number }>(
      `INSERT INTO sandboxes (id, org_id, org_name, seed, draws, clock_mode, clock_base, clock_anchor, clock_rate)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`)
    this.#count = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM sandboxes')
    this.#saveDraws = db.prepare<[number, number]>('UPDATE sandboxes SET draws = ? WHERE key = ?')
    this.#saveClock = db.prepare<[ClockState['mode'], number, number, number, number]>(
      'UPDATE sandboxes SET clock_mode = ?, clock_base = ?, clock_anchor = ?, clock_rate = ? WHERE key = ?')
  }

  find(id: string): SandboxRecord | undefined {
    const row = this.#find.get(id)
    return row === undefined ? undefined : toRecord(row)
  }

  insert(sandbox: Omit<SandboxRecord, 'key'>): SandboxRecord {
    const { id, orgId, orgName, random, clock } = sandbox
    const { key } = this.#insert.get(
      id, orgId, orgName, random.seed, random.draws, clock.mode, clock.base, clock.anchor, clock.rate)!
    return { key, ...sandbox }
  }

  count(): number {
    return this.#count.get()!.count
  }

  saveDraws(key: number, draws: number): void {
    this.#saveDraws.run(draws, key)
  }

  saveClock(key: number, { mode, base, anchor, rate }: ClockState): void {
    this.#saveClock.run(mode, base, anchor, rate, key)
  }
}

function toRecord(row: SandboxRow): SandboxRecord {
  return {
    key: row.key,
    id: row.id,
    orgId: row.org_id,
    orgName: row.org_name,
    random: { seed: row.seed, draws: row.draws },
    clock: { mode: row.clock_mode, base: row.clock_base, anchor: row.clock_anchor, rate: row.clock_rate }
  }
}
