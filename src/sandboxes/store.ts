import type { Database } from '../db/database.js'
import type { Slices } from '../lib/scheduler.js'
import { wallTime } from '../lib/time.js'
import { type ClockState, WALL_CLOCK } from '../sim/clock.js'
import { freshSeed, type RandomState } from '../sim/random.js'

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
  /** When it was last used, by the machine's clock. */
  readonly last: number
  /** The time its clock showed then; `-Infinity` if that does not matter. */
  readonly shown: number
  /** Position in its stream of RequestIDs; undefined if it had none yet. */
  readonly requests: RandomState | undefined
}

/** A sandbox to add: by default without a name, on the machine's clock, and for ever. */
type NewRecord = Pick<SandboxRecord, 'id' | 'random'> &
  Partial<Pick<SandboxRecord, 'orgId' | 'orgName' | 'clock' | 'expires'>>

interface Named {
  readonly key: number
  readonly id: string
}

/** A sandbox in the list of all sandboxes. */
interface SandboxSummary extends Named {
  readonly created: number
  readonly lastUsed: number
  readonly expires: number | null
  readonly workgroups: number
  readonly workspaces: number
}

interface SandboxRow
  extends Pick<SandboxRecord, 'key' | 'id' | 'orgId' | 'orgName' | 'ownSeed' | 'expires'>, RandomState, ClockState {
  last: number
  shown: number | null
  request_seed: string | null
  request_draws: number
  content: Content
}

/** Maximum number of rows of removed sandboxes deleted at once, and how many rows each lookup counts as. */
const SLICE = 300
const LOOK = 20

/** Tables with rows so large that one at a time is enough. */
const LARGE_ROWS: readonly string[] = ['snapshots']

/** Origin of the contents of a sandbox, as in the column `content`; see `migrations/`. */
type Content = 'initial' | 'own' | 'given'

/** Tables whose rows make a sandbox worth keeping. */
const OWN = ['workgroups', 'stub_items', 'snapshots', 'faults', 'transition_rules', 'quotas']

/** Tables that do not belong to the contents: snapshots outlive a replacement, and triggers count backups. */
const BESIDE_CONTENTS: readonly string[] = ['snapshots', 'backup_counts']

/** Changes to more rows than this are made in several transactions. */
export const MANY = 1000

/** Runs a statement that returns nothing. */
type Run<Parameters extends unknown[]> = (...values: Parameters) => void

/** Reads the first column of the first row that a statement finds. */
type Read<Parameters extends unknown[], Value> = (...values: Parameters) => Value

