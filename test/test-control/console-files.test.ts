import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { handleErrors } from '../../src/http/error-handler.js'
import { consolePage } from '../../src/http/test-control/console-page.js'
import { embeddedDefaults, type Options } from '../../src/options.js'
import { messageOf } from '../messages.js'

const PAGE = '<html><meta name="svc-mock" content="settings"></html>'
const ASSETS = { 'a.js': 'script', 'b.css': 'style', 'c.html': 'page', 'd.map': 'map', 'e.md': 'text', f: 'no ending' }

const newApp = () =>
  Fastify({ genReqId: () => 'id' }).setErrorHandler(handleErrors({ error: () => undefined, warn: () => undefined }))

/** A server of the console's page, out of some folder. */
async function serve(t: Test, folder: string, options: Partial<Options> = {}) {
  const app = newApp()
  await app.register(consolePage, {
    options: { ...embeddedDefaults(), ...options },
    directory: pathToFileURL(`${folder}/`)
  })
  t.teardown(() => app.close())
  return (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
}

void t.test('the page says whether it must ask for key and token, and its tag depends on that', async (t) => {
  const folder = t.testdir({ 'index.html': PAGE, assets: {} })
  const tags = new Set<unknown>()
  for (const [options, content] of [
    [{}, 'content="auth=any token=no"'],
    [{ controlToken: 'x' }, 'content="auth=any token=yes"'],
    [{ auth: 'off' }, 'content="auth=off token=no"']
  ] as const) {
    const get = await serve(t, folder, options)
    const page = await get('/_mock/')
    t.equal(page.statusCode, 200)
    t.match(page.body, content)
    t.match(page.headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    const { etag } = page.headers
    t.match(etag, /^".+"$/)
    tags.add(etag)
    const known = await get('/_mock/', { 'if-none-match': etag as string })
    t.strictSame([known.statusCode, known.body, known.headers.etag], [304, '', etag])
    t.equal((await get('/_mock/', { 'if-none-match': '"other"' })).statusCode, 200)
  }
  t.equal(tags.size, 3)
})

void t.test('scripts, styles and pages are sent with their types, and other files are not sent', async (t) => {
  const get = await serve(t, t.testdir({ 'index.html': PAGE, assets: ASSETS, 'secret.js': 'no asset' }))
  for (const [name, type] of [
    ['a.js', 'text/javascript; charset=utf-8'],
    ['b.css', 'text/css; charset=utf-8'],
    ['c.html', 'text/html; charset=utf-8']
  ] as const) {
    const { statusCode, body, headers } = await get(`/_mock/assets/${name}`)
    t.strictSame([statusCode, body, headers['content-type']], [200, ASSETS[name], type])
    t.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  }
  for (const name of ['d.map', 'e.md', 'f', 'g.js', 'secret.js', '..%2fsecret.js', '..%2findex.html'])
    t.equal((await get(`/_mock/assets/${name}`)).statusCode, 404, name)
  t.match((await get('/_mock/assets/g.js')).body, messageOf('notFound', 'resource', { what: 'file', id: 'g.js' }))
})

void t.test('without file descriptors, the page is unavailable', async (t) => {
  const app = newApp()
  app.get('/page', () => Promise.reject(Object.assign(new Error(), { code: 'EMFILE' })))
  const { statusCode, body } = await app.inject('/page')
  t.equal(statusCode, 503)
  t.match(JSON.parse(body), { Error: true, Message: /file descriptors/ })
})

void t.test('every reply has security headers for browsers', async (t) => {
  const get = await serve(t, t.testdir({ 'index.html': PAGE, assets: ASSETS }))
  for (const [url, status] of [
    ['/_mock', 308],
    ['/_mock/', 200],
    ['/_mock/assets/a.js', 200],
    ['/_mock/assets/none.js', 404]
  ] as const) {
    const { statusCode, headers } = await get(url)
    t.equal(statusCode, status)
    if (status === 308) t.equal(headers.location, '_mock/')
    t.match(headers, {
      'content-security-policy': /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin'
    })
  }
})

void t.test('a page that was not built is a 404, and one that cannot be read is a 500', async (t) => {
  const folder = t.testdir({})
  const get = await serve(t, folder)
  const missing = await get('/_mock/')
  t.equal(missing.statusCode, 404)
  t.match(missing.body, messageOf('notFound', 'console'), 'which says how it is built')
  t.equal((await get('/_mock/assets/a.js')).statusCode, 404)
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), PAGE)
  t.equal((await get('/_mock/')).statusCode, 200)
  const broken = await serve(t, join(folder, 'index.html'))
  t.equal((await broken('/_mock/')).statusCode, 500)
})
