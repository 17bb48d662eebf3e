import t from 'tap'
import { buildMock, matchSuccess } from '../helper.js'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

void t.test('GET / redirects a browser to the console, by a relative path', async (t) => {
  const { call } = await buildMock(t)
  const { status, headers } = await call('GET', '/', {
    key: null,
    prefix: '',
    headers: { accept: BROWSER, host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  })
  t.match({ status, headers }, { status: 302, headers: { location: '_mock/' } })
})

void t.test('GET / gives other clients the addresses, without a credential or a sandbox', async (t) => {
  const { call, plane } = await buildMock(t, { basePath: '/api', auth: 'strict', apiKeys: ['ci=k'] })
  for (const accept of [undefined, '*/*', 'application/json', '']) {
    const reply = await call('GET', '/', {
      key: null,
      prefix: '',
      headers: { host: 'evil.example', ...(accept === undefined ? {} : { accept }) }
    })
    matchSuccess(t, reply, reply.body.Message, reply.body.Result)
    t.match(
      reply.body.Result,
      { interface: '/api/controller/v4/v2', console: '/_mock/', docs: '/docs' },
      accept ?? 'no Accept header'
    )
    t.notMatch(JSON.stringify(reply), /evil/)
  }
  const { Result } = (await call('GET', '/', { key: null, prefix: '' })).body
  for (const path of [...Result.openapi, Result.ready])
    t.equal((await call('GET', path as string, { key: null, prefix: '' })).status, 200, path)
  t.equal((await call('HEAD', '/', { key: null, prefix: '' })).status, 200)
  t.equal(plane.sandboxes.store.count(), 0)
})
