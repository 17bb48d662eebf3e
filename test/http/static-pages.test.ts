import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { publishApiDocs } from '../../src/http/api-docs.js'
import { handleErrors } from '../../src/http/error-handler.js'
import { consolePage } from '../../src/http/test-control/console-page.js'
import { embeddedDefaults } from '../../src/options.js'
import { messageOf } from '../messages.js'

/** A page, out of some folder. */
interface Page {
  readonly publish: (app: FastifyInstance, directory: URL) => unknown
  readonly url: string
  /** Another address of the page, and where it leads. */
  readonly moved: readonly [from: string, to: string]
  /** Where its files are, below its address and below the folder. */
  readonly files: string
  readonly place: string
  readonly policy: string | RegExp
  readonly caching: string
  readonly missing: (file: string) => string
  readonly unbuilt: string
}

const PAGES: Readonly<Record<string, Page>> = {
  console: {
    publish: (app, directory) => app.register(consolePage, { options: embeddedDefaults(), directory }),
    url: '/_mock/',
    moved: ['/_mock', '_mock/'],
    files: '/_mock/assets/',
    place: 'assets',
    policy:
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    caching: 'public, max-age=31536000, immutable',
    missing: (id) => messageOf('notFound', 'resource', { what: 'file', id }),
    unbuilt: messageOf('notFound', 'console')
  },
  docs: {
    publish: (app, directory) => publishApiDocs(app, directory),
    url: '/docs',
    moved: ['/docs/', '../docs'],
    files: '/docs/',
    place: '.',
    policy: /^default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; .*frame-ancestors 'none'$/,
    caching: 'no-cache',
    missing: (file) => messageOf('notFound', 'resource', { what: 'page', id: `/docs/${file}` }),
    unbuilt: messageOf('notFound', 'page')
  }
}

const HTML = '<html><meta name="svc-mock" content="settings"></html>'
const FILES = { 'a.js': 'script', 'b.css': 'style', 'c.html': 'page', 'a.js.LICENSE.txt': 'licence', 'd.map': 'map' }

async function serve(t: Test, { publish }: Page, folder: string) {
  const app = Fastify({ genReqId: () => 'id' })
  app.setErrorHandler(handleErrors({ error: () => undefined, warn: () => undefined }))
  await publish(app, pathToFileURL(`${folder}/`))
  t.teardown(() => app.close())
  return (url: string) => app.inject({ url })
}

const built = (t: Test, { place }: Page) =>
  t.testdir({ 'index.html': HTML, ...(place === '.' ? FILES : { [place]: FILES }), 'secret.md': 'no file of a page' })

for (const [name, page] of Object.entries(PAGES)) {
  const { url, moved, files, place, policy, caching, missing, unbuilt } = page

  void t.test(`${name}: every reply has headers that keep a browser safe`, async (t) => {
    const get = await serve(t, page, built(t, page))
    const { statusCode, headers } = await get(url)
    t.equal(statusCode, 200)
    t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    const redirected = await get(moved[0])
    t.strictSame([redirected.statusCode, redirected.headers.location], [308, moved[1]])
    for (const path of [url, `${files}a.js`])
      t.match((await get(path)).headers, {
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin'
      })
  })

  void t.test(`${name}: its files are sent with their types, and others are not sent`, async (t) => {
    const get = await serve(t, page, built(t, page))
    for (const [file, type] of [
      ['a.js', 'text/javascript; charset=utf-8'],
      ['b.css', 'text/css; charset=utf-8'],
      ['c.html', 'text/html; charset=utf-8'],
      ['a.js.LICENSE.txt', 'text/plain; charset=utf-8']
    ] as const) {
      const { statusCode, body, headers } = await get(`${files}${file}`)
      t.strictSame([statusCode, body, headers['content-type']], [200, FILES[file], type])
      t.equal(headers['cache-control'], caching)
    }
    for (const file of ['d.map', 'g.js', 'secret.md', '..%2fsecret.md', '..%2findex.html', '%00'])
      t.equal((await get(`${files}${file}`)).statusCode, 404, file)
    t.equal((await get(`${files}g.js`)).json().Message, missing('g.js'))
  })

  void t.test(`${name}: an unbuilt page is a 404 that says how to build it, and an unreadable one a 500`, async (t) => {
    const folder = join(t.testdir({}), 'dist')
    const get = await serve(t, page, folder)
    const { statusCode, body } = await get(url)
    t.strictSame([statusCode, JSON.parse(body).Message], [404, unbuilt])
    t.equal((await get(`${files}a.js`)).statusCode, 404)
    mkdirSync(join(folder, place), { recursive: true })
    writeFileSync(join(folder, 'index.html'), HTML)
    t.equal((await get(url)).statusCode, 200)
    const broken = await serve(t, page, join(folder, 'index.html'))
    t.equal((await broken(url)).statusCode, 500)
  })
}
