import { join } from 'node:path'
import t from 'tap'
import { demoState } from '../../src/documents/demo.js'
import { EventHub } from '../../src/journal/event-hub.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import {
  type Body,
  buildMock,
  type BuiltMock,
  close,
  createWorkgroup,
  matchError,
  pluck,
  replaceMethod,
  until,
  untilRemoved
} from '../helper.js'
import { callsOf, START } from '../sandbox.js'
import { holdWall } from '../wall.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const statusOf = async ({ call }: BuiltMock, key: string) => (await call('GET', '/workgroups', { key })).status
const groupsOf = async ({ call }: BuiltMock, key: string) =>
  (await call('GET', '/workgroups', { key })).body.Result as Body[]
const count = ({ plane }: BuiltMock) => plane.sandboxes.store.count()

void t.test('at the limit, the least recently used sandbox makes room if unused for long enough', async (t) => {
  const wall = holdWall(t)
  const mock = await buildMock(t, { maxSandboxes: 3, sandboxIdle: 'P1D' })
  for (const key of ['a', 'b', 'c']) {
    await createWorkgroup(mock, { key })
    wall.now += HOUR
  }
  wall.now = START + DAY - 1
  t.equal(await statusOf(mock, 'new'), 403, 'each was used in the last day')
  wall.now = START + DAY + 2 * HOUR
  t.equal((await groupsOf(mock, 'a')).length, 1, 'a read is a use')
  t.equal(await statusOf(mock, 'new'), 200)
  t.equal(count(mock), 3)
  t.equal((await groupsOf(mock, 'a')).length, 1)
  t.equal((await groupsOf(mock, 'c')).length, 1)
  wall.now += DAY
  t.strictSame(await groupsOf(mock, 'b'), [], 'it made room, and is another one now')
})

void t.test('at the limit, a sandbox that was only read or is empty makes room at once', async (t) => {
  const wall = holdWall(t)
  const mock = await buildMock(t, { maxSandboxes: 4 })
  const emptied = await createWorkgroup(mock, { key: 'emptied' })
  await mock.call('DELETE', `/workgroups/${emptied}`, { key: 'emptied' })
  mock.plane.baseline = demoState(mock.plane.profile.catalogue)
  await createWorkgroup(mock, { key: 'written' })
  await groupsOf(mock, 'read')
  const [{ workgroup_id: renamed } = {}] = await groupsOf(mock, 'updated')
  const renaming = { key: 'updated', body: { workgroup_name: 'mine' } }
  t.equal((await mock.call('PUT', `/workgroups/${renamed as string}`, renaming)).status, 200)
  // Who has just read may be about to write.
  const early = await mock.call('GET', '/workgroups', { key: 'new' })
  matchError(t, early, 'quotaExceeded', 'sandboxes', { values: { limit: 4 } })
  wall.now += 1001
  t.equal(await statusOf(mock, 'first'), 200)
  await createWorkgroup(mock, { key: 'first' })
  t.equal(await statusOf(mock, 'second'), 200)
  await createWorkgroup(mock, { key: 'second' })
  wall.now += 1001
  const full = await mock.call('GET', '/workgroups', { key: 'third' })
  matchError(t, full, 'quotaExceeded', 'sandboxes', { values: { limit: 4 } })
  t.equal((await groupsOf(mock, 'written')).length, (await groupsOf(mock, 'updated')).length + 1)
  t.match(await groupsOf(mock, 'updated'), [{ workgroup_id: renamed, name: 'mine' }])
})

