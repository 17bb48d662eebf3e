import { once } from 'node:events'
import { readFileSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as send, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { readExchanges } from '../../src/fidelity/read.js'
import { startRecorder } from '../../src/fidelity/recorder.js'
import { listen, sendJson, until } from '../helper.js'
import { optionsFor, record } from './recording-proxy.js'

/** A reply of the proxy itself. */
const OWN_REPLY = /"Message":"svc-mock record: /

/** Starts a service. */
async function serve(t: Test, handler: RequestListener) {
  const server = createServer(handler)
  return { url: await listen(t, server), stop: () => server.close().closeAllConnections() }
}

void t.test('exchanges pass unchanged, and are written as an HTTP Archive', async (t) => {
  const service = await serve(t, (request, response) => {
    void text(request).then((body) => {
      response.writeHead(201, 'Made', {
        'Content-Type': 'application/json',
        'X-Many': ['a', 'b\xe9'],
        'Retry-After': '3'
      })
      response.end(JSON.stringify({ url: request.url, headers: request.headers, body }))
    })
  })
  const { url, out, close } = await record(t, `${service.url}/base`)
  const headers = { 'x-api-key': 'tops3cret-key', 'x-name': 'Zo\xeb' }
  const reply = await sendJson('POST', `${url}/v4/things?x=%20y&z`, headers, '{ "name": "Acme" }')
  t.equal(reply.status, 201)
  t.equal(reply.statusText, 'Made')
  t.equal(reply.headers.get('x-many'), 'a, b\xe9')
  const echo = (await reply.json()) as { url: string; headers: Record<string, string>; body: string }
  t.match(echo, {
    url: '/base/v4/things?x=%20y&z',
    body: '{ "name": "Acme" }',
    headers: { host: service.url.slice('http://'.length), 'x-api-key': 'tops3cret-key', 'x-name': 'Zo\xeb' }
  })
  await close()
  t.equal(statSync(out).mode & 0o777, 0o600)
  const [exchange, ...others] = await readExchanges([out])
  t.strictSame(others, [])
  t.match(exchange, {
    number: 1,
    method: 'POST',
    path: /^\/name-\w{12}\/v4\/name-\w{12}$/,
    query: /^name-\w{12}=text-\w{12}&name-\w{12}$/,
    status: 201,
    requestHeaders: { 'x-api-key': /^name-\w{12}$/, 'content-type': 'application/json' },
    requestBody: { name: /^name-\w{12}$/ },
    headers: { 'content-type': 'application/json', 'retry-after': '3', 'x-many': /^text-/ },
    body: { url: /^(text|name)-/, body: /^text-/ }
  })
  const har = readFileSync(out, 'utf8')
  for (const secret of ['tops3cret-key', 'Acme']) t.notMatch(har, secret)
  t.match(JSON.parse(har), {
    log: { version: '1.2', creator: { name: 'svc-mock' }, entries: [{ cache: {}, timings: { send: 0, receive: 0 } }] }
  })
})

/** The number of entries in an archive; undefined while one is being written. */
function entriesIn(path: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { log: { entries: unknown[] } }).log.entries.length
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

void t.test('the file is complete after each exchange', async (t) => {
  const service = await serve(t, (_, response) => response.end('{"a":1}'))
  const { url, out, has } = await record(t, service.url)
  t.strictSame(await readExchanges([out]), [])
  for (let count = 1; count <= 3; count++) {
    await (await fetch(`${url}/${count}`)).text()
    await has(count)
    await until(() => entriesIn(out) === count)
  }
})

void t.test('entries are reported as lost if another program removes or changes the file', async (t) => {
  const service = await serve(t, (_, response) => response.end('{"a":1}'))
  for (const spoil of [unlinkSync, truncateSync]) {
    const troubles: Error[] = []
    const { url, out, close } = await record(t, service.url, { onTrouble: (error) => troubles.push(error) })
    await (await fetch(`${url}/1`)).text()
    await until(() => entriesIn(out) === 1)
    spoil(out)
    t.equal(await (await fetch(`${url}/2`)).text(), '{"a":1}')
    await close()
    t.equal(troubles.length, 1)
    if (spoil === truncateSync) t.equal(statSync(out).size, 0, 'it is left to the other program')
  }
})

void t.test('an upload goes on after an early reply', async (t) => {
  let body: Promise<string> | undefined
  const service = await serve(t, (request, response) => {
    body = text(request)
    response.end('{}')
  })
  const { url } = await record(t, service.url)
  const outgoing = send(url, { method: 'POST', headers: { 'content-length': 6 } })
  outgoing.write('abc')
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
  t.equal(await text(reply), '{}')
  await new Promise(setImmediate)
  outgoing.end('def')
  t.equal(await body, 'abcdef')
})

void t.test('bodies stream, and large or compressed ones pass unchanged', async (t) => {
  const packed = gzipSync('{"packed":true}')
  const service = await serve(t, (request, response) => {
    if (request.url === '/packed') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed)
      return
    }
    // The client waits for the head, and for the echo of each part, before it sends the next one.
    response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders()
    request.pipe(response)
  })
  const { url, out, seen, has, close } = await record(t, service.url)
  t.equal(await (await fetch(`${url}/packed`)).text(), '{"packed":true}')
  const part = 'x'.repeat(600)
  const received = await new Promise<string>((resolve, reject) => {
    const outgoing = send(`${url}/echo`, { method: 'PUT' }, (reply) => {
      let all = ''
      reply.on('data', (data: Buffer) => {
        all += data.toString()
        if (all.length === 600) outgoing.end(part)
      })
      reply.on('end', () => resolve(all))
      outgoing.write(part)
    })
    outgoing.on('error', reject)
    outgoing.flushHeaders()
  })
  t.equal(received, part + part)
  await has(2)
  t.match(seen[1], { method: 'PUT', status: 200, isBodyOmitted: true })
  await close()
  const [packedOne, large] = await readExchanges([out])
  t.strictSame(packedOne!.body, { packed: true })
  t.notOk('body' in large! || 'requestBody' in large!)
})

