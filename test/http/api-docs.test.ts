import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { type Body, buildMock, matchError } from '../helper.js'

/** The status of a reply, whose body is read: a connection that still sends keeps the server from stopping. */
async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const reply = await fetch(url, init)
  await reply.arrayBuffer()
  return reply.status
}

void t.test('the page at /docs loads everything from this server, and shows both documents', async (t) => {
  await using mock = await startMock()
  const { Result } = (await (await fetch(mock.url)).json()) as Body
  t.equal(Result.docs, '/docs')
  const page = await fetch(`${mock.url}/docs`)
  t.equal(page.status, 200)
  t.match(page.headers.get('content-security-policy'), /^default-src 'self';/)
  t.match(page.headers.get('x-request-id'), /\S/)
  const html = await page.text()
  const loaded = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url]) => url!)
  const files = loaded.filter((url) => url.startsWith('docs/'))
  t.strictSame(files.length, 4, 'two scripts and two style sheets')
  for (const url of loaded) {
    t.match(url, /^(?:docs|_mock|data:image)/, 'it is here')
    if (!url.startsWith('data:')) t.equal(await statusOf(`${mock.url}/${url}`), 200, url)
  }
  const script = await (await fetch(`${mock.url}/docs/page.js`)).text()
  for (const url of ['openapi.json', '_mock/openapi.json']) {
    t.ok(script.includes(`'${url}'`), url)
    t.equal(await statusOf(`${mock.url}/${url}`), 200)
  }
})

void t.test('what the page does not have is a 404 in the envelope, and another method a 405', async (t) => {
  await using mock = await startMock()
  for (const path of ['/docs/nothing', '/docs/nothing.js']) {
    const reply = await fetch(mock.url + path)
    matchError(
      t,
      { status: reply.status, body: await reply.json(), headers: Object.fromEntries(reply.headers) },
      'notFound',
      'resource',
      { values: { what: 'page', id: path } }
    )
  }
  t.equal(await statusOf(`${mock.url}/docs`, { method: 'POST' }), 405)
})

void t.test('a path that cannot be a file is a 404 too, with the RequestID of its client', async (t) => {
  const { call } = await buildMock(t)
  for (const path of ['/docs/%00', '/docs/..%2f..%2fpackage.json', '/docs/a/b/../c']) {
    const { status, body, headers } = await call('GET', path, {
      key: null,
      prefix: '',
      headers: { 'x-request-id': 'mine' }
    })
    t.equal(status, 404, path)
    t.match(body, { Error: true, RequestID: 'mine', ErrorDetails: [{ Type: 'Not-Found' }] })
    t.equal(headers['x-request-id'], 'mine')
  }
})

void t.test('a browser keeps what it has, and the way to the page with a slash leads to it', async (t) => {
  const { app } = await buildMock(t)
  const { headers } = await app.inject('/docs/swagger-ui.css')
  const again = await app.inject({ url: '/docs/swagger-ui.css', headers: { 'if-none-match': headers.etag as string } })
  t.strictSame([again.statusCode, again.body], [304, ''])
  const { statusCode, headers: redirect } = await app.inject('/docs/')
  t.strictSame([statusCode, redirect.location], [308, '../docs'])
})
