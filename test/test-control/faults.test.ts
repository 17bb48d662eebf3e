import { once } from 'node:events'
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { type SandboxHandle, startMock } from '../../src/node/index.js'
import { serve } from '../../src/node/serve.js'
import { checkOptions, embeddedDefaults } from '../../src/options.js'
import { delayOf } from '../../src/sandboxes/fault-rule.js'
import { openActiveWorkspace } from '../active-workspace.js'
import { type Body, buildMock, CONTROLLER, matchError, matchSuccess, sendJson, until } from '../helper.js'
import { logLines } from '../log-lines.js'
import { type Fields, injected, wrongType } from '../messages.js'
import { readOperations } from '../operations.js'
import { requestWith } from '../raw-http.js'
import { NONE, openSandbox, type TestSandbox, testsIn, workspaceIn } from '../sandbox.js'

const mock = await buildMock(t)
const open = () => openSandbox(mock)
const testIn = testsIn(mock)
const FAILS = { effect: { status: 503 } }

const add = (b: TestSandbox, rule: Body): Promise<Body> => b.controlResult('POST', '/faults', rule)
const list = async ({ controlResult }: TestSandbox) => (await controlResult('GET', '/faults')) as Body[]
/** What each rule has counted. */
const counts = async (b: TestSandbox) => (await list(b)).map(({ seen, hits }) => [seen as number, hits as number])
const statuses = async (replies: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(replies)).map(({ status }) => status)

testIn('a rule is added, listed with its defaults, and removed', async (t, b) => {
  const listed = (id: string, rule: object) => ({
    id,
    after: 0,
    probability: 1,
    phase: 'before',
    ...rule,
    seen: 0,
    hits: 0
  })
  const whole = {
    operation: 'getWorkspace',
    workspace_id: 'a',
    workgroup_id: 'b',
    after: 2,
    times: 3,
    probability: 0.5,
    phase: 'after-commit',
    effect: {
      status: 429,
      error_type: 'Quota-Exceed',
      reason: 'Slow down.',
      retry_after: 30,
      delay: { min: 'PT0.1S', max: 'PT10M' }
    }
  }
  const [first, second] = [listed('fault-1', FAILS), listed('fault-2', whole)]
  const third = listed('fault-3', { phase: 'after-commit', effect: { reply: 'cut', delay: 'PT90S' } })
  matchSuccess(t, await b.control('GET', '/faults'), 'Done.', [])
  matchSuccess(t, await b.control('POST', '/faults', FAILS), 'Fault added: fault-1.', first)
  const short = { ...whole, effect: { ...whole.effect, delay: { min: '100ms', max: '10m' } } }
  matchSuccess(t, await b.control('POST', '/faults', short), 'Fault added: fault-2.', second)
  t.same(await add(b, { effect: { reply: 'cut', delay: '90s' } }), third)
  t.same(await list(b), [first, second, third])

  matchSuccess(t, await b.control('DELETE', '/faults/fault-2'), 'Faults removed: 1.', { removed: 1 })
  t.same(await list(b), [first, third])
  for (const id of ['fault-2', 'fault-0', 'fault-01', '1', 'fault-9999999999999999', 'x'])
    matchError(t, await b.control('DELETE', `/faults/${id}`), 'notFound', 'resource', { values: { what: 'fault', id } })
  t.equal((await add(b, FAILS)).id, 'fault-4')
  matchSuccess(t, await b.control('DELETE', '/faults'), 'Faults removed: 3.', { removed: 3 })
  matchSuccess(t, await b.control('DELETE', '/faults'), 'Faults removed: 0.', { removed: 0 })
  t.equal((await add(b, FAILS)).id, 'fault-1')
})

