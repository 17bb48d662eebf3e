import { join } from 'node:path'
import t from 'tap'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { breakCommits } from '../broken-disk.js'
import {
  type Body,
  buildMock,
  type BuiltMock,
  close,
  createWorkgroup,
  matchError,
  matchSuccess,
  replaceMethod,
  untilRemoved,
  UUID
} from '../helper.js'
import { type Fields, LENGTH } from '../messages.js'
import { at, type Calls, callsOf, openSandbox, type TestSandbox, testsIn } from '../sandbox.js'
import { holdWall } from '../wall.js'

const mock = await buildMock(t)
const open = () => openSandbox(mock)
const testIn = testsIn(mock)

/** A sandbox as a document, without what a reset or a restore gives a new cause. */
const stateOf = (b: TestSandbox) => b.controlResult('GET', '/state')

/** Changes whatever a sandbox has. */
async function changeAll(b: TestSandbox): Promise<void> {
  await b.control('PUT', '/quotas', { rw_workspaces: 9 })
  await b.control('PUT', '/transitions', { rules: [{ transition: 'workspace.pause', outcome: 'fail' }] })
  const group = await b.createWorkgroup()
  const { workspace_id: id } = await b.result('POST', `/workgroups/${group}/workspaces`, { auto_stop_minutes: 3 })
  await b.advance('PT1H')
  await b.call('POST', `/workgroups/${group}/workspaces/${id}/dbuser`, { username: 'a', password: 'b' })
}

testIn('a reset brings a new sandbox back to what it was, with the same ids each time', async (t, b) => {
  const path = '/workgroups'
  const org = await b.result('POST', path, { cloud_provider_id: 'x' })
  for (let i = 0; i < 3; i++) {
    await changeAll(b)
    if (i === 1) await b.control('PUT', '/state', { random: { seed: 'b'.repeat(24), draws: 5 }, org: { id: 'else' } })
    matchSuccess(t, await b.control('POST', '/reset', i === 0 ? undefined : {}), 'The sandbox was reset.')
    t.match(await stateOf(b), {
      clock: { mode: 'real', rate: 1 },
      quotas: { rw_workspaces: null },
      transitions: [],
      workgroups: [],
      events: [],
      timeline: [],
      org: { id: org.org_id as string, name: '' }
    })
    const { workgroup_id } = await b.result('POST', path, { cloud_provider_id: 'x' })
    t.equal(workgroup_id, org.workgroup_id, 'the ids go on as they did at first')
  }
})

testIn('a reset returns to the newest seed', async (t, b) => {
  const seed = {
    clock: { mode: 'frozen', now: at(0) },
    quotas: { ro_workspaces: 1 },
    workgroups: [{ name: 'seeded', workspaces: [{ status: 'Creating', auto_stop_minutes: 1 }] }]
  }
  matchSuccess(t, await b.control('PUT', '/seed', seed), 'The document was imported, and is now the baseline.')
  const first = await stateOf(b)
  t.match(first, { workgroups: [{ id: UUID, name: 'seeded' }], events: [{ event: 'workspace.create' }] })
  for (let i = 0; i < 2; i++) {
    await changeAll(b)
    await b.control('POST', '/reset')
    const again = await stateOf(b)
    t.strictSame({ ...again, events: [] }, { ...first, events: [] })
    t.match(
      again.events,
      (first.events as Body[]).map(({ event, due, workspace_id }) => ({ event, due, workspace_id }))
    )
  }
  t.equal((await b.control('PUT', '/seed', { org: 5 })).status, 400)
  await b.control('PUT', '/state', {})
  await b.control('POST', '/reset')
  t.equal((await stateOf(b)).workgroups[0].name, 'seeded', 'neither a refused seed nor a state is a baseline')
  await b.control('PUT', '/seed', {})
  await b.control('POST', '/reset')
  t.strictSame((await stateOf(b)).workgroups, [])
})

