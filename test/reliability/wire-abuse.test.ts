import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { randomFrom } from '../../src/sim/random.js'
import { type Body, buildMock, CONTROLLER, startServer } from '../helper.js'
import { headOf, type RawReply, repliesOf } from '../raw-http.js'
import { GAUGED, memoryAfterCollection } from './gauge.js'
import { scaled, seed } from './soak.js'

const options = ['--db', ':memory:', '--log-level', 'error', '--transitions', 'instant']
const server = await startServer(t, options, {}, [process.execPath, ...GAUGED])
const port = Number(new URL(server.url).port)
const LIST = `${CONTROLLER}/workgroups`
const head = (method: string, path: string, ...headers: string[]) => headOf(method, path, 'wire', ...headers)
const JSON_TYPE = 'Content-Type: application/json'
const post = (body: string, ...headers: string[]) =>
  head('POST', LIST, JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`, ...headers) + body
/** A request after which the server closes the connection. */
const last = (path: string, ...headers: string[]) => head('GET', path, ...headers, 'Connection: close')
/** A head with a transfer coding. */
const coded = (coding: string, ...headers: string[]) =>
  head('POST', LIST, JSON_TYPE, `Transfer-Encoding: ${coding}`, ...headers)
const fields = (count: number) => Array.from({ length: count }, (_, i) => `A${i}: b`)
const GOOD = head('GET', LIST)
const LAST = last('/_mock/ready')

/** A connection that does not end in this time is considered open. */
const PATIENCE = 60_000

/** Sends bytes. @param isHalf whether the client closes its half @returns all that comes until the connection ends */
async function exchange(bytes: string | Buffer, isHalf = false): Promise<string> {
  let text = ''
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  // The server may drop a connection.
  socket.on('error', () => undefined).setTimeout(PATIENCE, () => socket.destroy())
  socket.on('data', (data) => (text += data.toString('latin1'))).on('end', () => socket.end())
  if (isHalf) socket.end(bytes)
  else socket.write(bytes)
  await new Promise((resolve) => socket.on('close', resolve))
  return text
}

/** Whether a reply has the envelope and is not a 5xx. */
function isRight({ status, headers, body }: RawReply): boolean {
  const { Error: isError, RequestID } = JSON.parse(body)
  return status < 500 && isError === status >= 400 && RequestID === headers['x-request-id']
}

async function isWell(t: Test, after: string): Promise<void> {
  const [reply] = repliesOf(await exchange(last(LIST)))
  if (reply?.status !== 200 || server.child.exitCode !== null)
    t.fail(`after ${after}, a good request is answered`, { reply })
}

const HELLO = Buffer.from('16030100c8010000c40303' + '5a'.repeat(190), 'hex')

/** Bytes, and the possible statuses; none if the connection is closed without a reply. */
const BROKEN: readonly (readonly [what: string, bytes: string | Buffer, statuses: readonly number[]])[] = [
  ['a version that there is not', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', [400]],
  ['no version', `GET ${LIST}\r\n\r\n`, [400, 401]],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['a TLS hello', HELLO, [400]],
  ['both lengths', head('POST', LIST, 'Content-Length: 4', 'Transfer-Encoding: chunked') + '0\r\n\r\n', [400]],
  ['a negative length', head('POST', LIST, 'Content-Length: -1'), [400]],
  ['two lengths', head('POST', LIST, 'Content-Length: 1', 'Content-Length: 2') + 'ab', [400]],
  ['a length beyond all numbers', head('POST', LIST, `Content-Length: ${'9'.repeat(30)}`), [400]],
  ['a huge length', head('POST', LIST, JSON_TYPE, 'Content-Length: 99999999999'), [413]],
  ['a bad chunk', coded('chunked') + 'ZZ\r\n', [400]],
  ['a chunk of a negative size', coded('chunked') + '-1\r\n', [400]],
  ['another coding', coded('gzip', 'Connection: close'), [400]],
  ['a coding after chunked', coded('chunked, gzip', 'Connection: close'), [400]],
  ['a header without a colon', head('GET', LIST, 'nonsense'), [400]],
  ['a blank before a colon', head('GET', LIST, 'A : b'), [400]],
  ['a header without a name', head('GET', LIST, ': b'), [400]],
  ['a NUL in a header', head('GET', LIST, 'A: b\0c'), [400]],
  ['a NUL in a path', head('GET', `${LIST}/\0`), [400]],
  ['a CR in a header', head('GET', LIST, 'A: b\rc'), [400]],
  ['lines that end with LF alone', `GET ${LIST} HTTP/1.1\nHost: x\n\n`, [400]],
  ['too many headers', head('GET', LIST, ...fields(3000)), [431]],
  ['too long a path', head('GET', `/${'x'.repeat(20_000)}`), [431]],
  ['headers just within the limit', last(LIST, ...fields(1000)), [200]],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', []],
  ['OPTIONS *', head('OPTIONS', '*', 'Connection: close'), [405]],
  ['an upgrade', head('GET', LIST, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x'), [200]],
  [
    'an upgrade to HTTP/2',
    head('GET', LIST, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'),
    [200]
  ],
  ['an absolute URI', last(`http://evil.example${LIST}`), [200]],
  ['an absolute URI of another scheme', last(`gopher://x${LIST}`), [400, 404]],
  ['a path that climbs', last(`${LIST}/../../../../etc/passwd`), [404]],
  ['a page that climbs', last('/docs/../../../package.json'), [404]],
  ['an encoded climb among the pages', last('/docs/..%2f..%2f..%2fpackage.json'), [400, 403, 404]],
  ['a NUL among the pages', last('/docs/%00'), [400, 404]],
  ['bytes that are no text in a path', Buffer.from(last(`${LIST}/\xff\xfe`), 'latin1'), [400, 404]],
  ['an expectation', post('{"cloud_provider_id":"x"}', 'Expect: 100-continue', 'Connection: close'), [200]],
  ['an unknown expectation', post('{"cloud_provider_id":"x"}', 'Expect: foo', 'Connection: close'), [200]],
  ['two types', post('{"cloud_provider_id":"x"}', 'Content-Type: text/plain', 'Connection: close'), [200, 415]],
  ['a body on GET', last(LIST, 'Content-Length: 3') + '{{{', [200]]
]