testIn(
  'a rule with a body sees and counts only requests that have it, among other fields at any depth',
  async (t, b) => {
    const create = async (body: Body) => (await b.call('POST', '/workgroups', body)).status
    const labelled = (list: unknown[]) => ({ cloud_provider_id: 'a', labels: { list, other: 1 } })
    const body = { labels: { list: ['a'] } }
    const rule = { body, after: 1, times: 1, ...FAILS }
    t.match(await add(b, rule), { body })
    t.equal((await b.call('GET', '/workgroups')).status, 200, 'no body')
    const sent = []
    for (const list of [['a'], ['b'], ['a', 'a'], ['a'], ['a']]) sent.push(await create(labelled(list)))
    t.strictSame(sent, [200, 200, 200, 503, 200])
    t.strictSame(await counts(b), [[3, 1]], 'others are not even seen')
    t.match((await b.controlResult('GET', '/state')).faults, [{ body }])
  }
)

testIn('an invalid rule is refused with all of its errors, and not added', async (t, b) => {
  const effect = { status: 500 }
  const cases: [rule: unknown, fields: Fields][] = [
    [{ effect: {} }, { effect: 'noEffect' }],
    [{ effect: { reason: 'r' } }, { effect: 'noEffect', 'effect.reason': 'onlyWithStatus' }],
    [{ effect: { status: 399 } }, { 'effect.status': 'errorStatus' }],
    [{ effect: { status: 500, reply: 'drop' } }, { 'effect.reply': 'withStatus' }],
    [
      { effect: { delay: 'PT1S', error_type: 'Unknown', reason: 'r', retry_after: 1 } },
      {
        'effect.error_type': 'onlyWithStatus',
        'effect.reason': 'onlyWithStatus',
        'effect.retry_after': 'onlyWithStatus'
      }
    ],
    [
      { effect, body: Object.fromEntries(Array.from({ length: 251 }, (_, i) => [`f${i}`, i])) },
      { body: 'tooManyFields' }
    ],
    [{ effect, body: { a: 'x'.repeat(65_536) } }, { body: 'tooLarge' }],
    [{ phase: 'before', effect: { reply: 'cut' } }, { phase: 'cutBefore' }],
    [{ effect: { delay: '11m' } }, { 'effect.delay': 'delay' }],
    [{ effect: { delay: 'PT10M0.001S' } }, { 'effect.delay': 'delay' }],
    [{ effect: { delay: 'P1M' } }, { 'effect.delay': 'delay' }],
    [{ effect: { delay: 5 } }, { 'effect.delay': wrongType('string', 'number') }],
    [{ effect: { delay: { min: 'PT1S' } } }, { 'effect.delay.max': 'required' }],
    [
      { effect: { delay: { min: 1, max: 'PT1H', mean: 1 } } },
      {
        'effect.delay.mean': 'unknown',
        'effect.delay.min': wrongType('string', 'number'),
        'effect.delay.max': 'delay'
      }
    ],
    [{ effect: { delay: { min: '1', max: '2' } } }, { 'effect.delay.min': 'delay', 'effect.delay.max': 'delay' }],
    [{ effect: { delay: { min: 'PT2S', max: 'PT1S' } } }, { 'effect.delay.max': ['delayRange', { min: 'PT2S' }] }],
    [
      { probability: 2, phase: 'before', effect: { reply: 'cut', reason: 'r', delay: 'x' } },
      {
        probability: ['atMost', { limit: 1 }],
        'effect.reason': 'onlyWithStatus',
        phase: 'cutBefore',
        'effect.delay': 'delay'
      }
    ]
  ]
  for (const [rule, fields] of cases) matchError(t, await b.control('POST', '/faults', rule), 'invalidBody', fields)
  t.same(await list(b), [])
  t.equal(b.sandbox.hasFaults, false)
})

