import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { ExchangeFileError, readExchanges } from '../../src/fidelity/read.js'
import { toHar } from '../../src/fidelity/recorded.js'
import { openRecording } from '../../src/recording/recording.js'
import { recorded } from '../recording/recordings.js'
import { START } from '../sandbox.js'

const AT = Date.parse('2026-01-31T09:00:00.000Z')

/** An entry of an HTTP Archive with only the most common fields. */
const entry = (request: object, response: object, more: object = {}) => ({
  startedDateTime: '2026-01-31T09:00:00.000Z',
  time: 12.5,
  request: { method: 'GET', url: 'https://api.example.test/v4/workgroups', ...request },
  response: { status: 200, ...response },
  ...more
})

const folderOf = (t: Test) => (existsSync(t.testdirName) ? t.testdirName : t.testdir({}))

function fileWith(t: Test, entries: readonly object[], name = 'service.har'): string {
  const file = join(folderOf(t), name)
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries } }))
  return file
}

const base64 = (data: string | Buffer) => Buffer.from(data).toString('base64')

void t.test('an entry of an HTTP Archive is read with headers, query, bodies and times', async (t) => {
  const file = fileWith(t, [
    entry(
      {
        method: 'post',
        url: 'https://api.example.test:8443/base/v4/a%2Fb%20c?x=1&y=%C3%A4#top',
        headers: [
          { name: ':authority', value: 'api.example.test' },
          { name: 'X-Api-Key', value: 'key-1' },
          { name: 'Accept', value: 'a/b' },
          { name: 'accept', value: 'c/d' }
        ],
        postData: { mimeType: 'application/json', text: '{"name":"w"}' }
      },
      {
        status: 201,
        headers: [
          { name: 'Content-Type', value: 'application/json' },
          { name: 'Retry-After', value: 30 }
        ],
        content: { size: 20, mimeType: 'application/json', text: '{"Result":[1]}' }
      }
    )
  ])
  t.strictSame(await readExchanges([file]), [
    {
      number: 1,
      sent: AT,
      answered: AT + 12.5,
      origin: 'https://api.example.test:8443',
      method: 'POST',
      path: '/base/v4/a%2Fb%20c',
      query: 'x=1&y=%C3%A4',
      requestHeaders: { 'x-api-key': 'key-1', accept: 'a/b, c/d' },
      requestBody: { name: 'w' },
      status: 201,
      headers: { 'content-type': 'application/json', 'retry-after': '30' },
      body: { Result: [1] }
    }
  ])
})

void t.test('bodies are read in all forms in which tools write them', async (t) => {
  const content = (fields: object) => entry({}, { content: fields })
  const packed = (fields: object) =>
    entry({}, { content: fields, headers: [{ name: 'Content-Encoding', value: 'gzip' }] })
  const bodies: (readonly [object, unknown, true?])[] = [
    [content({ text: base64('{"a":1}'), encoding: 'base64', mimeType: 'application/json' }), { a: 1 }],
    [content({ text: '{"a":1}', compression: 100, size: 7 }), { a: 1 }],
    [content({ text: '{"a":1', mimeType: 'application/json' }), '{"a":1'],
    [content({ text: 'dear diary', mimeType: 'text/plain' }), 'dear diary'],
    [content({ text: '"a"', mimeType: 'application/problem+json' }), 'a'],
    [content({ text: '/w==', encoding: 'base64', mimeType: 'image/png' }), '/w=='],
    [content({ text: '\ufeff{"a":1}', mimeType: 'application/json' }), { a: 1 }],
    [packed({ text: base64(gzipSync('{"a":1}')), encoding: 'base64' }), { a: 1 }],
    [packed({ text: base64('{"a":1}'), encoding: 'base64' }), { a: 1 }],
    [content({ text: '', size: 0 }), undefined],
    [content({ size: 5 }), undefined, true],
    [content({ size: 5, _omitted: true, text: '' }), undefined, true],
    [entry({}, {}), undefined],
    [entry({}, { content: null }), undefined],
    // The client already has the body.
    [entry({}, { status: 304, content: { size: 0, text: '' } }), undefined, true],
    [entry({}, { status: 304, content: { text: '{"a":1}' } }), { a: 1 }]
  ]
  const exchanges = await readExchanges([
    fileWith(
      t,
      bodies.map(([one]) => one)
    )
  ])
  bodies.forEach(([one, body, isOmitted], index) => {
    t.strictSame(exchanges[index]!.body, body, JSON.stringify(one))
    t.equal(exchanges[index]!.isBodyOmitted, isOmitted, JSON.stringify(one))
  })
  const sent: (readonly [object, unknown, true?])[] = [
    [{ postData: { text: 'a=1' } }, 'a=1'],
    [{ postData: { mimeType: 'application/json', text: base64('{}'), encoding: 'base64' } }, {}],
    [{ postData: { _omitted: true, mimeType: 'a/b', text: '' } }, undefined, true],
    [{ postData: { mimeType: 'a/b', comment: 'not saved' }, bodySize: 8 }, undefined, true],
    [{ bodySize: 8 }, undefined, true],
    [{ bodySize: 0 }, undefined],
    [{ bodySize: -1 }, undefined],
    [{ postData: {} }, undefined],
    [{ postData: null }, undefined]
  ]
  const posts = await readExchanges([
    fileWith(
      t,
      sent.map(([request]) => entry({ method: 'POST', ...request }, {}))
    )
  ])
  sent.forEach(([request, body, isOmitted], index) => {
    t.strictSame(posts[index]!.requestBody, body, JSON.stringify(request))
    t.equal(posts[index]!.isBodyOmitted, isOmitted, JSON.stringify(request))
  })
})

