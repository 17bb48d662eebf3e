import t from 'tap'
import { sandboxIdOf } from '../../src/http/credentials.js'
import { describeGuard } from '../../src/control/guard.js'
import { embeddedDefaults, type Options } from '../../src/options.js'
import { buildMock } from '../helper.js'

type Headers = Record<string, string>

/** The status and the message of a call of the control API. */
async function ask(t: Parameters<typeof buildMock>[0], options: Partial<Options>, headers: Headers = {}, remoteAddress = '127.0.0.1') {
  const { app } = await buildMock(t, options)
  const reply = await app.inject({ url: '/_mock/clock', remoteAddress, headers: { 'x-api-key': 'test', ...headers } })
  const body: { Message: string; ErrorDetails?: { Type: string }[] } = reply.json()
  return { status: reply.statusCode, message: body.Message, type: body.ErrorDetails?.[0]?.Type }
}

void t.test('callers from this machine are let in, others only with --control open', async (t) => {
  for (const peer of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) t.equal((await ask(t, {}, {}, peer)).status, 200, peer)
  for (const peer of ['10.0.0.7', '2001:db8::1']) {
    t.strictSame(await ask(t, {}, {}, peer), {
      status: 403, type: 'Forbidden',
      message: `The control API refuses callers from elsewhere (${peer}); use --control-token or --control open to let them in.`
    })
    t.equal((await ask(t, { control: 'open' }, {}, peer)).status, 200, `${peer} with --control open`)
  }
})

void t.test('a caller behind a trusted proxy on this machine is not taken for this machine', async (t) => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  t.equal((await ask(t, { trustProxy: ['127.0.0.1'] }, forwarded)).status, 403)
  t.equal((await ask(t, {}, forwarded)).status, 200, 'without --trust-proxy the header means nothing')
})

void t.test('with a token, whoever has it is let in, and nobody else', async (t) => {
  const options = { controlToken: 's3cret' }
  t.equal((await ask(t, options, { 'x-mock-token': 's3cret' }, '10.0.0.7')).status, 200)
  for (const given of [{}, { 'x-mock-token': '' }, { 'x-mock-token': 's3cre' }, { 'x-mock-token': 'S3CRET' }] as Headers[]) {
    const { status, message } = await ask(t, options, given)
    t.equal(status, 403)
    t.equal(message, 'The control API refuses requests without the right token; send it as X-Mock-Token.')
  }
  t.equal((await ask(t, { ...options, control: 'open' })).status, 403, '--control open does not take the token away')
})

void t.test('a page of another origin is refused, one of the own or of --cors-origin is not', async (t) => {
  for (const origin of ['http://evil.example', 'null', 'http://localhost:5173', 'http://localhost:8000']) {
    const { status, message } = await ask(t, {}, { host: 'localhost:4700', origin })
    t.equal(status, 403, origin)
    t.match(message, `pages of another origin (${origin})`)
  }
  t.equal((await ask(t, {}, { host: 'localhost:4700', origin: 'http://localhost:4700' })).status, 200)
  t.equal((await ask(t, { corsOrigin: ['http://localhost:5173'] }, { origin: 'http://localhost:5173' })).status, 200)
})

void t.test('a foreign name that points here is refused (DNS rebinding), one of --allowed-host or --host is not', async (t) => {
  for (const host of ['evil.example', 'evil.example:4700', 'localhost.evil.example', '10.0.0.7:4700', '[2001:db8::1]:4700']) {
    const { status, message } = await ask(t, {}, { host })
    t.equal(status, 403, host)
    t.match(message, '--allowed-host')
  }
  for (const host of ['localhost', 'LOCALHOST:4700', 'api.localhost:4700', '127.0.0.1:4700', '[::1]:4700']) {
    t.equal((await ask(t, {}, { host })).status, 200, host)
  }
  t.equal((await ask(t, { allowedHost: ['svc-mock'] }, { host: 'svc-mock:4700' })).status, 200)
  t.equal((await ask(t, { host: '10.0.0.7' }, { host: '10.0.0.7:4700' })).status, 200)
})

void t.test('the interface and the readiness are not guarded', async (t) => {
  const { app } = await buildMock(t, { controlToken: 's3cret' })
  const stranger = { remoteAddress: '10.0.0.7', headers: { 'x-api-key': 'test', host: 'elsewhere.example', origin: 'http://elsewhere.example' } }
  for (const url of ['/_mock/ready', '/controller/v4/v2/workgroups', '/openapi.json']) {
    t.equal((await app.inject({ url, ...stranger })).statusCode, 200, url)
  }
})

void t.test('who is let in can be told in a word', async (t) => {
  const of = (options: Partial<Options>) => describeGuard({ ...embeddedDefaults(), ...options })
  t.equal(of({}), 'from this machine')
  t.equal(of({ control: 'open' }), 'open')
  t.equal(of({ control: 'open', controlToken: 'x' }), 'with the token')
})

void t.test('who is refused makes no sandbox and uses none', async (t) => {
  const { app, world } = await buildMock(t)
  const reply = await app.inject({ url: '/_mock/clock', remoteAddress: '10.0.0.7', headers: { 'x-api-key': 'stranger' } })
  t.equal(reply.statusCode, 403)
  t.equal(world.sandboxes.find(sandboxIdOf('stranger')), undefined)
})
