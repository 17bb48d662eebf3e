import type { Connection } from './connection.js'

interface Entry {
  readonly sequence: number
  readonly table: string
  readonly change: 'insert' | 'update' | 'delete'
  readonly row: number
  /** JSON object. */
  readonly old: string | null
}

/** Tables that are kept true by triggers, or that are no part of what is tried. */
const LEFT_OUT = new Set(['undo_log', 'trials', 'backup_counts', 'snapshots'])

/** How many changes are undone, or forgotten, between two looks at the time. */
const PORTION = 100

/**
 * Undoes what has been tried in one sandbox over several transactions. While a trial is under way, triggers write down
 * what each row was before; they are there for as long. What they write is in the database, so a trial that a crash has
 * ended can still be undone.
 */
export class UndoLog {
  readonly #sqlite: Connection
  readonly #isStored
  readonly #open
  readonly #keepClock
  readonly #shifts
  readonly #saveShifts
  readonly #close
  readonly #newest
  readonly #remove
  readonly #forget
  readonly #statements = new Map<string, ReturnType<Connection['prepare']>>()
  #known: { table: string; columns: string[] }[] | undefined
  /** Sandboxes with a trial that is not decided. */
  readonly #trials: Set<number>
  /** The sandbox that a trial is under way in; there is one at a time, because each keeps much in memory. */
  #current: number | undefined

