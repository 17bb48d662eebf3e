import type { Database } from '../db/database.js'
import type { Slices } from '../lib/scheduler.js'
import type { ClockState } from '../sim/clock.js'
import type { RandomState } from '../sim/random.js'

export interface SandboxRecord {
  /** Key of its rows. */
  readonly key: number
  /** SHA-256 of its credential, in hexadecimal digits. */
  readonly id: string
  readonly orgId: string
  readonly orgName: string
  /** Position in its stream of ids. */
  readonly random: RandomState
  /** Seed of the stream that it started with. */
  readonly ownSeed: string
  readonly clock: ClockState
  /** When it expires, by the machine's clock in milliseconds since 1970; null: never. */
  readonly expires: number | null
  /** Whether it has only what every new one has. */
  isInitial: boolean
  readonly use: SandboxUse
}

/** Stored data about the use of a sandbox. */
export interface SandboxUse {
  /** When it was last used, by the machine's clock in milliseconds since 1970. */
  readonly last: number
  /** The time its clock showed then; `-Infinity` if that does not matter. */
  readonly shown: number
  /** Position in its stream of RequestIDs; undefined if it had none yet. */
  readonly requests: RandomState | undefined
}

/** A sandbox in the list of all sandboxes. */
interface SandboxSummary {
  readonly key: number
  readonly id: string
  /** null: created before this was stored. */
  readonly created: number | null
  readonly lastUsed: number
  readonly expires: number | null
  readonly workgroups: number
  readonly workspaces: number
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
  last_used: number
  clock_shown: number | null
  request_seed: string | null
  request_draws: number
  content: Content
}

/** Maximum number of rows of removed sandboxes deleted at once, and how many rows each lookup counts as. */
const SLICE = 300
const LOOK = 20

/** Tables with rows so large that one at a time is enough. */
const LARGE_ROWS: readonly string[] = ['snapshots']

/** Where the contents of a sandbox come from, as its column in `migrations/` says. */
type Content = 'initial' | 'own' | 'given'

/** Tables without whose rows a sandbox holds nothing that anybody would miss */
const OWN = ['workgroups', 'stub_items', 'snapshots', 'faults', 'transition_rules', 'quotas']

/** The contents of a sandbox, children first: deleting rows along with their parent would look them up one by one. */
const CONTENTS = [
  'database_users',
  'workspace_schedules',
  'backup_schedules',
  'restore_jobs',
  'backups',
  'workspaces',
  'deleted_workspaces',
  'databases',
  'allowed_ips',
  'workgroups',
  'org_users',
  'stub_items',
  'idempotent_replies',
  'due_events',
  'timeline',
  'transition_rules',
  'faults',
  'quotas'
]

/** Changes to more rows than this are made in several transactions. */
export const MANY = 1000

/** The rows of sandboxes. */
export class SandboxStore {
  readonly #find
  readonly #insert
  readonly #count
  readonly #countUnseeded
  readonly #newest
  readonly #saveDraws
  readonly #saveClock
  readonly #saveIdentity
  readonly #baseline
  readonly #saveBaseline
  readonly #remove
  readonly #removeRows
  readonly #mark
  readonly #holdRemoval
  readonly #allowRemoval
  readonly #endRemoval
  readonly #freeDrafts
  readonly #inherit
  readonly #name
  readonly #moveSnapshots
  readonly #noteRemoval
  readonly #nextRemoval
  readonly #expired
  readonly #longestIdle
  readonly #longestEmpty
  readonly #saveContent
  readonly #saveUse
  readonly #list
  readonly #clear
  readonly #copy
  readonly #countRows

