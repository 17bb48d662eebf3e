import t from 'tap'
import { type Body, CONTROLLER } from '../helper.js'
import { callsOf } from '../sandbox.js'
import { buildWith, checkRefused } from './edge.js'

const GATEWAY = {
  unknown_path: { status: 403, body: { message: 'Missing Token' } },
  unknown_method: { status: 418, body: 'no {{request_id}}' },
  missing_credential: { status: 403, headers: { 'x-amzn-ErrorType': 'Missing' }, body: { message: 'none' } },
  wrong_credential: { status: 401, body: { Error: true, Message: 'wrong' } },
  key_as_bearer: { status: 403, body: { message: 'bearer' } }
}
const STRICT = { auth: 'strict', apiKeys: ['ci=known'] } as const
const bearer = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } })

void t.test('the gateway answers before the service', async (t) => {
  const { call } = await buildWith(t, { gateway: GATEWAY }, STRICT)
  t.match(await call('GET', '/nothing', { key: 'known' }), { status: 403, body: { message: 'Missing Token' } })
  t.match(await call('GET', '/workgroups', { key: null }), {
    status: 403,
    headers: { 'x-amzn-errortype': 'Missing' },
    body: { message: 'none' }
  })
  t.strictSame((await call('GET', '/workgroups', { key: 'other' })).body, { Error: true, Message: 'wrong' })
  t.equal((await call('GET', '/workgroups', bearer('other'))).status, 401)
  t.strictSame((await call('GET', '/workgroups', bearer('known'))).body, { message: 'bearer' })
  const { status, body, headers } = await call('PATCH', '/workgroups', { key: 'known' })
  t.strictSame([status, body], [418, `no ${headers['x-request-id'] as string}`])
  t.equal((await call('GET', '/workgroups', { key: 'known' })).status, 200)
})

void t.test('the gateway answers neither for unknown ids nor for the control API', async (t) => {
  const { call } = await buildWith(t, { gateway: GATEWAY }, STRICT)
  t.match(await call('GET', '/workgroups/none', { key: 'known' }), { status: 404, body: { Error: true } })
  t.match(await call('GET', '/nothing', { prefix: '/_mock' }), { status: 404, body: { Error: true } })
  t.match(await call('GET', '/state', { prefix: '/_mock', key: null }), { status: 401, body: { Error: true } })
  t.match(await call('GET', '/state', { prefix: '/_mock', key: 'other' }), { status: 401, body: { Error: true } })
  t.equal((await call('GET', '/clock', { prefix: '/_mock', ...bearer('known') })).status, 200)
})

void t.test('a session that names its user is not a key', async (t) => {
  const { call } = await buildWith(t, { gateway: { key_as_bearer: GATEWAY.key_as_bearer } }, STRICT)
  const key = 'known'
  const created = await call('POST', '/workgroups', { key, body: { cloud_provider_id: 'a' } })
  const list = await call('GET', '/workgroups', bearer('known:ada@svc.test'))
  t.strictSame(list.body.Result[0].workgroup_id, created.body.Result.workgroup_id, 'the sandbox is that of the key')
  t.equal((await call('GET', '/users', { ...bearer('known:ada@svc.test'), prefix: '' })).status, 200)
  t.equal((await call('GET', '/users', { ...bearer('other:ada@svc.test'), prefix: '' })).status, 401)
})

void t.test('absent parts have the usual errors, and a session is a key of its own', async (t) => {
  const { call } = await buildWith(t, { gateway: { unknown_path: GATEWAY.unknown_path } }, STRICT)
  t.match(await call('GET', '/workgroups', { key: null }), { status: 401, body: { Error: true } })
  t.equal((await call('GET', '/workgroups', bearer('known'))).status, 200)
  const any = await buildWith(t, { gateway: GATEWAY })
  t.equal((await any.call('GET', '/workgroups', bearer('whatever'))).status, 200, 'any key may be a session')
})

void t.test('a reply of the gateway is in the journal if its credential has a sandbox', async (t) => {
  const mock = await buildWith(t, { gateway: GATEWAY })
  const { call, controlResult } = callsOf(mock, 'k')
  await call('GET', '/workgroups')
  await call('GET', '/nothing')
  const [, entry] = (await controlResult('GET', '/requests')).requests as Body[]
  t.match(entry, { operation: null, path: `${CONTROLLER}/nothing`, status: 403 })
})

void t.test('bad replies of the gateway are refused', async (t) => {
  checkRefused(t, 'gateway', [
    [{ unknown_paths: { status: 404 } }, 'unknown_paths'],
    [{ unknown_path: {} }, 'unknown_path.status'],
    [{ unknown_path: { status: 404, body: { a: '{{org_id}}' } } }, 'unknown_path.body.a'],
    [{ unknown_path: { status: 404, body: '{{path.a}}' } }, 'unknown_path.body'],
    [{ unknown_path: { status: 404, headers: { Connection: 'close' } } }, 'unknown_path.headers.Connection']
  ])
})
