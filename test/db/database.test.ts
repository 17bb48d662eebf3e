import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { type Database, isDamaged, isUnwritable, openDatabase, unusable } from '../../src/db/database.js'
import { DatabaseError } from '../../src/db/database-error.js'
import { checkMigrations, migrate, MigrationError } from '../../src/db/migrate.js'
import { openConnection } from '../../src/db/open-connection.js'
import { SqliteError } from '../../src/db/sqlite-error.js'
import { pluck } from '../helper.js'

/** A database with one table to write to. */
function openScratch(t: Test, path = ':memory:'): Database & { add: (value: number) => void; values: () => number[] } {
  const db = openDatabase(path)
  t.teardown(() => db.close())
  db.prepare('CREATE TABLE IF NOT EXISTS scratch (value INTEGER PRIMARY KEY) STRICT').run()
  const insert = db.prepare<[number]>('INSERT INTO scratch VALUES (?)')
  const all = db.prepare<[], { value: number }>('SELECT value FROM scratch ORDER BY rowid')
  return {
    ...db,
    add: (value) => void insert.run(value),
    values: () => all.all().map(({ value }) => value)
  }
}

void t.test(
  'the writers of one turn run in order of arrival, and their promises resolve with their results',
  async (t) => {
    const { write, atomic, add, values } = openScratch(t)
    const order: string[] = []
    const writes = [3, 1, 2].map((value) =>
      write(() => {
        order.push(`run ${value}`)
        atomic(() => add(value))
        return value * 10
      }).then((result) => order.push(`done ${result}`))
    )
    t.strictSame(values(), [], 'nothing runs before the turn ends')
    await Promise.all(writes)
    t.strictSame(order, ['run 3', 'run 1', 'run 2', 'done 30', 'done 10', 'done 20'], 'first all run')
    t.strictSame(values(), [1, 2, 3])
  }
)

void t.test('a writer that fails undoes only itself', async (t) => {
  const { write, atomic, add, values } = openScratch(t)
  const failure = new Error('not this one')
  const outcomes = await Promise.allSettled([
    write(() => atomic(() => add(1))),
    write(() => {
      atomic(() => {
        add(2)
        throw failure
      })
    }),
    write(() => atomic(() => add(1))),
    write(() => atomic(() => add(3)))
  ])
  t.strictSame(pluck(outcomes, 'status'), ['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  t.equal((outcomes[1] as PromiseRejectedResult).reason, failure)
  t.equal(((outcomes[2] as PromiseRejectedResult).reason as { code: string }).code, 'SQLITE_CONSTRAINT_PRIMARYKEY')
  t.strictSame(values(), [1, 3])
})

void t.test(
  'a bulk change stops between two steps when its time is up, and keeps the steps before an error',
  async (t) => {
    let now = 0
    const db = openDatabase(':memory:', [], () => now)
    t.teardown(() => db.close())
    const insert = db.prepare('INSERT INTO documents (state) VALUES (?)')
    const steps = (function* () {
      for (let i = 1; i <= 3; i++) {
        insert.run(`${i}`)
        now += 12
        yield
      }
      throw new Error('no more')
    })()
    t.equal(await db.write(() => db.inBulk(steps)), false, 'two steps use up the time')
    t.equal(db.prepare('SELECT count(*) FROM documents').pluck().get(), 2)
    const refused = db.write(() => db.inBulk(steps))
    await t.rejects(refused, { message: 'no more' })
    t.equal(db.prepare('SELECT count(*) FROM documents').pluck().get(), 3, 'the steps before an error stay')
    t.equal(await db.write(() => db.inBulk([][Symbol.iterator]())), true)
  }
)

void t.test('a batch that cannot be committed fails every writer and leaves nothing', async (t) => {
  const { write, atomic, add, values, prepare } = openScratch(t)
  prepare('CREATE TABLE child (parent INTEGER REFERENCES scratch (value) DEFERRABLE INITIALLY DEFERRED)').run()
  const orphan = prepare('INSERT INTO child VALUES (99)')
  // A deferred foreign key is checked by the commit, so each writer by itself succeeds.
  const outcomes = await Promise.allSettled([
    write(() => atomic(() => add(1))),
    write(() => atomic(() => orphan.run()))
  ])
  const codes = outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code)
  t.strictSame(codes, ['SQLITE_CONSTRAINT_FOREIGNKEY', 'SQLITE_CONSTRAINT_FOREIGNKEY'])
  t.strictSame(values(), [])
  await write(() => atomic(() => add(2)))
  t.strictSame(values(), [2], 'the next batch works')
})

void t.test('a promise resolves only when its write is on disk', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const db = openScratch(t, path)
  await db.write(() => db.atomic(() => db.add(7)))
  // A crash would leave these bytes.
  const copy = join(path, '..', 'copy.db')
  for (const suffix of ['', '-wal']) writeFileSync(`${copy}${suffix}`, readFileSync(`${path}${suffix}`))
  t.strictSame(openScratch(t, copy).values(), [7])
})