void t.test('requests and replies without a body get none', async (t) => {
  const service = await serve(t, (request, response) => {
    response.setHeader('x-length', String(request.headers['content-length'] ?? request.headers['transfer-encoding']))
    response.writeHead(request.url === '/head' ? 200 : 204).end()
  })
  const { url, seen, has } = await record(t, service.url)
  for (const [count, method] of ['DELETE', 'OPTIONS', 'GET', 'POST'].entries()) {
    const reply = await fetch(url, { method })
    t.equal(reply.status, 204)
    t.equal(reply.headers.get('x-length'), method === 'POST' ? '0' : 'undefined', method)
    await has(count + 1)
  }
  t.equal((await fetch(`${url}/head`, { method: 'HEAD' })).status, 200)
  await has(5)
  for (const exchange of seen) t.notOk('body' in exchange || 'isBodyOmitted' in exchange)
})

void t.test('a body stays one, even if Connection names the header with its length', async (t) => {
  const service = await serve(t, (request, response) => {
    void text(request).then((body) => response.end(body))
  })
  const { url } = await record(t, service.url)
  for (const [name, value] of [
    ['content-length', '4'],
    ['transfer-encoding', 'chunked']
  ] as const) {
    const headers = { connection: name, [name]: value }
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      send(url, { method: 'DELETE', headers }, resolve).on('error', reject).end('body')
    })
    t.equal(await text(reply), 'body', name)
  }
})

void t.test('requests may be pipelined', async (t) => {
  const service = await serve(t, (request, response) => response.end(request.url))
  const { url, has } = await record(t, service.url)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
  socket.write(ask('/1') + ask('/2') + ask('/3', 'Connection: close\r\n'))
  const replies = await text(socket)
  const order = [...replies.matchAll(/\r\n(?:\w+\r\n)?(\/\d)/g)].map(([, path]) => path)
  t.strictSame(order, ['/1', '/2', '/3'])
  await has(3)
})

void t.test('a service that does not reply is distinguished from one that fails', async (t) => {
  const service = await serve(t, (request, response) => {
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '10' })
      response.write('abc', () => response.destroy())
    } else if (request.url === '/fail') response.writeHead(502).end('{}')
    else if (request.url === '/slow') request.resume().on('end', () => response.end())
    // Otherwise it never answers.
  })
  const { url, seen, problems, has } = await record(t, service.url, { timeout: 300 })
  const slow = send(`${url}/slow`, { method: 'POST' })
  slow.write('a part of the body')
  const failed = await fetch(`${url}/fail`)
  t.equal(failed.status, 502)
  t.equal(await failed.text(), '{}')
  const late = await fetch(`${url}/never`)
  t.equal(late.status, 504)
  t.match(await late.text(), OWN_REPLY)
  slow.end()
  const [answer] = (await once(slow, 'response')) as [IncomingMessage]
  t.equal(answer.resume().statusCode, 200, 'the service did not have to answer before')
  await t.rejects(fetch(`${url}/cut`).then((reply) => reply.text()))
  service.stop()
  const gone = await fetch(`${url}/gone`)
  t.equal(gone.status, 502)
  t.match(await gone.text(), OWN_REPLY)
  await has(5)
  t.match(seen, [{ status: 502 }, { status: null }, { status: 200 }, { status: null }, { status: null }])
  t.match(problems, [undefined, String, undefined, String, String])
})