testIn('a reset can keep a clock that is older than the baseline', async (t, b) => {
  await b.control('PUT', '/state', {
    clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' },
    workgroups: [{ id: 'g', workspaces: [{ id: 'w' }] }]
  })
  await b.call('POST', '/workgroups/g/workspaces/w/pause')
  await b.control('PUT', '/seed', await b.controlResult('GET', '/state'))
  await b.control('PUT', '/state', { clock: { mode: 'frozen', now: '2020-01-01T00:00:00Z' } })
  await b.control('POST', '/reset', { keep: ['clock'] })
  t.match(await b.controlResult('GET', '/clock'), { now: '2027-01-01T00:00:00.000Z' })
  const state = await b.controlResult('GET', '/state')
  t.equal((await b.control('PUT', '/state', state)).status, 200, 'its export can be imported')
})

testIn('a reset can keep the clock and the rules', async (t, b) => {
  await changeAll(b)
  const { clock, transitions } = await stateOf(b)
  await b.control('POST', '/reset', { keep: ['clock', 'transitions'] })
  t.match(await stateOf(b), { clock, transitions, quotas: { rw_workspaces: null }, workgroups: [], timeline: [] })
  await b.control('POST', '/reset', { keep: ['transitions'] })
  t.match(await stateOf(b), { clock: { mode: 'real' }, transitions })
  matchError(t, await b.control('POST', '/reset', { keep: ['clock', 'clock'] }), 'invalidBody', { keep: 'repeated' })
  t.match(await stateOf(b), { transitions }, 'a refused reset changes nothing')
})

void t.test('a sandbox with too many overdue events is served, and can be reset, replaced and removed', async (t) => {
  // The clock goes faster than events can be run, however fast that is.
  const wall = holdWall(t, at(0), 50)
  const minutely = {
    clock: { now: at(0), wall: at(0), rate: 1_000_000 },
    workgroups: [{ workspaces: [{ status: 'Stopped', backup_schedule: { schedule: '* * * * *' } }] }]
  }
  for (const [method, url, body] of [
    ['POST', '/reset', undefined],
    ['PUT', '/state', {}],
    ['POST', '/snapshots/calm/restore', undefined],
    ['DELETE', '/sandboxes', undefined]
  ] as const) {
    const b = await open()
    await b.control('PUT', '/state', {})
    await b.control('PUT', '/snapshots/calm')
    await b.control('PUT', '/state', minutely)
    wall.now += 60_000
    if (url === '/reset') {
      t.equal((await b.control('GET', '/events')).status, 200)
      t.ok((await b.controlResult('GET', '/clock')).behind_ms > 86_400_000, 'it says so')
    }
    t.equal((await b.control(method, url, body)).status, 200, url)
    t.match(await stateOf(b), { workgroups: [], events: [] })
  }
})

testIn('snapshots are saved, listed, replaced, restored and deleted by name', async (t, b) => {
  matchSuccess(t, await b.control('GET', '/snapshots'), 'Done.', [])
  await b.createActive(await b.createWorkgroup(), { auto_stop_minutes: 5 })
  const [first, second] = [
    { name: 'b.1', created_at: at(0) },
    { name: 'a', created_at: at(3600) }
  ]
  matchSuccess(t, await b.control('PUT', '/snapshots/b.1'), 'The snapshot was saved.', first)
  const saved = await stateOf(b)
  await changeAll(b)
  matchSuccess(t, await b.control('PUT', '/snapshots/a'), 'The snapshot was saved.', second)
  matchSuccess(t, await b.control('GET', '/snapshots'), 'Done.', [second, first])
  const later = await stateOf(b)
  for (let i = 0; i < 2; i++) {
    matchSuccess(t, await b.control('POST', '/snapshots/b.1/restore'), 'The snapshot was restored.')
    t.strictSame(await stateOf(b), saved, 'clock, events, rules and ids are back')
    t.equal(await b.now(), at(0))
    t.equal((await b.controlResult('GET', '/snapshots')).length, 2, 'a restore leaves the snapshots')
    const group = await b.createWorkgroup()
    t.equal(group, (later.workgroups as Body[])[1]!.id, 'what comes next is what came next before')
  }
  await b.control('POST', '/reset')
  await b.control('PUT', '/snapshots/b.1')
  await b.control('POST', '/snapshots/a/restore')
  t.strictSame(await stateOf(b), later)
  await b.control('POST', '/snapshots/b.1/restore')
  t.strictSame((await stateOf(b)).workgroups, [], 'it was replaced')
  matchSuccess(t, await b.control('DELETE', '/snapshots/a'), 'The snapshot was deleted.')
  t.match(await b.controlResult('GET', '/snapshots'), [{ name: 'b.1' }])
  for (const reply of [await b.control('DELETE', '/snapshots/a'), await b.control('POST', '/snapshots/a/restore')])
    matchError(t, reply, 'notFound', 'resource', { values: { what: 'snapshot', id: 'a' } })
})