void t.test('an org user or a clock that was changed is worth keeping, too', async (t) => {
  const wall = holdWall(t)
  const mock = await buildMock(t, { maxSandboxes: 3 })
  const session = { headers: { authorization: 'Bearer user' }, key: null, prefix: '' }
  const users = async () => (await mock.call('GET', '/users', session)).body as unknown as Body[]
  const [{ id } = {}] = await users()
  const roles = { ...session, body: { roles: ['org-admin', 'billing-admin'] } }
  t.equal((await mock.call('PUT', `/users/${id as string}/roles`, roles)).status, 204)
  const changed = await users()
  for (const [key, body] of [
    ['late', { now: '2040-01-01T00:00:00Z' }],
    ['fast', { rate: 60 }]
  ] as const)
    t.equal((await callsOf(mock, key).control('PUT', '/clock', body)).status, 200)
  wall.now += 1001
  t.equal(await statusOf(mock, 'new'), 403)
  t.strictSame(await users(), changed)
})

void t.test('a flood of new keys searches full sandboxes at most once a second', async (t) => {
  const wall = holdWall(t)
  const mock = await buildMock(t, { maxSandboxes: 1 })
  await createWorkgroup(mock, { key: 'written' })
  const { store } = mock.plane.sandboxes
  const longestEmpty = store.longestEmpty.bind(store)
  let searches = 0
  replaceMethod(t, store, 'longestEmpty', (...search) => {
    searches++
    return longestEmpty(...search)
  })
  for (const step of [0, 0, 999, 1, -5000]) {
    wall.now += step
    t.equal(await statusOf(mock, 'new'), 403)
  }
  t.equal(searches, 3, 'again after a second, and when the clock of the machine was put back')
})

void t.test('with --sandbox-idle off, no sandbox makes room, and the message says so', async (t) => {
  const wall = holdWall(t)
  const mock = await buildMock(t, { maxSandboxes: 1, sandboxIdle: 'off' })
  await createWorkgroup(mock, { key: 'a' })
  wall.now += 1000 * DAY
  const refused = await mock.call('GET', '/workgroups', { key: 'b' })
  matchError(t, refused, 'quotaExceeded', 'sandboxesForEver', { values: { limit: 1 } })
})

void t.test('the sandbox of a named key, or with a listener, never makes room', async (t) => {
  const wall = holdWall(t)
  const mock = await buildMock(t, { auth: 'strict', apiKeys: ['ci=named'], maxSandboxes: 2, sandboxIdle: 'PT1H' })
  await createWorkgroup(mock, { key: 'named' })
  const fork = () => callsOf(mock, 'named').control('POST', '/sandboxes', { from: 'baseline' })
  const { key } = (await fork()).body.Result as { key: string }
  const sandbox = mock.plane.sandboxes.find(sandboxIdOf(key))!
  const listener = { send: () => undefined, end: () => undefined }
  const hub = (sandbox.eventHub = new EventHub())
  hub.listen(listener, () => ({}), undefined)
  wall.now += 2 * HOUR
  t.equal((await fork()).status, 403)
  hub.leave(listener)
  wall.now += 2 * HOUR
  t.equal((await fork()).status, 200)
  t.equal(await statusOf(mock, key), 401)
  t.equal((await groupsOf(mock, 'named')).length, 1)
})

void t.test('the last use survives a restart', async (t) => {
  const wall = holdWall(t)
  const options = { db: join(t.testdir(), 'a.db'), maxSandboxes: 2, sandboxIdle: 'P1D' }
  const first = await buildMock(t, options)
  await createWorkgroup(first, { key: 'a' })
  await createWorkgroup(first, { key: 'b' })
  wall.now += 20 * HOUR
  await groupsOf(first, 'a')
  await close(first)
  const second = await buildMock(t, options)
  wall.now += 5 * HOUR
  t.equal(await statusOf(second, 'c'), 200)
  t.equal((await groupsOf(second, 'a')).length, 1)
})

void t.test('a crash loses at most an hour of use', async (t) => {
  const wall = holdWall(t)
  const mock = await buildMock(t)
  await createWorkgroup(mock, { key: 'a' })
  const stored = () => mock.plane.sandboxes.store.list(0, 1)[0]!.lastUsed - START
  wall.now += HOUR - 1
  await groupsOf(mock, 'a')
  t.equal(stored(), 0)
  wall.now += 1
  await groupsOf(mock, 'a')
  await until(() => stored() > 0)
  t.equal(stored(), HOUR)
})

