import t from 'tap'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import type { Options } from '../../src/options.js'
import { CALLS } from '../../src/test-control/calls.js'
import { buildMock, type BuiltMock, matchError } from '../helper.js'
import { messageOf, patternOf, type Problem, type Values } from '../messages.js'

type Headers = Record<string, string>

/** One server for each set of options. */
const mocks = new Map<string, Promise<BuiltMock>>()

/** How the control API answers one that it lets in. */
const LET_IN = 'let in'
const refusal = (key: Problem<'forbidden'>, values?: Values) => messageOf('forbidden', key, values)
const ELSEWHERE = patternOf('forbidden', 'elsewhere')
const PROXY = refusal('proxy')

/** What the control API answers: {@link LET_IN}, or why it refuses. */
async function ask(options: Partial<Options>, headers: Headers = {}, remoteAddress = '127.0.0.1'): Promise<string> {
  const name = JSON.stringify(options)
  if (!mocks.has(name)) mocks.set(name, buildMock(t, options))
  const { app } = await mocks.get(name)!
  const reply = await app.inject({ url: '/_mock/clock', remoteAddress, headers: { 'x-api-key': 'test', ...headers } })
  const body: { Message: string; ErrorDetails?: { Type: string }[] } = reply.json()
  if (reply.statusCode === 200) return LET_IN
  t.strictSame([reply.statusCode, body.ErrorDetails?.[0]?.Type], [403, 'Forbidden'])
  return body.Message
}

void t.test('callers on this machine are admitted, others only with --control open', async (t) => {
  for (const peer of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])
    t.equal(await ask({}, {}, peer), LET_IN, peer)
  for (const peer of ['10.0.0.7', '2001:db8::1']) {
    t.equal(await ask({}, {}, peer), refusal('elsewhere', { address: peer }))
    t.equal(await ask({ control: 'open' }, {}, peer), LET_IN, `${peer} with --control open`)
  }
})

void t.test('a caller behind a trusted proxy on this machine does not count as local', async (t) => {
  const trusting = { trustProxy: ['127.0.0.1', '10.0.0.0/8'] }
  for (const forwardedFor of ['203.0.113.9', '203.0.113.9:1234', '[2001:db8::1]:1234', '127.0.0.1, 203.0.113.9']) {
    const message = await ask(trusting, { 'x-forwarded-for': forwardedFor })
    t.match(message, ELSEWHERE)
    t.match(message, /\((203\.0\.113\.9|2001:db8::1)\)/)
  }
  const local = { 'x-forwarded-for': '127.0.0.1:1234', 'x-forwarded-proto': 'http', via: '1.1 a' }
  t.equal(await ask(trusting, local), LET_IN, 'one on this machine is')
  t.match(await ask(trusting, local, '10.0.0.5'), ELSEWHERE, 'what is this machine to a proxy elsewhere is another one')
})

