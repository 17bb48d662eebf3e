import t from 'tap'
import { CONTROLLER } from '../helper.js'
import { at, type TestSandbox } from '../sandbox.js'
import { checkRefused, openWith } from './edge.js'

const findings = async ({ controlResult }: TestSandbox) =>
  ((await controlResult('GET', '/report')).findings as { rule: string }[]).map(({ rule }) => rule)

void t.test('a key that sends more than a limit allows gets a 429, until the window is over', async (t) => {
  const b = await openWith(t, { limits: [{ requests: 2, window: 'PT1M', fields: true }] })
  const list = () => b.call('GET', '/workgroups')
  const seen = [await list(), await list(), await list()]
  const told = seen.map(({ status, headers }) => [status, headers['ratelimit'], headers['retry-after']])
  t.strictSame(told, [
    [200, '"limit-1";r=1;t=60', undefined],
    [200, '"limit-1";r=0;t=60', undefined],
    [429, '"limit-1";r=0;t=60', '60']
  ])
  t.equal(seen[0]!.headers['ratelimit-policy'], '"limit-1";q=2;w=60')
  t.match(seen[2]!.body, { Error: true, ErrorDetails: [{ Type: 'Quota-Exceed' }], Message: /At most 2 requests/ })
  t.equal((await b.mock.call('GET', '/workgroups', { key: 'another' })).status, 200, 'each key has its own')
  t.equal((await b.control('GET', '/requests')).status, 200, 'the control API has no limit')

  await b.advance(at(59))
  t.match(await list(), { status: 429, headers: { 'retry-after': '1' } })
  await b.advance(at(60))
  t.equal((await list()).status, 200)
  const [entry] = (await b.controlResult('GET', '/requests?status=429')).requests
  t.match(entry, { operation: 'listWorkgroups', status: 429 }, 'the journal has it')
  t.strictSame(await findings(b), ['polling-too-fast', 'retry-after-ignored'])
  const { paths } = (await b.mock.call('GET', '/openapi.json', { prefix: '' })).body
  const { responses } = paths[`${CONTROLLER}/workgroups`].get
  t.strictSame(responses[429].content, responses[500].content, 'the document of the interface has it')
})

void t.test('a reset begins new windows', async (t) => {
  const b = await openWith(t, { limits: [{ requests: 1, window: '1m' }] })
  const list = async () => (await b.call('GET', '/workgroups')).status
  t.strictSame([await list(), await list()], [200, 429])
  await b.control('POST', '/reset', { keep: ['clock'] })
  t.strictSame([await list(), await list()], [200, 429])
})

void t.test('Retry-After can be a date, or absent', async (t) => {
  const b = await openWith(t, {
    limits: [
      { requests: 1, window: '1m', retry_after: 'date' },
      { requests: 2, window: '1h', retry_after: 'none' }
    ]
  })
  const list = () => b.call('GET', '/workgroups')
  await b.advance('PT0.2S')
  t.equal((await list()).status, 200)
  const refused = await list()
  t.match(refused, { status: 429, headers: { 'retry-after': new Date(at(61)).toUTCString() } }, 'whole seconds')
  t.notOk('ratelimit' in refused.headers)
  await list()
  t.strictSame(await findings(b), ['polling-too-fast', 'retry-after-ignored'])
  await b.advance(at(61))
  t.equal((await list()).status, 200, 'refused requests do not count')
  await b.advance(at(121))
  const last = await list()
  t.equal(last.status, 429)
  t.notOk('retry-after' in last.headers)
})

void t.test('a gateway can refuse in its own words, and stubs count', async (t) => {
  const { mock, key, call } = await openWith(t, {
    limits: [{ requests: 1, window: '1m' }],
    stubs: [{ name: 'stub', method: 'GET', path: '/v1/stub', status: 200 }],
    gateway: { too_many_requests: { status: 403, body: { message: 'Slow down' } } }
  })
  t.equal((await mock.call('GET', '/v1/stub', { key, prefix: '' })).status, 200)
  t.match(await call('GET', '/workgroups'), { status: 403, body: { message: 'Slow down' } })
})

void t.test('invalid limits are refused', async (t) => {
  const good = { requests: 1, window: '1m' }
  checkRefused(t, 'limits.0', [
    [{ ...good, requests: 0 }, 'requests'],
    [{ ...good, window: 'PT0S' }, 'window'],
    [{ ...good, window: 'soon' }, 'window'],
    [{ ...good, retry_after: 'later' }, 'retry_after'],
    [{ ...good, per: 'org' }, 'per']
  ])
})