testIn('an invalid name is refused', async (t, b) => {
  for (const name of ['a%20b', '.hidden', 'a%2Fb', 'x'.repeat(257)])
    matchError(t, await b.control('PUT', `/snapshots/${name}`), 'invalidBody', { name: 'readableId' })
  matchError(t, await b.control('PUT', '/snapshots/baseline'), 'invalidBody', { name: 'baseline' })
})

void t.test('snapshots, baseline, forks and faults with their counters survive a restart', async (t) => {
  const db = join(t.testdir(), 'a.db')
  const first = await buildMock(t, { db })
  const b = await openSandbox(first, { key: 'kept' })
  await b.control('PUT', '/seed', { clock: { mode: 'frozen', now: at(5) }, org: { id: 'seeded' } })
  await changeAll(b)
  await b.control('POST', '/faults', { operation: 'listWorkgroups', after: 1, times: 2, effect: { status: 503 } })
  await b.control('PUT', '/snapshots/s')
  const saved = await stateOf(b)
  const { key } = await b.controlResult('POST', '/sandboxes', { from: 's' })
  const fork = callsOf(first, key as string)
  for (const status of [200, 503]) t.equal((await fork.call('GET', '/workgroups')).status, status)
  await b.control('POST', '/reset')
  await close(first)

  const second = await buildMock(t, { db })
  const { controlResult } = callsOf(second, 'kept')
  t.match(await controlResult('GET', '/snapshots'), [{ name: 's' }])
  await controlResult('POST', '/snapshots/s/restore')
  t.strictSame(await controlResult('GET', '/state'), saved)
  await controlResult('POST', '/reset')
  t.match(await controlResult('GET', '/state'), { org: { id: 'seeded' }, workgroups: [] })
  const again = callsOf(second, key as string)
  const faults = [{ ...saved.faults[0], seen: 2, hits: 1 }]
  t.strictSame(await again.controlResult('GET', '/state'), { ...saved, faults })
  for (const status of [503, 200]) t.equal((await again.call('GET', '/workgroups')).status, status)
})

