import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import t from 'tap'
import { consolePage } from '../../src/http/test-control/console-page.js'
import { readOptions } from '../../src/options.js'
import { buildMock, matchError } from '../helper.js'
import { messageOf } from '../messages.js'

void t.test('the page is served with its assets, and a browser keeps what cannot change', async (t) => {
  const { app } = await buildMock(t)
  const page = await app.inject('/_mock/')
  t.equal(page.statusCode, 200)
  t.match(page.headers, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff'
  })
  t.match(page.body, /<meta name="svc-mock" content="auth=any token=no version=\d/)
  const again = await app.inject({ url: '/_mock/', headers: { 'if-none-match': page.headers.etag as string } })
  t.strictSame([again.statusCode, again.body], [304, ''])
  const assets = [...page.body.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path!)
  t.equal(assets.length, 2, 'a script and a style sheet')
  let size = gzipSync(page.body).length
  for (const path of assets) {
    t.match(path, /-[\w-]{8}\.(js|css)$/, 'its name has a hash')
    const asset = await app.inject(`/_mock/${path}`)
    t.match(asset.headers, {
      'content-type': /^text\/(javascript|css)/,
      'cache-control': 'public, max-age=31536000, immutable'
    })
    size += gzipSync(asset.rawPayload).length
  }
  t.ok(size < 66 * 1024, `${size} bytes in all, compressed`)
})

void t.test(
  'the page may load nothing from elsewhere, and has no script or style of its own in its text',
  async (t) => {
    const { app } = await buildMock(t)
    const { headers, body } = await app.inject('/_mock/')
    t.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    t.notMatch(body, /<script(?![^>]*src=)|<style|\sstyle=|\son\w+=|https?:\/\/(?!www\.w3\.org)/)
  }
)

void t.test('the way to the page without a slash leads to it, and what is not there is a 404', async (t) => {
  const { app, call } = await buildMock(t)
  const { statusCode, headers } = await app.inject('/_mock')
  t.match([statusCode, headers.location], [308, '_mock/'])
  matchError(t, await call('GET', '/_mock/assets/nothing.js', { prefix: '' }), 'notFound', 'resource', {
    values: { what: 'file', id: 'nothing.js' }
  })
  t.equal((await call('POST', '/_mock/', { prefix: '' })).status, 405)
  t.equal(
    (await call('GET', '/_mock/clock/', { prefix: '' })).status,
    404,
    'a slash still makes another path elsewhere'
  )
})

void t.test('the page needs no key and no token, but is for those whom the control API answers', async (t) => {
  const stranger = { url: '/_mock/', remoteAddress: '10.0.0.7' }
  const closed = await buildMock(t)
  t.equal((await closed.app.inject(stranger)).statusCode, 403)
  t.equal((await closed.app.inject({ url: '/_mock/', headers: { host: 'elsewhere.example' } })).statusCode, 403)
  const guarded = await buildMock(t, { controlToken: 's3cret', auth: 'strict', apiKeys: ['ci=x'] })
  const page = await guarded.app.inject(stranger)
  t.equal(page.statusCode, 200)
  t.match(page.body, 'content="auth=strict token=yes')
  t.equal((await guarded.app.inject({ url: '/_mock/overview', headers: { 'x-api-key': 'x' } })).statusCode, 403)
})

void t.test('what others have written of it goes out with their licence', async (t) => {
  const { app } = await buildMock(t)
  t.match(
    readFileSync(new URL('../../dist/console/licenses.md', import.meta.url), 'utf8'),
    /preact .*MIT[\s\S]*Permission is hereby granted/
  )
  t.equal((await app.inject('/_mock/assets/licenses.md')).statusCode, 404, 'nothing but the assets is sent')
})

void t.test('where the console was not built, the page says how', async (t) => {
  const app = Fastify()
  await app.register(consolePage, { options: readOptions([], {}), directory: new URL('nothing/', import.meta.url) })
  const { statusCode, body } = await app.inject('/_mock/')
  t.not(statusCode, 200)
  t.match(body, messageOf('notFound', 'console'))
})
