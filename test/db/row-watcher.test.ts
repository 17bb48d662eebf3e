import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../src/db/database.js'
import type { RawChange } from '../../src/db/row-watcher.js'
import { WATCHED_TABLES } from '../../src/resources/tables.js'

function open(t: Test): Database {
  const db = openDatabase(':memory:', WATCHED_TABLES)
  t.teardown(() => db.close())
  db.prepare("INSERT INTO sandboxes (key, id, org_id, org_name, seed, draws) VALUES (1, 'a', '', '', '', 0)").run()
  return db
}

/** @returns the reported changes */
async function changesOf(db: Database, step: () => void) {
  const sink: RawChange[] = []
  await db.write(() => db.watcher.watch(sink, step))
  return sink.map((change) => db.watcher.decode(change))
}

const QUOTA = 'INSERT INTO quotas (sandbox, name, maximum) VALUES (1, ?, 1)'

void t.test('undone and unwatched changes are not reported; a nested list has its own', async (t) => {
  const db = open(t)
  const insert = db.prepare(QUOTA)
  const inner: RawChange[] = []
  const changes = await changesOf(db, () => {
    insert.run('a')
    t.throws(
      () => {
        db.atomic(() => {
          insert.run('b')
          throw new Error('no')
        })
      },
      { message: 'no' }
    )
    const unwatched = db.unwatched(() => insert.run('c'))
    t.equal(unwatched.changes, 1)
    db.watcher.watch(inner, () => {
      insert.run('d')
    })
    insert.run('e')
  })
  t.strictSame(
    changes.map(({ after }) => after?.['name']),
    ['a', 'e']
  )
  t.equal(inner.length, 1)
  insert.run('f')
  t.equal(inner.length, 1, 'nothing is reported outside')
})

void t.test('a bulk change is not reported, but changes after it are, even if it fails', async (t) => {
  const db = open(t)
  const insert = db.prepare(QUOTA)
  const inserted = [{ table: 'quotas', change: 'insert' }]
  const bulk = (step: () => unknown) =>
    db.inBulk(
      (function* () {
        yield step()
      })()
    )
  t.strictSame(await changesOf(db, () => void bulk(() => insert.run('a'))), [])
  t.match(await changesOf(db, () => insert.run('b')), inserted)
  const failing = () => {
    throw new Error('no luck')
  }
  await t.rejects(
    db.write(() => db.atomic(() => bulk(failing))),
    { message: 'no luck' }
  )
  t.match(await changesOf(db, () => insert.run('c')), inserted)
})

void t.test('a listener hears of every deleted row, even in unwatched tables', async (t) => {
  const db = openDatabase(':memory:')
  t.teardown(() => db.close())
  db.prepare(
    "INSERT INTO sandboxes (key, id, org_id, org_name, seed, draws, own_seed) VALUES (7, 'a', '', '', '', 0, '')"
  ).run()
  const deleted: number[] = []
  db.watcher.onDelete(['quotas'], (sandbox) => {
    deleted.push(sandbox)
  })
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
