import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../src/db/database.js'

/** How many changes are undone or forgotten at once. */
const PORTION = 100

/** A database with three sandboxes, of which the first has some events. */
function open(t: Test, path = ':memory:') {
  const db = openDatabase(path)
  t.teardown(() => {
    db.close()
  })
  const isNew = db.prepare('SELECT count(*) FROM sandboxes').pluck().get() === 0
  if (isNew)
    for (const key of [1, 2, 3])
      db.prepare(
        "INSERT INTO sandboxes (key, id, org_id, org_name, seed, draws, clock_base) VALUES (?, ?, '', '', '', 0, 5)"
      ).run(key, `${key}`)
  const insert = db.prepare(
    "INSERT INTO due_events (sandbox, due, kind, resource, payload, request_id) VALUES (?, ?, 'k', 'r', '{}', 'q')"
  )
  const list = db.prepare('SELECT due FROM due_events WHERE sandbox = ? ORDER BY sequence').pluck()
  const noted = db.prepare('SELECT count(*) FROM undo_log WHERE sandbox = ?').pluck()
  return {
    db,
    undoLog: db.undoLog,
    begin: (key: number) =>
      db.write(() => {
        db.undoLog.begin(key)
      }),
    insert: (key: number, from: number, to: number) => {
      for (let due = from; due <= to; due++) insert.run(key, due)
    },
    list: (key: number) => list.all(key) as number[],
    /** How many changes are logged; the clock of the sandbox is one from the beginning. */
    noted: (key: number) => noted.get(key) as number,
    triggers: () => db.prepare("SELECT name FROM temp.sqlite_master WHERE name LIKE 'undo%'").all().length
  }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Undoes a trial. @returns how many portions it took */
async function undoAll({ write, undoLog }: Database, key: number): Promise<number> {
  for (let portions = 1; ; portions++) if (await write(() => undoLog.undo(key))) return portions
}

void t.test('an accepted trial keeps its changes, and its log is forgotten in portions', async (t) => {
  const { db, undoLog, begin, insert, list, noted, triggers } = open(t)
  await begin(1)
  t.strictSame([undoLog.isBusy, undoLog.isOpen(1), undoLog.isOpen(2)], [true, true, false])
  await db.write(() => {
    insert(1, 1, 2 * PORTION - 1)
    insert(2, 1, 3)
  })
  t.strictSame([noted(1), noted(2)], [2 * PORTION, 0], 'other sandboxes have no part in it')
  await db.write(() => {
    undoLog.keep(1)
  })
  t.strictSame([undoLog.isBusy, undoLog.isOpen(1), triggers()], [false, false, 0])
  insert(1, 2 * PORTION, 2 * PORTION)
  t.equal(noted(1), 2 * PORTION, 'nothing is logged any more')
  const forget = () => db.write(() => undoLog.forget(1))
  t.strictSame([await forget(), noted(1)], [false, PORTION])
  t.strictSame([await forget(), await forget(), noted(1)], [false, true, 0])
  t.strictSame(list(1), numbers(1, 2 * PORTION))
})

void t.test('a trial is undone in portions, newest change first', async (t) => {
  for (const [changes, portions] of [
    [PORTION - 2, 1],
    [PORTION - 1, 2],
    [2 * PORTION + 20, 3]
  ] as const) {
    const { db, undoLog, begin, insert, list, noted, triggers } = open(t)
    insert(1, 1, 3)
    await begin(1)
    insert(1, 4, changes + 3)
    await db.write(() => undoLog.undo(1))
    t.equal(list(1).length, Math.max(3, changes + 3 - PORTION))
    t.strictSame([undoLog.isBusy, triggers()], [false, 0])
    t.equal(undoLog.isOpen(1), portions > 1)
    if (portions > 1) t.equal(await undoAll(db, 1), portions - 1)
    t.strictSame([list(1), noted(1), undoLog.isOpen(1)], [[1, 2, 3], 0, false])
  }
})

void t.test('rows get their old places back if these are free', async (t) => {
  const { db, begin, insert } = open(t)
  const rows = () => db.prepare('SELECT sequence, due FROM due_events ORDER BY sequence').raw().all()
  insert(1, 1, 4)
  const before = rows()
  await begin(1)
  await db.write(() => {
    db.prepare('DELETE FROM due_events WHERE due IN (2, 4)').run()
    db.prepare('UPDATE due_events SET due = 9 WHERE due = 1').run()
    insert(1, 5, 6)
  })
  await undoAll(db, 1)
  t.strictSame(rows(), before)
})

void t.test('rows that had to move are found by what is undone later', async (t) => {
  const { db, undoLog, begin, insert, list } = open(t)
  insert(1, 1, 150)
  await begin(1)
  await db.write(() => {
    db.prepare('UPDATE due_events SET due = due + 1000 WHERE due <= 30').run()
    db.prepare('DELETE FROM due_events WHERE due <= 150').run()
    // These take the places of those that are gone.
    insert(2, 1, 200)
  })
  t.equal(await db.write(() => undoLog.undo(1)), false)
  insert(2, 201, 300)
  t.equal(await undoAll(db, 1), 1)
  t.strictSame(list(1), numbers(1, 150))
  t.strictSame(list(2), numbers(1, 300))
})

void t.test('rows of which some have stayed keep their order, too', async (t) => {
  const { db, begin, insert, list } = open(t)
  insert(1, 1, 3)
  insert(2, 1, 1)
  insert(1, 4, 6)
  await begin(1)
  await db.write(() => {
    db.prepare('DELETE FROM due_events WHERE sandbox = 1 AND due > 3').run()
    insert(2, 2, 5)
    insert(1, 9, 9)
    db.prepare('UPDATE due_events SET due = 0 WHERE sandbox = 1 AND due < 3').run()
  })
  t.equal(await undoAll(db, 1), 1)
  t.strictSame([list(1), list(2)], [numbers(1, 6), numbers(1, 5)])
})

void t.test('a trial that was interrupted is undone after a restart', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const first = open(t, path)
  first.insert(1, 1, 3)
  await first.begin(1)
  await first.db.write(() => {
    first.insert(1, 4, 5)
    first.db.prepare('UPDATE sandboxes SET clock_base = 9 WHERE key = 1').run()
  })
  first.db.close()
  const { db, undoLog, list } = open(t, path)
  t.strictSame([undoLog.isBusy, undoLog.isOpen(1), undoLog.isOpen(2)], [false, true, false])
  t.equal(await undoAll(db, 1), 1)
  t.strictSame(list(1), [1, 2, 3])
  t.equal(db.prepare('SELECT clock_base FROM sandboxes WHERE key = 1').pluck().get(), 5)
  t.equal(await undoAll(db, 3), 1, 'where there is no trial, nothing is to be undone')
})

