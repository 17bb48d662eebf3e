import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import type { Test } from 'tap'
import t from 'tap'
import { readJsonBodies } from '../../src/http/bodies.js'
import { handleErrors } from '../../src/http/error-handler.js'
import { decorateRequests } from '../../src/http/request-context.js'
import { Scheduler } from '../../src/lib/scheduler.js'
import { machineTime } from '../../src/lib/time.js'
import { buildMock, portOf, until } from '../helper.js'
import { messageOf, reasonOf } from '../messages.js'
import { beginningOf, headOf } from '../raw-http.js'

/** A body that takes about this many bytes once parsed. */
const taking = (bytes: number) => JSON.stringify('x'.repeat(bytes / 2))

/** A server with room for 200,000 bytes of bodies. `held` has functions that release the replies to `/held`. */
async function serve(t: Test, memory = { one: 1_000_000, all: 200_000 }, scheduler = new Scheduler(machineTime)) {
  const app = Fastify({ genReqId: () => 'id', bodyLimit: 500_000 })
  const held: (() => void)[] = []
  decorateRequests(app)
  readJsonBodies(app, scheduler, memory)
  app.setErrorHandler(handleErrors({ error: () => undefined, warn: () => undefined }))
  app.post('/', async () => 'done')
  app.post('/echo', async ({ body }, reply) => reply.type('application/json').send(JSON.stringify(body)))
  app.post('/held', async () => {
    await new Promise<void>((resolve) => {
      held.push(resolve)
    })
    return 'done'
  })
  const port = await portOf(app)
  t.teardown(() => app.close())
  const post = async (url: string, payload: string | Buffer) => {
    const { statusCode, headers, body } = await app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': 'application/json' }
    })
    return { status: statusCode, headers, body }
  }
  const open = (url: string, length: number, part: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    t.teardown(() => socket.destroy())
    socket.write(beginningOf('POST', url, 'test', length, part))
    return socket
  }
  return { app, held, post, open }
}

const NUMBERS = `[${'1,'.repeat(40_000)}1]`

/** A large body with this item. */
const large = (item: string) => `{"a":[${'{"b":1},'.repeat(10_000)}${item}]}`

void t.test('what cannot be stored is refused by the name of its field, in a body of any size', async (t) => {
  const { post } = await serve(t, { one: 2 ** 26, all: 2 ** 26 })
  for (const [body, field, reason] of [
    ['1e400', '', 'number'],
    ['{"a":-1E+400}', 'a', 'number'],
    ['{"a":[0,1e0400]}', 'a.1', 'number'],
    [`[${'9'.repeat(210)}e99]`, '0', 'number'],
    ['"\\ud800"', '', 'unicode'],
    ['{"a":{"b":"\\udBFF"}}', 'a.b', 'unicode'],
    ['{"a":[{"\\uDfff":1}]}', 'a.0', 'unicode'],
    ['{"a":[{"__proto__":1}]}', 'a.0.__proto__', 'fieldName'],
    [`{"__proto__":${NUMBERS}}`, '__proto__', 'fieldName'],
    ['{"\\u005f\\u005Fproto__":1}', '__proto__', 'fieldName'],
    ['{"__\\u0070roto__":1}', '__proto__', 'fieldName'],
    ['{"constr\\u0075ctor":{"prototype":1}}', 'constructor', 'fieldName'],
    [`{"constructor":{"x":${NUMBERS},"prototype":1}}`, 'constructor', 'fieldName'],
    ['{"constructor":null,"a":{"__proto__":1}}', 'a.__proto__', 'fieldName'],
    ['{"constructor":{"a":1},"__proto__":1}', '__proto__', 'fieldName'],
    ['{"prototype":1,"a":{"__proto__":1}}', 'a.__proto__', 'fieldName']
  ] as const)
    for (const [payload, ...place] of [[body], [large(body), 'a.10000']] as const) {
      const { status, body: text } = await post('/echo', payload)
      const details = { FieldName: [...place, ...(field === '' ? [] : [field])].join('.'), Reason: reasonOf(reason) }
      t.match([status, JSON.parse(text).ErrorDetails], [400, [details]], payload.slice(-50))
    }
  t.equal((await post('/echo', '\ufeff{"__proto__":1}')).status, 400)
})

void t.test('any other JSON is read as it is, and what is none is refused for the right reason', async (t) => {
  const { post } = await serve(t, { one: 2 ** 26, all: 2 ** 26 })
  const digits = '9'.repeat(308)
  for (const value of [
    '"\ufffd"',
    `[${digits},${digits},1e308,-1e308,1e-999,1e0003]`,
    '{"a":"\\ud83d\\ude80 1e400","constructor":1}',
    '"__proto__"',
    '"\\\\ud800"'
  ])
    for (const body of [value, large(value)])
      t.strictSame(JSON.parse((await post('/echo', body)).body), JSON.parse(body), value)
  const byte = (text: string) => Buffer.from(text.replaceAll('?', '\xff'), 'latin1')
  for (const [body, problem] of [
    ...['{', '[1 2]', 'x', '{"a":1}}', '{"__proto__":1', '{\ufeff"__proto__":1}', `${large('1')}]`].map(
      (text) => [text, 'notJson'] as const
    ),
    ...[large('1 2'), `[${'1,'.repeat(40_000)}{`].map((text) => [text, 'notJson'] as const),
    ...['"?"', large('"?"'), `["?",${'1,'.repeat(40_000)}{]`].map((text) => [byte(text), 'notUtf8'] as const)
  ])
    t.match(await post('/echo', body), { status: 400, body: messageOf('invalidBody', problem) })
})