testIn('a fork is a separate sandbox from a snapshot or the baseline, to which a reset returns it', async (t, b) => {
  // A fork draws ids of its own, so the baseline has none to draw.
  const users = [{ id: 'u', email: 'u@svc.test', auth_id: 'auth|u', roles: ['org-admin'] }]
  await b.control('PUT', '/seed', {
    clock: { mode: 'frozen', now: at(0) },
    org: { id: 'o' },
    org_users: users,
    workgroups: [{ id: 'seeded' }]
  })
  await changeAll(b)
  await b.control('PUT', '/snapshots/s')
  const saved = await stateOf(b)
  await b.control('POST', '/reset')
  const baseline = await stateOf(b)
  for (const [from, expected] of [
    ['s', saved],
    ['baseline', baseline]
  ] as const) {
    const reply = await b.control('POST', '/sandboxes', { from })
    const { key } = reply.body.Result
    matchSuccess(t, reply, 'The sandbox was created.', { key, expires_at: null })
    t.match(key, /^fork_[0-9a-f]{24}$/)
    const { controlResult, result } = callsOf(mock, key as string)
    const isLike = async () => {
      t.strictSame({ ...(await controlResult('GET', '/state')), random: 0 }, { ...expected, random: 0 })
    }
    await isLike()
    await controlResult('POST', '/clock/advance', { by: 'P1D' })
    await result('POST', '/workgroups', { cloud_provider_id: 'x' })
    await controlResult('POST', '/reset')
    await isLike()
    t.strictSame(await controlResult('GET', '/snapshots'), [], 'the snapshots of the other one are not its own')
    t.strictSame(await stateOf(b), baseline, 'the other one does not notice')
    const session = { key: null, prefix: '', headers: { authorization: `Bearer ${key}` } }
    t.equal((await mock.call('GET', '/users', session)).status, 200, 'it is a session, too')
  }
})

testIn('events in a fork have its seed as their cause', async (t, b) => {
  await b.control('PUT', '/seed', { workgroups: [{ workspaces: [{ status: 'Creating' }] }] })
  const { key } = await b.controlResult('POST', '/sandboxes', { from: 'baseline' })
  t.match(await callsOf(mock, key as string).controlResult('GET', '/events'), [{ request_id: 'seed' }])
})

testIn('an invalid origin or ttl of a fork is refused', async (t, b) => {
  matchError(t, await b.control('POST', '/sandboxes', { from: 'x' }), 'notFound', 'resource', {
    values: { what: 'snapshot', id: 'x' }
  })
  const forms: [object | undefined, Fields][] = [
    [{ from: '' }, { from: LENGTH }],
    ...['soon', 'PT0S', ''].map((ttl): [object, Fields] => [{ ttl }, { ttl: 'positiveDuration' }])
  ]
  for (const [body, fields] of forms) matchError(t, await b.control('POST', '/sandboxes', body), 'invalidBody', fields)
  const off = await buildMock(t, { auth: 'off' })
  const refused = await off.call('POST', '/sandboxes', { prefix: '/_mock', body: { from: 'baseline' } })
  matchError(t, refused, 'notAllowed', 'oneSandbox')
})

const fork = async (on: BuiltMock, body: object = {}) =>
  (await callsOf(on, 'parent').controlResult('POST', '/sandboxes', body)) as { key: string; expires_at: string | null }
const count = ({ plane }: BuiltMock) => plane.sandboxes.store.count()

void t.test("after its ttl, a fork's key gets a 401, and the next new sandbox removes its rows", async (t) => {
  const wall = holdWall(t)
  const own = await buildMock(t, { maxSandboxes: 2 })
  await createWorkgroup(own, { key: 'parent' })
  const { key, expires_at } = await fork(own, { ttl: 'PT10M' })
  t.equal(expires_at, at(600))
  wall.now += 599_999
  t.equal((await own.call('GET', '/workgroups', { key })).status, 200)
  t.equal((await own.call('GET', '/workgroups', { key: 'third' })).status, 403, 'it counts against --max-sandboxes')
  wall.now += 1
  matchError(t, await own.call('GET', '/workgroups', { key }), 'unauthorized', 'gone')
  t.equal(count(own), 2)
  t.ok(own.plane.sandboxes.store.find(sandboxIdOf(key)), 'the rows are still there')
  t.equal((await own.call('GET', '/workgroups', { key: 'third' })).status, 200)
  t.equal(own.plane.sandboxes.store.find(sandboxIdOf(key)), undefined)
  matchError(t, await own.call('GET', '/workgroups', { key }), 'unauthorized', 'gone')
  t.equal(count(own), 2)
})

