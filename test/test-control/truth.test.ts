import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { buildMock, matchError, until } from '../helper.js'
import { andMore, patternOf } from '../messages.js'
import { openSandbox } from '../sandbox.js'

const SEED = {
  clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' },
  workgroups: [{ id: 'g', workspaces: [{ id: 'w' }] }]
}

void t.test(
  'a verification that would have to count requests which were dropped fails, and says what to do',
  async (t) => {
    const b = await openSandbox(await buildMock(t, { journalRequests: 5 }))
    for (let i = 0; i < 10; i++) await b.createWorkgroup()
    const verify = (times: object) => b.control('POST', '/requests/verify', { operation: 'createWorkgroup', times })
    for (const times of [{ exactly: 5 }, { atMost: 6 }, { atLeast: 1, atMost: 6 }]) {
      const { status, body } = await verify(times)
      t.equal(status, 400, JSON.stringify(times))
      const values = { operation: 'createWorkgroup', count: '5 times' }
      t.match(body.Message, patternOf('notAllowed', 'perhapsMoreOlder', values))
    }
    t.equal((await verify({ atLeast: 5 })).status, 200, 'what is there is enough')
    await b.control('DELETE', '/requests')
    await b.createWorkgroup()
    t.equal((await verify({ exactly: 1 })).status, 200)
  }
)

void t.test(
  'a request whose client gives up while a fault delays it is in the journal, and nothing was done',
  async (t) => {
    await using mock = await startMock()
    const box = mock.sandbox()
    await box.fault.add({ operation: 'createWorkgroup', times: 1, effect: { delay: 'PT30S', status: 503 } })
    const headers = { ...box.headers, 'content-type': 'application/json' }
    const post = (signal?: AbortSignal) =>
      fetch(`${mock.url}/controller/v4/v2/workgroups`, {
        method: 'POST',
        headers,
        body: '{"cloud_provider_id": "a"}',
        ...(signal === undefined ? {} : { signal })
      })
    const waiting = new AbortController()
    const given = post(waiting.signal).catch(() => undefined)
    await until(async () => (await box.fault.list())[0]!.hits > 0)
    waiting.abort()
    await given
    await until(async () => (await box.requests.list()).requests.length > 0)
    t.equal((await post()).status, 200)
    const { requests } = await box.requests.list()
    t.match(requests, [
      { operation: 'createWorkgroup', status: null, error: null, fault: { id: 'fault-1' } },
      { status: 200, fault: null }
    ])
    await box.verify({ operation: 'createWorkgroup', times: { exactly: 2 } })
    t.equal((await box.state.read()).workgroups?.length, 1)
  }
)

void t.test('a secret in a setting that is stored as JSON is masked in the record, too', async (t) => {
  const b = await openSandbox(await buildMock(t))
  await b.control('PUT', '/state', SEED)
  const reply = await b.call('PUT', '/workgroups/g/workspaces/w', {
    addons: [
      {
        addons_id: 'a',
        enable: true,
        enable_configuration: { password: 'LEAK', private_key: 'LEAK', pwd: 'LEAK', access_key: 'LEAK', url: 'shown' }
      }
    ]
  })
  t.equal(reply.status, 200)
  const record = JSON.stringify(await b.controlResult('GET', `/requests/${reply.body.RequestID}`))
  t.notMatch(record, /LEAK/)
  t.match(record, /shown/)
})

void t.test('a call of the control API that takes no query, or no body, refuses one', async (t) => {
  const b = await openSandbox(await buildMock(t))
  for (const [method, url, field] of [
    ['DELETE', '/faults?id=fault-1', 'id'],
    ['POST', '/reset?keep=clock', 'keep'],
    ['GET', '/clock?zz=1', 'zz'],
    ['PUT', '/quotas?a=1', 'a']
  ] as const) {
    matchError(t, await b.control(method, url), 'invalidBody', { [field]: 'unknown' })
  }
  for (const [method, url] of [
    ['PUT', '/snapshots/a'],
    ['DELETE', '/faults'],
    ['DELETE', '/requests'],
    ['DELETE', '/sandboxes']
  ] as const) {
    matchError(t, await b.control(method, url, { x: 1 }), 'invalidBody', { x: 'unknown' })
    t.not((await b.control('GET', '/clock')).status, 401)
  }
})

void t.test(
  'the document says which bodies can be left out, which other form a reply has, and where the token goes',
  async (t) => {
    const { app } = await buildMock(t)
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document
    const { paths, components } = (await app.inject('/_mock/openapi.json')).json<Record<string, any>>()
    t.equal(paths!['/_mock/reset'].post.requestBody.required, false)
    t.equal(paths!['/_mock/faults'].post.requestBody.required, true)
    t.strictSame(Object.keys(paths!['/_mock/coverage'].get.responses['200'].content as object), [
      'application/json',
      'application/xml'
    ])
    t.match(components!.securitySchemes.mockToken, { in: 'header', name: 'X-Mock-Token' })
    t.ok(
      (paths!['/_mock/clock'].get.security as object[]).some((scheme) => 'mockToken' in scheme && 'apiKey' in scheme)
    )
  }
)

void t.test(
  'the message of a request with very many faults names the first of them, and the details all',
  async (t) => {
    const b = await openSandbox(await buildMock(t))
    const { body } = await b.control('PUT', '/state', {
      workgroups: Array.from({ length: 50 }, () => ({ region: 'mars' }))
    })
    t.equal(body.ErrorDetails.length, 50)
    t.match(body.Message, /workgroups\.19\.region /)
    t.ok((body.Message as string).endsWith(andMore(30)))
    t.notMatch(body.Message, /workgroups\.20/)
  }
)