void t.test('a caller through a proxy that is not trusted, or unclear, does not count as local', async (t) => {
  const trusting = { trustProxy: ['127.0.0.1'] }
  const names = 'forwarded x-forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-anything via'
  for (const name of `${names} forwarded-for x-real-ip x-client-ip true-client-ip cf-connecting-ip`.split(' ')) {
    const through = { [name]: '127.0.0.1' }
    t.equal(await ask({}, through), PROXY, name)
    t.equal(await ask({ control: 'open' }, through), LET_IN, `${name} with --control open`)
    t.equal(await ask({ controlToken: 'x' }, { ...through, 'x-mock-token': 'x' }), LET_IN, `${name} with a token`)
    if (name !== 'x-forwarded-for') t.equal(await ask(trusting, through), PROXY, `${name} alone, trusted`)
  }
  for (const hop of ['', ' ', 'unknown', 'garbage', ',', '127.0.0.1,', '127.0.0.1:x', '[::1', '127.1', 'localhost'])
    t.equal(await ask(trusting, { 'x-forwarded-for': hop }), PROXY, JSON.stringify(hop))
  for (const name of ['not-forwarded', 'a-via', 'x-real-ip-2', 'real-ip'])
    t.equal(await ask({}, { [name]: '127.0.0.1' }), LET_IN, `${name} is not from a proxy`)
  const twice = { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=203.0.113.9' }
  t.equal(await ask(trusting, twice), PROXY, 'two ways to say it')
})

void t.test('a page of another origin is refused if the browser reports it, with any request', async (t) => {
  const crossSite = refusal('page', { origin: 'cross-site' })
  for (const site of ['cross-site', 'same-site', 'anything'])
    t.equal(await ask({}, { 'sec-fetch-site': site }), refusal('page', { origin: site }))
  for (const site of ['same-origin', 'none']) t.equal(await ask({}, { 'sec-fetch-site': site }), LET_IN, site)
  const origin = 'http://localhost:5173'
  t.equal(await ask({ corsOrigin: [origin] }, { 'sec-fetch-site': 'same-site', origin }), LET_IN)
  const image = await ask({ corsOrigin: [origin] }, { 'sec-fetch-site': 'cross-site' })
  t.equal(image, crossSite, 'an image names no origin')
  const { app } = await buildMock(t)
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const open = async (headers: Headers) => (await app.inject({ url: '/_mock', headers })).statusCode
  t.equal(await open(link), 308, 'a link may lead to the console')
  t.equal(await open({ ...link, origin: 'http://evil.example' }), 403, 'a form must not')
  t.equal(await open({ ...link, 'sec-fetch-mode': 'no-cors' }), 403)
  t.equal(await ask({}, link), crossSite, 'a link must not lead to data')
})

void t.test('with --auth off, a page of another origin can neither read nor change anything', async (t) => {
  const { call } = await buildMock(t, { auth: 'off', corsOrigin: ['http://app.example'] })
  const create = (headers: Headers) =>
    call('POST', '/workgroups', { key: null, headers, body: { cloud_provider_id: 'x' } })
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  matchError(t, await create(crossSite), 'forbidden', 'pageWithoutKey', { values: { origin: 'cross-site' } })
  // An old browser sends no Sec-Fetch-Site; a form in a sandboxed frame has the origin null.
  for (const origin of ['https://evil.example', 'null'])
    matchError(t, await create({ origin }), 'forbidden', 'pageWithoutKey', { values: { origin } })
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'])
    t.equal((await call(method, '/workgroups/x', { key: null, headers: crossSite })).status, 403, method)
  const both = { ...crossSite, origin: 'http://evil.example' }
  t.equal((await call('PUT', '/workgroups/x', { key: null, headers: both })).status, 403, 'whatever origin it names')
  t.strictSame((await call('GET', '/workgroups', { key: null })).body.Result, [])
  t.equal((await create({ 'sec-fetch-site': 'same-origin' })).status, 200)
  t.equal((await create({ origin: 'http://app.example' })).status, 200, 'a page of --cors-origin')
  const other = await buildMock(t)
  const known = await other.call('POST', '/workgroups', { headers: crossSite, body: { cloud_provider_id: 'x' } })
  t.equal(known.status, 200, 'otherwise, a page elsewhere knows no key')
})

void t.test('with --auth off, an unknown host name is refused', async (t) => {
  const { call } = await buildMock(t, { auth: 'off', allowedHost: ['mock.corp.example'] })
  const read = (host: string) => call('GET', '/workgroups', { key: null, headers: { host } })
  for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'EVIL.example.'])
    matchError(t, await read(host), 'forbidden', 'hostWithoutKey', {
      values: { host: host.replace(/:\d+$/, '').toLowerCase() }
    })
  // Nobody can register an address, or a name without a dot, such as that of a service of docker compose.
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080', '10.0.0.7', 'mock', 'mock.corp.example:80'])
    t.equal((await read(host)).status, 200, host)
})

void t.test('with --auth off, a simple request without an origin changes nothing', async (t) => {
  const { app } = await buildMock(t, { auth: 'off' })
  const url = '/controller/v4/v2/workgroups'
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/ping']
  for (const type of types)
    for (const payload of ['', '{"cloud_provider_id": "x"}']) {
      const { statusCode } = await app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })
      t.equal(statusCode, 415, type)
    }
  t.strictSame((await app.inject(url)).json().Result, [])
})

