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
  /** Seed of the stream that it began with. */
  readonly ownSeed: string
  readonly clock: ClockState
  /** When it is gone, by the machine's clock in milliseconds since 1970; null: never. */
  readonly expires: number | null
}

interface SandboxRow {
  key: number
  id: string
  org_id: string
  org_name: string
  seed: string
  draws: number
  own_seed: string
  clock_mode: ClockState['mode']
  clock_base: number
  clock_anchor: number
  clock_rate: number
  expires: number | null
}

/** What is in a sandbox, children first: a row that goes with its parent is looked for, one by one. */
const CONTENTS = [
  'database_users', 'workspace_schedules', 'backup_schedules', 'restore_jobs', 'backups', 'workspaces', 'databases', 'allowed_ips', 'workgroups',
  'org_users', 'due_events', 'timeline', 'transition_rules', 'faults', 'quotas'
]

/** What changes more rows than this has a transaction of its own, which takes a bit longer to begin and is faster by the row. */
const MANY = 1000

/** The rows of sandboxes. */
export class SandboxStore {
  readonly #find
  readonly #insert
  readonly #count
  readonly #saveDraws
  readonly #saveClock
  readonly #saveIdentity
  readonly #baseline
  readonly #saveBaseline
  readonly #remove
  readonly #removeExpired
  readonly #clear
  readonly #countRows

  constructor(db: Database) {
    const columns = 'key, id, org_id, org_name, seed, draws, own_seed, clock_mode, clock_base, clock_anchor, clock_rate, expires'
    this.#find = db.prepare<[string], SandboxRow>(`SELECT ${columns} FROM sandboxes WHERE id = ?`)
    this.#insert = db.prepare<[string, string, string, string, number, string, string, number, number, number, number | null], { key: number }>(
      `INSERT INTO sandboxes (id, org_id, org_name, seed, draws, own_seed, clock_mode, clock_base, clock_anchor, clock_rate, expires)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`)
    this.#count = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM sandboxes')
    this.#saveDraws = db.prepare<[number, number]>('UPDATE sandboxes SET draws = ? WHERE key = ?')
    this.#saveClock = db.prepare<[ClockState['mode'], number, number, number, number]>(
      'UPDATE sandboxes SET clock_mode = ?, clock_base = ?, clock_anchor = ?, clock_rate = ? WHERE key = ?')
    this.#saveIdentity = db.prepare<[string, string, string, number, number]>(
      'UPDATE sandboxes SET org_id = ?, org_name = ?, seed = ?, draws = ? WHERE key = ?')
    this.#baseline = db.prepare<[number], { baseline: string | null }>('SELECT baseline FROM sandboxes WHERE key = ?')
    this.#saveBaseline = db.prepare<[string | null, number]>('UPDATE sandboxes SET baseline = ? WHERE key = ?')
    this.#remove = db.prepare<[number]>('DELETE FROM sandboxes WHERE key = ?')
    this.#countRows = db.prepare<[{ key: number }], { rows: number }>(
      `SELECT ${CONTENTS.map((table) => `(SELECT count(*) FROM ${table} WHERE sandbox = @key)`).join(' + ')} AS rows`)
    this.#clear = CONTENTS.map((table) => db.prepare<[number]>(`DELETE FROM ${table} WHERE sandbox = ?`))
    this.#removeExpired = db.prepare<[number], { id: string }>('DELETE FROM sandboxes WHERE expires <= ? RETURNING id')
  }

  find(id: string): SandboxRecord | undefined {
    const row = this.#find.get(id)
    return row === undefined ? undefined : toRecord(row)
  }

  insert(sandbox: Omit<SandboxRecord, 'key' | 'ownSeed'>): SandboxRecord {
    const { id, orgId, orgName, random, clock, expires } = sandbox
    const { key } = this.#insert.get(
      id, orgId, orgName, random.seed, random.draws, random.seed, clock.mode, clock.base, clock.anchor, clock.rate, expires)!
    return { key, ownSeed: random.seed, ...sandbox }
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

  /** Stores its org, and where its stream of ids stands. */
  saveIdentity(key: number, { orgId, orgName, random }: Pick<SandboxRecord, 'orgId' | 'orgName' | 'random'>): void {
    this.#saveIdentity.run(orgId, orgName, random.seed, random.draws, key)
  }

  /** The document that a reset brings it back to; null: the baseline of the server. */
  baseline(key: number): string | null {
    return this.#baseline.get(key)?.baseline ?? null
  }

  saveBaseline(key: number, baseline: string | null): void {
    this.#saveBaseline.run(baseline, key)
  }

  /** Removes a sandbox with all that is in it. */
  remove(key: number): void {
    this.clear(key)
    this.#remove.run(key)
  }

  /** Removes all that is in a sandbox, but for its snapshots. */
  clear(key: number): void {
    for (const statement of this.#clear) statement.run(key)
  }

  /** Whether a change of so many rows, and of all that are in a sandbox, should be alone in its transaction. */
  isLarge(key: number, rows: number): boolean {
    return rows > MANY || rows + this.#countRows.get({ key })!.rows > MANY
  }

  /** Removes the sandboxes whose time is over. @returns their ids */
  removeExpired(wall: number): string[] {
    return this.#removeExpired.all(wall).map(({ id }) => id)
  }
}

function toRecord(row: SandboxRow): SandboxRecord {
  return {
    key: row.key,
    id: row.id,
    orgId: row.org_id,
    orgName: row.org_name,
    random: { seed: row.seed, draws: row.draws },
    ownSeed: row.own_seed,
    clock: { mode: row.clock_mode, base: row.clock_base, anchor: row.clock_anchor, rate: row.clock_rate },
    expires: row.expires
  }
}
