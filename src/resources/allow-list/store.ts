import type { Database } from '../../db/database.js'

export interface AllowedIpRecord {
  readonly id: string
  /** In canonical form. */
  readonly cidr: string
  readonly note: string
}

/** The rows of allow lists. Every method takes the sandbox key and the id of the workgroup first. */
export class AllowListStore {
  readonly #insert
  readonly #list
  readonly #listAll
  readonly #find
  readonly #findBlock
  readonly #update
  readonly #remove

  constructor(db: Database) {
    this.#insert = db.prepare<[number, string, string, string, string]>(
      'INSERT INTO allowed_ips (sandbox, workgroup, id, cidr, note) VALUES (?, ?, ?, ?, ?)'
    )
    this.#list = db.prepare<[number, string], AllowedIpRecord>(
      'SELECT id, cidr, note FROM allowed_ips WHERE sandbox = ? AND workgroup = ? ORDER BY rowid'
    )
    this.#listAll = db.prepare<[number], AllowedIpRecord & { readonly workgroup: string }>(
      'SELECT workgroup, id, cidr, note FROM allowed_ips WHERE sandbox = ? ORDER BY workgroup, rowid'
    )
    this.#find = db.prepare<[number, string, string], AllowedIpRecord>(
      'SELECT id, cidr, note FROM allowed_ips WHERE sandbox = ? AND workgroup = ? AND id = ?'
    )
    this.#findBlock = db.prepare<[number, string, string], AllowedIpRecord>(
      'SELECT id, cidr, note FROM allowed_ips WHERE sandbox = ? AND workgroup = ? AND cidr = ?'
    )
    this.#update = db.prepare<[string, string, number, string, string]>(
      'UPDATE allowed_ips SET cidr = ?, note = ? WHERE sandbox = ? AND workgroup = ? AND id = ?'
    )
    this.#remove = db.prepare<[number, string, string]>(
      'DELETE FROM allowed_ips WHERE sandbox = ? AND workgroup = ? AND id = ?'
    )
  }

  insert(sandbox: number, workgroup: string, { id, cidr, note }: AllowedIpRecord): void {
    this.#insert.run(sandbox, workgroup, id, cidr, note)
  }

  /** In order of creation. */
  list(sandbox: number, workgroup: string): AllowedIpRecord[] {
    return this.#list.all(sandbox, workgroup)
  }

  /** Entries of all workgroups, grouped by workgroup. */
  listAll(sandbox: number): (AllowedIpRecord & { readonly workgroup: string })[] {
    return this.#listAll.all(sandbox)
  }

  find(sandbox: number, workgroup: string, id: string): AllowedIpRecord | undefined {
    return this.#find.get(sandbox, workgroup, id)
  }

  /** The entry for a canonical block. */
  findBlock(sandbox: number, workgroup: string, cidr: string): AllowedIpRecord | undefined {
    return this.#findBlock.get(sandbox, workgroup, cidr)
  }

  update(sandbox: number, workgroup: string, { id, cidr, note }: AllowedIpRecord): void {
    this.#update.run(cidr, note, sandbox, workgroup, id)
  }

  /** @returns whether there was one to remove */
  remove(sandbox: number, workgroup: string, id: string): boolean {
    return this.#remove.run(sandbox, workgroup, id).changes > 0
  }
}
