import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import { STUB_ITEMS } from './fields.js'

/** The rows of stub items. Every function takes the sandbox key first; lists are in order of creation. */
export function stubItemStore(db: Database) {
  const table = new Table(db, STUB_ITEMS)
  return {
    insert: table.inserter(),
    save: table.saver(),
    remove: table.remover('path', 'id'),
    find: table.finder('path', 'id'),
    list: table.lister('path'),
    listAll: table.lister()
  }
}
