import { createServer, type IncomingHttpHeaders } from 'node:http'
import t, { type Test } from 'tap'
import { ServiceError } from '../../src/interface/errors.js'
import { openClient } from '../../src/mcp/client.js'
import { Refusal, refusalOf, tooLong, unreachable, wrongArgument } from '../../src/mcp/refusal.js'
import { RecordingError } from '../../src/recording/recording-error.js'
import { goneAddress, listen } from '../helper.js'

const REMEDIES = { key: 'another key', token: 'another token' }
const { signal } = new AbortController()

interface Sent {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server that says what it was sent. */
async function echo(t: Test, headers: Record<string, string> = {}) {
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      reply
        .writeHead(207, headers)
        .end(JSON.stringify({ method: request.method, url: request.url, body, headers: request.headers }))
    })
  })
  return { url: await listen(t, server) }
}

void t.test('a request has the credentials of the session, or the key of its sandbox', async (t) => {
  const server = await echo(t, { 'x-request-id': 'r1' })
  for (const [credentials, request, wanted] of [
    [{}, {}, {}],
    [{}, { key: 'k' }, { 'x-api-key': 'k' }],
    [{ 'x-api-key': 'own' }, {}, { 'x-api-key': 'own' }],
    [{ 'x-api-key': 'own' }, { key: 'k' }, { 'x-api-key': 'k' }],
    [{ 'x-api-key': 'own' }, { needsSession: true }, { authorization: 'Bearer own' }],
    [{ 'x-api-key': 'own' }, { needsSession: true, key: 'k' }, { authorization: 'Bearer k' }],
    [{ authorization: 'Bearer own' }, {}, { authorization: 'Bearer own' }],
    [{ authorization: 'Bearer own' }, { key: 'k' }, { 'x-api-key': 'k' }],
    [{ 'x-mock-token': 'secret' }, { key: 'k' }, { 'x-api-key': 'k', 'x-mock-token': 'secret' }]
  ] as const) {
    const { request: send } = openClient(server, credentials, REMEDIES)
    const { status, requestId, text } = await send({ method: 'GET', path: '/x?y=z', signal, ...request })
    const { headers, ...sent } = JSON.parse(text) as Sent
    t.strictSame({ status, requestId }, { status: 207, requestId: 'r1' })
    t.strictSame(sent, { method: 'GET', url: '/x?y=z', body: '' })
    const told = Object.entries(headers).filter(([name]) => /^(?:x-|authorization|content-type)/.test(name))
    t.strictSame(Object.fromEntries(told), wanted, JSON.stringify({ credentials, request }))
  }
})

void t.test('a body is sent as JSON, also one that is null', async (t) => {
  const { request, url } = openClient(await echo(t), {}, REMEDIES)
  t.match(url, /^http/)
  for (const body of [{ a: 1 }, null, 'text']) {
    const { text, requestId } = await request({ method: 'POST', path: '/', body, signal })
    t.match(JSON.parse(text), { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    t.equal(requestId, '', 'the server gives none')
  }
})

void t.test('a reply may be as long as the longest, and no longer', async (t) => {
  const server = await echo(t)
  const send = (longest?: number) =>
    openClient(server, {}, REMEDIES, longest).request({ method: 'GET', path: '/', signal })
  const { length } = (await send()).text
  t.equal((await send(length)).text.length, length)
  await t.rejects(send(length - 1), { name: 'Refusal', details: { remedy: /--url/ } })
})

void t.test(
  'where nothing answers, the remedy is another address; where a reply ends, it may be a fault',
  async (t) => {
    const { request } = openClient({ url: await goneAddress(t) }, {}, REMEDIES)
    const refusal = (await request({ method: 'GET', path: '/', signal }).catch((error: unknown) => error)) as Refusal
    t.equal(refusal.name, 'Refusal')
    t.match(refusal, { details: { remedy: /--url/ } })
    for (const [error, remedy, told] of [
      [new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }), /--url/, /ECONNREFUSED/],
      [new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }), /--url/, /ENOTFOUND/],
      [new TypeError('fetch failed', { cause: { code: 'EHOSTUNREACH' } }), /--url/, /EHOSTUNREACH/],
      [new TypeError('fetch failed', { cause: { code: 'ETIMEDOUT' } }), /--url/, /ETIMEDOUT/],
      [new TypeError('fetch failed', { cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } }), /--url/, /CONNECT_TIMEOUT/],
      [new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } }), /fault/, /UND_ERR_SOCKET/],
      [new TypeError('terminated'), /fault/, /TypeError/]
    ] as const) {
      const refusal = unreachable('http://a', error)
      t.match(refusal, { name: 'Refusal', message: told, details: { remedy }, cause: error })
      t.match(refusal.message, /^http:\/\/a /)
    }
  }
)

void t.test('an error that a caller can have caused is told, with the fields', async (t) => {
  const own = wrongArgument('by', 'is needed')
  t.equal(refusalOf(own), own)
  t.match(own, { message: /by is needed/, details: { fields: [{ field: 'by', reason: 'is needed' }] } })
  const service = new ServiceError('invalidBody', 'no good', [{ field: 'a', reason: 'is wrong' }])
  t.match(refusalOf(service), {
    message: service.message,
    details: { fields: [{ field: 'a', reason: 'is wrong' }] }
  })
  t.match(refusalOf(new RecordingError('is empty')), { name: 'Refusal', message: /is empty/ })
  for (const error of [new Error('a mistake of the server'), undefined, 'text']) t.equal(refusalOf(error), undefined)
  t.match(tooLong(11, 10), { name: 'Refusal', message: /11.*10/, details: { remedy: /--url/ } })
  t.strictSame(new Refusal('no').details, {})
})
