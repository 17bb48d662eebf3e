import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { packageFile } from '../lib/package-file.js'
import type { Connection } from './connection.js'

/** Marks a file as ours ("SvcM"), so that we never touch another program's database. */
const APPLICATION_ID = 0x53_76_63_4d

export const MIGRATIONS_DIRECTORY = packageFile('migrations/')

interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** A database that this build must not open. The message is one line for the user. */
export class MigrationError extends Error {}

/**
 * Checks, without writing, that the database is empty or has all or the first few of this build's migrations.
 * @throws {MigrationError} if it belongs to another program, or was made by a newer or unreleased version
 */
export function checkMigrations(sqlite: Connection, directory = MIGRATIONS_DIRECTORY): void {
  pendingMigrations(sqlite, directory)
}

/**
 * Applies the missing migrations in order, each in one transaction that also records its name and checksum.
 * @throws {MigrationError} as {@link checkMigrations}, or if a migration fails, which leaves nothing behind
 */
export function migrate(sqlite: Connection, directory = MIGRATIONS_DIRECTORY): void {
  for (const migration of pendingMigrations(sqlite, directory)) {
    sqlite.exec('BEGIN IMMEDIATE')
    try {
      apply(sqlite, migration)
      sqlite.exec('COMMIT')
    } catch (error) {
      // Some failures, such as a full disk, have already rolled it back.
      if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
      throw new MigrationError(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
    }
  }
}

function pendingMigrations(sqlite: Connection, directory: URL): Migration[] {
  const known = readMigrations(directory)
  const applied = appliedMigrations(sqlite)
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = known[index]
    if (migration === undefined) {
      throw new MigrationError(`was made by a newer version of svc-mock (it has migration ${name}); update svc-mock`)
    }
    if (migration.name !== name || migration.checksum !== checksum) {
      throw new MigrationError(
        `was made by an unreleased version of svc-mock (its migration ${name} differs); use a new file`
      )
    }
  }
  return known.slice(applied.length)
}

function readMigrations(directory: URL): Migration[] {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((name) => {
    const sql = readFileSync(new URL(name, directory), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

function appliedMigrations(sqlite: Connection): { name: string; checksum: string }[] {
  const { tables } = sqlite.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number }
  if (tables === 0) return []
  if (sqlite.prepare('PRAGMA application_id').pluck().get() !== APPLICATION_ID) {
    throw new MigrationError('is the database of another program')
  }
  return sqlite.prepare('SELECT name, checksum FROM migrations ORDER BY name').all() as {
    name: string
    checksum: string
  }[]
}

function apply(sqlite: Connection, { name, sql, checksum }: Migration): void {
  sqlite.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
  sqlite.exec('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, checksum TEXT NOT NULL) STRICT')
  sqlite.exec(sql)
  sqlite.prepare('INSERT INTO migrations (name, checksum) VALUES (?, ?)').run(name, checksum)
}
