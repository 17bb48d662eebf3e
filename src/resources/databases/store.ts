import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import { DATABASES } from './fields.js'

/** The rows of databases. Every function takes the sandbox key first; lists are in order of creation. */
export function databaseStore(db: Database) {
  const table = new Table(db, DATABASES)
  const count = db
    .prepare<[number, string], number>('SELECT count(*) FROM databases WHERE sandbox = ? AND workgroup = ?')
    .pluck()
  return {
    insert: table.inserter(),
    save: table.saver(),
    find: table.finder('workgroup', 'id'),
    /** Finds a database for a path that does not name its workgroup. */
    findAnywhere: table.finder('id'),
    list: table.lister(),
    listOfWorkgroup: table.lister('workgroup'),
    countOfWorkgroup: (sandbox: number, workgroup: string) => count.get(sandbox, workgroup)!,
    remove: table.remover('id')
  }
}