void t.test('what becomes of one trial is nothing to the one that is running', async (t) => {
  const { db, undoLog, begin, insert, noted } = open(t)
  await begin(2)
  undoLog.abandon(2)
  t.strictSame([undoLog.isBusy, undoLog.isOpen(2)], [false, true])
  await begin(1)
  undoLog.abandon(2)
  undoLog.abandon(3)
  t.strictSame([undoLog.isBusy, undoLog.isOpen(2), undoLog.isOpen(3)], [true, true, false])
  await undoAll(db, 2)
  t.strictSame([undoLog.isBusy, undoLog.isOpen(2)], [true, false])
  undoLog.discard(2)
  t.equal(undoLog.isBusy, true)
  insert(1, 1, 2)
  t.equal(noted(1), 3)
  undoLog.discard(1)
  t.strictSame([undoLog.isBusy, undoLog.isOpen(1)], [false, false])
  insert(1, 3, 4)
  t.equal(noted(1), 3, 'what is discarded is not logged any more')
})

void t.test('a trial whose beginning was lost with its transaction is none', async (t) => {
  const { db, undoLog } = open(t)
  await t.rejects(
    db.write(() => {
      db.atomic(() => {
        undoLog.begin(1)
        throw new Error('no luck')
      })
    }),
    { message: 'no luck' }
  )
  undoLog.abandon(1)
  t.strictSame([undoLog.isBusy, undoLog.isOpen(1)], [false, false])
})

void t.test('counts that triggers keep are right after a trial, and snapshots have no part in it', async (t) => {
  const { db, begin } = open(t)
  const run = (sql: string) => db.prepare(sql).run()
  run("INSERT INTO workgroups VALUES (1, 'g', '', '', '', '', '', 0, NULL)")
  run("INSERT INTO databases VALUES (1, 'd', 'g', '', '', '', NULL)")
  run(
    'INSERT INTO workspaces (sandbox, id, workgroup, database, name, creator, status, refresh_status, ' +
      'refresh_message, svc_version, version_number, type_name, is_rw, enable_ha, enable_auto_start, ' +
      'auto_stop_minutes, addons, agent_config, last_active, created_at, last_modified_time) ' +
      "VALUES (1, 'w', 'g', 'd', '', '', '', '', '', '', 1, '', 1, 0, 0, 0, '[]', '{}', 0, '', '')"
  )
  const backup = (id: string, isAutomatic: number) =>
    run(`INSERT INTO backups VALUES (1, '${id}', 'w', '', '', ${isAutomatic}, 'Succeeded', 0, '')`)
  backup('a', 1)
  backup('b', 0)
  const counts = () =>
    db.prepare('SELECT scope, automatic, manual, succeeded FROM backup_counts ORDER BY scope').raw().all()
  const before = counts()
  t.strictSame(before, [
    ['', 1, 1, 1],
    ['w', 1, 1, 1]
  ])
  await begin(1)
  await db.write(() => {
    run("DELETE FROM backups WHERE id = 'a'")
    backup('c', 0)
    backup('d', 1)
    run("UPDATE backups SET status = 'Failed' WHERE id = 'd'")
    run("INSERT INTO documents (key, state) VALUES (7, '{}')")
    run("INSERT INTO snapshots (sandbox, name, created_at, document) VALUES (1, 's', '', 7)")
  })
  t.strictSame(counts(), [
    ['', 1, 2, 0],
    ['w', 1, 2, 0]
  ])
  t.equal(await undoAll(db, 1), 1)
  t.strictSame(counts(), before)
  t.strictSame(db.prepare('SELECT id, status FROM backups ORDER BY id').raw().all(), [
    ['a', 'Succeeded'],
    ['b', 'Succeeded']
  ])
  t.strictSame(db.prepare('SELECT name FROM snapshots').pluck().all(), ['s'])
})
