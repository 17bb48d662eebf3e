import type { Database } from '../db/database.js'
import type { RandomState } from '../sim/random.js'

/** One org's whole world, as it is kept in memory while the server runs. */
export interface Sandbox {
  /** Key of its rows. */
  readonly key: number
  /** SHA-256 of the credential that names it, in hexadecimal digits. */
  readonly id: string
  readonly orgId: string
  readonly orgName: string
  /** Where its stream of ids stands. */
  readonly random: RandomState
}

interface SandboxRow {
  key: number
  id: string
  org_id: string
  org_name: string
  seed: string
  draws: number
}

/** The rows of sandboxes. */
export class SandboxStore {
  readonly #find
  readonly #insert
  readonly #count
  readonly #saveDraws

  constructor(db: Database) {
    this.#find = db.prepare<[string], SandboxRow>('SELECT * FROM sandboxes WHERE id = ?')
    this.#insert = db.prepare<[string, string, string, string, number], { key: number }>(
      'INSERT INTO sandboxes (id, org_id, org_name, seed, draws) VALUES (?, ?, ?, ?, ?) RETURNING key')
    this.#count = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM sandboxes')
    this.#saveDraws = db.prepare<[number, number]>('UPDATE sandboxes SET draws = ? WHERE key = ?')
  }

  find(id: string): Sandbox | undefined {
    const row = this.#find.get(id)
    return row === undefined ? undefined : toSandbox(row)
  }

  insert(sandbox: Omit<Sandbox, 'key'>): Sandbox {
    const { id, orgId, orgName, random } = sandbox
    const { key } = this.#insert.get(id, orgId, orgName, random.seed, random.draws)!
    return { key, ...sandbox }
  }

  count(): number {
    return this.#count.get()!.count
  }

  saveDraws(sandbox: Sandbox): void {
    this.#saveDraws.run(sandbox.random.draws, sandbox.key)
  }
}

function toSandbox(row: SandboxRow): Sandbox {
  return {
    key: row.key,
    id: row.id,
    orgId: row.org_id,
    orgName: row.org_name,
    random: { seed: row.seed, draws: row.draws }
  }
}
