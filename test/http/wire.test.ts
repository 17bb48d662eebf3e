import { once } from 'node:events'
import { type IncomingMessage, METHODS, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { json, text } from 'node:stream/consumers'
import Sqlite from 'better-sqlite3'
import type { Test } from 'tap'
import t from 'tap'
import { OPERATION_ROUTES, type OperationId } from '../../src/interface/operation-routes.js'
import { groupBy } from '../../src/lib/group-by.js'
import { SandboxStores } from '../../src/resources/tx.js'
import {
  buildMock,
  type BuiltMock,
  CONTROLLER,
  createWorkgroup,
  matchError,
  portOf,
  replaceMethod,
  type Reply,
  until,
  UUID
} from '../helper.js'
import { logLines } from '../log-lines.js'
import { type Problem, wrongType } from '../messages.js'
import { bodiesWith, hasErrorResult, readOperations } from '../operations.js'
import { beginningOf, headOf, type RawReply, repliesOf, requestWith } from '../raw-http.js'
import { NONE } from '../sandbox.js'

const GOOD = { cloud_provider_id: 'x' }

/** Operations 6 to 12 repeat the message as Result. */
const hasResult = (url: string) => ({ result: url.includes('allow_list') })

void t.test('an unknown route is a 404, with and without a credential', async (t) => {
  const { call } = await buildMock(t)
  for (const [method, url] of [
    ['GET', '/nothing'],
    ['DELETE', `${CONTROLLER}/x/${NONE}`],
    ['GET', '/favicon.ico'],
    ['GET', `/${'x'.repeat(10_000)}`],
    ['GET', `/${'x/'.repeat(1000)}x`],
    ['POST', '/_mocks'],
    ['GET', '/_mock/foo'],
    ['GET', '//'],
    ['GET', '/no?token=secret']
  ] as const) {
    const values = { method, path: url.split('?')[0]! }
    for (const key of ['test', null])
      matchError(t, await call(method, url, { prefix: '', key }), 'notFound', 'route', { values })
  }
})

void t.test('a 404 for a path names the nearest one, and what would make it exist', async (t) => {
  const { call } = await buildMock(t, { basePath: '/api' })
  const prefix = `/api${CONTROLLER}`
  const workspace = `${prefix}/workgroups/{workgroupID}/workspaces/{workspaceID}`
  const here = 'To have it here,'
  for (const [path, advice] of [
    [`${prefix}/workgroup`, `There is one at ${prefix}/workgroups.`],
    [`${prefix}/Workgroups`, `There is one at ${prefix}/workgroups.`],
    [`${prefix}/workgroups/a/workspace/b`, `There is one at ${workspace}.`],
    ['/api/userz', 'There is one at /api/users.'],
    ['/_mock/clok', 'There is one at /_mock/clock.'],
    ['/api/_mock/clock', 'There is one at /_mock/clock.'],
    [`${prefix}/_mock/faults/x`, 'There is one at /_mock/faults/{id}.'],
    [
      '/api/workgroups/a',
      `There is one at ${prefix}/workgroups/{workgroupID}. ${here} use a profile with the line prefix: /`
    ],
    ['/api/v1/workgroups', `There is one at ${prefix}/workgroups. ${here} use a profile with the line prefix: /v1`],
    [
      `/x/y${CONTROLLER}/workgroups`,
      `There is one at ${prefix}/workgroups. ${here} start the server with --base-path /x/y`
    ],
    ['/users', `There is one at /api/users. ${here} start the server with --base-path /`],
    ['/api/_mock/workgroups', `There is one at ${prefix}/workgroups.`],
    ['/api/a%20b/workgroups', `There is one at ${prefix}/workgroups.`],
    [`${prefix}/workgroups/`, `There is one at ${prefix}/workgroups.`],
    [`/api/${CONTROLLER}/workgroups`, `There is one at ${prefix}/workgroups.`],
    ['/workgroup', `There is one at ${prefix}/workgroups.`],
    ['/v1/workgroups/a/workspaces/b/pausee', `There is one at ${workspace}/pause.`],
    ['/v1/workgroups/a/workspaces/b/start', `There is one at ${workspace}.`],
    [`${prefix}/workgroups/a/databases`, `There is one at ${prefix}/workgroups/{workgroupID}/databases/{databaseID}.`],
    [`${prefix}/workspaces`, `There is one at ${prefix}/workgroups/{workgroupID}/workspaces.`],
    ['/openapi', 'There is one at /openapi.json.']
  ] as const)
    matchError(t, await call('GET', path, { prefix: '' }), 'notFound', 'routeNear', {
      values: { method: 'GET', path, advice }
    })
})

void t.test('a known path with another method is a 405 that lists the right ones', async (t) => {
  const { call } = await buildMock(t)
  const others = ['/', '/_mock/ready', '/openapi.json'].map((path) => ({ method: 'get', path }))
  for (const [path, known] of groupBy([...readOperations(), ...others], ({ path }) => path)) {
    const right = new Set(known.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase())))
    const allow = [...right].sort().join(', ')
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter((name) => !right.has(name))) {
      const url = path.replaceAll(/\{\w+\}/g, NONE)
      const reply = await call(method, url, { prefix: '', key: null, headers: { 'content-type': 'text/plain' } })
      matchError(t, reply, 'methodNotAllowed', 'method', { values: { method, allow } })
      t.equal(reply.headers['allow'], allow, url)
    }
  }
})

