import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { buildMock } from '../helper.js'

void t.test(
  'the page is small and names no other server; a browser keeps its assets, which cannot change',
  async (t) => {
    const { app } = await buildMock(t)
    const page = await app.inject('/_mock/')
    t.match(page.body, /<meta name="svc-mock" content="auth=any token=no"/)
    t.notMatch(page.body, /<script(?![^>]*src=)|<style|\sstyle=|\son\w+=|https?:\/\/(?!www\.w3\.org)/)
    const assets = [...page.body.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path!)
    t.equal(assets.length, 2, 'a script and a style sheet')
    let size = gzipSync(page.body).length
    for (const path of assets) {
      t.match(path, /-[\w-]{8}\.(js|css)$/, 'its name has a hash')
      const asset = await app.inject(`/_mock/${path}`)
      t.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
      size += gzipSync(asset.rawPayload).length
    }
    t.ok(size < 66 * 1024, `${size} bytes in all, compressed`)
  }
)

void t.test('the page needs neither key nor token, but the guard applies to it', async (t) => {
  const stranger = { url: '/_mock/', remoteAddress: '10.0.0.7' }
  const closed = await buildMock(t)
  t.equal((await closed.app.inject(stranger)).statusCode, 403)
  t.equal((await closed.app.inject({ url: '/_mock/', headers: { host: 'elsewhere.example' } })).statusCode, 403)
  t.equal((await closed.app.inject({ method: 'POST', url: '/_mock/' })).statusCode, 405)
  t.equal((await closed.app.inject('/_mock/clock/')).statusCode, 404, 'a slash makes another path elsewhere')
  const guarded = await buildMock(t, { controlToken: 's3cret', auth: 'strict', apiKeys: ['ci=x'] })
  const page = await guarded.app.inject(stranger)
  t.equal(page.statusCode, 200)
  t.match(page.body, 'content="auth=strict token=yes')
  t.equal((await guarded.app.inject({ url: '/_mock/overview', headers: { 'x-api-key': 'x' } })).statusCode, 403)
})

void t.test('third-party code in the page comes with its licence', async (t) => {
  const { app } = await buildMock(t)
  const licenses = readFileSync(new URL('../../dist/console/licenses.md', import.meta.url), 'utf8')
  t.match(licenses, /preact .*MIT[\s\S]*Permission is hereby granted/)
  t.equal((await app.inject('/_mock/assets/licenses.md')).statusCode, 404, 'nothing but the assets is sent')
})
