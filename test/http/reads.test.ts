import Sqlite from 'better-sqlite3'
import t from 'tap'
import type { ControlPlane } from '../../src/resources/control-plane.js'
import { buildMock } from '../helper.js'
import { NONE, openSandbox, START } from '../sandbox.js'

/** Counts the writes of a control plane. @returns a function that returns their number since its last call */
function countWrites(plane: ControlPlane): () => number {
  const { write, settle } = plane
  let writes = 0
  Object.assign(plane, {
    write: (...given: Parameters<typeof write>) => {
      writes++
      return write(...given)
    },
    settle: (origin: Parameters<typeof settle>[0]) => {
      writes++
      return settle(origin)
    }
  })
  return () => {
    const count = writes
    writes = 0
    return count
  }
}

void t.test('a read shows the last state while the database cannot be written, but other errors fail', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const { workspace_id: id } = await b.result('POST', path, {})
  const failWith = (error: Error) => {
    // The clock is moved without a write, so that a read has to catch up.
    b.sandbox.clock = { ...b.sandbox.clock, base: START + 5000 }
    Object.assign(b.mock.plane.engine, {
      settle: () => {
        throw error
      }
    })
  }
  for (const [error, statuses] of [
    [
      new Sqlite.SqliteError('attempt to write a readonly database', 'SQLITE_READONLY'),
      { GET: 200, HEAD: 200, DELETE: 503 }
    ],
    [new Error('no luck'), { GET: 500, HEAD: 500, DELETE: 500 }]
  ] as const)
    for (const [method, expected] of Object.entries(statuses)) {
      failWith(error)
      const { status, body } = await b.call(method, `${path}/${id}`)
      t.equal(status, expected, `${method} with ${error.message}`)
      if (method === 'GET' && status === 200) t.match(body, { Result: { status: 'Creating' } })
    }
})

void t.test('a read writes only if something is due, or a change of its sandbox is under way', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const { workspace_id: id } = await b.result('POST', path, {})
  const { plane } = b.mock
  const { isHeld } = plane
  const written = countWrites(plane)
  const read = async (method: string) => {
    const { status } = await b.call(method, `${path}/${id}`)
    t.equal(status, 200)
    return written()
  }
  t.equal(await read('GET'), 0)
  t.equal(await read('HEAD'), 0)
  Object.assign(plane, { isHeld: () => true })
  t.equal(await read('GET'), 1)
  t.equal(await read('HEAD'), 1)
  Object.assign(plane, { isHeld })
  b.sandbox.clock = { ...b.sandbox.clock, base: START + 5000 }
  t.equal(await read('GET'), 1)
  t.equal(await read('GET'), 0)
  t.equal((await b.call('PUT', `${path}/${id}`, { workspace_name: 'x' })).status, 200)
  t.equal(written(), 1, 'a write catches up by itself')
})

void t.test('each request of a sandbox uses one RequestID of its stream, and other requests use none', async (t) => {
  const idsOf = async (...urls: string[]) => {
    const { call } = await buildMock(t, { seed: 7 })
    const ids: string[] = []
    for (const url of urls) ids.push((await call('GET', url, { key: 'seeded' })).headers['x-request-id'] as string)
    return ids
  }
  const [first, second, third] = await idsOf('/workgroups', '/workgroups', '/workgroups')
  t.equal(new Set([first, second, third]).size, 3)
  t.strictSame(await idsOf('/workgroups', `/workgroups/${NONE}`, '/workgroups'), [first, second, third])
  const [one, unknown, ...rest] = await idsOf('/workgroups', '/nothing', '/workgroups', '/workgroups')
  t.strictSame([one, ...rest], [first, second, third])
  t.notOk([first, second, third].includes(unknown))
})