void t.test('a body that is not a JSON object is a 400 that says what it is', async (t) => {
  const mock = await buildMock(t)
  const cases: [body: string | undefined, problem: Problem<'invalidBody'>][] = [
    ['{', 'notJson'],
    ['{"a":1,}', 'notJson'],
    [' ', 'notJson'],
    [undefined, { '': 'noBody' }],
    ['null', { '': 'noBody' }],
    ['[]', { '': wrongType('object', 'array') }],
    ['5', { '': wrongType('object', 'number') }]
  ]
  for (const url of ['/workgroups', `/workgroups/${await createWorkgroup(mock)}/allow_list`])
    for (const [body, problem] of cases) {
      const reply = await mock.call('POST', url, { body, headers: { 'content-type': 'application/json' } })
      matchError(t, reply, 'invalidBody', problem, hasResult(url))
    }
})

void t.test('malformed JSON is not quoted, because it may contain a password', async (t) => {
  const { logger, lines } = logLines('trace')
  const { call } = await buildMock(t, {}, logger)
  const url = `/workgroups/${NONE}/workspaces/${NONE}/dbuser`
  const secret = 'hunter2'
  for (const body of [
    `{"username":"ada","password":${secret}}`,
    secret,
    `"${secret}`,
    `{"password":"${secret}"`,
    `{"password":"${secret}",}`,
    `{"password":"\\x${secret}"}`
  ]) {
    const reply = await call('POST', url, { body })
    matchError(t, reply, 'invalidBody', 'notJson')
    t.notMatch(JSON.stringify(reply), secret, body)
  }
  t.equal(lines.length, 6)
  t.notMatch(JSON.stringify(lines), secret)
})

void t.test('an upload that the client aborts is not a failure of the server', async (t) => {
  const { logger, lines, warnings } = logLines('info')
  const mock = await buildMock(t, {}, logger)
  const port = await portOf(mock.app)
  await mock.call('GET', '/workgroups', { key: 'upload' })
  for (const end of ['destroy', 'resetAndDestroy'] as const) {
    const arrived = once(mock.app.server, 'request')
    const socket = connect(port, '127.0.0.1')
    socket.write(beginningOf('POST', `${CONTROLLER}/workgroups`, 'upload', 100, '{"cloud'))
    await arrived
    await mock.call('GET', '/workgroups', { key: 'upload' })
    socket[end]()
    let noted: Reply['body'][] = []
    while (noted.length === 0)
      noted = (await mock.call('GET', '/requests?status=499', { prefix: '/_mock', key: 'upload' })).body.Result.requests
    t.match(noted, [{ operation: 'createWorkgroup', status: 499, body: null, error: null, fault: null }])
    await mock.call('DELETE', '/requests', { prefix: '/_mock', key: 'upload' })
  }
  t.strictSame(warnings(), [])
  t.equal(lines.filter(({ status }) => status === 499).length, 2)
  const { operations } = (await mock.call('GET', '/coverage', { prefix: '/_mock', key: 'upload' })).body.Result
  t.notMatch(JSON.stringify(operations), '499')
})

