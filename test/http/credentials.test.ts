import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import t from 'tap'
import { callerOf } from '../../src/lib/ip.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import type { Options } from '../../src/options.js'
import { type Body, buildMock, type BuiltMock, type Call, CONTROLLER, createWorkgroup, matchError } from '../helper.js'
import { messageOf } from '../messages.js'

const bearer = (token: string): Call => ({ key: null, headers: { authorization: `Bearer ${token}` } })
const both = (key: string, token: string): Call => ({ key, headers: { authorization: `Bearer ${token}` } })

/** The org of a caller tells the sandboxes apart. */
async function orgOf({ call }: BuiltMock, options: Call): Promise<string> {
  const { body } = await call('POST', '/workgroups', { ...options, body: { cloud_provider_id: 'x' } })
  return body.Result.org_id as string
}

void t.test('--auth any: each distinct credential is its own sandbox, by either header', async (t) => {
  const mock = await buildMock(t)
  const a = await orgOf(mock, { key: 'a' })
  t.equal(await orgOf(mock, { key: 'a' }), a)
  t.equal(await orgOf(mock, bearer('a')), a, 'the same string as a session names the same sandbox')
  const again = await orgOf(mock, { key: null, headers: { authorization: 'bearer  a' } })
  t.equal(again, a, 'the scheme may have any case and several spaces')
  const others = await Promise.all([orgOf(mock, { key: 'A' }), orgOf(mock, { key: 'a b' }), orgOf(mock, bearer('b'))])
  t.equal(new Set([a, ...others]).size, 4)
})

void t.test('with both headers, the session counts', async (t) => {
  const mock = await buildMock(t)
  const session = await orgOf(mock, bearer('session'))
  t.equal(await orgOf(mock, both('key', 'session')), session)
  t.not(await orgOf(mock, { key: 'key' }), session)
  const basic = { key: 'key', headers: { authorization: 'Basic x' } }
  t.equal(await orgOf(mock, basic), await orgOf(mock, { key: 'key' }), 'another scheme than Bearer is no session')
})

void t.test('--auth any and strict: no credential is a 401, before anything else is checked', async (t) => {
  for (const options of [{}, { auth: 'strict', apiKeys: ['ci=k1'] }] as Partial<Options>[]) {
    const { call } = await buildMock(t, options)
    for (const headers of [
      {},
      { 'x-api-key': '' },
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: 'Basic eDp5' },
      { authorization: 'Basic Bearer k1' },
      { authorization: 'k1' },
      { authorization: 'Bearerk1' }
    ] as Record<string, string>[]) {
      matchError(t, await call('GET', '/workgroups', { key: null, headers }), 'unauthorized', 'required')
    }
    matchError(t, await call('POST', '/workgroups', { key: null, body: '{' }), 'unauthorized', 'required')
    matchError(t, await call('GET', '/workgroups/none', { key: null }), 'unauthorized', 'required')
  }
})

void t.test('--auth strict: only the given keys are known, by either header', async (t) => {
  const mock = await buildMock(t, { auth: 'strict', apiKeys: ['ci=k1', 'dev=k=2'] })
  const first = await orgOf(mock, { key: 'k1' })
  t.equal(await orgOf(mock, bearer('k1')), first)
  t.not(await orgOf(mock, { key: 'k=2' }), first, 'a key may contain an equals sign')
  for (const key of ['ci', 'dev', 'K1', 'k1 x', 'k', 'ci=k1']) {
    matchError(t, await mock.call('GET', '/workgroups', { key }), 'unauthorized', 'unknown')
    matchError(t, await mock.call('GET', '/workgroups', bearer(key)), 'unauthorized', 'unknown')
  }
  matchError(t, await mock.call('GET', '/workgroups', both('k1', 'unknown')), 'unauthorized', 'unknown')
})

void t.test('--auth off: everybody is in one sandbox, with or without a credential', async (t) => {
  const mock = await buildMock(t, { auth: 'off' })
  const orgs = await Promise.all(
    [{ key: null }, { key: 'a' }, bearer('b'), both('a', 'b')].map((options) => orgOf(mock, options))
  )
  t.equal(new Set(orgs).size, 1)
})

