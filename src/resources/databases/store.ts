import type { Database } from '../../db/database.js'
import { toExtra, toExtraColumn, type WithExtra } from '../extra.js'

/** A database without its contents. */
export interface DatabaseRecord extends WithExtra {
  readonly id: string
  /** Id of its workgroup. */
  readonly workgroup: string
  readonly name: string
  readonly svcVersion: string
  readonly createTime: string
}

/** A row as an array, because the driver creates arrays twice as fast as objects. */
type DatabaseRow = readonly [
  id: string,
  workgroup: string,
  name: string,
  svcVersion: string,
  createTime: string,
  extra: string | null
]

/** The rows of databases. Every method takes the sandbox key first. */
export class DatabaseStore {
  readonly #insert
  readonly #find
  readonly #list
  readonly #listOfWorkgroup
  readonly #countOfWorkgroup
  readonly #rename
  readonly #setExtra
  readonly #remove

  constructor(db: Database) {
    const columns = 'id, workgroup, name, svc_version, create_time, extra'
    this.#insert = db.prepare<[number, string, string, string, string, string, string | null]>(
      `INSERT INTO databases (sandbox, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`
    )
    this.#find = db
      .prepare<[number, string, string], DatabaseRow>(
        `SELECT ${columns} FROM databases WHERE sandbox = ? AND id = ? AND workgroup = ?`
      )
      .raw(true)
    this.#list = db
      .prepare<[number], DatabaseRow>(`SELECT ${columns} FROM databases WHERE sandbox = ? ORDER BY rowid`)
      .raw(true)
    this.#listOfWorkgroup = db
      .prepare<[number, string], DatabaseRow>(
        `SELECT ${columns} FROM databases WHERE sandbox = ? AND workgroup = ? ORDER BY rowid`
      )
      .raw(true)
    this.#countOfWorkgroup = db.prepare<[number, string], { count: number }>(
      'SELECT count(*) AS count FROM databases WHERE sandbox = ? AND workgroup = ?'
    )
    this.#rename = db.prepare<[string, number, string]>('UPDATE databases SET name = ? WHERE sandbox = ? AND id = ?')
    this.#setExtra = db.prepare<[string | null, number, string]>(
      'UPDATE databases SET extra = ? WHERE sandbox = ? AND id = ?'
    )
    this.#remove = db.prepare<[number, string]>('DELETE FROM databases WHERE sandbox = ? AND id = ?')
  }

  insert(sandbox: number, database: DatabaseRecord): void {
    const { id, workgroup, name, svcVersion, createTime } = database
    this.#insert.run(sandbox, id, workgroup, name, svcVersion, createTime, toExtraColumn(database))
  }

  /** Finds a database in one workgroup. */
  find(sandbox: number, workgroup: string, id: string): DatabaseRecord | undefined {
    const row = this.#find.get(sandbox, id, workgroup)
    return row === undefined ? undefined : toRecord(row)
  }

  /** All databases of a sandbox, in order of creation. */
  list(sandbox: number): DatabaseRecord[] {
    return this.#list.all(sandbox).map(toRecord)
  }

  /** In order of creation. */
  listOfWorkgroup(sandbox: number, workgroup: string): DatabaseRecord[] {
    return this.#listOfWorkgroup.all(sandbox, workgroup).map(toRecord)
  }

  countOfWorkgroup(sandbox: number, workgroup: string): number {
    return this.#countOfWorkgroup.get(sandbox, workgroup)!.count
  }

  rename(sandbox: number, id: string, name: string): void {
    this.#rename.run(name, sandbox, id)
  }

  setExtra(sandbox: number, id: string, extra: WithExtra['extra']): void {
    this.#setExtra.run(toExtraColumn({ extra }), sandbox, id)
  }

  remove(sandbox: number, id: string): void {
    this.#remove.run(sandbox, id)
  }
}

function toRecord([id, workgroup, name, svcVersion, createTime, extra]: DatabaseRow): DatabaseRecord {
  return { id, workgroup, name, svcVersion, createTime, extra: toExtra(extra) }
}
