import type { Database } from '../../db/database.js'
import { toExtraColumn, type WithExtra, withParsedExtra } from '../extra.js'

/** A user inside the database of a workspace. */
export interface DatabaseUserRecord extends WithExtra {
  readonly id: string
  readonly username: string
  /** Salted scrypt. */
  readonly passwordHash: string
  readonly created: string
  readonly updated: string
}

type DatabaseUserRow = Omit<DatabaseUserRecord, 'extra'> & { readonly extra: string | null }

/** The rows of in-database users. Every method takes the sandbox key and the id of the workspace first. */
export class DatabaseUserStore {
  readonly #insert
  readonly #find
  readonly #list
  readonly #listAll
  readonly #setPassword
  readonly #setExtra
  readonly #remove

  constructor(db: Database) {
    const columns = 'id, username, password_hash AS passwordHash, created, updated, extra'
    this.#insert = db.prepare<[number, string, string, string, string, string, string, string | null]>(
      `INSERT INTO database_users (sandbox, workspace, id, username, password_hash, created, updated, extra) VALUES
         (?, ?, ?, ?, ?, ?, ?, ?)`
    )
    this.#find = db.prepare<[number, string, string], DatabaseUserRow>(
      `SELECT ${columns} FROM database_users WHERE sandbox = ? AND workspace = ? AND username = ?`
    )
    this.#list = db.prepare<[number, string], DatabaseUserRow>(
      `SELECT ${columns} FROM database_users WHERE sandbox = ? AND workspace = ? ORDER BY rowid`
    )
    this.#listAll = db.prepare<[number], DatabaseUserRow & { readonly workspace: string }>(
      `SELECT workspace, ${columns} FROM database_users WHERE sandbox = ? ORDER BY workspace, rowid`
    )
    this.#setPassword = db.prepare<[string, string, number, string, string]>(
      'UPDATE database_users SET password_hash = ?, updated = ? WHERE sandbox = ? AND workspace = ? AND username = ?'
    )
    this.#setExtra = db.prepare<[string | null, number, string, string]>(
      'UPDATE database_users SET extra = ? WHERE sandbox = ? AND workspace = ? AND username = ?'
    )
    this.#remove = db.prepare<[number, string, string]>(
      'DELETE FROM database_users WHERE sandbox = ? AND workspace = ? AND username = ?'
    )
  }

  insert(sandbox: number, workspace: string, user: DatabaseUserRecord): void {
    const { id, username, passwordHash, created, updated } = user
    this.#insert.run(sandbox, workspace, id, username, passwordHash, created, updated, toExtraColumn(user))
  }

  find(sandbox: number, workspace: string, username: string): DatabaseUserRecord | undefined {
    const row = this.#find.get(sandbox, workspace, username)
    return row && withParsedExtra(row)
  }

  /** In order of creation. */
  list(sandbox: number, workspace: string): DatabaseUserRecord[] {
    return this.#list.all(sandbox, workspace).map(withParsedExtra)
  }

  /** Users of all workspaces, grouped by workspace. */
  listAll(sandbox: number): (DatabaseUserRecord & { readonly workspace: string })[] {
    return this.#listAll.all(sandbox).map(withParsedExtra)
  }

  /** @returns whether there was one to change */
  setPassword(sandbox: number, workspace: string, username: string, passwordHash: string, updated: string): boolean {
    return this.#setPassword.run(passwordHash, updated, sandbox, workspace, username).changes > 0
  }

  setExtra(sandbox: number, workspace: string, username: string, extra: WithExtra['extra']): void {
    this.#setExtra.run(toExtraColumn({ extra }), sandbox, workspace, username)
  }

  /** @returns whether there was one to remove */
  remove(sandbox: number, workspace: string, username: string): boolean {
    return this.#remove.run(sandbox, workspace, username).changes > 0
  }
}
