import { createServer, type IncomingHttpHeaders } from 'node:http'
import t, { type Test } from 'tap'
import { openClient } from '../../src/mcp/client.js'
import { refusalOf } from '../../src/mcp/refusal.js'
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

void t.test('a body is sent as JSON, even if it is null', async (t) => {
  const { request, url } = openClient(await echo(t), {}, REMEDIES)
  t.match(url, /^http/)
  for (const body of [{ a: 1 }, null, 'text']) {
    const { text, requestId } = await request({ method: 'POST', path: '/', body, signal })
    t.match(JSON.parse(text), { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    t.equal(requestId, '', 'the server gives none')
  }
})

void t.test('without a complete reply, the refusal says what to do', async (t) => {
  const server = await echo(t)
  const send = ({ url }: { readonly url: string }, longest?: number) =>
    openClient({ url }, {}, REMEDIES, longest).request({ method: 'GET', path: '/', signal })
  const { length } = (await send(server)).text
  t.equal((await send(server, length)).text.length, length, 'the longest that there may be')
  await t.rejects(send(server, length - 1), { name: 'Refusal', message: String(length), details: { remedy: /--url/ } })
  const gone = await goneAddress(t)
  const message = `${gone} gave no complete reply (ECONNREFUSED).`
  await t.rejects(send({ url: gone }), { name: 'Refusal', message, details: { remedy: /fault.*--url/ } })
  const aborted = openClient(server, {}, REMEDIES).request({ method: 'GET', path: '/', signal: AbortSignal.abort() })
  await t.rejects(aborted, { message: `${server.url} gave no complete reply (AbortError).` }, 'an error without a code')
})

void t.test('errors that a caller can have caused are refusals; others are bugs', async (t) => {
  t.match(refusalOf(new RecordingError('is empty')), { name: 'Refusal', message: /is empty/ })
  for (const error of [new Error('a mistake of the server'), undefined, 'text']) t.equal(refusalOf(error), undefined)
})
