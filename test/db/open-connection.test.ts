import t from 'tap'
import { openConnection } from '../../src/db/open-connection.js'

void t.test('a connection prepares statements, and does not wait for a file that is in use', async (t) => {
  const sqlite = openConnection(':memory:')
  t.teardown(() => {
    sqlite.close()
  })
  sqlite.exec('CREATE TABLE a (x INTEGER) STRICT')
  t.equal(sqlite.prepare('INSERT INTO a VALUES (?)').run(7).changes, 1)
  t.equal(sqlite.prepare('SELECT x FROM a').pluck().get(), 7)
  t.equal(sqlite.prepare('PRAGMA busy_timeout').pluck().get(), 0)
})
