import t from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { WATCHED_TABLES } from '../../src/resources/tables.js'

/** Tables whose rows are not data of a sandbox, or follow from other tables. */
const NOT_WATCHED = ['backup_counts', 'idempotent_replies', 'removals', 'snapshots']

void t.test('every table with data of a sandbox is watched, and so is the clock of the sandbox', async (t) => {
  const db = openDatabase(':memory:')
  t.teardown(() => db.close())
  const columns = db
    .prepare<[], { name: string; column: string }>(
      `SELECT s.name, c.name AS "column" FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c
         WHERE s.type = 'table'`
    )
    .all()
  const owned = columns.filter(({ column }) => column === 'sandbox').map(({ name }) => name)
  t.strictSame(
    WATCHED_TABLES.filter(({ updatesOf }) => updatesOf === undefined)
      .map(({ name }) => name)
      .sort(),
    owned.filter((name) => !NOT_WATCHED.includes(name)).sort()
  )
  t.strictSame(
    WATCHED_TABLES.find(({ name }) => name === 'sandboxes')?.updatesOf,
    columns
      .filter(({ name, column }) => name === 'sandboxes' && /^clock_(?!shown)/.test(column))
      .map(({ column }) => column)
  )
})