void t.test('a request whose client leaves before its reply has left is logged, too', async (t) => {
  const { logger, lines } = logLines()
  const { app, plane, call } = await buildMock(t, {}, logger)
  const port = await portOf(app)
  const ask = (path: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(headOf('GET', path, 'test'))
    return socket
  }
  const logged = (path: string) => lines.filter((line) => line['path'] === path)
  const list = `${CONTROLLER}/workgroups`
  const closed = new Promise((resolve) => app.server.once('connection', (own: Socket) => own.once('close', resolve)))
  const { read } = plane
  replaceMethod(t, plane, 'read', (async (...given: Parameters<typeof read>) => {
    early.resetAndDestroy()
    await closed
    return read(...given)
  }) as typeof read)
  const early = ask(list)
  await until(() => logged(list).length === 1)
  t.match(logged(list), [{ operationId: 'listWorkgroups', status: 200 }])

  await call('POST', '/faults', { prefix: '/_mock', body: { phase: 'after-commit', effect: { delay: '1m' } } })
  const delayed = ask(list)
  const recorded = async () => (await call('GET', '/requests', { prefix: '/_mock' })).body.Result.requests as unknown[]
  await until(async () => (await recorded()).length === 2)
  delayed.resetAndDestroy()
  await until(() => logged(list).length === 2)

  const stream = ask('/_mock/stream')
  await once(stream, 'data')
  stream.resetAndDestroy()
  await until(() => logged('/_mock/stream').length === 1)
})

void t.test('another media type or charset is a 415, and so is a compressed body', async (t) => {
  const { call } = await buildMock(t)
  const post = (headers: Record<string, string>, body: unknown = GOOD) => call('POST', '/workgroups', { body, headers })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'nonsense'])
    matchError(t, await post({ 'content-type': type }), 'unsupportedMediaType', 'type')
  for (const charset of ['utf-16', 'UTF-16LE', 'iso-8859-1', '"utf-16"', '', 'utf-8x', 'utf-32; x=y']) {
    const reply = await post({ 'content-type': `application/json; charset=${charset}` })
    matchError(t, reply, 'unsupportedMediaType', 'charset')
  }
  for (const charset of ['utf-8', 'UTF-8', 'utf8', 'us-ascii', '"utf-8"', 'utf-8; x=y'])
    t.equal((await post({ 'content-type': `application/json;charset=${charset}` })).status, 200, charset)
  for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'x', ''])
    matchError(t, await post({ 'content-encoding': encoding }), 'unsupportedMediaType', 'compressed')
  t.equal((await post({ 'content-encoding': 'Identity', 'content-type': 'Application/JSON' })).status, 200)
  const headers = { 'content-type': 'application/json; charset=utf-16', 'content-encoding': 'gzip' }
  t.equal((await call('GET', '/workgroups', { headers })).status, 200, 'without a body, they are ignored')
})

void t.test('a body that would take many times its size in memory is a 413', async (t) => {
  const { call } = await buildMock(t)
  const put = (item: string, size: number) =>
    call('PUT', '/state', {
      prefix: '/_mock',
      body: `{"timeline":[${Array(Math.floor(size / (item.length + 1)))
        .fill(item)
        .join()}]}`
    })
  for (const item of ['{}', '[]']) {
    t.equal((await put(item, 400_000)).status, 400, 'a short one is allowed')
    matchError(t, await put(item, 1_000_000), 'bodyTooLarge', 'memory')
  }
  t.equal((await put('{"at":"2026-01-01T00:00:00Z"}', 3_000_000)).status, 400, 'one with contents is read')
})

