import t from 'tap'
import { buildMock, matchError, matchSuccess } from '../helper.js'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

void t.test('GET / leads a browser to the console, by a relative path', async (t) => {
  const { call } = await buildMock(t)
  for (const accept of [
    BROWSER,
    'text/html',
    'text/html,',
    'text/html, application/json;q=x',
    'text/*, application/json;q=0.5',
    '*/*, application/json;q=0.5',
    'TEXT/HTML, */*;q=0.1'
  ]) {
    const { status, headers } = await call('GET', '/', {
      key: null,
      prefix: '',
      headers: { accept, host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    })
    t.match({ status, headers }, { status: 302, headers: { location: '_mock/', vary: 'accept' } }, accept)
  }
})

void t.test('GET / gives all others the addresses, without a credential and a sandbox', async (t) => {
  const { call, plane } = await buildMock(t, { basePath: '/api', auth: 'strict', apiKeys: ['ci=k'] })
  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'application/json, text/html',
    'text/html;q=0',
    'text/html;q=0, */*',
    'text/html; q=0.5, application/*',
    'text/html;level=1;q=0.5, application/json',
    'image/png',
    '',
    'q'
  ]) {
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

void t.test('GET / is no operation, and the only method', async (t) => {
  const { call } = await buildMock(t)
  matchError(t, await call('POST', '/', { prefix: '' }), 'methodNotAllowed', 'method', {
    values: { method: 'POST', allow: 'GET, HEAD' }
  })
  const { body } = await call('GET', '/openapi.json', { prefix: '' })
  t.notOk('/' in body.paths)
})

void t.test('GET / varies by origin too, where pages of others may read it', async (t) => {
  const { call } = await buildMock(t, { corsOrigin: ['http://a.test', 'http://b.test'] })
  const { headers } = await call('GET', '/', { prefix: '', headers: { origin: 'http://a.test' } })
  t.match(headers, { vary: /origin, accept/i, 'access-control-allow-origin': 'http://a.test' })
})