void t.test('a service may have an IPv6 address', async (t) => {
  const server = createServer((request, response) => response.end(request.headers.host)).listen(0, '::1')
  await once(server, 'listening')
  t.teardown(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const { url } = await record(t, `http://[::1]:${port}`)
  t.equal(await (await fetch(url)).text(), `[::1]:${port}`)
})

void t.test('when the recording is stopped, requests in flight are kept without a reply', async (t) => {
  let hasArrived = false
  let answer: (() => void) | undefined
  const service = await serve(t, (request, response) => {
    hasArrived = true
    if (request.url === '/soon') answer = () => response.end('{"a":1}')
  })
  const { url, out, seen, problems, close } = await record(t, service.url)
  const pending = fetch(`${url}/never`)
  await until(() => hasArrived)
  await close()
  const reply = await pending
  t.equal(reply.status, 503)
  t.match(await reply.text(), OWN_REPLY)
  t.match(seen, [{ path: /^\/name-/, status: null }])
  t.ok(problems[0])
  t.match(await readExchanges([out]), [{ path: /^\/name-/, status: null }])

  const patient = await record(t, service.url)
  const stop = new AbortController()
  const soon = fetch(`${patient.url}/soon`)
  await until(() => answer !== undefined)
  const closed = patient.close(stop.signal)
  answer!()
  t.equal(await (await soon).text(), '{"a":1}')
  await closed
  t.match(await readExchanges([patient.out]), [{ path: /^\/name-/, status: 200 }])
})

void t.test('when a client disconnects, its request to the service ends, and is not repeated', async (t) => {
  const paths: (string | undefined)[] = []
  let hasLeft = false
  const service = await serve(t, (request, response) => {
    paths.push(request.url)
    if (request.url === '/right') response.end()
    else response.on('close', () => (hasLeft = true))
    if (request.url === '/body') response.write('first')
  })
  const { url, seen, has } = await record(t, service.url)
  for (const path of ['/body', '/right', '/wait']) {
    hasLeft = false
    const leave = new AbortController()
    const reply = fetch(url + path, { signal: leave.signal })
    await (path === '/wait' ? until(() => paths.includes(path)) : (await reply).body?.getReader().read())
    if (path === '/right') continue
    leave.abort()
    await reply.catch(() => undefined)
    await until(() => hasLeft)
  }
  await fetch(`${url}/right`)
  await has(4)
  t.match(seen, [{ status: null }, { status: 200 }, { status: null }, { status: 200 }])
  t.strictSame(paths, ['/body', '/right', '/wait', '/right'])
})

void t.test('a client that uses the address as that of an HTTP proxy is refused', async (t) => {
  const service = await serve(t, (_, response) => response.end())
  const { url, seen } = await record(t, service.url)
  const { port } = new URL(url)
  const path = 'http://api.example.test/v4'
  const headers = { host: 'api.example.test' }
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    send({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject).end()
  })
  t.equal(reply.statusCode, 400)
  t.match(await text(reply), OWN_REPLY)
  t.strictSame(seen, [])
})

void t.test('an existing file stays, unless it may be replaced', async (t) => {
  const service = await serve(t, (_, response) => response.end())
  const options = { ...optionsFor(t, service.url), out: join(t.testdirName, 'mine.har') }
  const { out } = options
  writeFileSync(out, 'mine')
  await t.rejects(startRecorder(options), { code: 'EEXIST' })
  t.equal(readFileSync(out, 'utf8'), 'mine')
  writeFileSync(out, 'x'.repeat(10_000), { mode: 0o644 })
  const recorder = await startRecorder({ ...options, force: true })
  await recorder.close(AbortSignal.abort())
  t.strictSame(await readExchanges([out]), [])
  t.equal(statSync(out).mode & 0o777, 0o600)
  await t.rejects(startRecorder({ ...options, out: join(out, 'x') }))
  await t.rejects(startRecorder({ ...options, force: true, port: Number(new URL(service.url).port) }), {
    name: 'ListenError'
  })
})
