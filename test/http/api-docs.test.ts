import t from 'tap'
import { startMock } from '../../src/node/index.js'
import type { Body } from '../helper.js'

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