void t.test('a body over the limit is a 413, one at the limit is read', async (t) => {
  const { call } = await buildMock(t)
  const padded = (size: number) => JSON.stringify(GOOD).padEnd(size)
  t.equal((await call('POST', '/workgroups', { body: padded(1_048_576) })).status, 200)
  for (const size of [1_048_577, 2_097_152])
    matchError(t, await call('POST', '/workgroups', { body: padded(size) }), 'bodyTooLarge', 'bytes')
  const small = await buildMock(t, { bodyLimit: 30 })
  t.equal((await small.call('POST', '/workgroups', { body: padded(30) })).status, 200)
  matchError(t, await small.call('POST', '/workgroups', { body: padded(31) }), 'bodyTooLarge', 'bytes')
})

/** JSON text of this many nested levels, alternately objects and arrays. */
function nest(levels: number): string {
  const open = Array.from({ length: levels }, (_, level) => (level % 2 === 0 ? '{"a":' : '['))
  const close = open.map((text) => (text === '[' ? ']' : '}')).reverse()
  return `${open.join('')}${levels % 2 === 1 ? 'null' : ''}${close.join('')}`
}

const matchTooDeep = (t: Test, reply: Reply) => matchError(t, reply, 'invalidBody', { '': 'depth' })

void t.test('a stored field may have 1,000 levels, and a reply with it a few more', async (t) => {
  const { call } = await buildMock(t, { transitions: 'instant' })
  const workgroup_id = await createWorkgroup({ call })
  for (const body of ['['.repeat(1_000_000), '{"a":'.repeat(1001), `{"deep":${nest(100_000)}}`])
    matchTooDeep(t, await call('POST', '/workgroups', { body }))
  // The configuration is three levels deep in the body.
  const configured = (levels: number) =>
    `{"addons":[{"addons_id":"a","enable":true,"enable_configuration":${nest(levels - 3)}}]}`
  const path = `/workgroups/${workgroup_id}/workspaces`
  const created = await call('POST', path, { body: configured(1000) })
  t.equal(created.status, 200)
  const read = await call('GET', `${path}/${created.body.Result.workspace_id}`)
  t.equal(JSON.stringify(read.body.Result.addons[0].enable_configuration), nest(997))
  t.equal((await call('GET', `/workgroups/${workgroup_id}`)).status, 200, 'also deeper in a reply')
  t.equal((await call('GET', '/workgroups')).status, 200)
  matchTooDeep(t, await call('POST', path, { body: configured(1001) }))
})

void t.test('a RequestID of the caller is used if its form is safe, otherwise ignored', async (t) => {
  const { call } = await buildMock(t)
  const send = async (id: string, url = '/workgroups') => {
    const { headers, body } = await call('GET', url, { headers: { 'x-request-id': id } })
    t.equal(headers['x-request-id'], body.RequestID, 'header and body agree')
    return body.RequestID as string
  }
  for (const id of ['a', 'A-z_0.9', 'x'.repeat(128)]) {
    t.equal(await send(id), id)
    t.equal(await send(id, '/unknown'), id, 'on errors too')
  }
  for (const id of ['', ' ', 'a b', 'x'.repeat(129), 'ä', 'a/b', 'a;b', '"a"', 'a,b'])
    t.match(await send(id), UUID, JSON.stringify(id))
  t.not(await send(''), await send(''), 'each request has an id of its own')
})

void t.test('unknown fields are ignored, or refused by name with --strict-bodies', async (t) => {
  const [lenient, strict] = [await buildMock(t), await buildMock(t, { strictBodies: true })]
  const bodies = bodiesWith({ backup: 'w', schedule: 'w', workspaceID: 'w' })
  for (const operation of readOperations().filter(({ operationId }) => operationId in bodies)) {
    const { operationId, method, path } = operation
    const { query = '' } = OPERATION_ROUTES[operationId as OperationId]
    const send = ({ call }: BuiltMock) =>
      call(method.toUpperCase(), `${path.replaceAll(/\{\w+\}/g, 'w')}?${query}`, {
        key: null,
        headers: { authorization: 'Bearer x' },
        prefix: '',
        body: { ...bodies[operationId], colour: 'red', size: 5 }
      })
    t.not((await send(lenient)).status, 400, operationId)
    const fields = { colour: 'unknown', size: 'unknown' } as const
    matchError(t, await send(strict), 'invalidBody', fields, { result: hasErrorResult(operation) })
  }
})

