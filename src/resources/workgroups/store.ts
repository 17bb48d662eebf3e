import type { Database } from '../../db/database.js'
import { toExtra, toExtraColumn, type WithExtra } from '../extra.js'

/** A workgroup without its contents. */
export interface WorkgroupRecord extends WithExtra {
  readonly id: string
  readonly name: string
  readonly creator: string
  readonly cloudProviderId: string
  readonly platform: string
  readonly region: string
  readonly enableAllowList: boolean
}

/** A row as an array, because the driver creates arrays twice as fast as objects. */
type WorkgroupRow = readonly [
  id: string,
  name: string,
  creator: string,
  cloudProviderId: string,
  platform: string,
  region: string,
  enableAllowList: 0 | 1,
  extra: string | null
]

/** The rows of workgroups. Every method takes the sandbox key first. */
export class WorkgroupStore {
  readonly #insert
  readonly #find
  readonly #has
  readonly #list
  readonly #rename
  readonly #setAllowList
  readonly #setExtra
  readonly #remove

  constructor(db: Database) {
    const columns = 'id, name, creator, cloud_provider_id, platform, region, enable_allow_list, extra'
    this.#insert = db.prepare<[number, string, string, string, string, string, string, 0 | 1, string | null]>(
      `INSERT INTO workgroups (sandbox, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
    )
    this.#find = db
      .prepare<[number, string], WorkgroupRow>(`SELECT ${columns} FROM workgroups WHERE sandbox = ? AND id = ?`)
      .raw(true)
    this.#has = db.prepare<[number, string], 1>('SELECT 1 FROM workgroups WHERE sandbox = ? AND id = ?').pluck()
    this.#list = db
      .prepare<[number], WorkgroupRow>(`SELECT ${columns} FROM workgroups WHERE sandbox = ? ORDER BY rowid`)
      .raw(true)
    this.#rename = db.prepare<[string, number, string]>('UPDATE workgroups SET name = ? WHERE sandbox = ? AND id = ?')
    this.#setAllowList = db.prepare<[0 | 1, number, string]>(
      'UPDATE workgroups SET enable_allow_list = ? WHERE sandbox = ? AND id = ?'
    )
    this.#setExtra = db.prepare<[string | null, number, string]>(
      'UPDATE workgroups SET extra = ? WHERE sandbox = ? AND id = ?'
    )
    this.#remove = db.prepare<[number, string]>('DELETE FROM workgroups WHERE sandbox = ? AND id = ?')
  }

  insert(sandbox: number, workgroup: WorkgroupRecord): void {
    const { id, name, creator, cloudProviderId, platform, region, enableAllowList } = workgroup
    const isListed = enableAllowList ? 1 : 0
    const extra = toExtraColumn(workgroup)
    this.#insert.run(sandbox, id, name, creator, cloudProviderId, platform, region, isListed, extra)
  }

  find(sandbox: number, id: string): WorkgroupRecord | undefined {
    const row = this.#find.get(sandbox, id)
    return row === undefined ? undefined : toRecord(row)
  }

  has(sandbox: number, id: string): boolean {
    return this.#has.get(sandbox, id) !== undefined
  }

  /** In order of creation. */
  list(sandbox: number): WorkgroupRecord[] {
    return this.#list.all(sandbox).map(toRecord)
  }

  rename(sandbox: number, id: string, name: string): void {
    this.#rename.run(name, sandbox, id)
  }

  setAllowList(sandbox: number, id: string, enabled: boolean): void {
    this.#setAllowList.run(enabled ? 1 : 0, sandbox, id)
  }

  setExtra(sandbox: number, id: string, extra: WithExtra['extra']): void {
    this.#setExtra.run(toExtraColumn({ extra }), sandbox, id)
  }

  /** Removes a workgroup and its contents. */
  remove(sandbox: number, id: string): void {
    this.#remove.run(sandbox, id)
  }
}

function toRecord([
  id,
  name,
  creator,
  cloudProviderId,
  platform,
  region,
  enableAllowList,
  extra
]: WorkgroupRow): WorkgroupRecord {
  return {
    id,
    name,
    creator,
    cloudProviderId,
    platform,
    region,
    enableAllowList: enableAllowList === 1,
    extra: toExtra(extra)
  }
}