void t.test('a fork that expires during a lookup does not return as another sandbox', async (t) => {
  let now = Date.parse(at(0))
  let step = 0
  replaceMethod(t, Date, 'now', () => (now += step))
  const own = await buildMock(t)
  const { key } = await fork(own, { ttl: 'PT0.005S' })
  now = Date.parse(at(0)) + 3
  step = 1
  const { status } = await own.call('GET', '/workgroups', { key })
  t.ok(status === 401 || status === 200, `${status}`)
  step = 1000
  matchError(t, await own.call('GET', '/workgroups', { key }), 'unauthorized', 'gone')
})

void t.test('the key of a removed or invented fork gets a 401, any other key a new sandbox', async (t) => {
  const own = await buildMock(t)
  const { key } = await fork(own)
  const parent = callsOf(own, 'parent')
  matchSuccess(t, await callsOf(own, key).control('DELETE', '/sandboxes'), 'The sandbox was removed.')
  const invented = `fork_${'0a'.repeat(12)}`
  for (const gone of [key, invented])
    matchError(t, await own.call('GET', '/workgroups', { key: gone }), 'unauthorized', 'gone')
  t.equal(count(own), 1)
  const others = [`${invented}0`, `${invented}-ci`, `my_${invented}`, invented.slice(0, -1), invented.toUpperCase()]
  for (const other of others) {
    t.equal((await own.call('GET', '/workgroups', { key: other })).status, 200, other)
    await callsOf(own, other).control('DELETE', '/sandboxes')
  }
  await createWorkgroup(own, { key: 'parent' })
  await parent.control('DELETE', '/sandboxes')
  t.equal(count(own), 0)
  t.strictSame(await parent.result('GET', '/workgroups'), [])
  t.equal(count(own), 1)
})

void t.test('cached reads of a removed sandbox do not show in its successor', async (t) => {
  const own = await buildMock(t)
  const [a, b] = [callsOf(own, 'a'), callsOf(own, 'b')]
  await a.control('PUT', '/state', { workgroups: [{ id: 'of-a' }] })
  t.match(await a.result('GET', '/workgroups'), [{ workgroup_id: 'of-a' }])
  const { key } = own.plane.sandboxes.store.find(sandboxIdOf('a'))!
  await a.control('DELETE', '/sandboxes')
  await untilRemoved(own)
  t.strictSame(await b.result('GET', '/workgroups'), [])
  t.equal(own.plane.sandboxes.store.find(sandboxIdOf('b'))!.key, key, 'its rows have the same key')
  await b.control('DELETE', '/sandboxes')
  await untilRemoved(own)
  t.strictSame(await a.result('GET', '/workgroups'), [])
})

void t.test('a request under way during a removal gets a clear error, and touches no other sandbox', async (t) => {
  const own = await buildMock(t)
  const [a, b] = [callsOf(own, 'a'), callsOf(own, 'b')]
  await a.call('GET', '/workgroups')
  const removal = () => a.control('DELETE', '/sandboxes')
  const create = ({ call }: Calls) => call('POST', '/workgroups', { cloud_provider_id: 'x' })
  const [removed, late, other, again] = await Promise.all([removal(), create(a), create(b), removal()])
  t.equal(removed.status, 200)
  matchError(t, late, 'notAllowed', 'removed')
  matchError(t, again, 'notAllowed', 'removed')
  t.equal(other.status, 200)
  t.equal((await b.result('GET', '/workgroups')).length, 1)
  t.equal(count(own), 1)

  await a.call('GET', '/workgroups')
  const [, , read] = await Promise.all([removal(), create(callsOf(own, 'c')), a.call('GET', '/workgroups')])
  matchError(t, read, 'notAllowed', 'removed')
})

