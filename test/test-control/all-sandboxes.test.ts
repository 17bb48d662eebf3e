import t from 'tap'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { buildMock, type BuiltMock, type Call, createWorkgroup, matchError } from '../helper.js'
import { at } from '../sandbox.js'
import { holdWall } from '../wall.js'

const TOKEN = { 'x-mock-token': 'let-me-in' }
const HOUR = 3_600_000

const control = ({ call }: BuiltMock, method: 'GET' | 'POST', url: string, options: Call = {}) =>
  call(method, url, { key: null, prefix: '/_mock', headers: TOKEN, ...options })

void t.test('the sandboxes are listed in pages, without any key', async (t) => {
  const wall = holdWall(t)
  const mock = await buildMock(t, { controlToken: 'let-me-in' })
  for (const key of ['a', 'b', 'c']) await createWorkgroup(mock, { key })
  await control(mock, 'POST', '/sandboxes', { key: 'a', body: { ttl: 'PT1H' } })
  wall.now += 1000
  await mock.call('GET', '/workgroups', { key: 'b' })
  const first = await control(mock, 'GET', '/sandboxes?limit=2')
  t.equal(first.status, 200)
  t.match(first.body.Result, {
    sandboxes: [
      { id: sandboxIdOf('a').slice(0, 12), name: null, created_at: at(0), last_used_at: at(0), expires_at: null },
      {
        id: sandboxIdOf('b').slice(0, 12),
        last_used_at: at(1),
        workgroups: 1,
        workspaces: 0
      }
    ],
    total: 4
  })
  const rest = await control(mock, 'GET', `/sandboxes?limit=2&after=${first.body.Result.next}`)
  t.match(rest.body.Result, {
    sandboxes: [{ id: sandboxIdOf('c').slice(0, 12) }, { expires_at: at(3600) }]
  })
  t.strictSame(rest.body.Result.next, null, 'there are no more')
  for (let i = 0; i < 97; i++) await mock.plane.sandboxes.create(sandboxIdOf(`key ${i}`))
  const { sandboxes, next } = (await control(mock, 'GET', '/sandboxes')).body.Result
  t.strictSame([sandboxes.length, typeof next], [100, 'number'], 'a page has 100 by default')
  for (const query of [`?after=${next}`, '?limit=101'])
    t.equal((await control(mock, 'GET', `/sandboxes${query}`)).body.Result.next, null, 'the last one has no next')
  t.equal((await control(mock, 'GET', '/sandboxes?limit=x')).status, 400)
  t.equal((await control(mock, 'GET', '/sandboxes?after=x')).status, 400)
})

void t.test('the list shows names of keys, and also sandboxes that are not in memory', async (t) => {
  const mock = await buildMock(t, { controlToken: 'let-me-in', auth: 'strict', apiKeys: ['ci=secret-key'] })
  mock.plane.sandboxes.store.insert(
    {
      id: sandboxIdOf('old'),
      orgId: '',
      orgName: '',
      random: { seed: '0', draws: 0 },
      clock: { mode: 'real', base: 0, anchor: 0, rate: 1 },
      expires: null
    },
    0
  )
  await createWorkgroup(mock, { key: 'secret-key' })
  const { body } = await control(mock, 'GET', '/sandboxes')
  const [old, ci] = body.Result.sandboxes
  t.match(old, { name: null, expires_at: null })
  t.equal(old.created_at, '1970-01-01T00:00:00.000Z')
  t.equal(old.last_used_at, '1970-01-01T00:00:00.000Z', 'as it is stored')
  t.equal(ci.name, 'ci')
  t.notMatch(JSON.stringify(body), /secret-key/)
})

void t.test('a purge removes unused sandboxes and their contents', async (t) => {
  const wall = holdWall(t)
  const mock = await buildMock(t, { controlToken: 'let-me-in' })
  for (let i = 0; i < 150; i++) await mock.plane.sandboxes.create(sandboxIdOf(`old ${i}`))
  await createWorkgroup(mock, { key: 'used' })
  wall.now += 2 * HOUR
  await mock.call('GET', '/workgroups', { key: 'used' })
  const { body } = await control(mock, 'POST', '/sandboxes/purge', { body: { idle: 'PT1H' } })
  t.match(body, { Message: 'Sandboxes removed: 150.', Result: { removed: 150 } })
  t.equal(mock.plane.sandboxes.store.count(), 1)
  t.equal((await mock.call('GET', '/workgroups', { key: 'used' })).body.Result.length, 1)
  for (const idle of ['PT0S', 'soon']) {
    const reply = await control(mock, 'POST', '/sandboxes/purge', { body: { idle } })
    matchError(t, reply, 'invalidBody', { idle: 'positiveDuration' })
  }
})

void t.test('listing and purging need a server with a control token, and the token', async (t) => {
  const open = await buildMock(t)
  const purged = await control(open, 'POST', '/sandboxes/purge', { body: { idle: 'PT1H' } })
  for (const reply of [await control(open, 'GET', '/sandboxes'), purged])
    matchError(t, reply, 'forbidden', 'allSandboxes')
  const guarded = await buildMock(t, { controlToken: 'let-me-in' })
  t.equal((await control(guarded, 'GET', '/sandboxes', { headers: {} })).status, 403)
})
