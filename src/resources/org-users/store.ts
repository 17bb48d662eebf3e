import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import { ORG_USERS } from './fields.js'

/** The rows of org users. Every function takes the sandbox key first; lists are in order of creation. */
export function orgUserStore(db: Database) {
  const table = new Table(db, ORG_USERS)
  return {
    insert: table.inserter(),
    save: table.saver(),
    find: table.finder('id'),
    list: table.lister()
  }
}
