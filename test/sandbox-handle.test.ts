import { AssertionError } from 'node:assert'
import t, { type Test } from 'tap'
import { OPERATION_IDS } from '../src/interface/operation-ids.js'
import { connectMock, type MockServer, type SandboxHandle, ServiceError, startMock } from '../src/node/index.js'
import { type Body, pluck, sendJson } from './helper.js'
import { messageOf, oneOf, patternOf, type Reason, reasonOf } from './messages.js'
import { REGIONS } from './sandbox.js'

async function call(box: SandboxHandle, method: string, path: string, body?: unknown): Promise<Body> {
  const response = await sendJson(method, `${box.url}/controller/v4/v2${path}`, box.headers, body)
  return { status: response.status, ...((await response.json()) as Body) }
}

/** Tests handles of a server in this process, and of one that is reached by HTTP alone. */
function testHandles(name: string, test: (t: Test, mock: MockServer) => Promise<void>): void {
  void t.test(name, async (t) => {
    await using mock = await startMock({ controlToken: 'secret' })
    const elsewhere = await connectMock({ url: `${mock.url}/`, controlToken: 'secret' })
    await t.test('in this process', (t) => test(t, mock))
    await t.test('elsewhere', (t) => test(t, elsewhere))
  })
}

const SEED = {
  clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' },
  workgroups: [{ id: 'main', workspaces: [{ id: 'writer' }] }]
} as const