void t.test('a malformed URL is a 400', async (t) => {
  const { call } = await buildMock(t)
  for (const url of ['/workgroups/%', '/workgroups/%zz', '/workgroups/%E0%A4'])
    matchError(t, await call('GET', url), 'invalidBody', 'malformedUrl', { values: { url: `${CONTROLLER}${url}` } })
  const named = await buildMock(t, { profile: { profile: 1, names: { fields: { Message: 'text' } } } })
  t.ok('text' in (await named.call('GET', '/workgroups/%zz')).body)
  t.ok('Message' in (await named.call('GET', '/_mock/%zz', { prefix: '' })).body, 'the control API keeps its names')
})

void t.test('an unexpected error is logged with its stack and answered with a constant text', async (t) => {
  const fail = () => {
    throw new TypeError('secret detail')
  }
  replaceMethod(t, SandboxStores.prototype, 'workgroups', { list: fail, find: fail } as never)
  for (const url of ['/workgroups', `/workgroups/${NONE}/allow_list`]) {
    const { logger, lines } = logLines('error')
    const { call } = await buildMock(t, {}, logger)
    const reply = await call('GET', url)
    matchError(t, reply, 'internal', 'unexpected', hasResult(url))
    const [line, ...others] = lines
    t.match(line, {
      level: 50,
      RequestID: reply.body.RequestID,
      err: { type: 'TypeError', message: 'secret detail', stack: /secret detail\n +at / }
    })
    t.strictSame(others, [])
  }
})

void t.test('a request has one line in the log, with what happened and without its credential', async (t) => {
  for (const level of ['trace', 'info']) {
    const { logger, lines } = logLines(level)
    const { call } = await buildMock(t, {}, logger)
    const secret = 'hunter2-hunter2'
    const created = await call('POST', '/workgroups?q=hunter2-hunter2', { key: secret, body: GOOD })
    const found = await call('GET', `/workgroups/${NONE}`, {
      key: null,
      headers: { authorization: `Bearer ${secret}` }
    })
    const refused = await call('GET', '/workgroups', { key: null, headers: { authorization: `Basic ${secret}` } })
    const unknown = await call('DELETE', `/unknown://me:${secret}@host`, { key: secret })
    const [one, two, three, four, ...others] = lines
    t.strictSame(others, [], level)
    const sandbox = one!['sandbox']
    t.match(sandbox, /^[0-9a-f]{12}$/)
    t.match(one, {
      RequestID: created.body.RequestID,
      operationId: 'createWorkgroup',
      method: 'POST',
      path: `${CONTROLLER}/workgroups`,
      status: 200,
      msg: 'POST createWorkgroup 200'
    })
    t.match(
      two,
      { RequestID: found.body.RequestID, operationId: 'getWorkgroup', status: 404, sandbox },
      'the same sandbox, by either header'
    )
    t.match(three, { RequestID: refused.body.RequestID, operationId: 'listWorkgroups', status: 401 })
    t.equal(three!['sandbox'], undefined)
    t.match(four, { RequestID: unknown.body.RequestID, status: 404, path: `${CONTROLLER}/unknown://***@host` })
    for (const line of lines) t.type(line['ms'], 'number')
    t.notMatch(JSON.stringify(lines), /hunter2/, 'no credential anywhere')
  }
})

void t.test('a sandbox of --api-key has its name in the log', async (t) => {
  const { logger, lines } = logLines('info')
  const { call } = await buildMock(t, { auth: 'strict', apiKeys: ['ci=hunter2'] }, logger)
  await call('GET', '/workgroups', { key: 'hunter2' })
  t.equal(lines[0]?.['sandbox'], 'ci')
  t.notMatch(JSON.stringify(lines), /hunter2/)
})

/** Sends bytes to a listening server. @returns its only reply before the connection ends, with its status line */
async function sendRaw(t: Test, request: string): Promise<Reply & Pick<RawReply, 'line'>> {
  const { app } = await buildMock(t)
  const socket = connect(await portOf(app), '127.0.0.1')
  socket.write(request)
  const [reply] = repliesOf(await text(socket)) as [RawReply]
  return { ...reply, body: JSON.parse(reply.body) }
}