testIn('a status is sent in the envelope, and the operation is not carried out', async (t, b) => {
  const { id } = await add(b, { effect: { status: 503 } })
  const refused = await b.call('POST', '/workgroups', { cloud_provider_id: 'account' })
  matchError(t, refused, 503, 'Internal-Error', injected('fault-1'))
  t.equal(refused.headers['retry-after'], undefined)
  t.match(refused.headers['content-type'], /^application\/json/)
  await b.control('DELETE', `/faults/${id}`)
  t.equal(b.sandbox.hasFaults, false)
  t.same(await b.result('GET', '/workgroups'), [])

  await add(b, { effect: { status: 429, error_type: 'API-Disabled', reason: 'Slow down.', retry_after: 30 } })
  const limited = await mock.call('GET', '/workgroups', { key: b.key, headers: { 'x-request-id': 'mine' } })
  matchError(t, limited, 429, 'API-Disabled', 'Slow down.')
  t.match(limited.headers, { 'x-request-id': 'mine', 'retry-after': '30' })
  const head = await mock.call('HEAD', '/workgroups', { key: b.key })
  t.match(
    { status: head.status, body: head.body, retry: head.headers['retry-after'] },
    { status: 429, body: '', retry: '30' }
  )
})

testIn('a status has its Type, and operations 6 to 12 have a Result', async (t, b) => {
  for (const [type, ...all] of [
    ['Bad-Request', 400, 405, 413, 415],
    ['Unauthorized', 401],
    ['Forbidden', 403],
    ['Not-Found', 404],
    ['Quota-Exceed', 429],
    ['Unknown', 418],
    ['Internal-Error', 500, 599]
  ] as const)
    for (const status of all) {
      await add(b, { times: 1, effect: { status, reason: 'No.' } })
      matchError(t, await b.call('GET', '/workgroups'), status, type, 'No.')
    }
  await add(b, { effect: { status: 500 } })
  matchError(t, await b.call('GET', `/workgroups/${NONE}/allow_list`), 500, 'Internal-Error', injected('fault-12'), {
    result: true
  })
})

testIn('a rule matches by operation, workspace and workgroup, as the path names them', async (t, b) => {
  const { id, url } = await workspaceIn(b, 'Active')
  const { workgroup_id: other } = await b.result('POST', '/workgroups', { cloud_provider_id: 'account' })
  const [, , workgroup] = url.split('/')
  const reads = async (rule: Body) => {
    await b.control('DELETE', '/faults')
    await add(b, { ...rule, ...FAILS })
    return statuses(
      ['/workgroups', `/workgroups/${workgroup}`, `/workgroups/${other}`, url, '/workspaces/meta'].map((path) =>
        b.call('GET', path)
      )
    )
  }
  t.same(await reads({}), [503, 503, 503, 503, 503])
  t.same(await reads({ operation: 'getWorkgroup' }), [200, 503, 503, 200, 200])
  t.same(await reads({ workgroup_id: workgroup }), [200, 503, 200, 503, 200])
  t.same(await reads({ workspace_id: id }), [200, 200, 200, 503, 200])
  t.same(await reads({ operation: 'getWorkgroup', workgroup_id: other }), [200, 200, 503, 200, 200])
  t.same(await reads({ operation: 'getWorkgroup', workspace_id: id }), [200, 200, 200, 200, 200])
  t.same(await reads({ operation: 'getMetadata' }), [200, 200, 200, 200, 503])
  const head = await mock.call('HEAD', '/workspaces/meta', { key: b.key })
  t.equal(head.status, 503, 'a HEAD is the operation of its GET')
  t.equal((await b.call('DELETE', '/workspaces/meta')).status, 405)
  t.same(await counts(b), [[2, 2]])
})

testIn('operations that share a path are matched separately', async (t, b) => {
  const { url } = await workspaceIn(b, 'Active')
  const target = `${url}/backups/schedule`
  const calls: [operation: string, url: string, body: unknown][] = [
    ['setBackupSchedule', target, { schedule: '0 3 * * *' }],
    ['setBackupSchedule', `${target}?operation=set_backup_schedule`, {}],
    ['updateWorkspaceSchedule', target, { repeat: 'daily' }],
    ['updateWorkspaceSchedule', `${target}?operation=update_workspace_schedule`, { id: 'a' }],
    ['deleteWorkspaceSchedule', target, { id: 'a' }],
    ['deleteWorkspaceSchedule', `${target}?operation=delete_workspace_schedule`, { schedule: '0 3 * * *' }]
  ]
  for (const operation of ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule']) {
    await b.control('DELETE', '/faults')
    await add(b, { operation, ...FAILS })
    for (const [chosen, path, body] of calls)
      t.equal(
        (await b.call('POST', path, body)).status === 503,
        chosen === operation,
        `${operation} ${path} ${JSON.stringify(body)}`
      )
    t.equal((await b.call('POST', `${target}?operation=other`, {})).status, 400)
  }
})