void t.test('a sandbox is known by the SHA-256 of its credential', async (t) => {
  t.equal(sandboxIdOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

void t.test('a refused credential uses up no sandbox', async (t) => {
  const { call } = await buildMock(t, { auth: 'strict', apiKeys: ['ci=k1'], maxSandboxes: 1 })
  for (const key of ['x', 'y']) t.equal((await call('GET', '/workgroups', { key })).status, 401)
  t.equal((await call('GET', '/workgroups', { key: 'k1' })).status, 200)
})

const callerIp =
  (trusted: readonly string[]) => (remoteAddress?: string, forwardedFor?: string | readonly string[]) => {
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    return callerOf(trusted)({ headers, socket: { remoteAddress } } as never)
  }

void t.test('X-Forwarded-For counts only from a trusted peer, up to the first untrusted address', async (t) => {
  const trusted = ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::ffff:172.16.0.0/108']
  for (const [peer, forwardedFor, caller] of [
    // Without a proxy, the peer calls, in its canonical form.
    ['1.2.3.4', undefined, '1.2.3.4'],
    ['::ffff:1.2.3.4', undefined, '1.2.3.4'],
    ['FE80::1%eth0', undefined, 'fe80::1'],
    // Nobody else can choose an address.
    ['1.2.3.4', '5.6.7.8', '1.2.3.4'],
    ['192.0.2.2', '5.6.7.8', '192.0.2.2'],
    // A trusted peer tells who called it.
    ['10.9.9.9', '5.6.7.8', '5.6.7.8'],
    ['::ffff:10.9.9.9', '5.6.7.8', '5.6.7.8'],
    ['172.16.0.1', '5.6.7.8', '5.6.7.8'],
    ['2001:DB8::9', ' ::ffff:5.6.7.8 ', '5.6.7.8'],
    ['10.9.9.9', undefined, '10.9.9.9'],
    // Of several, the right-most that is not trusted; what is left of it anybody may have written.
    ['10.9.9.9', '9.9.9.9, 5.6.7.8', '5.6.7.8'],
    ['10.9.9.9', '9.9.9.9,5.6.7.8, 192.0.2.1,10.0.0.1', '5.6.7.8'],
    ['10.9.9.9', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['10.9.9.9', ['9.9.9.9', '5.6.7.8'], '5.6.7.8'],
    // Some proxies add the port, and write IPv6 in brackets.
    ['10.9.9.9', '5.6.7.8:1234', '5.6.7.8'],
    ['10.9.9.9', '[2001:DB9::1]', '2001:db9::1'],
    ['10.9.9.9', '[2001:db9::1]:1234, 10.0.0.1:80', '2001:db9::1'],
    ['10.9.9.9', '[::ffff:5.6.7.8]:1234', '5.6.7.8']
  ] as const) {
    const isHidden = forwardedFor !== undefined && ['1.2.3.4', '192.0.2.2'].includes(peer)
    t.strictSame(callerIp(trusted)(peer, forwardedFor), { address: caller, isHidden }, `${peer}, ${forwardedFor}`)
  }
  const untrusted = callerIp([])('10.9.9.9', '5.6.7.8')
  t.strictSame(untrusted, { address: '10.9.9.9', isHidden: true }, 'without trusted proxies the header never counts')
  t.strictSame(callerIp(trusted)(), { address: '', isHidden: false }, 'a closed connection')
})

void t.test('an invalid address ends the search at the last valid one, and hides the caller', async (t) => {
  const of = callerIp(['10.0.0.0/8'])
  for (const hop of [
    '',
    'unknown',
    '5.6.7.8:',
    '5.6.7.8:x',
    '5.6.7.8:123456',
    '5.6.7.8 9',
    '[2001:db9::1',
    '2001:db9::1]',
    '[5.6.7.8',
    '"5.6.7.8"',
    'x[1.2.3.4]',
    'x1.2.3.4:80',
    '[1.2.3.4]x',
    '1.2.3.4:80x',
    'localhost'
  ]) {
    t.strictSame(of('10.9.9.9', hop), { address: '10.9.9.9', isHidden: true }, hop)
    t.strictSame(of('10.9.9.9', `5.6.7.8, ${hop}, 10.0.0.1`), { address: '10.0.0.1', isHidden: true }, hop)
    t.strictSame(of('10.9.9.9', `${hop}, 5.6.7.8`), { address: '5.6.7.8', isHidden: false }, `${hop} is not looked at`)
  }
})

/** The body of the reply to a request with just these headers, over a real connection. */
async function ask({ app }: BuiltMock, path: string, headers: string[]): Promise<Body> {
  const { port } = app.server.address() as AddressInfo
  const options = { port, path: CONTROLLER + path, agent: false, setHost: false, headers: headers as never }
  const [reply] = (await once(httpRequest(options).end(), 'response')) as [IncomingMessage]
  return json(reply)
}

void t.test('duplicate headers for the host or the caller are a 400, and create no sandbox', async (t) => {
  const mock = await buildMock(t)
  await mock.app.listen({ host: '127.0.0.1', port: 0 })
  for (const [name, one, other] of [
    ['Host', 'a', 'b'],
    ['host', 'a', 'a'],
    ['X-Api-Key', 'a', 'b'],
    ['x-api-key', 'a', 'a'],
    ['Authorization', 'Bearer a', 'Bearer b'],
    ['X-Mock-Token', 'a', 'b']
  ] as const) {
    const host = name.toLowerCase() === 'host' ? [] : ['Host', 'x']
    const { Message } = await ask(mock, '/workgroups', [...host, name, one, 'Accept', '*/*', name.toUpperCase(), other])
    t.equal(Message, messageOf('invalidBody', 'duplicateHeader', { name: name.toLowerCase() }))
  }
  t.equal(mock.plane.sandboxes.find(sandboxIdOf('a')), undefined)
  const others = 'From|as long a name as Host|Authorization|Bearer a|X-Api-Key|b|Range|1|Range|2|Accept|x|Accept|y'
  t.equal((await ask(mock, '/workgroups', ['Host', 'x', ...others.split('|')])).Error, false, 'others may come twice')
})

/** The caller's address as the server sees it over a real connection. */
async function currentIp(mock: BuiltMock, ...forwardedFor: string[]): Promise<unknown> {
  const path = `/workgroups/${await createWorkgroup(mock)}/allow_list/current`
  await mock.app.listen({ host: '127.0.0.1', port: 0 })
  const forwarded = forwardedFor.flatMap((address) => ['X-Forwarded-For', address])
  return (await ask(mock, path, ['Host', 'x', 'X-Api-Key', 'test', ...forwarded])).Result.CurrentIP
}

void t.test('--trust-proxy works over a real connection too, with one header or several', async (t) => {
  t.equal(await currentIp(await buildMock(t), '5.6.7.8'), '127.0.0.1')
  t.equal(await currentIp(await buildMock(t, { trustProxy: ['127.0.0.1'] }), '9.9.9.9, 5.6.7.8'), '5.6.7.8')
  const behindTwo = await buildMock(t, { trustProxy: ['127.0.0.0/8', '5.6.7.8'] })
  t.equal(await currentIp(behindTwo, '1.1.1.1', '9.9.9.9', '5.6.7.8'), '9.9.9.9')
})