void t.test('the key of a large removed sandbox is free at once; its rows go in slices', async (t) => {
  const options = { db: join(t.testdir(), 'a.db') }
  const mock = await buildMock(t, options)
  const workgroups = Array.from({ length: 2500 }, (_, i) => ({ id: `g${i}`, workspaces: [{ id: `w${i}` }] }))
  const [a, b] = [callsOf(mock, 'a'), callsOf(mock, 'b')]
  for (const { controlResult } of [a, b]) {
    await controlResult('PUT', '/state', { workgroups })
    for (const name of ['one', 'two']) await controlResult('PUT', `/snapshots/${name}`)
  }
  const { store } = mock.plane.sandboxes
  await a.controlResult('DELETE', '/sandboxes')
  t.ok(store.hasRemoved(), 'not all of it is gone')
  t.equal(count(mock), 1)
  t.strictSame(pluck(store.list(0, 10), 'id'), [sandboxIdOf('b')])
  t.strictSame(await groupsOf(mock, 'a'), [], 'the key has another sandbox')
  await untilRemoved(mock)
  t.equal((await groupsOf(mock, 'b')).length, 2500)
  await b.controlResult('DELETE', '/sandboxes')
  await close(mock)
  const next = await buildMock(t, options)
  t.equal(count(next), 1)
  await untilRemoved(next)
  t.strictSame(pluck(next.plane.sandboxes.store.list(0, 10), 'id'), [sandboxIdOf('a')])
})

void t.test('a new sandbox marks some expired ones, whose rows go in slices after its reply', async (t) => {
  const wall = holdWall(t)
  const mock = await buildMock(t)
  const { sandboxes } = mock.plane
  const { store } = sandboxes
  await createWorkgroup(mock, { key: 'parent' })
  const { controlResult } = callsOf(mock, 'parent')
  for (let i = 0; i < 120; i++) await controlResult('POST', '/sandboxes', { from: 'baseline', ttl: 'PT10M' })
  wall.now += HOUR
  t.equal(store.expired(wall.now, 1000).length, 120)
  const swept: number[] = []
  const sweep = store.sweep.bind(store)
  store.sweep = () => {
    swept.push(store.expired(wall.now, 1000).length)
    sweep()
  }
  await sandboxes.create(sandboxIdOf('newcomer'))
  t.strictSame(swept, [], 'its own transaction has removed no rows')
  t.ok(store.hasRemoved())
  t.equal(store.expired(wall.now, 1000).length, 20, 'and not all were marked')
  await untilRemoved(mock)
  t.equal(count(mock), 22)
  await sandboxes.create(sandboxIdOf('second'))
  await untilRemoved(mock)
  t.equal(count(mock), 3, 'the parent and the two')
})

void t.test('after a restart, a real clock does not show an earlier time than before', async (t) => {
  const wall = holdWall(t)
  const options = { db: join(t.testdir(), 'a.db') }
  const clockOf = async ({ call }: BuiltMock) =>
    (await call('GET', '/clock', { prefix: '/_mock' })).body.Result.now as string
  const first = await buildMock(t, options)
  await createWorkgroup(first)
  wall.now += 5000
  const shown = await clockOf(first)
  await close(first)
  wall.now -= HOUR
  const second = await buildMock(t, options)
  t.equal(await clockOf(second), shown)
  wall.now += 1000
  t.equal(Date.parse(await clockOf(second)), Date.parse(shown) + 1000, 'and goes on from there')
  await second.call('PUT', '/clock', { prefix: '/_mock', body: { mode: 'real', now: '2040-01-01T00:00:00Z' } })
  await close(second)
  const third = await buildMock(t, options)
  t.equal(await clockOf(third), '2040-01-01T00:00:00.000Z', 'unless it is set')
})
