import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get as getByHttp, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { readExchanges } from '../../src/fidelity/read.js'
import { until } from '../helper.js'
import { record } from './recording-proxy.js'

// After any reply or request, however broken, the proxy still passes a correct one.

type Bytes = string | Buffer

/** Starts a service. @returns its address */
async function serve(t: Test, answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a service that sends given bytes to each request and, with `ends`, closes the connection. */
async function serveBytes(t: Test) {
  const next: { bytes: Bytes; ends: boolean } = { bytes: RIGHT, ends: true }
  const url = await serve(t, (socket) => {
    if (next.ends) socket.end(next.bytes)
    else socket.write(next.bytes)
  })
  return { next, url }
}

/** @returns the status, or the code of the error */
function get(url: string, headers: Record<string, string> = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const request = getByHttp(url, { agent: false, headers, maxHeaderSize: 100_000 }, (reply) => {
      reply.resume()
      reply.on('end', () => resolve(reply.statusCode!))
      reply.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code!))
    })
    request.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code!))
  })
}

const json = (body: Bytes, head = '') =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n`
    ),
    Buffer.from(body)
  ])
const packed = (coding: string, body: Buffer) => json(body, `content-encoding: ${coding}\r\n`)
const RIGHT = json('{"Message":"ok"}')
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const manyOf = (text: string) => JSON.stringify({ m: text.repeat(900_000 / text.length) })

const BROKEN: Readonly<Record<string, Bytes>> = {
  'a status below 100': 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n',
  'no status': 'HTTP/1.1 000 \r\n\r\n',
  'a status of four digits': 'HTTP/1.1 1000 X\r\n\r\n',
  'control characters in the reason': 'HTTP/1.1 200 O\x01K\x07\r\ncontent-length: 2\r\n\r\n{}',
  'Latin letters in the reason': Buffer.from('HTTP/1.1 200 O\xe9\r\ncontent-length: 2\r\n\r\n{}', 'latin1'),
  'another protocol': 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
  'a short body': 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{}',
  'a long body': 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}{}{}',
  'a bad chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\nabc\r\n',
  'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
  'a header that is too long': `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}\r\n\r\n`,
  'control characters in a header': 'HTTP/1.1 200 OK\r\nx: a\x01b\r\ncontent-length: 0\r\n\r\n',
  'a header with a bad name': 'HTTP/1.1 200 OK\r\nb@d n: x\r\ncontent-length: 0\r\n\r\n',
  'no HTTP': 'GARBAGE\0\0\r\n\r\n',
  'nothing at all': '',
  'no gzip': packed('gzip', Buffer.from('abcd')),
  'an unknown coding': packed('zstd', Buffer.from('{}')),
  'a body after 204': 'HTTP/1.1 204 No\r\ncontent-length: 2\r\n\r\n{}',
  'many informational replies': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(500) + String(RIGHT),
  'no UTF-8': json(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
  'half a character': json('{"a":"\\ud800","\\udfff":1}'),
  'a prototype': json('{"__proto__":{"x":1},"constructor":{"prototype":1}}'),
  'numbers without end': json(`{"a":1e999,"b":-0,"d":${'9'.repeat(50_000)}}`),
  'a location that is none': json('{}', 'location: http://[::1\r\n'),
  'lists in lists': json(nested(4500)),
  'objects in objects': json(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`),
  'one long text, packed': packed('gzip', gzipSync(`{"a":"${'x'.repeat(8_000_000)}"}`)),
  'blanks, packed': packed('br', brotliCompressSync(Buffer.alloc(50_000_000, 32))),
  'many values, packed': packed('deflate', deflateSync(`[${'1,'.repeat(400_000)}1]`)),
  'many levels, packed': packed('gzip', gzipSync(nested(500_000))),
  'many names': json(
    JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1])))
  ),
  'packed twice': packed('gzip, gzip', gzipSync(gzipSync(`{"a":"${'x'.repeat(8_000_000)}"}`))),
  'names that begin alike': json(
    JSON.stringify(Array.from({ length: 10_000 }, (_, i) => ({ name: 'a'.repeat(34) + String(i) })))
  ),
  ...Object.fromEntries(
    [
      'a@',
      'a.',
      '://',
      '1.',
      '::',
      '=',
      '\\"',
      '%25',
      'arn:aws:',
      '/',
      '\n',
      '[[',
      'Bearer ',
      'a-',
      'é',
      '\u{1F600}'
    ].map((text) => [`many of ${JSON.stringify(text)}`, json(manyOf(text))])
  )
}

