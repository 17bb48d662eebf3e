import t from 'tap'
import { openDatabase } from '../../src/db/database.js'

void t.test('a listener hears of every deleted row, even in unwatched tables', async (t) => {
  const db = openDatabase(':memory:')
  t.teardown(() => db.close())
  db.prepare(
    "INSERT INTO sandboxes (key, id, org_id, org_name, seed, draws, own_seed) VALUES (7, 'a', '', '', '', 0, '')"
  ).run()
  const deleted: number[] = []
  db.watcher.onDelete(['quotas'], (sandbox) => deleted.push(sandbox))
  db.prepare("INSERT INTO quotas (sandbox, name, maximum) VALUES (7, 'a', 1), (7, 'b', 1), (7, 'c', 1)").run()
  db.prepare("DELETE FROM quotas WHERE name = 'a'").run()
  await db.write(() =>
    db.inBulk(
      (function* () {
        yield db.prepare("DELETE FROM quotas WHERE name = 'b'").run()
      })()
    )
  )
  db.prepare('DELETE FROM sandboxes').run()
  t.strictSame(deleted, [7, 7, 7], 'even in a bulk change')
})
