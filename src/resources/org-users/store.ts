import type { Database } from '../../db/database.js'
import { toExtra, toExtraColumn, type WithExtra } from '../extra.js'

export interface OrgUserRecord extends WithExtra {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly enabled: boolean
  readonly authId: string
  /** Timestamp; null: never. */
  readonly lastLogin: string | null
  /** Names of roles. */
  readonly roles: readonly string[]
  readonly created: string
  readonly updated: string
}

type OrgUserRow = Omit<OrgUserRecord, 'enabled' | 'roles' | 'extra'> & {
  enabled: 0 | 1
  roles: string
  extra: string | null
}

/** The rows of org users. Every method takes the sandbox key first. */
export class OrgUserStore {
  readonly #insert
  readonly #find
  readonly #list
  readonly #setRoles
  readonly #setExtra

  constructor(db: Database) {
    const columns = `id, username, email, first_name AS firstName, last_name AS lastName, enabled, auth_id AS authId,
      last_login AS lastLogin, roles, created, updated, extra`
    this.#insert = db.prepare<
      [
        number,
        string,
        string,
        string,
        string,
        string,
        0 | 1,
        string,
        string | null,
        string,
        string,
        string,
        string | null
      ]
    >(
      `INSERT INTO org_users (sandbox, id, username, email, first_name, last_name, enabled, auth_id,
         last_login, roles, created, updated, extra)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
    )
    this.#find = db.prepare<[number, string], OrgUserRow>(
      `SELECT ${columns} FROM org_users WHERE sandbox = ? AND id = ?`
    )
    this.#list = db.prepare<[number], OrgUserRow>(`SELECT ${columns} FROM org_users WHERE sandbox = ? ORDER BY rowid`)
    this.#setRoles = db.prepare<[string, string, number, string]>(
      'UPDATE org_users SET roles = ?, updated = ? WHERE sandbox = ? AND id = ?'
    )
    this.#setExtra = db.prepare<[string | null, number, string]>(
      'UPDATE org_users SET extra = ? WHERE sandbox = ? AND id = ?'
    )
  }

  insert(sandbox: number, user: OrgUserRecord): void {
    const { id, username, email, firstName, lastName, enabled, authId, lastLogin, roles, created, updated } = user
    this.#insert.run(
      sandbox,
      id,
      username,
      email,
      firstName,
      lastName,
      enabled ? 1 : 0,
      authId,
      lastLogin,
      JSON.stringify(roles),
      created,
      updated,
      toExtraColumn(user)
    )
  }

  find(sandbox: number, id: string): OrgUserRecord | undefined {
    const row = this.#find.get(sandbox, id)
    return row === undefined ? undefined : toRecord(row)
  }

  /** In order of creation. */
  list(sandbox: number): OrgUserRecord[] {
    return this.#list.all(sandbox).map(toRecord)
  }

  setExtra(sandbox: number, id: string, extra: WithExtra['extra']): void {
    this.#setExtra.run(toExtraColumn({ extra }), sandbox, id)
  }

  setRoles(sandbox: number, id: string, roles: readonly string[], updated: string): void {
    this.#setRoles.run(JSON.stringify(roles), updated, sandbox, id)
  }
}

function toRecord(row: OrgUserRow): OrgUserRecord {
  return { ...row, enabled: row.enabled === 1, roles: JSON.parse(row.roles) as string[], extra: toExtra(row.extra) }
}