void t.test('fields may be missing; pages, other addresses and the control API are ignored', async (t) => {
  const file = join(t.testdir({}), 'x')
  const request = { method: 'GET', url: 'https://api.example.test' }
  const entries = [
    { pageref: 'page_1', request },
    { pageref: 'page_2', request: { ...request, url: 'http://h/v4?' }, response: {} },
    { request: { ...request, url: 'http://h/p?a=%26' }, response: { status: 0 } },
    { request, response: { status: -1 }, time: -1, startedDateTime: 'yesterday' },
    { request: { ...request, url: 'data:text/plain,x' } },
    { request: { ...request, url: '/relative' } },
    { request: { ...request, url: 'chrome-extension://x/y' } },
    { request, response: { status: 200 }, _fromCache: 'disk' },
    { request: { ...request, method: 'OPTIONS', headers: [{ name: 'Access-Control-Request-Method', value: 'PUT' }] } },
    { request: { ...request, url: 'http://127.0.0.1:4700/_mock/clock' } }
  ]
  writeFileSync(file, `\ufeff${JSON.stringify({ log: { pages: [{ id: 'page_1' }, {}], entries } })}`)
  const exchanges = await readExchanges([file])
  const seen = exchanges.map(({ number, path, query }) => `${number} ${path}?${query}`)
  t.strictSame(seen, ['1 /?', '2 /v4?', '3 /p?a=%26', '4 /?'])
  for (const exchange of exchanges) t.match(exchange, { status: null, sent: 0, answered: 0 })
})

void t.test('exchanges from several files are ordered by time', async (t) => {
  const at = (second: number, path: string) =>
    entry({ url: `http://h${path}` }, {}, { startedDateTime: `2026-01-31T10:00:0${second}.000+01:00` })
  const [first, second] = [
    fileWith(t, [at(3, '/c'), at(1, '/a')], 'a.har'),
    fileWith(t, [at(2, '/b'), at(3, '/d')], 'b')
  ]
  const exchanges = await readExchanges([first, second])
  const seen = exchanges.map(({ number, path }) => `${number} ${path}`)
  t.strictSame(seen, ['1 /a', '2 /b', '3 /c', '4 /d'])
  t.equal(exchanges[0]!.sent, AT + 1000)
})

void t.test('a recording is read without the control API, by the clock of the sandbox', async (t) => {
  let created: unknown
  const recording = await recorded(t, async ({ result, call, control }) => {
    created = await result('POST', '/workgroups', { cloud_provider_id: '1', password: 'swordfish' })
    await control('GET', '/clock')
    await call('GET', '/workgroups?a=1&a=2')
  })
  const exchanges = await readExchanges([recording])
  const seen = exchanges.map(({ number, method, path, query }) => `${number} ${method} ${path}?${query}`)
  t.strictSame(seen, ['1 POST /controller/v4/v2/workgroups?', '2 GET /controller/v4/v2/workgroups?a=1&a=2'])
  const [create] = exchanges
  t.match(create, { status: 200, sent: START, answered: START, requestHeaders: {}, headers: {} })
  t.strictSame((create!.body as { Result: unknown }).Result, created)
  t.equal((create!.requestBody as { password: string }).password, '***', 'a masked value stays masked')

  const plain = join(t.testdirName, 'service.har')
  writeFileSync(plain, gunzipSync(readFileSync(recording)))
  t.strictSame(await readExchanges([plain]), exchanges, 'the contents determine the format')

  const har = join(t.testdirName, 'run.svcmock')
  let text = ''
  for await (const line of toHar(await openRecording(recording))) text += line
  writeFileSync(har, text)
  const contents = (all: readonly Exchange[]) =>
    all.map(({ path, query, requestBody, status, body }) => ({ path, query, requestBody, status, body }))
  t.strictSame(contents(await readExchanges([har])), contents(exchanges), 'an exported archive can be read')
  for (const file of [plain, har]) {
    const read = await readExchanges([file])
    writeFileSync(file, `\ufeff${readFileSync(file, 'utf8').replaceAll('\n', '\r\n')}`, 'utf16le')
    t.strictSame(await readExchanges([file]), read, 'PowerShell has redirected it')
  }
})

void t.test('an error names the unusable file, and the reason', async (t) => {
  const folder = t.testdir({
    empty: '',
    notes: 'dear diary',
    null: 'null',
    object: '{"log":{}}',
    cut: '{"log":{"entries":[{',
    gzip: gzipSync('dear diary\n'),
    entry: '{"log":{"entries":[null]}}',
    request: '{"log":{"entries":[{"request":{"method":"GET"}}]}}',
    method: '{"log":{"entries":[{"request":{"url":"/"}}]}}',
    newer: '{"svcmock":99,"version":"9.0.0"}\n'
  })
  for (const [name, part] of [
    ['none', 'does not exist'],
    ['.', 'directory'],
    ['empty', 'empty'],
    ['notes', 'neither'],
    ['null', 'neither'],
    ['object', 'log.entries'],
    ['cut', 'cut off'],
    ['gzip', 'not a recording'],
    ['entry', 'entry 1'],
    ['request', 'request.url'],
    ['method', 'request.method'],
    ['newer', 'newer']
  ] as const) {
    const file = join(folder, name)
    const error: unknown = await readExchanges([file]).catch((error: unknown) => error)
    t.ok(error instanceof ExchangeFileError, name)
    const { message } = error as Error
    t.ok(message.startsWith(`${file} `) && message.includes(part), message)
  }
  const large = fileWith(t, [])
  await t.rejects(readExchanges([large], 10), { name: 'ExchangeFileError' })
})