testIn('after lets requests pass, times limits the hits, and both are counted', async (t, b) => {
  await add(b, { operation: 'listWorkgroups', after: 2, times: 2, ...FAILS })
  const seen: number[][] = []
  for (let i = 0; i < 6; i++) {
    const { status } = await b.call('GET', '/workgroups')
    seen.push([status, ...(await counts(b))[0]!])
  }
  t.same(
    seen,
    [200, 200, 503, 503, 200, 200].map((status, index) => [status, index + 1, Math.min(2, Math.max(0, index - 1))])
  )
})

testIn('the first rule that fires applies, and later ones are not tried', async (t, b) => {
  await add(b, { operation: 'getMetadata', effect: { status: 500 } })
  await add(b, { after: 1, times: 1, effect: { status: 501 } })
  await add(b, { operation: 'listWorkgroups', effect: { status: 502 } })
  const found: number[] = []
  for (let i = 0; i < 3; i++) found.push((await b.call('GET', '/workgroups')).status)
  t.same(found, [502, 501, 502])
  t.same(await counts(b), [
    [0, 0],
    [3, 1],
    [2, 2]
  ])
})

void t.test('chance is repeatable, and draws no ids', async (t) => {
  const run = async (rules: Body[]) => {
    const b = await openSandbox(await buildMock(t, { seed: 7 }), { key: 'seeded' })
    for (const rule of rules) await add(b, rule)
    const hits: boolean[] = []
    for (let i = 0; i < 100; i++) hits.push((await b.call('GET', '/workgroups')).status === 503)
    return { hits, id: await b.createWorkgroup() }
  }
  const rule = { operation: 'listWorkgroups', probability: 0.3, ...FAILS }
  const first = await run([rule])
  t.same(await run([rule]), first)
  t.equal((await run([])).id, first.id)
  t.equal(first.hits.filter(Boolean).length, 26)
  const other = (await run([{ operation: 'getMetadata', ...FAILS }, rule])).hits.join()
  t.not(other, first.hits.join(), 'another rule has other luck')
})

testIn('a random delay is repeatable, and between its limits', async (t, b) => {
  await add(b, { effect: { delay: { min: 'PT1S', max: 'PT3S' } } })
  const [fault] = mock.plane.faults.list(b.sandbox.key)
  const delays = () => Array.from({ length: 200 }, (_, seen) => delayOf(b.sandbox, 1, { ...fault!, seen }))
  const first = delays()
  t.same(delays(), first)
  t.equal(new Set(first).size, 200)
  t.ok(Math.min(...first) >= 1000 && Math.min(...first) < 1100, `from ${Math.min(...first)}`)
  t.ok(Math.max(...first) <= 3000 && Math.max(...first) > 2900, `to ${Math.max(...first)}`)
  t.not(delayOf(b.sandbox, 2, fault!), first[0])
  t.equal(delayOf(b.sandbox, 1, { ...fault!, effect: { delay: 'PT0.25S' } }), 250)
  t.equal(delayOf(b.sandbox, 1, { ...fault!, effect: { status: 500 } }), 0)
})

testIn('simultaneous requests get no more hits than times allows', async (t, b) => {
  await add(b, { times: 5, ...FAILS })
  const found = await statuses(
    Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0 ? b.call('GET', '/workgroups') : b.call('POST', '/workgroups', { cloud_provider_id: 'account' })
    )
  )
  t.equal(found.filter((status) => status === 503).length, 5)
  t.same(await counts(b), [[20, 5]])
})

