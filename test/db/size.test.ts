import fs, { copyFileSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { callCommand } from '../../src/cli/commands.js'
import { isOverLimit, isUnwritable, openDatabase } from '../../src/db/database.js'
import { DatabaseError } from '../../src/db/database-error.js'
import { openConnection } from '../../src/db/open-connection.js'
import { compactDatabase } from '../../src/node/compact.js'
import { until } from '../helper.js'

const MIB = 1024 * 1024

/** Lets the event loop turn a few times. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

/** A database with a table of large rows. */
function openRows(t: Test, path: string, maxBytes = Infinity) {
  const db = openDatabase(path, [], undefined, maxBytes)
  t.teardown(() => db.close())
  db.prepare('CREATE TABLE IF NOT EXISTS large (text TEXT NOT NULL) STRICT').run()
  const insert = db.prepare<[string]>('INSERT INTO large VALUES (?)')
  const remove = db.prepare('DELETE FROM large')
  const change = (step: () => unknown) => db.write(() => void db.atomic(step))
  const number = (pragma: string) => db.prepare(`PRAGMA ${pragma}`).pluck().get() as number
  return {
    ...db,
    number,
    isNearlyFull: () => db.isNearlyFull,
    add: (bytes: number) => change(() => insert.run('x'.repeat(bytes))),
    clear: () => change(() => remove.run()),
    change
  }
}

void t.test('a mostly empty file shrinks by itself, a little with each commit', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const { add, clear, number } = openRows(t, path)
  await add(20 * MIB)
  await add(1)
  const large = number('page_count')
  await clear()
  t.ok(number('freelist_count') > 4000, 'the pages are free')
  const seen = new Set<number>()
  await until(() => {
    seen.add(number('page_count'))
    return number('freelist_count') <= 1024
  })
  await until(() => statSync(path).size < 6 * MIB)
  t.ok(seen.size > 5, `${seen.size} steps`)
  t.ok(number('page_count') < large / 3)
  t.ok(statSync(path).size < 6 * MIB, `${statSync(path).size} bytes`)
  t.ok(number('freelist_count') > 500, 'some stay for new rows')
  for (let i = 0; i < 5; i++) {
    await add(1)
    await turns()
  }
  t.ok(number('freelist_count') > 500, 'even after more commits')
})

void t.test('free pages are kept if they are few or a small part of the file', async (t) => {
  const small = openRows(t, ':memory:')
  await small.add(3 * MIB)
  await small.clear()
  await turns()
  t.ok(small.number('freelist_count') > 700, 'less than 4 MiB')
  const large = openRows(t, ':memory:')
  await large.add(40 * MIB)
  await large.add(4.5 * MIB)
  const remove = large.prepare('DELETE FROM large WHERE rowid = 2')
  await large.change(() => remove.run())
  await turns()
  t.ok(large.number('freelist_count') > 1024, 'less than an eighth')
})

void t.test('after a large transaction, the WAL is truncated', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const { add } = openRows(t, path)
  await add(30 * MIB)
  for (let i = 0; i < 3; i++) await add(1)
  t.ok(statSync(`${path}-wal`).size <= 16 * MIB)
})

void t.test(
  'a database stays within its limit, which is distinguished from a full disk, and deletions still work',
  async (t) => {
    for (const path of [join(t.testdir(), 'a.db'), ':memory:']) {
      const { add, clear, number, isNearlyFull } = openRows(t, path, 2 * MIB)
      await add(MIB)
      t.notOk(isNearlyFull())
      const error = await add(2 * MIB).then(
        () => undefined,
        (error: unknown) => error
      )
      t.ok(isOverLimit(error) && isUnwritable(error))
      t.ok(number('page_count') * number('page_size') <= 2 * MIB)
      await add(0.65 * MIB)
      t.ok(isNearlyFull(), 'the rest is for deletions')
      await clear()
      t.notOk(isNearlyFull())
      await add(MIB)
    }
    t.notOk(isOverLimit(new Error('another')))
  }
)

void t.test('with at most 16 MiB left on the disk, the disk is reported as full, not the database', async (t) => {
  const { statfsSync } = fs
  t.teardown(() => {
    Object.assign(fs, { statfsSync })
    syncBuiltinESMExports()
  })
  const blamed = async (path: string, free: number) => {
    Object.assign(fs, { statfsSync: () => ({ bavail: free / 4096, bsize: 4096 }) })
    syncBuiltinESMExports()
    const error: unknown = await openRows(t, path, MIB)
      .add(2 * MIB)
      .catch((error: unknown) => error)
    t.ok(isUnwritable(error))
    return isOverLimit(error) ? 'the limit' : 'the disk'
  }
  const directory = t.testdir()
  t.equal(await blamed(join(directory, 'a.db'), 16 * MIB), 'the disk')
  t.equal(await blamed(join(directory, 'b.db'), 16 * MIB + 4096), 'the limit')
  t.equal(await blamed(':memory:', 0), 'the limit', 'a database in memory fills no disk')
})