  constructor(sqlite: Connection) {
    this.#sqlite = sqlite
    this.#isStored = sqlite.prepare<[number], { any: 0 | 1 }>(
      'SELECT EXISTS (SELECT 1 FROM trials WHERE sandbox = ?) AS "any"'
    )
    this.#open = sqlite.prepare<[number]>('INSERT INTO trials (sandbox) VALUES (?)')
    this.#keepClock = sqlite.prepare<[number]>(
      `INSERT INTO undo_log (sandbox, table_name, change, row_id, old)
         SELECT key, 'sandboxes', 'update', key, json_object('clock_mode', clock_mode, 'clock_base', clock_base,
           'clock_anchor', clock_anchor, 'clock_rate', clock_rate) FROM sandboxes WHERE key = ?`
    )
    this.#shifts = sqlite.prepare<[number], { shifts: string }>('SELECT shifts FROM trials WHERE sandbox = ?')
    this.#saveShifts = sqlite.prepare<[string, number]>('UPDATE trials SET shifts = ? WHERE sandbox = ?')
    this.#close = sqlite.prepare<[number]>('DELETE FROM trials WHERE sandbox = ?')
    this.#newest = sqlite.prepare<[number, number], Entry>(
      `SELECT sequence, table_name AS "table", change, row_id AS row, old FROM undo_log WHERE sandbox = ?
         ORDER BY sequence DESC LIMIT ?`
    )
    this.#remove = sqlite.prepare<[number]>('DELETE FROM undo_log WHERE sequence = ?')
    this.#forget = sqlite.prepare<[number, number]>(
      `DELETE FROM undo_log WHERE sequence IN (SELECT sequence FROM undo_log WHERE sandbox = ?
         ORDER BY sequence LIMIT ?)`
    )
    this.#trials = new Set(sqlite.prepare<[], number>('SELECT sandbox FROM trials').pluck().all())
  }

  /** Whether a trial is under way, in any sandbox. */
  get isBusy(): boolean {
    return this.#current !== undefined
  }

  /** Whether a sandbox has a trial that is not decided: one under way, or one that was broken off. */
  isOpen(sandbox: number): boolean {
    return this.#trials.size > 0 && this.#trials.has(sandbox)
  }

  /** Begins a trial. From now on all changes of the sandbox are written down. */
  begin(sandbox: number): void {
    this.#current = sandbox
    this.#trials.add(sandbox)
    this.#open.run(sandbox)
    this.#keepClock.run(sandbox)
    for (const { name, sql } of this.#triggers(sandbox)) this.#sqlite.exec(`CREATE TEMP TRIGGER ${name} ${sql}`)
  }

  /** Lets what was tried hold. */
  keep(sandbox: number): void {
    this.#endOf(sandbox)
    this.#close.run(sandbox)
    this.#trials.delete(sandbox)
  }

  /** Removes a part of what was written down and is not needed any more. @returns whether that was all */
  forget(sandbox: number): boolean {
    return this.#forget.run(sandbox, PORTION).changes < PORTION
  }

  /** Undoes a part of what was tried, the newest first. @returns whether that was all, and the sandbox is as it was */
  undo(sandbox: number): boolean {
    this.#endOf(sandbox)
    const entries = this.#newest.all(sandbox, PORTION)
    const shifts = JSON.parse(this.#shifts.get(sandbox)?.shifts ?? '{}') as Record<string, number>
    for (const entry of entries) {
      this.#undo(sandbox, entry, shifts)
      this.#remove.run(entry.sequence)
    }
    this.#saveShifts.run(JSON.stringify(shifts), sandbox)
    if (entries.length === PORTION) return false
    this.#close.run(sandbox)
    this.#trials.delete(sandbox)
    return true
  }

  /** Breaks a trial off, if there is one: it is undone when the sandbox is used next. */
  abandon(sandbox: number): void {
    if (this.#current === sandbox) this.#current = undefined
    // What was not committed may be the decision.
    if (this.#isStored.get(sandbox)!.any === 1) this.#trials.add(sandbox)
    else this.#trials.delete(sandbox)
  }

  /** Forgets a trial that was broken off, if there is one, because all rows of the sandbox are given up. */
  discard(sandbox: number): void {
    if (!this.#trials.delete(sandbox)) return
    this.#endOf(sandbox)
  }

  #endOf(sandbox: number): void {
    for (const { name } of this.#triggers(sandbox)) this.#sqlite.exec(`DROP TRIGGER IF EXISTS temp.${name}`)
    if (this.#current === sandbox) this.#current = undefined
  }

  #undo(sandbox: number, { table, change, row: oldRow, old }: Entry, shifts: Record<string, number>): void {
    let row = oldRow + (shifts[table] ?? 0)
    if (change === 'delete' && this.#statement(`SELECT 1 FROM "${table}" WHERE rowid = ?`).get(row) !== undefined) {
      shifts[table] = (shifts[table] ?? 0) + this.#makeRoom(sandbox, table, row)
      row = oldRow + shifts[table]
    }
    const values = JSON.parse(old ?? '{}') as Record<string, unknown>
    const columns = Object.keys(values)
    const sql =
      change === 'insert'
        ? `DELETE FROM "${table}" WHERE rowid = ?`
        : change === 'update'
          ? `UPDATE "${table}" SET ${columns.map((column) => `"${column}" = ?`).join(', ')} WHERE rowid = ?`
          : `INSERT INTO "${table}" (${columns.map((column) => `"${column}", `).join('')}rowid) VALUES ` +
            `(${columns.map(() => '?, ').join('')}?)`
    this.#statement(sql).run([...Object.values(values), row])
  }

  /**
   * Another sandbox has got the rowid that a row had before it was deleted. What counts is the order of a sandbox's own
   * rows, so all of them move behind those of others. @returns how far
   */
  #makeRoom(sandbox: number, table: string, row: number): number {
    const { last, first } = this.#statement(
      `SELECT (SELECT max(rowid) FROM "${table}") AS last, (SELECT min(rowid) FROM "${table}"
         WHERE sandbox = ?) AS first`
    ).get(sandbox) as { last: number; first: number | null }
    const { noted } = this.#statement(
      'SELECT min(row_id) AS noted FROM undo_log WHERE sandbox = ? AND table_name = ?'
    ).get([sandbox, table]) as { noted: number | null }
    const by = last + 1 - Math.min(row, first ?? row, noted ?? row)
    this.#statement(`UPDATE "${table}" SET rowid = rowid + ? WHERE sandbox = ?`).run([by, sandbox])
    return by
  }

  #statement(sql: string): ReturnType<Connection['prepare']> {
    let statement = this.#statements.get(sql)
    if (statement === undefined) this.#statements.set(sql, (statement = this.#sqlite.prepare(sql)))
    return statement
  }

  /** Of all tables of a sandbox, what tells the log of each kind of change. */
  #triggers(sandbox: number): { name: string; sql: string }[] {
    return this.#tables.flatMap(({ table, columns }) =>
      (['insert', 'update', 'delete'] as const).map((change) => {
        const row = change === 'insert' ? 'NEW' : 'OLD'
        const old =
          change === 'insert'
            ? 'NULL'
            : `json_object(${columns.map((column) => `'${column}', OLD."${column}"`).join(', ')})`
        return {
          name: `undo_${sandbox}_${table}_${change}`,
          sql: `AFTER ${change} ON main."${table}" WHEN ${row}.sandbox = ${sandbox} BEGIN
          INSERT INTO undo_log (sandbox, table_name, change, row_id, old) VALUES (${sandbox}, '${table}',
            '${change}', ${row}.rowid, ${old});
        END`
        }
      })
    )
  }

  get #tables(): { table: string; columns: string[] }[] {
    return (this.#known ??= this.#sqlite
      .prepare<[], { table: string; columns: string }>(
        // What is an alias of the rowid is left out: it comes with that.
        `SELECT t.name AS "table", json_group_array(c.name) AS columns FROM pragma_table_list AS t,
           pragma_table_info(t.name) AS c
         WHERE t.schema = 'main' AND NOT (c.pk = 1 AND c.type = 'INTEGER'
           AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE pk = 2))
           AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = 'sandbox')
         GROUP BY t.name`
      )
      .all()
      .map(({ table, columns }) => ({ table, columns: JSON.parse(columns) as string[] }))
      .filter(({ table }) => !LEFT_OUT.has(table)))
  }
}