void t.test('input that is not HTTP is answered in the envelope, and the connection is closed', async (t) => {
  for (const [text, statusLine, problem, name] of [
    ['nonsense\r\n\r\n', '400 Bad Request', 'notHttp', 'Invalid method encountered'],
    [
      'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
      '400 Bad Request',
      'notHttp',
      'Invalid character in Content-Length'
    ],
    [
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'headersTooLarge',
      ''
    ]
  ] as const) {
    const reply = await sendRaw(t, text)
    t.equal(reply.line, `HTTP/1.1 ${statusLine}`)
    t.match(reply.headers, {
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': UUID
    })
    matchError(t, reply, 'invalidBody', problem, { values: { name }, status: reply.status })
  }
})

void t.test('HTTP/1.1 without Host is a 400 that ends the connection, and HTTP/1.0 needs no Host', async (t) => {
  for (const path of ['/_mock/ready', `${CONTROLLER}/workgroups`, '/nothing']) {
    const reply = await sendRaw(t, `GET ${path} HTTP/1.1\r\nX-Api-Key: test\r\n\r\n`)
    matchError(t, reply, 'invalidBody', 'noHost')
    t.equal(reply.headers['connection'], 'close')
  }
  t.equal((await sendRaw(t, `GET ${CONTROLLER}/workgroups HTTP/1.0\r\nX-Api-Key: test\r\n\r\n`)).status, 200)
})

void t.test('a client that has half-closed its connection still gets its replies', async (t) => {
  const { app } = await buildMock(t)
  const socket = connect({ host: '127.0.0.1', port: await portOf(app), allowHalfOpen: true })
  socket.end(requestWith('POST', `${CONTROLLER}/workgroups`, 'half', '{"cloud_provider_id":"a"}').repeat(3))
  let text = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString()
    if (text.split('HTTP/1.1 200 OK').length > 3) break
  }
  socket.destroy()
  t.equal(text.split('HTTP/1.1 200 OK').length, 4, text)
})

void t.test('every other method is a 405 on a known path, even with a body, and a 404 on an unknown one', async (t) => {
  const { app } = await buildMock(t)
  const port = await portOf(app)
  const send = async (method: string, path: string, body?: string): Promise<Reply> => {
    const headers = body === undefined ? {} : { 'content-type': 'application/xml', 'content-length': body.length }
    const sent = request({ port, method, path, headers, agent: false }).end(body)
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: reply.statusCode!, headers: reply.headers, body: await json(reply) }
  }
  const others = METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD', 'POST'].includes(method))
  for (const method of ['PROPFIND', 'PURGE', 'M-SEARCH', 'TRACE', 'PATCH']) t.ok(others.includes(method), method)
  for (const method of others) {
    for (const body of [undefined, '<x/>']) {
      if (method === 'TRACE' && body !== undefined) continue
      const reply = await send(method, `${CONTROLLER}/workgroups`, body)
      matchError(t, reply, 'methodNotAllowed', 'method', { values: { method, allow: 'GET, HEAD, POST' } })
      t.equal(reply.headers['allow'], 'GET, HEAD, POST')
    }
    matchError(t, await send(method, '/nothing'), 'notFound', 'route', { values: { method, path: '/nothing' } })
  }
})

void t.test('a database that cannot be written, or is damaged, is a 503, and the log says why', async (t) => {
  for (const [message, code, problem] of [
    ['database or disk is full', 'SQLITE_FULL', 'unwritable'],
    ['database disk image is malformed', 'SQLITE_CORRUPT_VTAB', 'damaged']
  ] as const) {
    const { logger, lines } = logLines('error')
    const { call, plane } = await buildMock(t, {}, logger)
    const fails = () => Promise.reject(new Sqlite.SqliteError(message, code))
    const { probe } = plane
    Object.assign(plane, { write: fails, probe: fails })
    matchError(t, await call('POST', '/workgroups', { body: GOOD }), 'unavailable', problem)
    t.match(lines, [{ level: 50, err: { message } }])
    const ready = async () => (await call('GET', '/ready', { key: null, prefix: '/_mock' })).status
    t.equal(await ready(), 503)
    Object.assign(plane, { probe })
    t.equal(await ready(), 200)
  }
})
