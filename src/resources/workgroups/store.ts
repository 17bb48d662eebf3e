import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import { WORKGROUPS } from './fields.js'

/** The rows of workgroups. Every function takes the sandbox key first; lists are in order of creation. */
export function workgroupStore(db: Database) {
  const table = new Table(db, WORKGROUPS)
  const known = db.prepare<[number, string], 1>('SELECT 1 FROM workgroups WHERE sandbox = ? AND id = ?').pluck()
  return {
    insert: table.inserter(),
    save: table.saver(),
    find: table.finder('id'),
    list: table.lister(),
    has: (sandbox: number, id: string) => known.get(sandbox, id) !== undefined,
    /** Removes a workgroup and its contents. */
    remove: table.remover('id')
  }
}
