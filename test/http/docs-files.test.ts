import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { publishApiDocs } from '../../src/http/api-docs.js'
import { handleErrors } from '../../src/http/error-handler.js'
import { messageOf } from '../messages.js'

const FILES = {
  'index.html': '<html></html>',
  'page.js': 'script',
  'page.css': 'style',
  'page.js.LICENSE.txt': 'licence',
  'page.map': 'map'
}

/** A server of the page, out of some folder. */
function serve(t: Test, folder: string) {
  const app = Fastify({ genReqId: () => 'id' })
  app.setErrorHandler(handleErrors({ error: () => undefined, warn: () => undefined }))
  publishApiDocs(app, pathToFileURL(`${folder}/`))
  t.teardown(() => app.close())
  return (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
}

void t.test('the page and its files have their own types, and the headers that keep a browser safe', async (t) => {
  const get = serve(t, t.testdir(FILES))
  for (const [url, body, type] of [
    ['/docs', FILES['index.html'], 'text/html; charset=utf-8'],
    ['/docs/index.html', FILES['index.html'], 'text/html; charset=utf-8'],
    ['/docs/page.js', 'script', 'text/javascript; charset=utf-8'],
    ['/docs/page.css', 'style', 'text/css; charset=utf-8'],
    ['/docs/page.js.LICENSE.txt', 'licence', 'text/plain; charset=utf-8']
  ] as const) {
    const reply = await get(url)
    t.strictSame([reply.statusCode, reply.body, reply.headers['content-type']], [200, body, type], url)
    t.match(reply.headers, {
      'cache-control': 'no-cache',
      'content-security-policy':
        /^default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; .*frame-ancestors 'none'$/,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin'
    })
    const known = await get(url, { 'if-none-match': reply.headers.etag as string })
    t.strictSame([known.statusCode, known.body, known.headers.etag], [304, '', reply.headers.etag])
    t.equal((await get(url, { 'if-none-match': '"other"' })).statusCode, 200)
  }
})

void t.test('the page has one address, and other files are a 404', async (t) => {
  const get = serve(t, t.testdir(FILES))
  const { statusCode, headers } = await get('/docs/')
  t.strictSame([statusCode, headers.location], [308, '../docs'])
  for (const url of ['/docs/page.map', '/docs/none.js', '/docs/..%2fpage.js']) {
    const reply = await get(url)
    t.equal(reply.statusCode, 404)
    t.equal(reply.json().Message, messageOf('notFound', 'resource', { what: 'page', id: url }))
  }
})

void t.test('an unbuilt page is a 404 that says how to build it, and an unreadable one is a 500', async (t) => {
  const folder = join(t.testdir({}), 'dist')
  const get = serve(t, folder)
  const unbuilt = await get('/docs')
  t.strictSame([unbuilt.statusCode, unbuilt.json().Message], [404, messageOf('notFound', 'page')])
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), FILES['index.html'])
  t.equal((await get('/docs')).statusCode, 200)
  const broken = serve(t, join(folder, 'index.html'))
  t.equal((await broken('/docs')).statusCode, 500)
})
