import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Body, buildMock, type BuiltMock, close, CONTROLLER, UUID } from './helper.js'
import { at, NONE } from './sandbox.js'

/** A reply without the header `date`, which shows the wall clock. */
type Raw = readonly [status: number, headers: object, body: string]

/** Sends the same varied requests, good and bad, into a sandbox. @returns all replies */
async function session({ app }: BuiltMock, key: string): Promise<Raw[]> {
  const replies: Raw[] = []
  const send = async (method: string, url: string, body?: unknown): Promise<Body> => {
    const reply = await app.inject({
      method: method as 'GET',
      url: url.startsWith('/_mock') ? url : `${CONTROLLER}${url}`,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    const { date: _, ...headers } = reply.headers
    replies.push([reply.statusCode, headers, reply.body])
    return JSON.parse(reply.body).Result
  }
  await send('PUT', '/_mock/clock', { mode: 'frozen', now: at(0) })
  const { workgroup_id } = await send('POST', '/workgroups', { cloud_provider_id: 'x', name: 'one' })
  const group = `/workgroups/${workgroup_id}`
  await send('POST', '/workgroups', {})
  await send('POST', '/workgroups', '{"cloud_provider_id":')
  await send('GET', `/workgroups/${NONE}`)
  const { id } = await send('POST', `${group}/allow_list`, { cidr: '203.0.113.7' })
  await send('POST', `${group}/allow_list`, { cidr: '203.0.113.7/32' })
  await send('PUT', `${group}/allow_list/${id}`, { cidr: '::/0', note: 'all' })
  await send('PUT', `${group}/allow_list/enable`)
  await send('GET', `${group}/allow_list/current`)
  const { workspace_id, database_id } = await send('POST', `${group}/workspaces`, { auto_stop_minutes: 1 })
  const url = `${group}/workspaces/${workspace_id}`
  await send('POST', `${group}/workspaces`, { is_rw: false })
  await send('POST', `${group}/workspaces`, { svc_database_id: database_id, is_rw: false })
  await send('POST', `${group}/workspaces`, { svc_database_id: database_id })
  await send('GET', url)
  await send('POST', `${url}/pause`)
  await send('POST', '/_mock/clock/advance', { until: 'idle' })
  await send('PUT', url, { workspace_name: 'new', workspace_type_name: 'SVC-1' })
  await send('PUT', url, { auto_stop_minutes: -1, workspace_type_name: 'SVC-3' })
  await send('POST', `${url}/refresh`)
  await send('POST', '/_mock/clock/advance', { by: 'PT2S' })
  await send('POST', `${url}/refresh`)
  await send('PUT', '/_mock/transitions', { rules: [{ transition: 'workspace.pause', outcome: 'fail', times: 1 }] })
  await send('POST', `${url}/pause`)
  await send('POST', '/_mock/clock/advance', { by: 'PT5M' })
  await send('GET', url)
  await send('POST', `${url}/resume`)
  await send('POST', '/_mock/clock/advance', { until: { workspace_id, status: 'Active' } })
  await send('POST', '/_mock/clock/advance', { until: { workspace_id, status: 'Nowhere' }, max: 'PT1S' })
  await send('PUT', `${group}/databases/${database_id}`, { svc_database_name: 'data' })
  await send('GET', `${group}/databases/${database_id}`)
  await send('DELETE', `${group}/databases/${database_id}`)
  await send('DELETE', group)
  await send('DELETE', url)
  await send('GET', '/workspaces/meta')
  await send('GET', '/workgroups')
  await send('GET', '/_mock/events')
  await send('GET', '/_mock/timeline')
  await send('PUT', '/_mock/clock', { mode: 'poll' })
  await send('GET', url)
  await send('GET', '/_mock/clock')
  return replies
}

function same(t: Test, one: Raw[], other: Raw[]) {
  for (const [index, reply] of one.entries()) t.strictSame(other[index], reply, `reply ${index + 1}`)
  t.equal(one.length, other.length)
}

void t.test('with a seed, all sandboxes of a server give the same bytes, even if used concurrently', async (t) => {
  const mock = await buildMock(t, { seed: 7 })
  const first = await session(mock, 'a key')
  for (const other of await Promise.all([session(mock, 'quite another key'), session(mock, 'a third')]))
    same(t, first, other)
  same(t, first, await session(await buildMock(t, { seed: 7 }), 'alone'))
})

void t.test('with a seed, requests outside all sandboxes get the same bytes, in order', async (t) => {
  const send = async ({ app }: BuiltMock) => {
    const raw = []
    for (const url of ['/nothing', `${CONTROLLER}/workgroups`, '/_mock/ready']) {
      const {
        statusCode,
        body,
        headers: { date: _, ...headers }
      } = await app.inject({ method: 'GET', url })
      raw.push([statusCode, headers, body] as const)
    }
    return raw
  }
  same(t, await send(await buildMock(t, { seed: 7 })), await send(await buildMock(t, { seed: 7 })))
})

/** Every UUID in the replies. */
const uuids = (replies: Raw[]) =>
  new Set(
    replies.flatMap(
      ([, , body]) => body.match(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g) ?? []
    )
  )

void t.test('with another seed or none, only the ids differ', async (t) => {
  const [seven, eight, none] = await Promise.all(
    ([7, 8, 'random'] as const).map(async (seed) => session(await buildMock(t, { seed }), 'a key'))
  )
  t.strictSame(
    eight!.map(([status]) => status),
    seven!.map(([status]) => status)
  )
  const known = uuids(seven!)
  t.ok(known.size > 40)
  for (const other of [eight!, none!]) {
    t.strictSame(
      [...uuids(other)].filter((id) => known.has(id) && id !== NONE),
      []
    )
    t.equal(uuids(other).size, known.size)
  }
})

void t.test('after a restart with the same file, no id and no RequestID is repeated', async (t) => {
  for (const seed of [7, 'random'] as const) {
    const db = join(t.testdir(), `${seed}.db`)
    const ids: string[] = []
    for (let run = 0; run < 3; run++) {
      const mock = await buildMock(t, { seed, db })
      for (let i = 0; i < 10; i++) {
        const { body, headers } = await mock.call('POST', '/workgroups', { body: { cloud_provider_id: 'x' } })
        ids.push(body.Result.workgroup_id as string, headers['x-request-id'] as string)
        ids.push((await mock.call('GET', '/nothing', { prefix: '' })).headers['x-request-id'] as string)
      }
      const {
        body: { Result }
      } = await mock.call('GET', '/workgroups', { headers: { 'x-request-id': 'mine' } })
      t.equal(Result.length, 10 * (run + 1))
      await close(mock)
    }
    for (const id of ids) if (!UUID.test(id)) t.fail(id)
    t.equal(new Set(ids).size, 90)
  }
})