testIn('a fault comes after checks of credential and readability, and before those of the body', async (t, b) => {
  await add(b, FAILS)
  t.equal((await mock.call('GET', '/workgroups', { key: null })).status, 401)
  t.equal((await b.call('GET', '/nothing')).status, 404)
  t.equal((await b.call('POST', '/workgroups', '{')).status, 400)
  t.same(await counts(b), [[0, 0]])
  t.equal((await b.call('POST', '/workgroups', {})).status, 503)
})

void t.test('faults leave /_mock and other sandboxes alone', async (t) => {
  const [b, other] = [await open(), await open()]
  await add(b, FAILS)
  await add(other, { operation: 'getMetadata', effect: { status: 500 } })
  t.same(
    await statuses(
      ['/clock', '/events', '/timeline', '/quotas', '/transitions', '/faults'].map((path) => b.control('GET', path))
    ),
    Array(6).fill(200)
  )
  t.equal((await other.call('GET', '/workgroups')).status, 200)
  t.same(await counts(b), [[0, 0]])
  t.same(await counts(other), [[0, 0]])
  await b.control('DELETE', '/faults')
  t.equal((await list(other)).length, 1)
})

testIn('after-commit: the operation is carried out, and only the reply changes', async (t, b) => {
  await add(b, {
    operation: 'createWorkgroup',
    phase: 'after-commit',
    times: 1,
    effect: { status: 500, reason: 'Lost.' }
  })
  matchError(t, await b.call('POST', '/workgroups', { cloud_provider_id: 'account' }), 500, 'Internal-Error', 'Lost.')
  const [{ workgroup_id: id }] = await b.result('GET', '/workgroups')
  await add(b, { operation: 'getWorkgroup', phase: 'after-commit', effect: { status: 503, retry_after: 1 } })
  matchError(t, await b.call('GET', `/workgroups/${id}`), 503, 'Internal-Error', injected('fault-2'))
  matchError(t, await b.call('GET', `/workgroups/${NONE}`), 503, 'Internal-Error', injected('fault-2'))
  t.equal((await mock.call('HEAD', `/workgroups/${id}`, { key: b.key })).status, 503)

  await add(b, { operation: 'createWorkgroup', phase: 'after-commit', times: 1, effect: { reply: 'empty' } })
  const empty = await b.call('POST', '/workgroups', { cloud_provider_id: 'account' })
  t.match({ ...empty, headers: { ...empty.headers } }, { status: 200, body: '', headers: { 'content-length': '0' } })
  t.equal(empty.headers['content-type'], undefined)
  t.equal((await b.result('GET', '/workgroups')).length, 2)
})

/** A started server, and the means to speak to it byte by byte. */
async function startRaw(t: Test) {
  const server = await startMock()
  t.teardown(() => server.close())
  const box = server.sandbox()
  const { key, headers, fault } = box
  const { port } = new URL(server.url)
  const http = (method: string, path: string, body?: unknown) =>
    requestWith(method, `${CONTROLLER}${path}`, key, body === undefined ? '' : JSON.stringify(body))
  /**
   * Sends requests on one connection.
   * @returns all that came until the server closed it, or until it has gone on with so many heads
   */
  const exchange = async (text: string, heads = Infinity) => {
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
    socket.write(text)
    let received = ''
    for await (const chunk of socket as AsyncIterable<string>) {
      received += chunk
      if (received.split('HTTP/1.1 ').length > heads) break
    }
    return received
  }
  const workgroups = () => box.call('listWorkgroups')
  return { server, box, headers, port, http, exchange, workgroups, add: fault.add }
}

const CREATE = { cloud_provider_id: 'account' }

/** Creates a workgroup, unless the client gives up. */
const createUntil = ({ url, headers }: SandboxHandle, signal: AbortSignal) =>
  sendJson('POST', `${url}${CONTROLLER}/workgroups`, headers, CREATE, { signal })

const lengthOf = (reply: string) => Number(/content-length: (\d+)/i.exec(reply)?.[1])
const bodyOf = (reply: string) => reply.slice(reply.indexOf('\r\n\r\n') + 4)