/** The rows of sandboxes. */
export function sandboxStore(db: Database) {
  const run = <Parameters extends unknown[]>(sql: string): Run<Parameters> => {
    const statement = db.prepare<Parameters>(sql)
    return (...values) => {
      statement.run(...values)
    }
  }
  const value = <Parameters extends unknown[], Value>(sql: string): Read<Parameters, Value> => {
    const statement = db.prepare<Parameters, Value>(sql).pluck()
    return (...values) => statement.get(...values) as Value
  }
  const tables = tablesOf(db)
  const contents = tables.filter((table) => !BESIDE_CONTENTS.includes(table))
  const notRemoved = 'key NOT IN (SELECT sandbox FROM removals)'
  const find = db.prepare<[string], SandboxRow>(
    `SELECT key, id, org_id AS orgId, org_name AS orgName, seed, draws, own_seed AS ownSeed, clock_mode AS mode,
       clock_base AS base, clock_anchor AS anchor, clock_rate AS rate, expires, last_used AS last, clock_shown AS shown,
       request_seed, request_draws, content FROM sandboxes WHERE id = ?`
  )
  const insert = value<[object], number>(
    `INSERT INTO sandboxes (id, org_id, org_name, seed, draws, own_seed, clock_mode, clock_base, clock_anchor,
       clock_rate, expires, created, last_used)
     VALUES (@id, @orgId, @orgName, @seed, @draws, @seed, @mode, @base, @anchor, @rate, @expires, @wall, @wall)
     RETURNING key`
  )
  const saveProgress = run<[number, number | null, number]>(
    'UPDATE sandboxes SET draws = ?, clock_shown = ? WHERE key = ?'
  )
  const saveClock = run<[ClockState['mode'], number, number, number, number]>(
    `UPDATE sandboxes SET clock_mode = ?, clock_base = ?, clock_anchor = ?, clock_rate = ?, clock_shown = NULL
       WHERE key = ?`
  )
  const saveUse = run<[number, number | null, string | null, number, number]>(
    'UPDATE sandboxes SET last_used = ?, clock_shown = ?, request_seed = ?, request_draws = ? WHERE key = ?'
  )
  const saveIdentity = run<[string, string, string, number, number]>(
    'UPDATE sandboxes SET org_id = ?, org_name = ?, seed = ?, draws = ? WHERE key = ?'
  )
  const saveContent = run<[Content, number]>('UPDATE sandboxes SET content = ? WHERE key = ?')
  const saveBaseline = run<[number, number]>('UPDATE sandboxes SET baseline_document = ? WHERE key = ?')
  const deleteRow = run<[number]>('DELETE FROM sandboxes WHERE key = ?')
  const clear = contents.map((table) => run<[number]>(`DELETE FROM ${table} WHERE sandbox = ?`))
  const copies = contents.toReversed().map((table) => {
    const columns = columnsOf(db, table).join(', ')
    return {
      list: db.prepare<[number], number>(`SELECT rowid FROM ${table} WHERE sandbox = ? ORDER BY rowid`).pluck(),
      copy: run<[number, number]>(
        `INSERT INTO ${table} (sandbox, ${columns}) SELECT ?, ${columns} FROM ${table} WHERE rowid = ?`
      )
    }
  })
  const countRows = value<[{ key: number }], number>(
    `SELECT ${contents.map((table) => `(SELECT count(*) FROM ${table} WHERE sandbox = @key)`).join(' + ')}`
  )
  const rename = run<[string, number]>('UPDATE sandboxes SET id = ? WHERE key = ?')
  // Thousands may be left to `sweep`, and a search for idle or expired ones must not pass them each time.
  const markRemoved = run<[number]>(
    "UPDATE sandboxes SET id = 'removed ' || key, expires = NULL, last_used = 9e15 WHERE key = ?"
  )
  const noteRemoval = run<[number]>('INSERT INTO removals (sandbox) VALUES (?)')
  const markDraft = run<[key: number]>('INSERT INTO removals (sandbox, is_held) VALUES (?, 1)')
  const endRemoval = run<[number]>('DELETE FROM removals WHERE sandbox = ?')
  const nextRemoval = value<[], number | undefined>('SELECT sandbox FROM removals WHERE is_held = 0 LIMIT 1')
  const inherit = db.prepare<[{ old: number; draft: number }]>(
    `UPDATE sandboxes SET
         (expires, created, last_used, own_seed, request_seed, request_draws, content, baseline_document) =
         (SELECT old.expires, old.created, old.last_used, old.own_seed, old.request_seed, old.request_draws,
            old.content, coalesce(sandboxes.baseline_document, old.baseline_document)
          FROM sandboxes AS old WHERE old.key = @old)
       WHERE key = @draft`
  )
  const moveSnapshots = run<[number, number]>('UPDATE snapshots SET sandbox = ? WHERE sandbox = ?')
  const expired = db.prepare<[number, number], Named>(
    `SELECT key, id FROM sandboxes WHERE expires <= ? AND ${notRemoved} ORDER BY expires LIMIT ?`
  )
  const idle = `SELECT key, id FROM sandboxes
    WHERE last_used <= ? AND ${notRemoved} AND id NOT IN (SELECT value FROM json_each(?))`
  const longestIdle = db.prepare<[number, string], Named>(`${idle} ORDER BY last_used LIMIT 1`)
  const longestEmpty = db.prepare<[number, string], Named>(
    `${idle} AND (content = 'initial' OR content = 'own' AND baseline_document IS NULL
         AND clock_mode = 'real' AND clock_base = clock_anchor AND clock_rate = 1
         AND NOT EXISTS (SELECT 1 FROM org_users WHERE sandbox = key AND updated <> created)
         ${OWN.map((table) => `AND NOT EXISTS (SELECT 1 FROM ${table} WHERE sandbox = key)`).join(' ')})
       ORDER BY last_used LIMIT 1`
  )
  const list = db.prepare<[number, number], SandboxSummary>(
    `SELECT key, id, created, last_used AS lastUsed, expires,
         (SELECT count(*) FROM workgroups WHERE sandbox = key) AS workgroups,
         (SELECT count(*) FROM workspaces WHERE sandbox = key) AS workspaces
       FROM sandboxes WHERE key > ? AND ${notRemoved} ORDER BY key LIMIT ?`
  )
  const removeRows = tables.map((table) => ({
    isLarge: LARGE_ROWS.includes(table),
    statement: db.prepare<[number, number]>(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE sandbox = ? LIMIT ?)`
    )
  }))

  /** @returns how many rows were removed; fewer than `most` if none are left */
  function removeSlice(key: number, most: number): number {
    let left = most
    for (const { statement, isLarge } of removeRows) {
      const { changes } = statement.run(key, isLarge ? 1 : left)
      left -= isLarge && changes > 0 ? left : changes
      if (left === 0) break
    }
    return most - left
  }

  function insertRecord(given: NewRecord, wall = wallTime()): SandboxRecord {
    const { id, random, orgId = '', orgName = '', clock = WALL_CLOCK, expires = null } = given
    const key = insert({ id, orgId, orgName, ...random, ...clock, expires, wall })
    const use = { last: wall, shown: -Infinity, requests: undefined }
    return { key, id, orgId, orgName, random, ownSeed: random.seed, clock, expires, isInitial: false, use }
  }

  function publish(draft: number, id: string): void {
    endRemoval(draft)
    rename(id, draft)
  }

  return {
    find(id: string): SandboxRecord | undefined {
      const row = find.get(id)
      return row === undefined ? undefined : toRecord(row)
    },

    insert: insertRecord,

    /**
     * Inserts a draft: a sandbox that is filled in several transactions, and invisible until it is published. If the
     * server stops before that, it is removed.
     */
    insertDraft(given: Omit<NewRecord, 'id'>): SandboxRecord {
      // Not the hash of any key.
      const draft = insertRecord({ ...given, id: `draft ${freshSeed()}` })
      markDraft(draft.key)
      return draft
    },

    count: value<[], number>('SELECT (SELECT count(*) FROM sandboxes) - (SELECT count(*) FROM removals)'),
    /** Number of sandboxes without a baseline of their own. */
    countUnseeded: value<[], number>(
      `SELECT count(*) FROM sandboxes WHERE baseline_document IS NULL AND ${notRemoved}`
    ),
    /** Key of the newest sandbox; 0 if there is none. */
    newest: value<[], number>('SELECT coalesce(max(key), 0) FROM sandboxes'),

    saveProgress: (key: number, draws: number, shown: number) => saveProgress(draws, toColumn(shown), key),
    saveUse: (key: number, { last, shown, requests }: SandboxUse) =>
      saveUse(last, toColumn(shown), requests?.seed ?? null, requests?.draws ?? 0, key),
    saveClock: (key: number, { mode, base, anchor, rate }: ClockState) => saveClock(mode, base, anchor, rate, key),
    saveIdentity: (key: number, { orgId, orgName, random }: Pick<SandboxRecord, 'orgId' | 'orgName' | 'random'>) =>
      saveIdentity(orgId, orgName, random.seed, random.draws, key),
    saveContent: (key: number, content: Content) => saveContent(content, key),
    /** Key of the document that a reset restores; null: the server's baseline, or there is no such sandbox. */
    baseline: value<[key: number], number | null>('SELECT (SELECT baseline_document FROM sandboxes WHERE key = ?)'),
    saveBaseline: (key: number, document: number) => saveBaseline(document, key),

    /** Removes a sandbox. Its id is free at once; its contents are left to `sweep`. */
    remove(key: number): void {
      markRemoved(key)
      noteRemoval(key)
    },

    /** Turns a draft into a sandbox. */
    publish,

    /**
     * Puts a draft in the place of a sandbox, from which it inherits everything but the contents. The old rows become a
     * draft, which may return in the same way.
     */
    swap(key: number, draft: number, id: string): void {
      inherit.run({ old: key, draft })
      markRemoved(key)
      markDraft(key)
      moveSnapshots(draft, key)
      publish(draft, id)
    },

    /** Copies the contents of a sandbox, row by row and in their order. */
    *copyRows(from: number, to: number): Slices<void> {
      for (const { list, copy } of copies)
        for (const row of list.all(from)) {
          copy(to, row)
          yield
        }
    },

    /** Leaves an unwanted draft to `sweep`. */
    dropDraft: run<[key: number]>('UPDATE removals SET is_held = 0 WHERE sandbox = ?'),
    /** Leaves the drafts of earlier server runs to `sweep`. */
    dropAllDrafts: run<[]>('UPDATE removals SET is_held = 0 WHERE is_held = 1'),
    /** Whether rows of removed sandboxes are left. */
    hasRemoved: () => nextRemoval() !== undefined,

    /** Deletes some of the rows of removed sandboxes. */
    sweep(): void {
      for (let left = SLICE; left > 0;) {
        const key = nextRemoval()
        if (key === undefined) return
        const removed = removeSlice(key, left)
        if (removed < left) deleteRow(key)
        left -= removed + LOOK
      }
    },

    /** Deletes the contents of a sandbox, except its snapshots. */
    clear(key: number): void {
      for (const clearTable of clear) clearTable(key)
    },

    /**
     * Whether a sandbox with this many old and new rows should be rebuilt beside the old one, in several transactions.
     */
    isLarge: (key: number, rows: number) => rows > MANY || rows + countRows({ key }) > MANY,

    /** The sandboxes that expired first. */
    expired: (wall: number, limit: number) => expired.all(wall, limit),
    /**
     * The least recently used sandbox, among those last used by a time.
     * @param kept ids (JSON array) to ignore
     */
    longestIdle: (by: number, kept: string) => longestIdle.get(by, kept),
    /** The same, among those that hold nothing, or only what every new one has. */
    longestEmpty: (by: number, kept: string) => longestEmpty.get(by, kept),
    /** Sandboxes in order of creation. @param after key of the last one already listed */
    list: (after: number, limit: number) => list.all(after, limit)
  }
}

export type SandboxStore = ReturnType<typeof sandboxStore>

/**
 * Every table with rows of a sandbox. Children come first: deleting rows along with their parent would look them up one
 * by one.
 */
function tablesOf(db: Database): string[] {
  return db
    .prepare<[], { name: string }>(
      `SELECT s.name FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c
       WHERE s.type = 'table' AND c.name = 'sandbox' AND s.name <> 'removals' ORDER BY s.rowid DESC`
    )
    .all()
    .map(({ name }) => name)
}

/** The columns to copy: all but the sandbox, and a sequence that is the rowid. */
function columnsOf(db: Database, table: string): string[] {
  return db
    .prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE name NOT IN ('sandbox', 'sequence')")
    .pluck()
    .all(table)
}

const toColumn = (time: number) => (time === -Infinity ? null : time)

function toRecord({ seed, draws, mode, base, anchor, rate, content, last, shown, ...row }: SandboxRow): SandboxRecord {
  const { request_seed: requestSeed, request_draws: requestDraws, ...rest } = row
  const requests = requestSeed === null ? undefined : { seed: requestSeed, draws: requestDraws }
  return {
    ...rest,
    random: { seed, draws },
    clock: { mode, base, anchor, rate },
    isInitial: content === 'initial',
    use: { last, shown: shown ?? -Infinity, requests }
  }
}
