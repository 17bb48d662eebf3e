import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { DatabaseError, ListenError, startMock } from '../src/node/index.js'
import { CONTROLLER, listen, sendJson } from './helper.js'

const list = async (url: string) =>
  (await fetch(`${url}${CONTROLLER}/workgroups`, { headers: { 'x-api-key': 'test' } })).json() as Promise<{
    Result: unknown[]
  }>
const create = (url: string) =>
  sendJson('POST', `${url}${CONTROLLER}/workgroups`, { 'x-api-key': 'test' }, { cloud_provider_id: 'x' })

void t.test('startMock() listens on a free port of 127.0.0.1 and is ready when it resolves', async (t) => {
  await using mock = await startMock()
  t.match(mock.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const reply = await fetch(`${mock.url}/_mock/ready`)
  t.equal(reply.status, 200)
  t.strictSame(await reply.json(), {
    RequestID: reply.headers.get('x-request-id'),
    Error: false,
    Message: 'The server is ready.',
    ErrorDetails: null,
    Result: null
  })
})

void t.test('close() stops the server, and can be called again; so does the end of an await using', async (t) => {
  const mock = await startMock()
  t.equal((await create(mock.url)).status, 200)
  await Promise.all([mock.close(), mock.close()])
  await mock.close()
  await t.rejects(list(mock.url), { message: 'fetch failed' })
  let url
  {
    await using another = await startMock()
    ;({ url } = another)
    t.equal((await list(url)).Result.length, 0)
  }
  await t.rejects(list(url), { message: 'fetch failed' })
})

void t.test('close() waits for a request in flight, but not for an idle connection', { timeout: 30_000 }, async (t) => {
  const mock = await startMock()
  const open = async () => {
    const socket = connect(Number(new URL(mock.url).port), '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  const [silent, busy] = [await open(), await open()]
  busy.write('GET /_mock/ready HTTP/1.1\r\n')
  await list(mock.url)
  const closed = mock.close()
  await once(silent, 'close')
  busy.write('Host: localhost\r\n\r\n')
  t.match(String(await once(busy, 'data')), /^HTTP\/1.1 503 [^]*\r\nconnection: close\r\n/i)
  await closed
})

void t.test('under a test runner, an open server does not keep the process alive', async (t) => {
  const script = `
    import { startMock } from '${new URL('../dist/index.js', import.meta.url).href}'
    const mock = await startMock()
    const { status } = await fetch(mock.url + '/_mock/ready')
    console.log(status, process.getActiveResourcesInfo().includes('TCPServerWrap'))
    if (process.env.NOBODY) process.exit()`
  const run = async (more: Record<string, string>) => {
    const env = { ...process.env, ...more }
    return (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env })).stdout
  }
  for (const name of ['JEST_WORKER_ID', 'NODE_TEST_CONTEXT', 'TAP', 'VITEST'])
    t.equal(await run({ [name]: 'here' }), '200 false\n', name)
  t.equal(await run({ NOBODY: '1' }), '200 true\n', 'any other program is kept alive')
})

void t.test("a test's fake timers do not stop a server that started before them", async (t) => {
  const script = `
    import { mock as fake } from 'node:test'
    import { startMock } from '${new URL('../dist/index.js', import.meta.url).href}'
    const mock = await startMock()
    const box = mock.sandbox()
    fake.timers.enable({ apis: ['setImmediate', 'setInterval', 'setTimeout', 'Date'], now: Date.now() })
    await box.seed({ workgroups: [{ id: 'main', workspaces: [{ id: 'writer' }] }] })
    const writer = { workgroupID: 'main', workspaceID: 'writer' }
    await box.call('pauseWorkspace', writer)
    const statuses = [(await box.call('getWorkspace', writer)).status]
    fake.timers.tick(2000)
    statuses.push((await box.call('getWorkspace', writer)).status)
    console.log(...statuses)
    fake.timers.reset()
    await mock.close()`
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 })
  t.equal(stdout, 'Pausing Stopped\n')
})

void t.test('a database file is kept, and unlocked after close()', async (t) => {
  const db = join(t.testdir(), 'a.db')
  const first = await startMock({ db })
  await create(first.url)
  const refused: unknown = await startMock({ db }).catch((error: unknown) => error)
  t.type(refused, DatabaseError)
  await first.close()
  await using second = await startMock({ db })
  t.equal((await list(second.url)).Result.length, 1)
})

void t.test('errors name options as startMock() does', async (t) => {
  await t.rejects(startMock({ auth: 'strict' }), { name: 'OptionError', message: /^[^-]*apiKeys[^-]*$/ })
  await t.rejects(startMock({ brandResourceName: 'email' }), { name: 'OptionError', message: /^brandResourceName / })
  const db = join(t.testdir(), 'a.db')
  await using mock = await startMock({ db, maxSnapshots: 0, journalRequests: 0 })
  await t.rejects(startMock({ db }), { name: 'DatabaseError', message: /; stop that one, or choose another db$/ })
  const box = mock.sandbox()
  await t.rejects(box.snapshot.save('a'), { message: /the maximum of maxSnapshots;/ })
  await t.rejects(box.verify({ operation: 'listWorkgroups' }), { message: /\(journalRequests 0\)/ })
})

void t.test('an invalid document or key is refused in a sentence', async (t) => {
  await using mock = await startMock()
  for (const key of [5, null, {}])
    t.throws(() => mock.sandbox(key as never), { name: 'OptionError', message: /^key must be a text, not / })
  const { seed, state } = mock.sandbox()
  for (const [document, given] of [
    [undefined, /required/],
    ['{}', /a string/],
    [[], /an array/],
    [Promise.resolve({}), /a Promise/],
    [new Map(), /a Map/],
    [Buffer.from('{}'), /a Uint8Array/]
  ] as const)
    for (const step of [seed, state.replace])
      await t.rejects(step(document as never), { name: 'ServiceError', message: given })
})

void t.test('a port in use is rejected, and the database is unlocked again', async (t) => {
  const port = Number(new URL(await listen(t)).port)
  const db = join(t.testdir(), 'a.db')
  const inUse = `port ${port} of 127.0.0.1 is in use; stop what listens there, or choose another port`
  const error: unknown = await startMock({ port, db }).catch((thrown: unknown) => thrown)
  t.ok(error instanceof ListenError)
  t.match(error, { message: inUse, cause: { code: 'EADDRINUSE' }, stack: /^ListenError: .*\n {4}at .*mock\.test/ })
  await t.rejects(startMock({ host: '203.0.113.1' }), {
    name: 'ListenError',
    message: '203.0.113.1 is not an address of this machine; choose another host'
  })
  await (await startMock({ db })).close()
})

void t.test('the address of an IPv6 server is in brackets', async (t) => {
  await using mock = await startMock({ host: '::1' })
  t.match(mock.url, /^http:\/\/\[::1\]:\d+$/)
  t.equal((await fetch(`${mock.url}/_mock/ready`)).status, 200)
})
