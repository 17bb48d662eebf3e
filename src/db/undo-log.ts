import type { Connection } from './connection.js'

interface Entry {
  readonly sequence: number
  readonly table: string
  readonly change: 'insert' | 'update' | 'delete'
  readonly row: number
  /** JSON object. */
  readonly old: string | null
}

/** Tables that triggers maintain, or that a trial does not cover. */
const LEFT_OUT = new Set(['undo_log', 'trials', 'backup_counts', 'snapshots'])

/** Changes undone or forgotten per call, so that the caller can check the time. */
const PORTION = 100

/**
 * Undoes a trial: changes made in one sandbox over several transactions. While a trial runs, triggers log the previous
 * state of each changed row. The log is in the database, so a trial interrupted by a crash can still be undone.
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
  /** Sandboxes with an undecided trial. */
  readonly #trials: Set<number>
  /** The sandbox with a running trial. Only one runs at a time, because each keeps much in memory. */
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

  /** Whether a trial is running in any sandbox. */
  get isBusy(): boolean {
    return this.#current !== undefined
  }

  /** Whether a sandbox has an undecided trial, running or interrupted. */
  isOpen(sandbox: number): boolean {
    return this.#trials.size > 0 && this.#trials.has(sandbox)
  }

  /** Starts a trial. From now on, all changes of the sandbox are logged. */
  begin(sandbox: number): void {
    this.#current = sandbox
    this.#trials.add(sandbox)
    this.#open.run(sandbox)
    this.#keepClock.run(sandbox)
    for (const { name, sql } of this.#triggers(sandbox)) this.#sqlite.exec(`CREATE TEMP TRIGGER ${name} ${sql}`)
  }

  /** Accepts the changes of the trial. */
  keep(sandbox: number): void {
    this.#endOf(sandbox)
    this.#close.run(sandbox)
    this.#trials.delete(sandbox)
  }

  /** Removes part of the log of an accepted trial. @returns whether that was all */
  forget(sandbox: number): boolean {
    return this.#forget.run(sandbox, PORTION).changes < PORTION
  }

  /** Undoes part of a trial, newest change first. @returns whether that was all, and the sandbox is restored */
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

  /** Stops a trial, if there is one. It is undone when the sandbox is next used. */
  abandon(sandbox: number): void {
    if (this.#current === sandbox) this.#current = undefined
    // The decision itself may have been lost with the transaction, so ask the database.
    if (this.#isStored.get(sandbox)!.any === 1) this.#trials.add(sandbox)
    else this.#trials.delete(sandbox)
  }

  /** Drops an interrupted trial, if there is one, because all rows of the sandbox are being deleted. */
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
   * Another sandbox took a deleted row's rowid. Only the order within a sandbox matters: move its rows to the end.
   * @returns the distance
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

  /** The logging triggers of all tables, for one sandbox. */
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
        // An alias of the rowid is left out: restoring the rowid restores it.
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