const FAULTS = [
  {
    operation: 'listWorkgroups',
    after: 1,
    times: 2,
    probability: 0.5,
    phase: 'after-commit',
    effect: { status: 429, retry_after: 3, delay: { min: 'PT0S', max: 'PT0.001S' } }
  },
  { operation: 'getMetadata', workspace_id: 'a', workgroup_id: 'b', effect: { reply: 'drop' } },
  { operation: 'listWorkgroups', effect: { status: 503, reason: 'Later.', error_type: 'Unknown' } }
]

const CALLS = 60

/** A sandbox whose faults have counted something. */
async function openFaulty(): Promise<TestSandbox> {
  const b = await open()
  for (const fault of FAULTS) await b.control('POST', '/faults', fault)
  await b.control('DELETE', '/faults/fault-2')
  // So often that the rule which needs luck has used up its times, and the next one is the one that is met.
  for (let i = 0; i < CALLS; i++) await b.call('GET', '/workgroups')
  return b
}

const faultsOf = async (b: TestSandbox) => (await b.controlResult('GET', '/faults')) as Body[]

void t.test('a reset can keep the faults and the journal', async (t) => {
  const b = await openFaulty()
  const faults = await faultsOf(b)
  t.match(faults, [{ id: 'fault-1', seen: CALLS, hits: 2 }, { id: 'fault-3' }])
  const requests = (await b.controlResult('GET', '/requests')).requests as Body[]
  t.equal(requests.length, CALLS)
  await b.createWorkgroup()
  await b.control('POST', '/reset', { keep: ['faults', 'journal'] })
  t.strictSame(await faultsOf(b), faults)
  t.strictSame((await b.controlResult('GET', '/requests?operation=listWorkgroups')).requests, requests)
  t.strictSame((await stateOf(b)).workgroups, [])
  t.equal((await b.call('GET', '/workgroups')).body.Message, 'Later.', 'they go on')
  await b.control('POST', '/reset')
  t.strictSame([await faultsOf(b), b.sandbox.hasFaults, b.sandbox.journal.requests()], [[], false, []])
  t.equal((await b.call('GET', '/workgroups')).status, 200)
})

void t.test('a replacement or a removal that cannot be committed changes nothing', async (t) => {
  const disk = breakCommits(t)
  const own = await buildMock(t)
  const b = await openSandbox(own)
  await b.control('POST', '/faults', FAULTS[2])
  await b.control('PUT', '/transitions', { rules: [{ transition: 'workspace.create', outcome: 'hold' }] })
  await b.result('POST', `/workgroups/${await b.createWorkgroup()}/workspaces`, {})
  const state = await stateOf(b)
  const requests = await b.controlResult('GET', '/requests')
  const replacement = { org: { id: 'else' }, random: { seed: 'c'.repeat(24), draws: 7 }, clock: { mode: 'poll' } }
  for (const [method, path, body] of [
    ['PUT', '/state', replacement],
    ['DELETE', '/sandboxes', undefined]
  ] as const) {
    disk.fail = true
    t.equal((await b.control(method, path, body)).status, 503)
    disk.fail = false
    const { random, ...rest } = await stateOf(b)
    t.strictSame({ ...rest, random: state.random }, state, path)
    t.equal(random.seed, state.random.seed)
    t.ok(random.draws >= state.random.draws, 'no id is given twice')
    t.strictSame(await b.controlResult('GET', '/requests'), requests)
    t.equal(own.plane.sandboxes.find(b.sandbox.id), b.sandbox)
  }
  t.match(await b.call('GET', '/workgroups'), { status: 503, body: { Message: 'Later.' } })
  matchSuccess(t, await b.control('DELETE', '/sandboxes'), 'The sandbox was removed.')
})

testIn('a delayed read is refused if its sandbox is removed meanwhile', async (t, b) => {
  await b.control('POST', '/faults', { operation: 'listWorkgroups', effect: { delay: 'PT0.1S' } })
  const held = b.call('GET', '/workgroups')
  while ((await faultsOf(b))[0]!.hits === 0);
  await b.control('DELETE', '/sandboxes')
  matchError(t, await held, 'notAllowed', 'removed')
})
