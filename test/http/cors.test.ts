import t from 'tap'
import { buildMock, matchError, UUID } from '../helper.js'
import { NONE } from '../sandbox.js'

const origin = 'http://localhost:5173'

void t.test('a preflight has a RequestID, and allows what it asks for, on any path', async (t) => {
  const { call } = await buildMock(t, { corsOrigin: [origin] })
  const ask = (url: string, headers: Record<string, string>) =>
    call('OPTIONS', url, { key: null, headers: { origin, 'access-control-request-method': 'PUT', ...headers } })
  for (const url of ['/workgroups', '/nothing']) {
    const { status, headers, body } = await ask(url, { 'access-control-request-headers': 'x-api-key' })
    t.strictSame([status, body], [204, ''])
    t.match(headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'x-api-key',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'x-request-id': UUID
    })
  }
  t.equal((await ask('/workgroups', { 'x-request-id': 'mine' })).headers['x-request-id'], 'mine')
  const plain = await ask('/workgroups', {})
  t.equal(plain.status, 204)
  t.equal(plain.headers['access-control-allow-headers'], '')
  const stranger = await ask('/workgroups', { origin: 'http://evil.example' })
  t.equal(stranger.headers['access-control-allow-origin'], undefined)
})

void t.test('a GET or a POST with the headers of a preflight is not one', async (t) => {
  const { call } = await buildMock(t, { corsOrigin: [origin] })
  const headers = { origin, 'access-control-request-method': 'PUT' }
  t.equal((await call('GET', '/workgroups', { headers })).status, 200)
  t.equal((await call('POST', '/workgroups', { headers, body: {} })).status, 400)
})

void t.test('CORS is off by default', async (t) => {
  const { call } = await buildMock(t)
  const { headers } = await call('GET', '/workgroups', { headers: { origin } })
  t.notOk(Object.keys(headers).some((name) => name.startsWith('access-control')))
  const preflight = { origin, 'access-control-request-method': 'GET' }
  t.equal((await call('OPTIONS', '/workgroups', { headers: preflight })).status, 405)
})

void t.test('--cors-origin lets named origins read replies, errors included', async (t) => {
  const { call } = await buildMock(t, { corsOrigin: ['https://app.example', origin] })
  for (const [method, url, key, status] of [
    ['GET', '/workgroups', 'test', 200],
    ['GET', `/workgroups/${NONE}`, 'test', 404],
    ['GET', '/unknown', 'test', 404],
    ['GET', '/workgroups', null, 401],
    ['PATCH', '/workgroups', 'test', 405],
    ['POST', '/workgroups', 'test', 400]
  ] as const) {
    const reply = await call(method, url, { key, headers: { origin } })
    t.equal(reply.status, status)
    t.equal(reply.headers['access-control-allow-origin'], origin, `${method} ${url} ${status} can be read`)
    t.equal(reply.headers['access-control-expose-headers'], 'X-Request-Id')
  }
  const stranger = await call('GET', '/workgroups', { headers: { origin: 'http://evil.example' } })
  t.equal(stranger.status, 200)
  t.equal(stranger.headers['access-control-allow-origin'], undefined)
})

void t.test('OPTIONS without the headers of a preflight is a wrong method, or an unknown route', async (t) => {
  const { call } = await buildMock(t, { corsOrigin: [origin] })
  const values = { method: 'OPTIONS', allow: 'GET, HEAD, POST' }
  for (const headers of [{}, { origin }, { 'access-control-request-method': 'POST' }] as Record<string, string>[]) {
    const reply = await call('OPTIONS', '/workgroups', { key: null, headers })
    matchError(t, reply, 'methodNotAllowed', 'method', { values })
    t.equal((await call('OPTIONS', '/nothing', { key: null, headers })).status, 404)
  }
})
