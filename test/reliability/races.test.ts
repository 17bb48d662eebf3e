import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { TRANSITIONS } from '../../src/resources/states.js'
import { REFRESH } from '../../src/resources/workspaces/lifecycle.js'
import { effort } from '../effort.js'
import { buildMock, close, doInOneSlice, type Reply } from '../helper.js'
import { openSandbox } from '../sandbox.js'
import { type Race, race, writeOrder } from './race-driver.js'
import { publish, scaled, seed } from './soak.js'

const SEEDS = scaled(effort(1, 3), 120)
const REQUESTS = scaled(500, 1000)
const OPTIONS = { seed: 1, journalRequests: 10 } as const
/** How many seeds share a server, each in a sandbox of its own. */
const SHARED = 10
/** The possible statuses. */
const KNOWN = [200, 204, 400, 404]

/** Texts as SQL has them in a list. */
const listOf = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ')

void t.test(
  `${SEEDS} times ${REQUESTS} conflicting requests get the replies, and leave the timeline, of the same ones made ` +
    'one after the other',
  async (t) => {
    t.comment(`SEED=${seed}`)
    const races: Race[] = []
    for (let first = 0; first < SEEDS; first += SHARED) {
      const db = join(t.testdir({}), `races-${first}.db`)
      const [mock, twin] = [await buildMock(t, { ...OPTIONS, db }), await buildMock(t, OPTIONS)]
      const order = writeOrder(mock)
      for (let own = seed + first; own < seed + Math.min(first + SHARED, SEEDS); own++) {
        const one = await race(mock, order, twin, own, REQUESTS)
        t.strictSame(one.problems, [], `SEED=${own}: ${one.statuses.length} requests`)
        races.push(one)
      }
      await close(mock)
      t.strictSame(orphans(db), [], 'nothing is left of deleted resources')
    }
    const statuses = races.flatMap((one) => one.statuses)
    t.strictSame([...new Set(statuses)].sort(), KNOWN, 'no other status')
    for (const known of KNOWN) {
      const { length } = statuses.filter((status) => status === known)
      t.ok(length > SEEDS, `${known}: ${length} times`)
    }
    publish('races', { seeds: races.length, requests: statuses.length })
  }
)

void t.test('the same seed gives the same transcript again, byte for byte', async (t) => {
  // How much fits into one turn of the event loop must not depend on the machine.
  doInOneSlice(t)
  const again = async () => {
    const [mock, twin] = [await buildMock(t, OPTIONS), await buildMock(t, OPTIONS)]
    return (await race(mock, writeOrder(mock), twin, seed, scaled(200, 600))).transcript
  }
  const first = await again()
  t.ok(first.length > 50_000, `SEED=${seed}: ${first.length} characters`)
  t.equal(await again(), first)
})

const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status)

void t.test('of two concurrent requests that exclude each other, exactly one is served', async (t) => {
  const mock = await buildMock(t)
  const b = await openSandbox(mock)
  const workgroup = await b.createWorkgroup()
  const path = `/workgroups/${workgroup}/workspaces`
  for (let i = 0; i < scaled(5, 100); i++) {
    const { database_id, workspace_id } = await b.createActive(workgroup)
    const url = `${path}/${workspace_id}`
    const resizes = await Promise.all(
      ['SVC-1', 'SVC-2'].map((workspace_type_name) => b.call('PUT', url, { workspace_type_name }))
    )
    t.strictSame(statusesOf(resizes), [200, 400], 'the first one is')
    const users = await Promise.all(
      [1, 2].map(() => b.call('POST', `${url}/dbuser`, { username: 'ann', password: 'secret' }))
    )
    t.strictSame(statusesOf(users).sort(), [200, 400], 'the one whose password is hashed first is')
    const deletions = await Promise.all([1, 2].map(() => b.call('DELETE', url)))
    t.strictSame(statusesOf(deletions), [200, 400])
    await b.advance('PT1S')
    const creations = await Promise.all([1, 2].map(() => b.call('POST', path, { svc_database_id: database_id })))
    t.strictSame(statusesOf(creations), [200, 400], 'a database has one read-write workspace')
  }
})

/** Rows of a database file that should not exist, as sentences. Reads the file without the server. */
function orphans(file: string): string[] {
  const db = new Sqlite(file, { readonly: true })
  const find = (what: string, sql: string) =>
    (db.prepare(sql).all() as { id: string }[]).map(({ id }) => `${what}: ${id}`)
  const found = [
    ...find('a row without its parent', 'SELECT "table" AS id FROM pragma_foreign_key_check'),
    ...find(
      'an event of no workspace',
      `SELECT kind AS id FROM due_events e
       WHERE NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.sandbox = e.sandbox AND w.id = e.resource)`
    ),
    ...['backups', 'restore_jobs', 'backup_schedules', 'workspace_schedules', 'database_users'].flatMap((table) =>
      find(
        `${table} of no workspace`,
        `SELECT workspace AS id FROM ${table} o
         WHERE NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.sandbox = o.sandbox AND w.id = o.workspace)`
      )
    ),
    ...find(
      'a second read-write workspace',
      'SELECT database AS id FROM workspaces WHERE is_rw = 1 GROUP BY sandbox, database HAVING count(*) > 1'
    ),
    ...find(
      'a transition that does not end',
      `SELECT kind AS id FROM due_events WHERE kind IN (${listOf(TRANSITIONS.map(({ name }) => name))})`
    ),
    ...find(
      'a workspace in a state that does not last',
      `SELECT id FROM workspaces
       WHERE status IN (${listOf(TRANSITIONS.map(({ during }) => during))}) OR refresh_status = '${REFRESH.during}'`
    ),
    ...find('a restore job that does not end', "SELECT id FROM restore_jobs WHERE status IN ('Pending', 'Running')"),
    ...find('a backup that does not end', "SELECT id FROM backups WHERE status = 'Running'"),
    ...find(
      'a state that the timeline does not end with',
      `SELECT w.id FROM workspaces w WHERE status <>
       (SELECT to_state FROM timeline t WHERE t.sandbox = w.sandbox AND t.resource = w.id AND attribute = 'status'
        ORDER BY sequence DESC LIMIT 1)`
    ),
    ...find(
      'a workspace that is gone for the timeline alone',
      `SELECT w.id FROM workspaces w
       WHERE EXISTS (SELECT 1 FROM timeline t WHERE t.sandbox = w.sandbox AND t.resource = w.id AND to_state = 'gone')`
    )
  ]
  db.close()
  return found
}