void t.test('drop closes the connection without a byte, before the work or after it', async (t) => {
  const { add, exchange, http, workgroups, box } = await startRaw(t)
  await add({ operation: 'createWorkgroup', times: 1, effect: { reply: 'drop' } })
  t.equal(await exchange(http('POST', '/workgroups', CREATE)), '')
  t.same(await workgroups(), [])
  await add({ operation: 'createWorkgroup', phase: 'after-commit', times: 1, effect: { reply: 'drop' } })
  t.equal(await exchange(http('POST', '/workgroups', CREATE)), '')
  t.equal((await workgroups()).length, 1)
  t.match(await box.fault.list(), [{ hits: 1 }, { hits: 1 }])
})

void t.test('silent sends nothing until the client disconnects or the server stops', async (t) => {
  const { add, http, workgroups, box, server, port } = await startRaw(t)
  await add({ operation: 'createWorkgroup', phase: 'after-commit', effect: { reply: 'silent' } })
  const client = new AbortController()
  const reply = createUntil(box, client.signal)
  await until(async () => (await workgroups()).length === 1)
  setTimeout(() => client.abort(), 100)
  await t.rejects(reply, { name: 'AbortError' })
  t.equal((await workgroups()).length, 1, 'the work is done')
  const { requests } = await box.requests.list({ operation: 'createWorkgroup' })
  t.match(requests, [{ status: null, fault: { effect: { reply: 'silent' } } }])
  const socket = connect(Number(port), '127.0.0.1')
  const received: Buffer[] = []
  const ended = new Promise((resolve) => socket.on('data', (data) => received.push(data)).once('close', resolve))
  socket.on('error', () => undefined).write(http('POST', '/workgroups', CREATE))
  await until(async () => (await workgroups()).length === 2)
  await server.close()
  await ended
  t.equal(Buffer.concat(received).length, 0)
})

testIn('a 200 whose body says that it failed', async (t, b) => {
  await add(b, { operation: 'createWorkgroup', effect: { status: 200, reason: 'No.' } })
  const { status, body } = await b.call('POST', '/workgroups', CREATE)
  t.equal(status, 200)
  t.match(body, { Error: true, Message: 'No.', Result: null, ErrorDetails: [{ Type: 'Internal-Error' }] })
  t.same((await b.call('GET', '/workgroups')).body.Result, [])
})

