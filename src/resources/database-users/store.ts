import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import { DATABASE_USERS } from './fields.js'

/** The rows of in-database users. Every function takes the sandbox key first; lists are in order of creation. */
export function databaseUserStore(db: Database) {
  const table = new Table(db, DATABASE_USERS)
  return {
    insert: table.inserter(),
    save: table.saver(),
    find: table.finder('workspace', 'username'),
    list: table.lister('workspace'),
    /** Users of all workspaces, grouped by workspace. */
    listAll: table.lister(),
    /** @returns how many were removed */
    remove: table.remover('workspace', 'username')
  }
}
