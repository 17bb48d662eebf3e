import t from 'tap'
import { buildMock, UUID } from '../helper.js'

const origin = 'http://localhost:5173'

void t.test('a preflight has a RequestID, and allows what it asks for, whatever the path', async (t) => {
  const { call } = await buildMock(t, { corsOrigin: [origin] })
  const ask = (url: string, headers: Record<string, string>) =>
    call('OPTIONS', url, { key: null, headers: { origin, 'access-control-request-method': 'PUT', ...headers } })
  for (const url of ['/workgroups', '/nothing']) {
    const { status, headers, body } = await ask(url, { 'access-control-request-headers': 'x-api-key' })
    t.strictSame([status, body], [204, ''])
    t.match(headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'x-api-key',
      'access-control-allow-methods': /\bDELETE\b/,
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

void t.test('a GET or a POST with the headers of a preflight is none', async (t) => {
  const { call } = await buildMock(t, { corsOrigin: [origin] })
  const headers = { origin, 'access-control-request-method': 'PUT' }
  t.equal((await call('GET', '/workgroups', { headers })).status, 200)
  t.equal((await call('POST', '/workgroups', { headers, body: {} })).status, 400)
})
