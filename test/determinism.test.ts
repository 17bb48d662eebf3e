import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Body, buildMock, type BuiltMock, close, CONTROLLER, pluck, UUID } from './helper.js'
import { bodiesWith, readOperations } from './operations.js'
import { at } from './sandbox.js'

/** A reply without the header `date`, which shows the wall clock. */
type Raw = readonly [status: number, headers: object, body: string]

/** Something of everything, whose ids are drawn. */
const WORLD = {
  clock: { mode: 'frozen', now: at(0) },
  workgroups: [
    {
      allow_list: { entries: [{ cidr: '203.0.113.7' }] },
      workspaces: [
        {
          backups: [{}],
          restore_jobs: [{}],
          backup_schedule: { schedule: '0 3 * * *' },
          schedules: [{ repeat: 'daily', time: '08:00', timezone: 'UTC' }]
        }
      ]
    }
  ]
}

/** Calls every operation in a sandbox, those with a body also without its fields. @returns all replies */
async function session({ app }: BuiltMock, key: string): Promise<Raw[]> {
  const replies: Raw[] = []
  const send = async (method: string, url: string, payload?: object): Promise<Body> => {
    const type = payload === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { authorization: `Bearer ${key}`, ...type }
    const reply = await app.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) })
    const { date: _, ...others } = reply.headers
    replies.push([reply.statusCode, others, reply.body])
    return reply.body === '' ? undefined : JSON.parse(reply.body).Result
  }
  await send('PUT', '/_mock/state', WORLD)
  const { workgroups, org_users: users } = await send('GET', '/_mock/state')
  const [{ id: workgroupID, allow_list: allowList, workspaces }] = workgroups
  const [{ id: workspaceID, database, backups, restore_jobs: jobs, schedules }] = workspaces
  const [{ id }, { id: job }, { id: userId }] = [allowList.entries[0], jobs[0], users[0]]
  const ids: Body = { workgroupID, workspaceID, databaseID: database, id, job, userId }
  const bodies = bodiesWith({ backup: backups[0].id, schedule: schedules[0].id, workspaceID })
  const isLast = ({ method }: { readonly method: string }) => Number(method === 'delete')
  for (const { operationId, method, path } of readOperations().sort((a, b) => isLast(a) - isLast(b))) {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] as string)
    for (const body of operationId in bodies ? [{}, bodies[operationId]] : [undefined])
      await send(method.toUpperCase(), url, body)
    await send('POST', '/_mock/clock/advance', { until: 'idle' })
  }
  for (const name of ['events', 'timeline', 'clock']) await send('GET', `/_mock/${name}`)
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
      const { statusCode, body, headers } = await app.inject({ method: 'GET', url })
      const { date: _, ...others } = headers
      raw.push([statusCode, others, body] as const)
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
  t.strictSame(pluck(eight, '0'), pluck(seven, '0'))
  const known = uuids(seven!)
  t.ok(known.size > 40)
  for (const other of [eight!, none!]) {
    t.ok([...uuids(other)].every((id) => !known.has(id)))
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
      const { Result } = (await mock.call('GET', '/workgroups', { headers: { 'x-request-id': 'mine' } })).body
      t.equal(Result.length, 10 * (run + 1))
      await close(mock)
    }
    for (const id of ids) if (!UUID.test(id)) t.fail(id)
    t.equal(new Set(ids).size, 90)
  }
})