void t.test('a body may arrive byte by byte, and is a 413 as soon as it is too large', async (t) => {
  const { app } = await buildMock(t, { bodyLimit: 1000 })
  const port = await portOf(app)
  const send = async (bytes: Buffer, end: string) => {
    const socket = connect(port, '127.0.0.1')
    const headers = ['Content-Type: application/json', 'Connection: close', 'Transfer-Encoding: chunked']
    socket.write(headOf('POST', '/controller/v4/v2/workgroups', 'test', ...headers))
    socket.write(Array.from(bytes, (byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('') + end)
    const reply = await text(socket)
    return { status: Number(reply.slice(9, 12)), headers: {}, body: JSON.parse(reply.slice(reply.indexOf('{'))) }
  }
  const body = (size: number) => Buffer.from('{"cloud_provider_id":"bytes"}'.padEnd(size))
  const created = await send(body(1000), '0\r\n\r\n')
  t.match(created, { status: 200, body: { Error: false, Result: { cloud_provider_id: 'bytes' } } })
  t.match(await send(body(1001), ''), { status: 413, body: { Error: true } })
})

void t.test('a body that does not have its announced length is a 400', async (t) => {
  const { app } = await buildMock(t)
  const headers = { 'x-api-key': 'test', 'content-type': 'application/json', 'content-length': '20' }
  const reply = await app.inject({ method: 'POST', url: '/controller/v4/v2/workgroups', headers, payload: '{}' })
  t.match(
    { status: reply.statusCode, body: reply.json() },
    { status: 400, body: { Error: true, ErrorDetails: [{ Type: 'Bad-Request' }] } }
  )
})

void t.test('bodies without room are a 503, small ones always have room, and replies make room', async (t) => {
  const { held, post } = await serve(t)
  const first = post('/held', taking(120_000))
  await until(() => held.length === 1)
  const refused = await post('/', taking(100_000))
  t.match(refused, { status: 503, headers: { 'retry-after': '1', connection: 'close' } })
  t.match(JSON.parse(refused.body), {
    Error: true,
    Message: messageOf('unavailable', 'bodies'),
    ErrorDetails: [{ Type: 'Internal-Error' }]
  })
  t.equal((await post('/', taking(60_000))).status, 200, 'one that fits')
  const second = post('/held', taking(70_000))
  await until(() => held.length === 2)
  t.equal((await post('/', taking(16 * 1024 - 4))).status, 200, 'a small one')
  t.equal((await post('/', taking(16 * 1024 - 2))).status, 503, 'one character more')
  held[0]!()
  t.equal((await first).status, 200)
  t.equal((await post('/', taking(100_000))).status, 200)
  held[1]!()
  t.equal((await second).status, 200)
  t.equal((await post('/', taking(400_000))).status, 200, 'a body larger than the room may come alone')
  const third = post('/held', taking(120_000))
  await until(() => held.length === 3)
  t.equal((await post('/', taking(100_000))).status, 503, 'each has given back its room once')
  held[2]!()
  await third
})

void t.test('the parts of a body count by their size once parsed', async (t) => {
  const { held, post } = await serve(t)
  const first = post('/held', `[${Array(1500).fill('{}').join()}]`)
  await until(() => held.length === 1)
  t.equal((await post('/', taking(80_000))).status, 503)
  held[0]!()
  t.equal((await first).status, 200)
})

void t.test('an unfinished body takes room for the bytes that have arrived, until its client gives up', async (t) => {
  const { held, post, open } = await serve(t)
  const stalled = open('/', 400_000, 'x'.repeat(120_000))
  await until(async () => (await post('/', taking(130_000))).status === 503)
  const announced = open('/', 400_000, 'x')
  t.equal((await post('/', taking(20_000))).status, 200, 'an announced length takes no room')
  stalled.destroy()
  announced.destroy()
  await until(async () => (await post('/', taking(130_000))).status === 200)

  const body = taking(150_000)
  const waits = open('/held', body.length, body)
  await until(() => held.length === 1)
  t.equal((await post('/', taking(130_000))).status, 503)
  waits.destroy()
  await until(async () => (await post('/', taking(130_000))).status === 200)
  held[0]!()
})

void t.test('a body whose client leaves before it is parsed is refused, and gives back its room', async (t) => {
  const pieces: (() => void)[] = []
  const busy = { isBusy: true, add: (piece: () => void) => void pieces.push(piece) }
  const { app, post, open } = await serve(t, undefined, busy as unknown as Scheduler)
  const sockets: Socket[] = []
  app.server.on('connection', (socket: Socket) => void sockets.push(socket))
  const body = taking(150_000)
  const left = open('/', body.length, body)
  await until(() => pieces.length === 1)
  left.destroy()
  await until(() => sockets[0]!.destroyed)
  busy.isBusy = false
  pieces[0]!()
  t.equal((await post('/', taking(195_000))).status, 200)
})
