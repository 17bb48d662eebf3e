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

/** Runs a step. @returns what is told of it, as it is told */
async function raw(db: Database, step: () => void): Promise<RawChange[]> {
  const sink: RawChange[] = []
  await db.write(() => db.watcher.watch(sink, step))
  return sink
}

/** Runs statements, or another step. @returns what is told of it */
async function told(db: Database, step: (() => void) | readonly string[]) {
  const run = typeof step === 'function' ? step : () => step.forEach((sql) => db.prepare(sql).run())
  return (await raw(db, run)).map((change) => db.watcher.decode(change))
}

const QUOTA = 'INSERT INTO quotas (sandbox, name, maximum) VALUES (1, ?, 1)'
const ADD = "INSERT INTO quotas (sandbox, name, maximum) VALUES (1, 'a', 1)"

void t.test('every change of a row is told by the names of its columns', async (t) => {
  const db = open(t)
  const changes = await told(db, [ADD, 'UPDATE quotas SET maximum = 2', 'DELETE FROM quotas'])
  t.strictSame(changes, [
    { table: 'quotas', change: 'insert', before: undefined, after: { sandbox: 1, name: 'a', maximum: 1 } },
    {
      table: 'quotas',
      change: 'update',
      before: { sandbox: 1, name: 'a', maximum: 1 },
      after: { sandbox: 1, name: 'a', maximum: 2 }
    },
    { table: 'quotas', change: 'delete', before: { sandbox: 1, name: 'a', maximum: 2 }, after: undefined }
  ])
})

void t.test('rows that go with their parent are told too', async (t) => {
  const db = open(t)
  db.prepare(ADD).run()
  t.match(await told(db, ['DELETE FROM sandboxes']), [{ table: 'quotas', change: 'delete' }])
})

void t.test('of the sandbox itself, only its clock is told', async (t) => {
  const db = open(t)
  t.strictSame(await told(db, ['UPDATE sandboxes SET draws = 5', 'UPDATE sandboxes SET clock_base = 7']), [
    {
      table: 'sandboxes',
      change: 'update',
      before: { clock_mode: 'real', clock_base: 0, clock_anchor: 0, clock_rate: 1 },
      after: { clock_mode: 'real', clock_base: 7, clock_anchor: 0, clock_rate: 1 }
    }
  ])
})

void t.test('what is undone is not told, nor what is not watched; a list within a list has its own', async (t) => {
  const db = open(t)
  const insert = db.prepare(QUOTA)
  const inner: RawChange[] = []
  const changes = await told(db, () => {
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
  t.equal(inner.length, 1, 'nothing is told outside')
})

void t.test('of a bulk change nothing is told, and then everything again, even if it fails', async (t) => {
  const db = open(t)
  const insert = db.prepare(QUOTA)
  const inserted = [{ table: 'quotas', change: 'insert' }]
  const bulk = (step: () => unknown) =>
    db.inBulk(
      (function* () {
        yield step()
      })()
    )
  t.strictSame(await told(db, () => void bulk(() => insert.run('a'))), [])
  t.match(await told(db, () => insert.run('b')), inserted)
  const failing = () => {
    throw new Error('no luck')
  }
  await t.rejects(
    db.write(() => db.atomic(() => bulk(failing))),
    { message: 'no luck' }
  )
  t.match(await told(db, () => insert.run('c')), inserted)
})

void t.test('rows that are deleted are counted for whoever asks, whatever is watched', async (t) => {
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
  t.strictSame(deleted, [7, 7, 7], 'those of a bulk change, too')
})