  constructor(db: Database) {
    const columns = `key, id, org_id, org_name, seed, draws, own_seed, clock_mode, clock_base, clock_anchor, clock_rate,
       expires, last_used, clock_shown, request_seed, request_draws, content`
    this.#find = db.prepare<[string], SandboxRow>(`SELECT ${columns} FROM sandboxes WHERE id = ?`)
    this.#insert = db.prepare<
      [string, string, string, string, number, string, string, number, number, number, number | null, number, number],
      { key: number }
    >(
      `INSERT INTO sandboxes (id, org_id, org_name, seed, draws, own_seed, clock_mode, clock_base,
         clock_anchor, clock_rate, expires, created, last_used)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`
    )
    this.#count = db.prepare<[], { count: number }>(
      'SELECT (SELECT count(*) FROM sandboxes) - (SELECT count(*) FROM removals) AS count'
    )
    this.#countUnseeded = db.prepare<[], { count: number }>(
      `SELECT count(*) AS count FROM sandboxes
       WHERE baseline_document IS NULL AND key NOT IN (SELECT sandbox FROM removals)`
    )
    this.#newest = db.prepare<[], { key: number }>('SELECT coalesce(max(key), 0) AS key FROM sandboxes')
    this.#saveDraws = db.prepare<[number, number | null, number]>(
      'UPDATE sandboxes SET draws = ?, clock_shown = ? WHERE key = ?'
    )
    this.#saveClock = db.prepare<[ClockState['mode'], number, number, number, number]>(
      `UPDATE sandboxes SET clock_mode = ?, clock_base = ?, clock_anchor = ?, clock_rate = ?, clock_shown = NULL
       WHERE key = ?`
    )
    this.#saveUse = db.prepare<[number, number | null, string | null, number, number]>(
      'UPDATE sandboxes SET last_used = ?, clock_shown = ?, request_seed = ?, request_draws = ? WHERE key = ?'
    )
    this.#saveIdentity = db.prepare<[string, string, string, number, number]>(
      'UPDATE sandboxes SET org_id = ?, org_name = ?, seed = ?, draws = ? WHERE key = ?'
    )
    this.#baseline = db.prepare<[number], { document: number | null }>(
      'SELECT baseline_document AS document FROM sandboxes WHERE key = ?'
    )
    this.#saveBaseline = db.prepare<[number, number]>('UPDATE sandboxes SET baseline_document = ? WHERE key = ?')
    this.#remove = db.prepare<[number]>('DELETE FROM sandboxes WHERE key = ?')
    this.#clear = CONTENTS.map((table) => db.prepare<[number]>(`DELETE FROM ${table} WHERE sandbox = ?`))
    this.#copy = CONTENTS.toReversed().map((table) => {
      const columns = columnsOf(db, table).join(', ')
      return {
        list: db.prepare<[number], number>(`SELECT rowid FROM ${table} WHERE sandbox = ? ORDER BY rowid`).pluck(),
        copy: db.prepare<[number, number]>(
          `INSERT INTO ${table} (sandbox, ${columns}) SELECT ?, ${columns} FROM ${table} WHERE rowid = ?`
        )
      }
    })
    this.#countRows = db.prepare<[{ key: number }], { rows: number }>(
      `SELECT ${CONTENTS.map((table) => `(SELECT count(*) FROM ${table} WHERE sandbox = @key)`).join(' + ')} AS rows`
    )
    this.#mark = db.prepare<[number]>("UPDATE sandboxes SET id = 'removed ' || key, expires = NULL WHERE key = ?")
    this.#noteRemoval = db.prepare<[number]>('INSERT INTO removals (sandbox) VALUES (?)')
    this.#holdRemoval = db.prepare<[number]>('INSERT INTO removals (sandbox, is_held) VALUES (?, 1)')
    this.#allowRemoval = db.prepare<[number]>('UPDATE removals SET is_held = 0 WHERE sandbox = ?')
    this.#endRemoval = db.prepare<[number]>('DELETE FROM removals WHERE sandbox = ?')
    this.#freeDrafts = db.prepare<[]>('UPDATE removals SET is_held = 0 WHERE is_held = 1')
    this.#inherit = db.prepare<[{ old: number; draft: number }]>(
      `UPDATE sandboxes SET
           (expires, created, last_used, own_seed, request_seed, request_draws, content, baseline_document) =
           (SELECT old.expires, old.created, old.last_used, old.own_seed, old.request_seed, old.request_draws,
              old.content, coalesce(sandboxes.baseline_document, old.baseline_document)
            FROM sandboxes AS old WHERE old.key = @old)
         WHERE key = @draft`
    )
    this.#name = db.prepare<[string, number]>('UPDATE sandboxes SET id = ? WHERE key = ?')
    this.#moveSnapshots = db.prepare<[number, number]>('UPDATE snapshots SET sandbox = ? WHERE sandbox = ?')
    this.#nextRemoval = db.prepare<[], { sandbox: number }>('SELECT sandbox FROM removals WHERE is_held = 0 LIMIT 1')
    this.#expired = db.prepare<[number, number], { key: number; id: string }>(
      `SELECT key, id FROM sandboxes WHERE expires <= ? AND key NOT IN (SELECT sandbox FROM removals)
       ORDER BY expires LIMIT ?`
    )
    this.#longestIdle = db.prepare<[number, string], { key: number; id: string }>(
      `SELECT key, id FROM sandboxes WHERE last_used <= ? AND key NOT IN (SELECT sandbox FROM removals)
         AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY last_used LIMIT 1`
    )
    this.#longestEmpty = db.prepare<[number, string], { key: number; id: string }>(
      `SELECT key, id FROM sandboxes WHERE last_used <= ? AND key NOT IN (SELECT sandbox FROM removals)
         AND id NOT IN (SELECT value FROM json_each(?)) AND (content = 'initial' OR content = 'own'
           AND clock_mode = 'real' AND baseline_document IS NULL
           ${OWN.map((table) => `AND NOT EXISTS (SELECT 1 FROM ${table} WHERE sandbox = key)`).join(' ')})
         ORDER BY last_used LIMIT 1`
    )
    this.#saveContent = db.prepare<[Content, number]>('UPDATE sandboxes SET content = ? WHERE key = ?')
    this.#list = db.prepare<[number, number], SandboxSummary>(
      `SELECT key, id, created, last_used AS lastUsed, expires,
           (SELECT count(*) FROM workgroups WHERE sandbox = key) AS workgroups,
           (SELECT count(*) FROM workspaces WHERE sandbox = key) AS workspaces
         FROM sandboxes WHERE key > ? AND key NOT IN (SELECT sandbox FROM removals) ORDER BY key LIMIT ?`
    )
    this.#removeRows = tablesOf(db).map((table) => ({
      isLarge: LARGE_ROWS.includes(table),
      statement: db.prepare<[number, number]>(
        `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE sandbox = ? LIMIT ?)`
      )
    }))
  }

  find(id: string): SandboxRecord | undefined {
    const row = this.#find.get(id)
    return row === undefined ? undefined : toRecord(row)
  }

  /** @param wall the machine's time */
  insert(sandbox: Omit<SandboxRecord, 'key' | 'ownSeed' | 'use' | 'isInitial'>, wall: number): SandboxRecord {
    const { id, orgId, orgName, random, clock, expires } = sandbox
    const { key } = this.#insert.get(
      id,
      orgId,
      orgName,
      random.seed,
      random.draws,
      random.seed,
      clock.mode,
      clock.base,
      clock.anchor,
      clock.rate,
      expires,
      wall,
      wall
    )!
    const use = { last: wall, shown: -Infinity, requests: undefined }
    return { key, ownSeed: random.seed, use, isInitial: false, ...sandbox }
  }

  count(): number {
    return this.#count.get()!.count
  }

  /** Number of sandboxes without a baseline of their own. */
  countUnseeded(): number {
    return this.#countUnseeded.get()!.count
  }

  /** Key of the newest sandbox; 0 if there is none. */
  newest(): number {
    return this.#newest.get()!.key
  }

  /** Saves the position in its stream of ids, and the time that its clock has shown. */
  saveProgress(key: number, draws: number, shown: number): void {
    this.#saveDraws.run(draws, toColumn(shown), key)
  }

  saveUse(key: number, { last, shown, requests }: SandboxUse): void {
    this.#saveUse.run(last, toColumn(shown), requests?.seed ?? null, requests?.draws ?? 0, key)
  }

  saveClock(key: number, { mode, base, anchor, rate }: ClockState): void {
    this.#saveClock.run(mode, base, anchor, rate, key)
  }

  /** Stores its org and the position in its stream of ids. */
  saveIdentity(key: number, { orgId, orgName, random }: Pick<SandboxRecord, 'orgId' | 'orgName' | 'random'>): void {
    this.#saveIdentity.run(orgId, orgName, random.seed, random.draws, key)
  }

  /** The key of the document that a reset restores; null: the server's baseline. */
  baseline(key: number): number | null {
    return this.#baseline.get(key)?.document ?? null
  }

  /** @param document key of the document that a reset restores */
  saveBaseline(key: number, document: number): void {
    this.#saveBaseline.run(document, key)
  }

  /** Removes a sandbox. Its id is free at once; its contents are left to {@link sweep}. */
  remove(key: number): void {
    this.#mark.run(key)
    this.#noteRemoval.run(key)
  }

  /**
   * Marks a new row as a draft: a sandbox that is filled in several transactions and stays invisible until it is
   * complete. If the server stops before that, the draft is removed.
   */
  markDraft(key: number): void {
    this.#holdRemoval.run(key)
  }

  /** Turns a draft into a sandbox. */
  publish(draft: number, id: string): void {
    this.#endRemoval.run(draft)
    this.#name.run(id, draft)
  }

  /**
   * Puts a draft in the place of a sandbox, from which it inherits everything but the contents. The old rows become a
   * draft, which may return in the same way.
   */
  swap(key: number, draft: number, id: string): void {
    this.#inherit.run({ old: key, draft })
    this.#mark.run(key)
    this.#holdRemoval.run(key)
    this.#moveSnapshots.run(draft, key)
    this.publish(draft, id)
  }

  /** Copies the contents of a sandbox, row by row and in their order. */
  *copyRows(from: number, to: number): Slices<void> {
    for (const { list, copy } of this.#copy)
      for (const row of list.all(from)) {
        copy.run(to, row)
        yield
      }
  }

  /** Leaves a draft that is not wanted any more to {@link sweep}. */
  dropDraft(key: number): void {
    this.#allowRemoval.run(key)
  }

  /** Leaves the drafts of earlier server runs to {@link sweep}. */
  dropAllDrafts(): void {
    this.#freeDrafts.run()
  }

  /** Whether rows of removed sandboxes are left. */
  hasRemoved(): boolean {
    return this.#nextRemoval.get() !== undefined
  }

  /** Deletes some of the rows of removed sandboxes. */
  sweep(): void {
    for (let left = SLICE; left > 0;) {
      const key = this.#nextRemoval.get()?.sandbox
      if (key === undefined) return
      const removed = this.#removeSlice(key, left)
      if (removed < left) this.#remove.run(key)
      left -= removed + LOOK
    }
  }

  /** @returns how many rows were removed; fewer than `most` if none are left */
  #removeSlice(key: number, most: number): number {
    let left = most
    for (const { statement, isLarge } of this.#removeRows) {
      const { changes } = statement.run(key, isLarge ? 1 : left)
      left -= isLarge && changes > 0 ? left : changes
      if (left === 0) break
    }
    return most - left
  }

  /** Deletes the contents of a sandbox, except its snapshots. */
  clear(key: number): void {
    for (const statement of this.#clear) statement.run(key)
  }

  /**
   * Whether a sandbox with this many old and new rows should be rebuilt beside the old one, in several transactions.
   */
  isLarge(key: number, rows: number): boolean {
    return rows > MANY || rows + this.#countRows.get({ key })!.rows > MANY
  }

  /** The sandboxes that expired first. */
  expired(wall: number, limit: number): { key: number; id: string }[] {
    return this.#expired.all(wall, limit)
  }

  /**
   * The least recently used sandbox, among those last used by a time.
   * @param kept ids (JSON array) to ignore
   */
  longestIdle(by: number, kept: string): { key: number; id: string } | undefined {
    return this.#longestIdle.get(by, kept)
  }

  /** The same, among those that hold nothing, or only what every new one has. */
  longestEmpty(by: number, kept: string): { key: number; id: string } | undefined {
    return this.#longestEmpty.get(by, kept)
  }

  saveContent(key: number, content: Content): void {
    this.#saveContent.run(content, key)
  }

  /** Sandboxes in order of creation. @param after key of the last one already listed */
  list(after: number, limit: number): SandboxSummary[] {
    return this.#list.all(after, limit)
  }
}