testHandles('every method of a handle does what the control API does', async (t, mock) => {
  const box = mock.sandbox()
  t.equal(box.url, mock.url)
  t.equal(await mock.sandboxes.purge({ idle: 'PT1H' }), 0)
  await box.seed(structuredClone(SEED) as never)
  const state = await box.state.read()
  t.equal(state.workgroups?.[0]?.id, 'main')

  t.strictSame(pluck(await box.transitions.replace([{ transition: 'workspace.pause', outcome: 'hold' }]), 'outcome'), [
    'hold'
  ])
  t.equal((await box.transitions.read()).length, 1)
  const pause = await call(box, 'POST', '/workgroups/main/workspaces/writer/pause')
  t.match(await box.events(), [{ event: 'workspace.pause', held: true, request_id: pause.RequestID }])
  t.match(await box.transitions.release(), [{ event: 'workspace.pause' }])
  t.match(await box.timeline('writer'), [{ to: 'Pausing' }, { to: 'Stopped' }])
  t.match(await box.requests.read(pause.RequestID as string), {
    request: { operation: 'pauseWorkspace' },
    events: [{ state: 'fired' }]
  })
  t.match(await box.requests.list({ operation: 'pauseWorkspace' }), { requests: [{ status: 200 }] })
  t.match(await box.verify({ operation: 'pauseWorkspace', where: { workspace_id: 'writer' }, times: { exactly: 1 } }), {
    count: 1
  })
  t.ok((await box.coverage.read()).operations.some(({ name, count }) => name === 'pauseWorkspace' && count === 1))
  t.match(await box.coverage.junit(), /<testcase/)
  t.match(await box.report(), { findings: [], left_behind: [] })
  t.match(await box.recording(), /^\{"svcmock":1,.*\n\{"kind":"checkpoint"/)

  t.equal((await box.snapshot.save('paused')).name, 'paused')
  t.strictSame(pluck(await box.snapshot.list(), 'name'), ['paused'])
  await box.reset({ keep: ['transitions'] })
  t.equal((await call(box, 'GET', '/workgroups/main/workspaces/writer')).Result.status, 'Active')
  t.equal((await box.transitions.read()).length, 1, 'kept')
  await box.snapshot.restore('paused')
  t.equal((await call(box, 'GET', '/workgroups/main/workspaces/writer')).Result.status, 'Stopped')
  const fork = await box.fork({ from: 'paused', ttl: 'PT1H' })
  t.equal((await call(fork, 'GET', '/workgroups/main/workspaces/writer')).Result.status, 'Stopped')
  const other = await box.fork()
  t.equal((await call(other, 'GET', '/workgroups/main/workspaces/writer')).Result.status, 'Active')
  await box.snapshot.delete('paused')

  t.match(await box.quotas.set({ rw_workspaces: 3 }), { rw_workspaces: 3 })
  t.match(await box.quotas.read(), { rw_workspaces: 3, ro_workspaces: null })
  await box.clock.advance({ until: 'idle' })

  const { id } = await box.fault.add({ operation: 'getWorkgroup', effect: { status: 500 } })
  t.equal((await call(box, 'GET', '/workgroups/main')).status, 500)
  t.match(await box.fault.list(), [{ id, hits: 1 }])
  await box.fault.remove(id)
  t.equal(await box.fault.clear(), 0)

  await box.state.replace(state)
  t.strictSame(await box.state.read(), state)
  t.match(await box.backup('writer', { tag: 'mine' }), { tag: 'mine', status: 'Running', type: 'manual' })
  t.equal(await box.activity('writer'), 'Active')
  await box.requests.clear()
  await box.coverage.clear()
  t.strictSame((await box.requests.list()).requests, [])
  t.match((await box.coverage.read()).summary.operations, { exercised: 0 })
})

testHandles('an HTTP error is thrown with the same message', async (t, mock) => {
  const box = mock.sandbox()
  const missing = (what: string, id: string) => patternOf('notFound', 'resource', { what, id })
  const cases: [attempt: () => Promise<unknown>, message: RegExp][] = [
    [
      () => box.seed({ workgroups: [{ region: 'mars' }] }),
      patternOf('invalidBody', { 'workgroups.0.region': oneOf(...REGIONS) })
    ],
    [() => box.snapshot.restore('x'), missing('snapshot', 'x')],
    [() => box.snapshot.save('a b'), patternOf('invalidBody', { name: 'readableId' })],
    [() => box.fork({ ttl: 'soon' }), patternOf('invalidBody', { ttl: 'positiveDuration' })],
    [() => box.verify({ operation: 'fly' as never }), patternOf('invalidBody', { operation: oneOf(...OPERATION_IDS) })],
    [
      () => box.transitions.replace([{ transition: 'fly' as never }]),
      patternOf('invalidBody', { 'rules.0.transition': 'oneOf' })
    ]
  ]
  for (const [attempt, message] of cases) {
    const error: unknown = await attempt().catch((thrown: unknown) => thrown)
    t.ok(error instanceof ServiceError)
    t.match((error as Error).message, message)
    t.match((error as Error).stack, /^ServiceError: .*\n {4}at .*sandbox-handle\.test/, 'its stack begins at the call')
  }
})

testHandles('a missing argument, or one of a wrong type, is named', async (t, mock) => {
  const box = mock.sandbox()
  const untyped = box as unknown as Record<string, (...input: unknown[]) => Promise<unknown>>
  const snapshot = box.snapshot as unknown as typeof untyped
  const texts: [attempt: () => Promise<unknown> | undefined, named: RegExp][] = [
    [() => untyped['backup']?.(), /^workspaceID .* not undefined$/],
    [() => untyped['backup']?.(''), /^workspaceID .* not ''$/],
    [() => untyped['activity']?.(5), /^workspaceID .* not a number$/],
    [() => snapshot['delete']?.({}), /^name .* not an object$/],
    [() => untyped['call']?.('getWorkgroup', 'main'), /^the input of getWorkgroup .* not a string$/],
    [() => untyped['call']?.('getWorkgroup', null), /^the input of getWorkgroup .* not null$/],
    [() => untyped['call']?.('createWorkgroup', { body: { name: 1n } }), /^the body cannot be sent as JSON: .*BigInt$/]
  ]
  for (const [attempt, named] of texts) {
    const error = await attempt()?.catch((thrown: unknown) => thrown)
    t.ok(error instanceof TypeError)
    t.match((error as Error).message, named)
    t.match((error as Error).stack, /^TypeError: .*\n {4}at .*sandbox-handle\.test/)
  }
  const wrong = (reason: Reason) => `The request is not valid: the argument ${reasonOf(reason)}.`
  for (const [attempt, reason] of [
    [() => untyped['fork']?.('no'), ['wrongType', { needed: 'an object', given: 'a string' }]],
    [() => untyped['seed']?.(), 'noBody'],
    [() => box.clock.advance(undefined as never), 'noBody'],
    [() => box.clock.advance({}), 'oneWay'],
    [() => mock.sandboxes.purge(undefined as never), 'noBody']
  ] as const) {
    const error = (await attempt()?.catch((thrown: unknown) => thrown)) as Error
    t.equal(error.message, wrong(reason))
  }
})

void t.test('the stack of an error that the caller causes begins at its line', async (t) => {
  await using mock = await startMock({ maxSnapshots: 0 })
  const box = mock.sandbox()
  const attempts = [
    () => mock.sandboxes.purge({ idle: 'x' }),
    () => mock.sandboxes.list({ limit: 0 }),
    () => box.seed({ workgroup: [] } as never),
    () => box.fork({ from: 'x' }),
    () => box.snapshot.save('x'),
    () => box.verify({ operaton: 'listWorkgroups' } as never),
    () => Promise.resolve(mock.sandbox(5 as never)),
    () => startMock({ prot: 1 } as never),
    () => startMock({ seedFile: '/nowhere' }),
    () => startMock({ db: '/proc/a.db' })
  ]
  for (const attempt of attempts) {
    async function attemptInTest() {
      await attempt()
    }
    const { name, stack } = (await attemptInTest().catch((thrown: unknown) => thrown)) as Error
    t.match(stack, new RegExp(`^${name}: .*\\n {4}at .*sandbox-handle\\.test`), String(attempt))
  }
})

testHandles('a failed verification is an AssertionError at the line of the test', async (t, mock) => {
  const box = mock.sandbox()
  const called = { operation: 'listWorkgroups', count: 0, wanted: 'at least 1' }
  async function verifyInTest() {
    await box.verify({ operation: 'listWorkgroups' })
  }
  const error = await verifyInTest().catch((thrown: unknown) => thrown)
  t.ok(error instanceof AssertionError)
  t.equal((error as Error).message, messageOf('notAllowed', 'called', called))
  t.match((error as Error).stack, /^AssertionError: .*\n {4}at verifyInTest .*sandbox-handle\.test/)
})

testHandles("disposing of a handle removes its sandbox, and a fork's key", async (t, mock) => {
  const box = mock.sandbox('own')
  await box.seed({ workgroups: [{ id: 'main' }] })
  const fork = await box.fork()
  await fork[Symbol.asyncDispose]()
  t.equal((await call(fork, 'GET', '/workgroups')).status, 401)
  await t.rejects(fork.state.read(), { message: messageOf('unauthorized', 'gone') })
  await fork.remove()
  await box.remove()
  t.strictSame((await call(box, 'GET', '/workgroups')).Result, [], 'a new one')
  await mock.sandbox('never-used').remove()
})

void t.test('calls that the server cannot finish, or that come after it has stopped, say so', async (t) => {
  const mock = await startMock({ demo: true })
  const box = mock.sandbox()
  const cutShort = Promise.allSettled([box.clock.advance({ by: 'P300D' }), box.state.read(), box.recording()])
  await mock.close()
  for (const outcome of await cutShort)
    t.match(outcome, { status: 'rejected', reason: { name: 'ServiceError', status: 503 } })
  const attempts = [
    ...[() => box.state.read(), () => box.clock.read(), () => box.reset(), () => box.call('listWorkgroups')],
    ...[() => box.remove(), () => mock.sandboxes.list(), () => mock.sandboxes.purge({ idle: '1s' })]
  ]
  for (const attempt of attempts)
    await t.rejects(attempt() as Promise<void>, { message: messageOf('unavailable', 'stopped'), status: 503 })
})

void t.test('with auth strict, a handle accepts the key of a fork', async (t) => {
  await using mock = await startMock({ auth: 'strict', apiKeys: ['ci=k'] })
  const fork = await mock.sandbox('k').fork()
  t.equal((await call(mock.sandbox(fork.key), 'GET', '/workgroups')).status, 200)
  t.equal((await fetch(`${mock.url}/controller/v4/v2/workgroups`, { headers: { 'x-api-key': 'other' } })).status, 401)
  t.throws(() => mock.sandbox('other'), { message: 'with auth strict, sandbox() needs one of the keys of apiKeys' })
})