void t.test('with a token, only callers that send it are admitted', async (t) => {
  const options = { controlToken: 's3cret' }
  t.equal(await ask(options, { 'x-mock-token': 's3cret' }, '10.0.0.7'), LET_IN)
  t.equal(await ask(options), refusal('token'))
  for (const given of ['', 's3cre', 'S3CRET'])
    t.equal(await ask(options, { 'x-mock-token': given }), refusal('token'), given)
  t.equal(await ask({ ...options, control: 'open' }), refusal('token'), '--control open does not take the token away')
  const { app } = await buildMock(t, options)
  t.equal((await app.inject('/_mock')).statusCode, 308, 'the console itself shows nothing')
})

void t.test("only pages of the server's own origin and of --cors-origin are admitted", async (t) => {
  const host = 'localhost:4700'
  for (const origin of ['http://evil.example', 'null', 'http://localhost:5173', 'http://localhost:8000'])
    t.equal(await ask({}, { host, origin }), refusal('page', { origin }))
  for (const scheme of ['http', 'https'])
    t.equal(await ask({}, { host, origin: `${scheme}://${host}` }), LET_IN, scheme)
  t.equal(await ask({ corsOrigin: ['http://localhost:5173'] }, { origin: 'http://localhost:5173' }), LET_IN)
})

void t.test('an unknown host name is refused (DNS rebinding), unless --allowed-host or --host names it', async (t) => {
  const foreign = 'evil.example evil.example:4700 localhost.evil.example evillocalhost evil-localhost:4700'
  for (const host of `${foreign} local:1host x[::1]:4700 [::1]x 10.0.0.7:4700 [2001:db8::1]:4700`.split(' '))
    t.match(await ask({}, { host }), patternOf('forbidden', 'host'), host)
  for (const host of ['localhost', 'LOCALHOST:4700', 'api.localhost:4700', '127.0.0.1:4700', '[::1]', '[::1]:4700'])
    t.equal(await ask({}, { host }), LET_IN, host)
  t.equal(await ask({ allowedHost: ['svc-mock'] }, { host: 'svc-mock:4700' }), LET_IN)
  t.equal(await ask({ host: '10.0.0.7' }, { host: '10.0.0.7:4700' }), LET_IN)
})

void t.test('every call of the control API is guarded, and so is the endpoint for agents', async (t) => {
  const { app } = await buildMock(t)
  for (const { method, path } of [...CALLS, { method: 'POST' as const, path: '/mcp' }])
    for (const stranger of [{ remoteAddress: '10.0.0.7' }, { headers: { host: 'evil.example' } }]) {
      const url = `/_mock${path.replaceAll(/:\w+/g, 'x')}`
      t.equal((await app.inject({ method, url, ...stranger })).statusCode, 403, `${method} ${url}`)
    }
})

void t.test('the interface is guarded only with --auth off; readiness and documents never are', async (t) => {
  const { app } = await buildMock(t, { controlToken: 's3cret' })
  const { app: keyless } = await buildMock(t, { auth: 'off' })
  const stranger = {
    remoteAddress: '10.0.0.7',
    headers: { 'x-api-key': 'test', host: 'elsewhere.example', origin: 'http://elsewhere.example' }
  }
  t.equal((await app.inject({ url: '/controller/v4/v2/workgroups', ...stranger })).statusCode, 200)
  for (const url of ['/', '/_mock/ready', '/_mock/openapi.json', '/openapi.json']) {
    t.equal((await app.inject({ url, ...stranger })).statusCode, 200, url)
    t.equal((await keyless.inject({ url, ...stranger })).statusCode, 200, `${url} without a key`)
  }
})

void t.test('a refused caller neither creates nor uses a sandbox', async (t) => {
  const { app, plane } = await buildMock(t)
  const stranger = { remoteAddress: '10.0.0.7', headers: { 'x-api-key': 'stranger' } }
  t.equal((await app.inject({ url: '/_mock/clock', ...stranger })).statusCode, 403)
  t.equal(plane.sandboxes.find(sandboxIdOf('stranger')), undefined)
})