/** Every table with rows of a sandbox; tables that refer to others come first. */
function tablesOf(db: Database): string[] {
  return db
    .prepare<[], { name: string }>(
      `SELECT s.name FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c
       WHERE s.type = 'table' AND c.name = 'sandbox' AND s.name <> 'removals' ORDER BY s.rowid DESC`
    )
    .all()
    .map(({ name }) => name)
}

/** The columns of a table's contents: without the sandbox, and a sequence that is the rowid. */
function columnsOf(db: Database, table: string): string[] {
  return db
    .prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE name NOT IN ('sandbox', 'sequence')")
    .pluck()
    .all(table)
}

const toColumn = (time: number) => (time === -Infinity ? null : time)

function toRecord(row: SandboxRow): SandboxRecord {
  return {
    key: row.key,
    id: row.id,
    orgId: row.org_id,
    orgName: row.org_name,
    random: { seed: row.seed, draws: row.draws },
    ownSeed: row.own_seed,
    clock: { mode: row.clock_mode, base: row.clock_base, anchor: row.clock_anchor, rate: row.clock_rate },
    expires: row.expires,
    isInitial: row.content === 'initial',
    use: {
      last: row.last_used,
      shown: row.clock_shown ?? -Infinity,
      requests: row.request_seed === null ? undefined : { seed: row.request_seed, draws: row.request_draws }
    }
  }
}