void t.test('a write fails while the file is moved or replaced', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const { write, atomic, add, values } = openScratch(t, path)
  const fails = (value: number) =>
    t.rejects(
      write(() => atomic(() => add(value))),
      { code: 'SQLITE_READONLY_DBMOVED' }
    )
  renameSync(path, `${path}.moved`)
  await fails(1)
  symlinkSync(path, path)
  await fails(2)
  rmSync(path)
  writeFileSync(path, '')
  await fails(3)
  renameSync(`${path}.moved`, path)
  await write(() => atomic(() => add(4)))
  t.strictSame(values(), [4])
})

void t.test('closing commits queued writes', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const db = openScratch(t, path)
  const queued = db.write(() => db.atomic(() => db.add(5)))
  db.close()
  await queued
  t.strictSame(openScratch(t, path).values(), [5])
})

void t.test('the pragmas for durability and integrity are set', async (t) => {
  const db = openScratch(t, join(t.testdir(), 'a.db'))
  for (const [pragma, value] of [
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['locking_mode', 'exclusive'],
    ['journal_size_limit', 16 * 1024 * 1024],
    ['temp_store', 2],
    ['auto_vacuum', 2],
    ['application_id', 0x5376634d]
  ] as const)
    t.equal(db.prepare(`PRAGMA ${pragma}`).pluck().get(), value, pragma)
})

void t.test('every table is STRICT', async (t) => {
  const db = openDatabase(':memory:')
  t.teardown(() => db.close())
  const tables = db
    .prepare("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string; strict: number }[]
  t.ok(tables.length >= 4, 'there are tables')
  const loose = tables.filter(({ strict }) => strict !== 1)
  t.strictSame(loose, [])
})

void t.test('the rows of every table are deleted with their sandbox', async (t) => {
  const db = openDatabase(':memory:')
  t.teardown(() => db.close())
  const tables = db
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' AND name NOT IN " +
        "('migrations', 'sandboxes', 'runs', 'documents')"
    )
    .pluck()
    .all() as string[]
  for (const table of tables) {
    const rules = db
      .prepare(`SELECT DISTINCT on_delete FROM pragma_foreign_key_list('${table}') WHERE "table" <> 'documents'`)
      .pluck()
      .all()
    t.strictSame(rules, ['CASCADE'], table)
  }
})

/** A directory of migrations. */
function migrationsOf(t: Test, files: Record<string, string>): URL {
  return pathToFileURL(`${t.testdir(files)}/`)
}

const FIRST = { '0001-a.sql': 'CREATE TABLE a (x INTEGER) STRICT;' }

void t.test('migrations are applied in order and once, with their checksums', async (t) => {
  const sqlite = openConnection(':memory:')
  const directory = migrationsOf(t, {
    '0002-b.sql': 'INSERT INTO a VALUES (1);',
    ...FIRST,
    'README.md': 'not a migration'
  })
  migrate(sqlite, directory)
  migrate(sqlite, directory)
  t.strictSame(sqlite.prepare('SELECT x FROM a').pluck().all(), [1])
  const rows = sqlite.prepare('SELECT name, length(checksum) AS length FROM migrations ORDER BY name').all()
  t.strictSame(rows, [
    { name: '0001-a.sql', length: 64 },
    { name: '0002-b.sql', length: 64 }
  ])
})

