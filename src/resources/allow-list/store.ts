import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import { ALLOWED_IPS } from './fields.js'

/** The rows of allow lists. Every function takes the sandbox key first; lists are in order of creation. */
export function allowListStore(db: Database) {
  const table = new Table(db, ALLOWED_IPS)
  return {
    insert: table.inserter(),
    save: table.saver(),
    list: table.lister('workgroup'),
    /** Entries of all workgroups, grouped by workgroup. */
    listAll: table.lister(),
    find: table.finder('workgroup', 'id'),
    /** Finds an entry for a path that does not name its workgroup. */
    findAnywhere: table.finder('id'),
    /** The entry for a canonical block. */
    findBlock: table.finder('workgroup', 'cidr'),
    /** @returns how many were removed */
    remove: table.remover('workgroup', 'id')
  }
}
