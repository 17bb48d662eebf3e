import type { Database } from '../../db/database.js'
import { toExtraColumn, type WithExtra, withParsedExtra } from '../extra.js'

export interface AllowedIpRecord extends WithExtra {
  readonly id: string
  /** In canonical form. */
  readonly cidr: string
  readonly note: string
}

type AllowedIpRow = Omit<AllowedIpRecord, 'extra'> & { readonly extra: string | null }

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
    this.#insert = db.prepare<[number, string, string, string, string, string | null]>(
      'INSERT INTO allowed_ips (sandbox, workgroup, id, cidr, note, extra) VALUES (?, ?, ?, ?, ?, ?)'
    )
    this.#list = db.prepare<[number, string], AllowedIpRow>(
      'SELECT id, cidr, note, extra FROM allowed_ips WHERE sandbox = ? AND workgroup = ? ORDER BY rowid'
    )
    this.#listAll = db.prepare<[number], AllowedIpRow & { readonly workgroup: string }>(
      'SELECT workgroup, id, cidr, note, extra FROM allowed_ips WHERE sandbox = ? ORDER BY workgroup, rowid'
    )
    this.#find = db.prepare<[number, string, string], AllowedIpRow>(
      'SELECT id, cidr, note, extra FROM allowed_ips WHERE sandbox = ? AND workgroup = ? AND id = ?'
    )
    this.#findBlock = db.prepare<[number, string, string], AllowedIpRow>(
      'SELECT id, cidr, note, extra FROM allowed_ips WHERE sandbox = ? AND workgroup = ? AND cidr = ?'
    )
    this.#update = db.prepare<[string, string, string | null, number, string, string]>(
      'UPDATE allowed_ips SET cidr = ?, note = ?, extra = ? WHERE sandbox = ? AND workgroup = ? AND id = ?'
    )
    this.#remove = db.prepare<[number, string, string]>(
      'DELETE FROM allowed_ips WHERE sandbox = ? AND workgroup = ? AND id = ?'
    )
  }

  insert(sandbox: number, workgroup: string, entry: AllowedIpRecord): void {
    this.#insert.run(sandbox, workgroup, entry.id, entry.cidr, entry.note, toExtraColumn(entry))
  }

  /** In order of creation. */
  list(sandbox: number, workgroup: string): AllowedIpRecord[] {
    return this.#list.all(sandbox, workgroup).map(withParsedExtra)
  }

  /** Entries of all workgroups, grouped by workgroup. */
  listAll(sandbox: number): (AllowedIpRecord & { readonly workgroup: string })[] {
    return this.#listAll.all(sandbox).map(withParsedExtra)
  }

  find(sandbox: number, workgroup: string, id: string): AllowedIpRecord | undefined {
    const row = this.#find.get(sandbox, workgroup, id)
    return row && withParsedExtra(row)
  }

  /** The entry for a canonical block. */
  findBlock(sandbox: number, workgroup: string, cidr: string): AllowedIpRecord | undefined {
    const row = this.#findBlock.get(sandbox, workgroup, cidr)
    return row && withParsedExtra(row)
  }

  update(sandbox: number, workgroup: string, entry: AllowedIpRecord): void {
    this.#update.run(entry.cidr, entry.note, toExtraColumn(entry), sandbox, workgroup, entry.id)
  }

  /** @returns whether there was one to remove */
  remove(sandbox: number, workgroup: string, id: string): boolean {
    return this.#remove.run(sandbox, workgroup, id).changes > 0
  }
}