void t.test('the proxy survives any reply, and writes none unmasked', async (t) => {
  const { next, url: upstream } = await serveBytes(t)
  const { url, out, close, has } = await record(t, upstream, { maxBody: 1024 * 1024 })
  let count = 0
  for (const [what, bytes] of Object.entries(BROKEN)) {
    Object.assign(next, { bytes })
    await get(`${url}/broken`)
    Object.assign(next, { bytes: RIGHT })
    t.equal(await get(`${url}/right`), 200, what)
    count += 2
  }
  await has(count)
  await close()
  const exchanges = await readExchanges([out])
  t.equal(exchanges.length, count)
  const text = readFileSync(out, 'utf8')
  for (const part of ['xxxxxxxx', 'aaaaaaaa0', '[[[[']) t.notOk(text.includes(part), part)
  t.match(text, /left out: reply: it has more than 64 levels/)
})

void t.test('the proxy survives any request', async (t) => {
  const { url: upstream } = await serveBytes(t)
  const { url } = await record(t, upstream, { maxBody: 1024 * 1024 })
  const port = Number(new URL(url).port)
  const host = `host: 127.0.0.1:${port}\r\n`
  for (const bytes of [
    `POST /x HTTP/1.1\r\n${host}content-type: application/json\r\ncontent-length: 9000\r\n\r\n${nested(4500)}`,
    `POST /x HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\nZZ\r\n`,
    'GET /x HTTP/1.1\r\n\r\n',
    `CONNECT a:1 HTTP/1.1\r\n${host}\r\n`,
    `GET /x HTTP/1.1\r\n${host}connection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    '\x16\x03\x01\0\0',
    `GET /${'a'.repeat(60_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET /%zz%?%=%&& HTTP/1.1\r\n${host}\r\n`,
    `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
    `POST /x HTTP/1.1\r\n${host}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET`,
    `GET /__proto__/constructor?__proto__=1 HTTP/1.1\r\n${host}__proto__: x\r\n\r\n`
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
      socket.resume()
    })
    t.equal(await get(`${url}/right`), 200, bytes.slice(0, 40))
  }
})

void t.test('a reply may have a long head, as a request may', async (t) => {
  const { next, url: upstream } = await serveBytes(t)
  const { url } = await record(t, upstream)
  Object.assign(next, { bytes: json('{}', `x: ${'y'.repeat(60_000)}\r\n`) })
  t.equal(await get(`${url}/x`), 200)
})

void t.test('a reply that has arrived passes, even if more bytes follow, or its connection ends', async (t) => {
  const { next, url: upstream } = await serveBytes(t)
  const { url, close } = await record(t, upstream)
  for (const [what, status] of [
    ['a long body', 200],
    ['a body after 204', 204]
  ] as const) {
    Object.assign(next, { bytes: BROKEN[what] })
    t.equal(await get(`${url}/x`), status, what)
  }
  await close()
  const sockets: Socket[] = []
  const body = 'x'.repeat(100_000)
  const slow = await serve(t, (socket) => {
    // The second reply has to wait for the first one.
    if (sockets.push(socket) === 2) socket.end(json(body, 'connection: close\r\n'))
  })
  const pipe = await record(t, slow)
  const client = connect(Number(new URL(pipe.url).port), '127.0.0.1')
  client.write('GET /x HTTP/1.1\r\nhost: localhost\r\n\r\n')
  client.write('GET /x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  await until(() => sockets.length === 2)
  await once(sockets[1]!, 'close')
  sockets[0]!.end(RIGHT)
  t.ok((await text(client)).endsWith(body))
})

void t.test('a client gets an early reply, even if it sends its whole body first', async (t) => {
  const upstream = await serve(t, (socket) => socket.pause().write(RIGHT))
  const { url } = await record(t, upstream, { timeout: 60_000 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
  socket.setTimeout(10_000, () => socket.destroy()).on('error', () => undefined)
  const body = 'x'.repeat(20_000_000)
  const problem = await new Promise<unknown>((resolve) => {
    socket.write(`POST /x HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`, resolve)
  })
  t.match(problem ?? String(await once(socket.resume(), 'data')), /^HTTP\/1\.1 200 OK/)
  socket.destroy()
})

void t.test('a service that switches to another protocol leads to a 502, even if it is then silent', async (t) => {
  const { next, url: upstream } = await serveBytes(t)
  const { url } = await record(t, upstream, { timeout: 50 })
  Object.assign(next, { bytes: 'HTTP/1.1 101 Switching\r\n\r\n', ends: false })
  t.equal(await get(`${url}/x`), 502)
})

void t.test('control characters in the reason of a reply are replaced', async (t) => {
  const { next, url: upstream } = await serveBytes(t)
  const { url } = await record(t, upstream)
  Object.assign(next, { bytes: BROKEN['control characters in the reason'] })
  const reply = await fetch(`${url}/x`)
  t.strictSame([reply.status, reply.statusText, await reply.text()], [200, 'O?K?', '{}'])
})

void t.test('trailers pass, and one that cannot come does no harm', async (t) => {
  const { next, url: upstream } = await serveBytes(t)
  const { url } = await record(t, upstream)
  const head = 'HTTP/1.1 200 OK\r\nTrailer: x-sum\r\n'
  for (const [bytes, sum] of [
    [`${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`, '1'],
    [`${head}Content-Length: 2\r\n\r\n{}`, undefined]
  ] as const) {
    Object.assign(next, { bytes })
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      getByHttp(`${url}/x`, resolve).on('error', reject)
    })
    t.equal(await text(reply), '{}')
    t.strictSame([reply.statusCode, reply.trailers['x-sum']], [200, sum])
  }
})

void t.test('a client of HTTP/1.0, which knows no chunks, gets none', async (t) => {
  const { next, url: upstream } = await serveBytes(t)
  const { url } = await record(t, upstream)
  Object.assign(next, { bytes: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n' })
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  client.write('GET /x HTTP/1.0\r\nhost: localhost\r\n\r\n')
  t.match(await text(client), /\r\n\r\n\{\}$/)
})

void t.test('a read is repeated if the service closed its connection meanwhile', async (t) => {
  const served = new Set<Socket>()
  const upstream = await serve(t, (socket) => {
    // It replies once on each connection.
    if (served.has(socket)) socket.resetAndDestroy()
    else socket.write(RIGHT)
    served.add(socket)
  })
  const { url } = await record(t, upstream)
  t.equal(await get(`${url}/x`), 200)
  t.equal(await get(`${url}/x`), 200)
  t.equal(served.size, 2)
  const written = await fetch(`${url}/x`, { method: 'POST', body: '{}' })
  t.equal(written.status, 502, 'the service may have carried it out')
})

void t.test('requests of pages and for foreign names are refused, and not recorded', async (t) => {
  const { url: upstream } = await serveBytes(t)
  const { url, out, close } = await record(t, upstream)
  for (const headers of [
    { host: 'evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' }
  ] as Record<string, string>[])
    t.equal(await get(`${url}/x`, headers), 403, JSON.stringify(headers))
  await close()
  t.strictSame(await readExchanges([out]), [])
})