void t.test('a full database whose folder was deleted refuses writes like any other', async (t) => {
  const folder = join(t.testdir(), 'deleted')
  const { add } = openRows(t, join(folder, 'a.db'), MIB)
  rmSync(folder, { recursive: true })
  await t.rejects(add(2 * MIB), { code: 'SQLITE_FULL' })
})

void t.test('if a step that would be undone does not fit, its own error is reported', (t) => {
  const { rolledBack, prepare } = openRows(t, ':memory:', MIB)
  const insert = prepare<[string]>('INSERT INTO large VALUES (?)')
  t.throws(() => rolledBack(() => insert.run('x'.repeat(2 * MIB))), { code: 'SQLITE_FULL' })
  t.end()
})

void t.test('compact counts the WAL, and refuses a file that it cannot open', async (t) => {
  const directory = t.testdir({ folder: { file: 'x' } })
  const { add } = openRows(t, join(directory, 'a.db'))
  await add(MIB)
  // A crash would leave these bytes.
  const [path, wal] = [join(directory, 'b.db'), join(directory, 'b.db-wal')]
  copyFileSync(join(directory, 'a.db'), path)
  copyFileSync(join(directory, 'a.db-wal'), wal)
  const size = statSync(path).size + statSync(wal).size
  t.ok(statSync(wal).size > MIB)
  const { before, after } = compactDatabase(path)
  t.equal(before, size)
  t.equal(after, statSync(path).size)
  t.throws(() => compactDatabase(join(directory, 'folder')), {
    name: 'DatabaseError',
    message: /it is a directory, or cannot be written there/
  })
})

void t.test('a file that cannot shrink by itself can do so after compact', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const old = openConnection(path)
  old.exec('PRAGMA auto_vacuum = NONE; CREATE TABLE filler (x); DROP TABLE filler; VACUUM')
  old.close()
  // A file from an earlier version.
  const first = openDatabase(path)
  first.close()
  const before = openConnection(path)
  const vacuum = () => before.prepare('PRAGMA auto_vacuum').pluck().get()
  if (vacuum() !== 0) before.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM')
  t.equal(vacuum(), 0)
  before.close()
  const rows = openRows(t, path)
  await rows.add(8 * MIB)
  await rows.clear()
  for (let turn = 0; turn < 1000; turn++) await new Promise(setImmediate)
  t.ok(rows.number('freelist_count') > 2000, 'nothing is freed')
  t.equal(rows.commits.isWaiting(undefined), false, 'nor tried')
  t.throws(() => compactDatabase(path), { message: /it is open in another server/ })
  rows.close()
  const { before: from, after } = compactDatabase(path)
  t.ok(from > 8 * MIB && after < MIB, `${from} to ${after}`)
  t.equal(openRows(t, path).number('auto_vacuum'), 2)
})

void t.test('compact refuses other files, and leaves them unchanged', async (t) => {
  const directory = t.testdir({ 'notes.txt': 'dear diary '.repeat(500) })
  const missing = join(directory, 'missing.db')
  for (const path of [missing, ':memory:'])
    t.throws(() => compactDatabase(path), new DatabaseError(`cannot use the database ${path}: there is no such file`))
  t.notOk(existsSync(missing))
  const notes = join(directory, 'notes.txt')
  t.throws(() => compactDatabase(notes), { message: /the file is not an SQLite database/ })
  const other = join(directory, 'other.db')
  const sqlite = openConnection(other)
  sqlite.exec('CREATE TABLE theirs (x)')
  sqlite.close()
  t.throws(() => compactDatabase(other), { message: /it is the database of another program/ })
  writeFileSync(missing, '')
  t.throws(() => compactDatabase(missing), { message: /there is no such file/ }, 'nor is an empty file a database')
})

void t.test('svc-mock compact says what it has done', async (t) => {
  const path = join(t.testdir(), 'a.db')
  openDatabase(path).close()
  const log = t.capture(console, 'log')
  t.equal(await callCommand('compact', ['--db', path]), 0)
  t.equal(await callCommand('compact', ['--help']), 0)
  const [end, help] = log().map(({ args }) => args.join(' ')) as [string, string]
  t.match(end, /a\.db: \d+ bytes, \d+ fewer than before$/)
  t.match(help, /^Usage: svc-mock compact \[options\]/)
  await t.rejects(callCommand('compact', ['--fast']), { message: /--fast/ })
})