void t.test('cut sends the head and half of the body, after the work', async (t) => {
  const { add, exchange, http, workgroups, headers, server } = await startRaw(t)
  await add({ operation: 'createWorkgroup', times: 1, effect: { reply: 'cut' } })
  const reply = await exchange(http('POST', '/workgroups', CREATE))
  t.match(reply, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(reply, /x-request-id: /i)
  t.match(reply, /content-type: application\/json/i)
  t.equal(bodyOf(reply).length, Math.floor(lengthOf(reply) / 2))
  t.equal((await workgroups()).length, 1)

  await add({ operation: 'listWorkgroups', effect: { reply: 'cut' } })
  const response = await fetch(`${server.url}${CONTROLLER}/workgroups`, { headers })
  t.equal(response.status, 200)
  await t.rejects(response.text(), { message: 'terminated' })
  const head = await exchange(http('HEAD', '/workgroups'))
  t.ok(lengthOf(head) > 100)
  t.equal(bodyOf(head), '')
  await add({ operation: 'getWorkgroup', effect: { reply: 'cut' } })
  const missing = await exchange(http('GET', `/workgroups/${NONE}`))
  t.match(missing, /^HTTP\/1\.1 404 Not Found\r\n/)
  t.equal(bodyOf(missing).length, Math.floor(lengthOf(missing) / 2))
})

void t.test('cut of a reply without a body closes after the head', async (t) => {
  const { add, exchange, http } = await startRaw(t)
  const asUser = (method: string, path: string, body?: unknown) =>
    http(method, path, body).replace(CONTROLLER, '').replace('X-Api-Key: ', 'Authorization: Bearer ')
  const [user] = JSON.parse(
    bodyOf(await exchange(asUser('GET', '/users').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')))
  )
  await add({ operation: 'updateOrgUserRoles', effect: { reply: 'cut' } })
  const { path, method } = readOperations().find(({ operationId }) => operationId === 'updateOrgUserRoles')!
  const reply = await exchange(
    asUser(method.toUpperCase(), path.replace('{userId}', user.id as string), { roles: ['org-admin'] })
  )
  t.match(reply, /^HTTP\/1\.1 204 No Content\r\n/)
  t.notMatch(reply, /content-length/i)
  t.equal(bodyOf(reply), '')
})

void t.test('empty answers 200 without a body, and keeps the connection', async (t) => {
  const { add, exchange, http, workgroups } = await startRaw(t)
  await add({ operation: 'createWorkgroup', effect: { reply: 'empty' } })
  const reply = await exchange(http('POST', '/workgroups', CREATE) + http('HEAD', '/workspaces/meta'), 2)
  t.match(reply, /^HTTP\/1\.1 200 OK\r\n/)
  t.equal(lengthOf(reply), 0)
  t.notMatch(reply.slice(0, reply.indexOf('\r\n\r\n')), /content-type/i)
  t.same(await workgroups(), [])
  await add({ operation: 'listWorkgroups', effect: { reply: 'empty' } })
  t.match(await exchange(http('HEAD', '/workgroups'), 1), /^HTTP\/1\.1 200 OK\r\n[^]*content-length: 0\r\n/)
})

void t.test('with pipelining, the replies before a dropped one arrive, and none after it', async (t) => {
  const { add, exchange, http, workgroups } = await startRaw(t)
  for (const [reply, tail] of [
    ['drop', ''],
    ['cut', 'HTTP/1.1 ']
  ] as const) {
    await add({ operation: 'getMetadata', times: 1, effect: { reply } })
    // The first is answered last: its commit takes until after the next ones have been read.
    const text = await exchange(
      http('POST', '/workgroups', CREATE) + http('GET', '/workspaces/meta') + http('GET', '/workgroups')
    )
    const [first, ...rest] = text.split('HTTP/1.1 ').slice(1)
    t.match(first, /^200 OK/)
    t.equal(Buffer.byteLength(bodyOf(first!)), lengthOf(first!), 'it is whole')
    if (tail === '') t.same(rest, [])
    else {
      t.equal(rest.length, 1)
      t.equal(Buffer.byteLength(bodyOf(rest[0]!)), Math.floor(lengthOf(rest[0]!) / 2))
    }
  }
  t.equal((await workgroups()).length, 2)
})

void t.test('a connection that is kept alive is closed by a drop, and the next request gets another', async (t) => {
  const { add, port, headers } = await startRaw(t)
  await add({ after: 1, times: 1, effect: { reply: 'drop' } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const get = async () => {
    const request = httpRequest({ host: '127.0.0.1', port, path: `${CONTROLLER}/workgroups`, headers, agent }).end()
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    await text(reply)
    return [request.reusedSocket, reply.statusCode]
  }
  t.same(await get(), [false, 200])
  await t.rejects(get(), { code: 'ECONNRESET' })
  t.same(await get(), [false, 200])
})

testIn('a delay can be combined with a status or a reply, or stand alone', async (t, b) => {
  /**
   * Whether the reply comes after a timer of the same length that was begun before the request: that, and no clock, is
   * sure.
   */
  const timed = async (rule: Body, atLeast: number) => {
    await add(b, { times: 1, ...rule })
    let isOver = false
    setTimeout(() => (isOver = true), atLeast)
    const { status } = await b.call('GET', '/workgroups')
    return [status, isOver]
  }
  const cases: [rule: Body, status: number, atLeast: number][] = [
    [{ effect: { delay: 'PT0.02S' } }, 200, 20],
    [{ effect: { delay: 'PT0.015S', status: 503 } }, 503, 15],
    [{ phase: 'after-commit', effect: { delay: 'PT0.015S', status: 503 } }, 503, 15],
    [{ effect: { delay: { min: 'PT0.01S', max: 'PT0.02S' }, reply: 'empty' } }, 200, 10]
  ]
  for (const [rule, expected, atLeast] of cases)
    t.strictSame(await timed(rule, atLeast), [expected, true], JSON.stringify(rule))
})

void t.test('a delayed read shows the events that came due during its delay', async (t) => {
  const b = await openActiveWorkspace(mock)
  await b.setRules({ transition: 'workspace.pause', after: 'PT5M' })
  await b.controlResult('PUT', '/clock', { mode: 'real', rate: 10_000 })
  await add(b, { operation: 'getWorkspace', effect: { delay: 'PT0.05S' } })
  await b.call('POST', `${b.path}/pause`)
  t.match(await b.call('GET', b.path), { body: { Result: { status: 'Stopped' } } })
})

void t.test('closing the server ends delays at once, and answers their requests', async (t) => {
  const { add, server, headers, box } = await startRaw(t)
  await add({ phase: 'after-commit', operation: 'listWorkgroups', effect: { delay: 'PT10M', status: 503 } })
  await add({ operation: 'getMetadata', effect: { delay: { min: 'PT9M', max: 'PT10M' } } })
  const sent = ['/workgroups', '/workspaces/meta'].map((path) =>
    fetch(`${server.url}${CONTROLLER}${path}`, { headers })
  )
  await until(async () => (await box.fault.list()).every(({ hits }) => hits > 0))
  await server.close()
  t.same(await statuses(sent), [503, 200])
})

void t.test('a client that gives up ends its delay: with before, the operation is not carried out', async (t) => {
  const { lines, warnings, logger } = logLines()
  const server = await serve(checkOptions({}, embeddedDefaults()), logger)
  t.teardown(() => server.close())
  const box = server.sandbox()
  for (const [index, phase] of (['before', 'after-commit'] as const).entries()) {
    const { id } = await box.fault.add({ phase, times: 1, effect: { delay: 'PT10M', reply: 'drop' } })
    const gone = new AbortController()
    const sent = createUntil(box, gone.signal)
    await until(async () => (await box.fault.list()).every(({ hits }) => hits > 0))
    gone.abort()
    await t.rejects(sent, { name: 'AbortError' })
    await until(() => lines.filter(({ fault }) => fault !== undefined).length > index)
    t.match(lines.filter(({ fault }) => fault !== undefined).at(-1), { fault: id, operationId: 'createWorkgroup' })
    t.equal((await box.call('listWorkgroups')).length, index, phase)
  }
  t.match(
    (await box.requests.list({ operation: 'createWorkgroup' })).requests,
    Array(2).fill({ status: null, error: null, fault: { id: /^fault-/ } }),
    'what had no reply is in the journal'
  )
  t.same(warnings(), [])
})

testIn('a fault cannot be added after the last possible id', async (t, b) => {
  const effect = { status: 500 }
  await b.control('PUT', '/state', { faults: [{ id: 'fault-999999999999999', effect }] })
  t.equal((await b.control('POST', '/faults', { effect })).status, 403)
  await b.control('DELETE', '/faults')
  t.match(await b.controlResult('POST', '/faults', { effect }), { id: 'fault-1' })
})

void t.test('a client that has given up before its delay begins does not wait', async (t) => {
  const { add, http, port } = await startRaw(t)
  await add({ phase: 'after-commit', effect: { delay: 'PT20S' } })
  const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true })
  t.equal(await text(socket.end(http('GET', '/workgroups'))), '')
})

void t.test('many delays on one connection cause no warning', async (t) => {
  const { add, exchange, http } = await startRaw(t)
  const warnings: unknown[] = []
  const note = (warning: unknown) => warnings.push(warning)
  process.on('warning', note)
  t.teardown(() => void process.off('warning', note))
  await add({ effect: { delay: 'PT0.01S', status: 503 } })
  const text = await exchange(http('GET', '/workspaces/meta').repeat(20), 20)
  t.equal(text.split('HTTP/1.1 503 ').length - 1, 20)
  t.same(warnings, [])
})
