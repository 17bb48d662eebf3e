import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { buildMock, type BuiltMock, close, createWorkgroup, pluck, until, untilRemoved } from '../helper.js'
import { callsOf } from '../sandbox.js'

// What is large is made beside the sandbox, in several transactions, and put in its place at the end.

const large = (count = 3000) => ({
  workgroups: [{ id: 'g', workspaces: Array.from({ length: count }, (_, i) => ({ id: `w-${i}` })) }]
})

/** How many workspaces there are. */
const size = async (mock: BuiltMock, key: string) =>
  ((await mock.call('GET', '/workgroups', { key })).body.Result as { workspaces?: unknown[] }[]).flatMap(
    ({ workspaces = [] }) => workspaces
  ).length

/** Counts the rows of some tables of a database that is closed. */
function rowsOf(path: string, ...tables: string[]): number[] {
  const sqlite = new Sqlite(path, { readonly: true })
  const counts = tables.map((table) => sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number)
  sqlite.close()
  return counts
}

void t.test('a large replacement keeps name, snapshots, baseline and stream of ids', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const mock = await buildMock(t, { db: path, seed: 3 })
  const { controlResult } = callsOf(mock, 'a')
  const seed = { workgroups: [{ id: 'seeded' }] }
  await controlResult('PUT', '/seed', seed)
  await controlResult('PUT', '/snapshots/small')
  await controlResult('PUT', '/state', large())
  t.equal(await size(mock, 'a'), 3000)
  await controlResult('PUT', '/snapshots/large')
  await controlResult('POST', '/snapshots/small/restore')
  t.equal(await size(mock, 'a'), 0)
  await controlResult('POST', '/snapshots/large/restore')
  t.equal(await size(mock, 'a'), 3000)
  t.strictSame(pluck(await controlResult('GET', '/snapshots'), 'name'), ['large', 'small'])
  await controlResult('POST', '/reset')
  t.match(await controlResult('GET', '/state'), seed)
  await close(mock)

  const again = await buildMock(t, { db: path })
  t.match(await callsOf(again, 'a').controlResult('GET', '/state'), seed, 'the same is there after a restart')
  await untilRemoved(again)
  await close(again)
  const rows = rowsOf(path, 'sandboxes', 'workspaces', 'removals', 'snapshots', 'documents')
  t.strictSame(rows, [1, 0, 0, 2, 3], 'and nothing else')
})

void t.test('while a large sandbox is created, others are served, and its own requests wait', async (t) => {
  const mock = await buildMock(t)
  await mock.call('GET', '/workgroups', { key: 'b' })
  const order: string[] = []
  const note = (name: string) => () => order.push(name)
  const put = callsOf(mock, 'a').controlResult('PUT', '/state', large(6000)).then(note('put'))
  await until(async () => mock.plane.isHeld(await mock.plane.sandboxes.open(sandboxIdOf('a'))))
  await Promise.all([
    put,
    mock.call('GET', '/workgroups', { key: 'a' }).then(note('own')),
    mock.call('GET', '/workgroups', { key: 'b' }).then(note('read')),
    mock.call('POST', '/workgroups', { key: 'b', body: { cloud_provider_id: 'x' } }).then(note('write'))
  ])
  t.strictSame(
    [order.slice(0, 2).sort(), order.slice(2)],
    [
      ['read', 'write'],
      ['put', 'own']
    ]
  )
})

for (const path of ['/state', '/seed']) {
  void t.test(
    `a PUT of ${path} that the server's end breaks off leaves the sandbox as it was, and nothing behind`,
    async (t) => {
      const db = join(t.testdir(), 'a.db')
      const mock = await buildMock(t, { db })
      const { controlResult } = callsOf(mock, 'a')
      await controlResult('PUT', '/seed', { workgroups: [{ id: 'before' }] })
      const put = controlResult('PUT', path, large(8000))
      const sandbox = await mock.plane.sandboxes.open(sandboxIdOf('a'))
      await until(() => mock.plane.isHeld(sandbox))
      mock.plane.stop()
      await t.rejects(put, /503/)
      t.equal(await size(mock, 'a'), 0)
      await close(mock)
      const again = await buildMock(t, { db })
      t.match(await callsOf(again, 'a').controlResult('GET', '/state'), { workgroups: [{ id: 'before' }] })
      await untilRemoved(again)
      await close(again)
      t.strictSame(rowsOf(db, 'sandboxes', 'workspaces', 'removals', 'documents'), [1, 0, 0, 1])
    }
  )
}

void t.test('forks share their document, which is deleted with the last of them', async (t) => {
  const db = join(t.testdir(), 'a.db')
  const mock = await buildMock(t, { db })
  const { controlResult } = callsOf(mock, 'a')
  await controlResult('PUT', '/state', large())
  await controlResult('PUT', '/snapshots/one')
  const fork = async (from: string, parent = 'a') =>
    (await callsOf(mock, parent).controlResult('POST', '/sandboxes', { from })).key as string
  const documents = () => mock.plane.documents
  const [first, second] = [await fork('one'), await fork('one')]
  const document = mock.plane.sandboxes.store.baseline(mock.plane.sandboxes.find(sandboxIdOf(first))!.key)!
  await controlResult('DELETE', '/snapshots/one')
  t.ok(documents().has(document), 'its forks still need it')
  const last = await fork('baseline', first)
  for (const key of [first, second]) await callsOf(mock, key).controlResult('DELETE', '/sandboxes')
  t.equal(await size(mock, last), 3000)
  const ofLast = callsOf(mock, last)
  await ofLast.controlResult('PUT', '/state', {})
  await ofLast.controlResult('POST', '/reset')
  t.equal(await size(mock, last), 3000)
  await ofLast.controlResult('DELETE', '/sandboxes')
  await untilRemoved(mock)
  t.notOk(documents().has(document))
})

void t.test('a large sandbox that expires while it is created blocks no other', async (t) => {
  const { sandboxes } = (await buildMock(t)).plane
  const filling = {
    rows: () => 5000,
    fill: function* () {
      for (let i = 0; i < 50; i++) yield
    }
  }
  const [a, b] = await Promise.all([sandboxes.create('a', { expires: 1, filling }), sandboxes.create('b')])
  t.strictSame([a.id, b.id], ['a', 'b'])
})

void t.test('simultaneous first requests of a key create one large sandbox', async (t) => {
  const mock = await buildMock(t, { maxSandboxes: 2 })
  mock.plane.baseline = large()
  const replies = await Promise.all(Array.from({ length: 5 }, () => mock.call('GET', '/workgroups', { key: 'new' })))
  const told = replies.map(({ status, body }) => [status, (body.Result as unknown[]).length])
  t.strictSame(told, Array(replies.length).fill([200, 1]))
  t.equal(await size(mock, 'other'), 3000)
  for (const key of ['new', 'other']) await createWorkgroup(mock, { key })
  t.equal((await mock.call('GET', '/workgroups', { key: 'one too many' })).status, 403)
  t.equal(mock.plane.sandboxes.store.count(), 2)
})