void t.test(
  'broken HTTP is answered in the envelope, or its connection is closed, and all other clients are served',
  async (t) => {
    for (const [what, bytes, statuses] of BROKEN) {
      const text = await exchange(bytes, what.startsWith('an upgrade'))
      const replies = repliesOf(text)
      t.ok(
        replies.every(isRight) &&
          (statuses.length === 0 ? text === '' : replies.length === 1 && statuses.includes(replies[0]!.status)),
        what,
        { text: text.slice(0, 500) }
      )
      await isWell(t, what)
    }
  }
)

void t.test('every GET also works as HEAD, without a body', async (t) => {
  for (const path of ['/openapi.json', '/_mock/openapi.json']) {
    const document: Body = await (await fetch(`${server.url}${path}`)).json()
    for (const [path, item] of Object.entries(document.paths as object)) {
      // A stream does not end, so it cannot be asked for its headers alone.
      if (!('get' in item) || 'text/event-stream' in item.get.responses['200'].content) continue
      const headers = ['Authorization: Bearer wire', 'Connection: close']
      const ask = async (method: string) =>
        repliesOf(await exchange(head(method, path.replaceAll(/\{\w+\}/g, 'x'), ...headers)), method === 'HEAD')[0]!
      const [one, other] = [await ask('HEAD'), await ask('GET')]
      t.equal(one.status, other.status, path)
      t.equal(one.body, '')
    }
  }
})

// For the 408 that comes then, see test/http/client-errors.test.ts.
void t.test('a request has a minute for its headers, and five in all', async (t) => {
  const { server } = (await buildMock(t)).app
  t.strictSame([server.headersTimeout, server.requestTimeout], [60_000, 300_000])
})

void t.test(
  'with random bytes in requests, replies are valid, and the server neither logs errors nor leaks memory',
  async (t) => {
    t.comment(`SEED=${seed}`)
    const random = randomFrom('wire', seed)
    const below = (limit: number) => Math.floor(random.fraction() * limit)
    const bodies = [
      '{"cloud_provider_id":"x"}',
      '{"a":',
      `{"a":"${'x'.repeat(5000)}"}`,
      `{"addons":[${'1,'.repeat(500)}1]}`
    ]
    const requests = bodies
      .map((body) => post(body))
      .concat(GOOD, head('GET', `/${'y'.repeat(3000)}`), head('DELETE', '/_mock/nothing'), head('PATCH', LIST))
    const heaps: number[] = []
    for (let i = 1; i <= scaled(30, 5000); i++) {
      const bytes = Buffer.from(Array.from({ length: 20 }, () => requests[below(requests.length)]!).join('') + LAST)
      if (below(4) === 0) bytes[below(bytes.length)] = below(256)
      const text = await exchange(bytes)
      if (!repliesOf(text).every(isRight)) t.fail('a reply is wrong', { bytes: bytes.toString('base64') })
      if (i % scaled(10, 500) > 0) continue
      // Data that the sandbox keeps on purpose does not count.
      await exchange(head('POST', '/_mock/reset', 'Connection: close'))
      heaps.push((await memoryAfterCollection(server)).heapUsed)
    }
    t.ok(heaps.at(-1)! < heaps[0]! + 20 * 2 ** 20, `bytes kept: ${heaps.join()}`)
    t.equal(server.child.exitCode, null, 'the process lives')
    t.equal(server.errors().replaceAll(/memory .*\n/g, ''), '')
  }
)