void t.test('a database of a newer version, and one whose migration has changed, are refused', async (t) => {
  const sqlite = openConnection(':memory:')
  migrate(sqlite, migrationsOf(t, { ...FIRST, '0002-b.sql': 'SELECT 1;' }))
  const older = pathToFileURL(`${t.testdir(FIRST)}/`)
  const newer = {
    name: 'Error',
    message: 'was made by a newer version of svc-mock (it has migration 0002-b.sql); update svc-mock'
  }
  t.throws(() => checkMigrations(sqlite, older), newer)
  t.throws(() => migrate(sqlite, older), newer)
  t.throws(
    () => checkMigrations(sqlite, migrationsOf(t, { '0001-other.sql': 'SELECT 1;' })),
    new MigrationError(
      'was made by an unreleased version of svc-mock (its migration 0001-a.sql differs); use a new file'
    )
  )
  const changed = pathToFileURL(`${t.testdir({ ...FIRST, '0002-b.sql': 'SELECT 2;' })}/`)
  t.throws(
    () => migrate(sqlite, changed),
    new MigrationError(
      'was made by an unreleased version of svc-mock (its migration 0002-b.sql differs); use a new file'
    )
  )
})

void t.test('a migration that fails leaves nothing behind, and the ones before it stay', async (t) => {
  const sqlite = openConnection(':memory:')
  const directory = migrationsOf(t, {
    ...FIRST,
    '0002-b.sql': 'CREATE TABLE b (x INTEGER) STRICT; INSERT INTO nowhere VALUES (1);'
  })
  t.throws(() => migrate(sqlite, directory), new MigrationError('migration 0002-b.sql failed: no such table: nowhere'))
  t.strictSame(sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(), ['migrations', 'a'])
  t.strictSame(sqlite.prepare('SELECT name FROM migrations').pluck().all(), ['0001-a.sql'])
})

/** Checks that a file is refused for a reason, and that it and its directory are as they were. */
function refuses(t: Test, path: string, reason: string): void {
  const directory = join(path, '..')
  const before = existsSync(path) ? readFileSync(path) : undefined
  const files = existsSync(path) ? readdirSync(directory) : []
  t.throws(() => openDatabase(path), new DatabaseError(`cannot use the database ${path}: ${reason}`))
  if (before === undefined) return
  t.ok(readFileSync(path).equals(before), 'every byte is as it was')
  t.strictSame(readdirSync(directory), files, 'no file came or went')
}

const DAMAGED = 'the file is damaged; put a copy in its place, or choose another --db'

/** Changes the bytes of a database. */
function spoil(path: string, change: (bytes: Buffer) => void): void {
  openDatabase(path).close()
  const content = readFileSync(path)
  change(content)
  writeFileSync(path, content)
}

/** Opens a file as another program does. */
function write(path: string, sql: string): void {
  const other = openConnection(path)
  other.exec(sql)
  other.close()
}

void t.test('a file that is not a database of this version is refused and left as it is', async (t) => {
  const theirs = 'CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)'
  for (const [reason, make] of [
    ['it is the database of another program', (path) => write(path, theirs)],
    ['it is the database of another program', (path) => write(path, `PRAGMA journal_mode = WAL; ${theirs}`)],
    [
      'it was made by a newer version of svc-mock (it has migration 9999-future.sql); update svc-mock',
      (path) => {
        openDatabase(path).close()
        write(path, "INSERT INTO migrations VALUES ('9999-future.sql', 'x')")
      }
    ],
    ['the file is not an SQLite database', (path) => writeFileSync(path, 'dear diary, '.repeat(500))],
    [DAMAGED, (path) => spoil(path, (bytes) => bytes.fill(0xff, 3 * 4096, 4 * 4096))],
    // The header counts the free pages, of which there are none.
    [DAMAGED, (path) => spoil(path, (bytes) => bytes.writeUInt32BE(5, 36))]
  ] as [reason: string, make: (path: string) => void][]) {
    const path = join(t.testdir(), 'a.db')
    make(path)
    refuses(t, path, reason)
  }
})

