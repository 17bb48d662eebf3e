import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url))

/** Fields that only one resource has, under all their names, and the folder of that resource. */
const FIELDS: readonly (readonly [room: string, ...names: string[]])[] = [
  ['workspaces', 'autoStopMinutes', 'auto_stop_minutes'],
  ['workspaces', 'enableAutoStart', 'enable_auto_start'],
  ['workspaces', 'versionNumber', 'version_number'],
  ['workspaces', 'refreshMessage', 'refresh_message'],
  ['workspaces', 'solutionCatalogId'],
  ['workspaces', 'agentConfig', 'agent_config'],
  ['backups', 'sizeBytes', 'size_bytes'],
  ['schedules', 'maxReservedDays', 'max_reserved_days'],
  ['schedules', 'repeatOn', 'repeat_on'],
  ['org-users', 'authId', 'auth_id'],
  ['database-users', 'password_hash']
]

const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(SOURCES, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  // The console sees the interface from outside.
  .filter((path) => !path.startsWith('console/'))
  .map((path) => ({ path, text: readFileSync(join(SOURCES, path), 'utf8') }))

void t.test('only the folder of a resource, its operations, and the demo data name its fields', async (t) => {
  for (const [room, ...names] of FIELDS) {
    const anyOf = new RegExp(`\\b(?:${names.join('|')})\\b`)
    const own = new RegExp(`^(?:resources/(?:${room}/|demo(?:-rows)?\\.ts$)|http/interface/${room}\\.ts$)`)
    const found = files.filter(({ text }) => anyOf.test(text)).map(({ path }) => path)
    const column = names[0]!.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const table = files.find(({ path }) => path === `resources/${room}/fields.ts`)!
    t.match(table.text, new RegExp(`\\b${column}\\b`), 'in the table of its fields')
    if (names[0] === 'enableAutoStart') t.ok(found.length <= 4, found.join(' '))
    const elsewhere = found.filter((path) => !own.test(path))
    t.strictSame(elsewhere, [], names[0]!)
  }
})