void t.test('a path that cannot be written is reported in one line', async (t) => {
  const directory = t.testdir({ file: 'x', folder: {} })
  const reason = 'it is a directory, or cannot be written there'
  refuses(t, join(directory, 'file', 'a.db'), reason)
  refuses(t, join(directory, 'file', 'deeper', 'a.db'), reason)
  t.throws(
    () => openDatabase(join(directory, 'folder')),
    new DatabaseError(`cannot use the database ${join(directory, 'folder')}: ${reason}`)
  )
})

void t.test('missing directories are created', async (t) => {
  const path = join(t.testdir(), 'a', 'b', 'c.db')
  openDatabase(path).close()
  t.equal(existsSync(path), true)
})

const UNWRITABLE = /: it is a directory, or cannot be written there$/

void t.test('the code of an error determines the reason, and whether a retry may help', async (t) => {
  for (const [code, reason, kind] of [
    ['SQLITE_BUSY', /: it is open in another server/, 'unwritable'],
    ['SQLITE_BUSY_RECOVERY', /: it is open in another server/, 'unwritable'],
    ['SQLITE_NOTADB', /: the file is not an SQLite database$/, 'damaged'],
    ['SQLITE_CORRUPT', /: the file is damaged/, 'damaged'],
    ['SQLITE_CORRUPT_INDEX', /: the file is damaged/, 'damaged'],
    ['SQLITE_FULL', /: the disk is full$/, 'unwritable'],
    ['SQLITE_CANTOPEN_ISDIR', UNWRITABLE, 'unwritable'],
    ['SQLITE_READONLY_DBMOVED', UNWRITABLE, 'unwritable'],
    ['SQLITE_IOERR_LOCK', UNWRITABLE, 'unwritable'],
    ['SQLITE_IOERR_READ', /: what it says$/, 'unwritable'],
    ['SQLITE_NOMEM', /: what it says$/, 'unwritable'],
    ['SQLITE_CONSTRAINT_UNIQUE', /: what it says$/, undefined]
  ] as const) {
    const error = new SqliteError('what it says', code)
    t.match(unusable('a.db', error).message, reason, code)
    t.strictSame([isUnwritable(error), isDamaged(error)], [kind === 'unwritable', kind === 'damaged'], code)
  }
  for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST'])
    t.match(unusable('a.db', Object.assign(new Error('x'), { code })).message, UNWRITABLE, code)
  for (const code of [undefined, 'EIO', 'SQLITE_NOTADB', 'SQLITE_FULL']) {
    const cause = Object.assign(new Error('what it says'), { code })
    const error = unusable('a.db', cause)
    t.match(error, { name: 'DatabaseError', message: /a\.db: what it says$/, cause })
    t.strictSame([isUnwritable(cause), isDamaged(cause)], [false, false], 'it is not an error of SQLite')
  }
  const failed = new MigrationError('migration 0002-b.sql failed: no', { cause: new Error('no') })
  t.match(unusable('a.db', failed).message, /a\.db: migration 0002-b\.sql failed: no$/)
})

void t.test('a migration that SQLite rolls back itself reports its own error', async (t) => {
  const sqlite = openConnection(':memory:')
  const directory = migrationsOf(t, {
    '0001-a.sql': 'CREATE TABLE a (x INTEGER PRIMARY KEY) STRICT; INSERT INTO a VALUES (1);',
    '0002-b.sql': 'INSERT OR ROLLBACK INTO a VALUES (1);'
  })
  t.throws(() => migrate(sqlite, directory), {
    message: /^migration 0002-b\.sql failed: /,
    cause: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }
  })
  t.equal(sqlite.inTransaction, false)
})
