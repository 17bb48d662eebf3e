import { fileURLToPath } from 'node:url'
import t from 'tap'
import { openActiveWorkspace } from '../active-workspace.js'
import { type Body, buildMock, CONTROLLER, pluck } from '../helper.js'
import { openSandbox } from '../sandbox.js'
import { buildWith, checkRefused, refusals, wrongFields } from './edge.js'

const STUB = { method: 'GET', path: '/v1/stub', status: 200 }
const TEAMS = {
  name: 'teams',
  path: '/v1/orgs/{org}/teams',
  collection: {
    id: 'team_id',
    adds: { org: '{{path.org}}', state: 'active', created_at: '{{now}}' },
    list: { teams: '{{result}}', by: '{{request_id}}' }
  },
  request: { name: { type: 'string', required: true }, plan: { enum: ['free', 'gold'] } }
}

const SELF = `${CONTROLLER}/org/self`

void t.test('a stub answers with the values of its placeholders, which keep their types', async (t) => {
  const body = {
    Error: false,
    Result: [
      { org: '{{org_id}}', name: '{{ org_name }}', id: '{{request_id}}', now: '{{now}}' },
      '{{path.team}} is {{query.colour}}, {{query.none}}{{body.list}} {not} {{a',
      '{{body.count}}',
      '{{body.list}}',
      '{{body.list.1.x}}',
      '{{body.none}}',
      '{{query.many}}',
      7,
      null,
      true
    ]
  }
  const stub = {
    method: 'POST',
    path: '/v1/teams/{team}',
    status: 201,
    headers: { Location: '/t/{{path.team}}' },
    body
  }
  const mock = await buildWith(t, { stubs: [{ ...stub, name: 'create team' }] })
  const { key, now, sandbox } = await openSandbox(mock)
  const {
    status,
    headers,
    body: reply
  } = await mock.call('POST', '/v1/teams/a%20b?colour=red&many=1&many=2', {
    key,
    prefix: '',
    body: { count: 5, list: ['a', { x: [true] }] }
  })
  t.equal(status, 201)
  t.match(headers, { location: '/t/a%20b', 'x-mock-stub': 'create team', 'content-type': /^application\/json/ })
  t.strictSame(reply, {
    Error: false,
    Result: [
      { org: sandbox.orgId, name: sandbox.orgName, id: headers['x-request-id'], now: await now() },
      'a b is red, ["a",{"x":[true]}] {not} {{a',
      5,
      ['a', { x: [true] }],
      [true],
      null,
      ['1', '2'],
      7,
      null,
      true
    ]
  })
})

void t.test('a text is sent unchanged, and an absent body is empty', async (t) => {
  const mock = await buildWith(t, {
    stubs: [
      { ...STUB, body: 'Hello {{query.name}}' },
      { ...STUB, path: '/v1/html', headers: { 'Content-Type': 'text/html' }, body: '<p>' },
      { ...STUB, path: '/v1/problem', headers: { 'Content-Type': 'application/problem+json' }, body: { a: 1 } },
      { ...STUB, path: '/v1/none', status: 204 },
      { ...STUB, path: '/v1/count', body: '{{query.a}}' }
    ]
  })
  const get = (path: string) => mock.call('GET', path, { prefix: '' })
  t.match(await get('/v1/stub?name=you'), { body: 'Hello you', headers: { 'content-type': /^text\/plain/ } })
  t.match(await get('/v1/html'), { body: '<p>', headers: { 'content-type': 'text/html' } })
  t.match(await get('/v1/problem'), { body: '{"a":1}', headers: { 'content-type': 'application/problem+json' } })
  t.match(await get('/v1/none'), { status: 204, body: '' })
  t.match(await get('/v1/count'), { body: null, headers: { 'content-type': /^application\/json/ } })
  t.match(await mock.call('HEAD', '/v1/stub', { prefix: '' }), { status: 200, body: '' })
})

void t.test('a stub needs a credential, is in the journal, and is not an operation', async (t) => {
  const mock = await buildWith(t, { stubs: [STUB, { ...STUB, path: SELF, status: 404, body: { a: '{{org_id}}' } }] })
  t.equal((await mock.call('GET', '/org/self', { key: null })).status, 401)
  const { key, call, control, controlResult } = await openSandbox(mock)
  await call('GET', '/workgroups')
  t.notOk('stub' in (await controlResult('GET', '/requests')).requests[0], 'an operation is not a stub')
  const before = (await controlResult('GET', '/coverage')).summary
  for (let count = 0; count < 4; count++) await mock.call('GET', '/org/self?token=secret', { key })
  const { requests } = (await control('GET', '/requests')).body.Result as { requests: Body[] }
  t.match(requests.at(-1), { operation: null, stub: `GET ${SELF}`, path: SELF, status: 404, error: null, unread: [] })
  const record = (await control('GET', `/requests/${requests.at(-1).request_id}`)).body.Result
  t.match(record.request, { stub: `GET ${SELF}`, reply: { a: String } })
  t.strictSame((await controlResult('GET', '/coverage')).summary, before, 'coverage is about operations')
  t.strictSame((await controlResult('GET', '/report')).findings, [], 'and so is the report')
  const wrong = await mock.call('PUT', '/org/self', { key })
  t.match([wrong.status, wrong.headers['allow']], [405, 'GET, HEAD'])
})

void t.test('a fault without an operation affects stubs, too', async (t) => {
  const mock = await buildWith(t, { stubs: [{ ...STUB, path: '/v1/{workspaceID}' }] })
  const { key, controlResult } = await openSandbox(mock)
  const status = async (id: string) => (await mock.call('GET', `/v1/${id}`, { key, prefix: '' })).status
  await controlResult('POST', '/faults', { operation: 'getWorkspace', effect: { status: 500 } })
  t.equal(await status('a'), 200)
  await controlResult('POST', '/faults', { workspace_id: 'b', effect: { status: 503 } })
  t.strictSame([await status('a'), await status('b')], [200, 503])
  await controlResult('DELETE', '/faults')
})

void t.test('errors of stubs use the names of the profile, but their replies do not', async (t) => {
  const own = { Error: false, RequestID: 'own' }
  const mock = await buildWith(t, {
    stubs: [{ ...STUB, body: own }],
    names: { fields: { Error: 'failed', RequestID: 'request_id', FieldName: 'field' } },
    fields: { 'middleware.Response': { api: { const: 2 } }, 'middleware.Error': { level: { const: 'error' } } }
  })
  const { key, controlResult } = await openSandbox(mock)
  const get = async (path: string, credential: string | null) =>
    (await mock.call('GET', path, { key: credential, prefix: '' })).body
  const words = { failed: true, api: 2, ErrorDetails: [{ field: '', level: 'error' }] }
  t.strictSame(await get(STUB.path, key), own)
  for (const phase of ['before', 'after-commit']) {
    await controlResult('POST', '/faults', { phase, times: 2, effect: { status: 503 } })
    for (const path of [STUB.path, `${CONTROLLER}/workgroups`]) {
      const body = await get(path, key)
      t.match(body, words, `${phase} ${path}`)
      t.notOk('Error' in body)
    }
  }
  for (const path of [STUB.path, `${CONTROLLER}/workgroups`]) {
    const body = await get(path, null)
    t.match(body, words, `401 ${path}`)
    t.notOk('Error' in body)
  }
  t.strictSame(await get(STUB.path, key), own)
})

void t.test('a stub never answers under /_mock, even if its path begins with a parameter', async (t) => {
  const stubs = [
    { ...STUB, path: '/{a}' },
    { ...STUB, path: '/{a}/new' },
    { ...STUB, path: '/{a}/clock', method: 'POST' }
  ]
  const mock = await buildWith(t, { stubs })
  const status = async (method: string, path: string) =>
    (await mock.call(method, path, { prefix: '', body: method === 'POST' ? {} : undefined })).status
  t.equal(await status('GET', '/other/new'), 200)
  t.equal(await status('POST', '/other/clock'), 200)
  t.equal(await status('GET', '/_mock/new'), 404)
  t.equal(await status('GET', '/_mock'), 308, 'it leads to the console')
  t.equal(await status('POST', '/_mock/clock'), 405)
  t.equal(await status('GET', '/_mock/clock'), 200)
})

void t.test('paths can name their parameters differently for each method', async (t) => {
  const stubs = [
    { method: 'PATCH', path: `${CONTROLLER}/workgroups/{id}`, status: 202 },
    { method: 'GET', path: `${CONTROLLER}/things/{a}`, status: 200 },
    { method: 'DELETE', path: `${CONTROLLER}/things/{b}`, status: 204 }
  ]
  const mock = await buildWith(t, { stubs })
  for (const [method, path, status] of [
    ['GET', '/workgroups/x', 404],
    ['PATCH', '/workgroups/x', 202],
    ['GET', '/things/x', 200],
    ['DELETE', '/things/x', 204],
    ['PUT', '/things/x', 405],
    ['GET', '/nothing', 404]
  ] as const)
    t.equal((await mock.call(method, path)).status, status, `${method} ${path}`)
})

void t.test('a stub can take the path of an operation that is off', async (t) => {
  const path = `${CONTROLLER}/workspaces/meta`
  const mock = await buildWith(t, {
    routes: [{ operation: 'getMetadata', off: true }],
    stubs: [{ method: 'GET', path, status: 200, body: { stub: true } }]
  })
  t.strictSame((await mock.call('GET', '/workspaces/meta')).body, { stub: true })
})

void t.test('the example of another edition works', async (t) => {
  const mock = await buildMock(t, {
    profile: fileURLToPath(new URL('../../examples/another-edition.yaml', import.meta.url))
  })
  const { key, path, workgroup, workspace } = await openActiveWorkspace(mock)
  const call = async (method: string, url: string, body?: unknown) => {
    const reply = await mock.call(method, url, { key, prefix: '', body })
    return { status: reply.status, body: reply.body, location: reply.headers['location'] }
  }
  t.match(await call('GET', `/v1/teams/${workgroup}`), { body: { Result: { workgroup_id: workgroup } } })
  t.match(await call('GET', `/v1/databases/${workspace}/of/${workgroup}/schedules`), { body: { Result: [] } })
  const schedule = { schedule: '0 3 * * *' }
  t.match(await call('PUT', `/v1/teams/${workgroup}/databases/${workspace}/backup-schedule`, schedule), { status: 200 })
  t.match(await call('PATCH', `/v1/teams/${workgroup}/databases/${workspace}/pause`), { status: 200 })
  t.equal((await mock.call('POST', `${path}/pause`, { key })).status, 403, 'an unknown path')
  t.match(await call('POST', '/v1/orgs/a/invitations', { emails: ['b'] }), {
    status: 201,
    location: '/v1/orgs/a/invitations/1',
    body: { Result: { emails: ['b'] } }
  })
  t.match((await mock.call('PUT', path, { key, body: {} })).body, { Message: `Updated ${workspace}.` })
  t.equal((await mock.call('DELETE', path, { key })).status, 403, 'the role of API keys')
  t.match(await mock.call('GET', path, { key: null }), { status: 401, body: 'Unauthorized' })
})

void t.test('bad stubs are refused, each at its field', async (t) => {
  let deep: object = {}
  let list: unknown[] = []
  for (let depth = 0; depth < 200; depth++) [deep, list] = [{ deep }, [list]]
  const fields: [stub: object, ...wrong: string[]][] = [
    [{ method: 'GET', path: '/v1/x' }, 'status'],
    [{ ...STUB, status: 199 }, 'status'],
    [{ ...STUB, status: '200' }, 'status'],
    [{ ...STUB, path: 'v1' }, 'path'],
    [{ ...STUB, path: '/_mock/state' }, 'path'],
    [{ ...STUB, path: `${CONTROLLER}/workgroups/{anything}` }, 'path'],
    [{ ...STUB, path: `${CONTROLLER}/workgroups/{a}/workspaces/{b}/backups/schedule`, method: 'POST' }, 'path'],
    [{ ...STUB, path: '/users' }, 'path'],
    [{ ...STUB, name: '' }, 'name'],
    [{ ...STUB, name: 'a\nb' }, 'name'],
    [{ ...STUB, body: '{{org}}' }, 'body'],
    [{ ...STUB, body: { a: [{ b: 'x{{now.x}}' }] } }, 'body.a.0.b'],
    [{ ...STUB, body: '{{path.team}}' }, 'body'],
    [{ ...STUB, path: '/v1/{team}', body: '{{path.tem}}' }, 'body'],
    [{ ...STUB, body: '{{path}}' }, 'body'],
    [{ ...STUB, body: '{{query.}}' }, 'body'],
    [{ ...STUB, body: '{{}}' }, 'body'],
    [{ ...STUB, body: '{{body.x}}' }, 'body'],
    [{ ...STUB, body: '{{__proto__}}' }, 'body'],
    [{ ...STUB, body: { '{{now}}': 1 } }, 'body.{{now}}'],
    [{ ...STUB, body: deep }, 'body'],
    [{ ...STUB, body: list }, 'body'],
    [{ ...STUB, status: 204, body: {} }, 'body'],
    [{ ...STUB, headers: { 'a b': 'x' } }, 'headers.a b'],
    [{ ...STUB, headers: { a: 'x\r\nb: c' } }, 'headers.a'],
    [{ ...STUB, headers: { a: '{{org}}' } }, 'headers.a'],
    [{ ...STUB, headers: { 'Content-Length': '5' } }, 'headers.Content-Length'],
    [{ ...STUB, headers: { 'X-Mock-Stub': 'x' } }, 'headers.X-Mock-Stub'],
    [{ ...STUB, headers: { A: 'x', a: 'y' } }, 'headers.a'],
    [{ ...STUB, headers: { a: 5 } }, 'headers.a'],
    [{ ...STUB, delay: 5 }, 'delay'],
    [{ path: '/a', status: 200 }, 'method'],
    [{ path: '/a', method: 'GET' }, 'status'],
    [{ ...TEAMS, method: 'POST' }, 'method'],
    [{ ...TEAMS, credential: false }, 'credential'],
    [{ ...STUB, credential: false, activity: 'w' }, 'credential'],
    [{ ...STUB, credential: false, body: '{{org_id}}' }, 'body'],
    [{ ...STUB, request: {} }, 'request'],
    [{ ...STUB, body: '{{result}}' }, 'body'],
    [{ ...TEAMS, activity: '{{result}}' }, 'activity'],
    [{ ...TEAMS, collection: { id: 'id', adds: { size: '{{result}}' } } }, 'collection.adds.size'],
    [{ ...TEAMS, request: { size: { type: 'integer', enum: [1, '2'] } } }, 'request.size.enum.1']
  ]
  checkRefused(t, 'stubs.0', fields)
  const items = wrongFields({ stubs: [{ ...TEAMS, path: '/v1/{org}/{item}' }] })
  t.strictSame(items, ['stubs.0.path'], 'once, although a collection has several routes')
  t.match(refusals({ stubs: [{ ...TEAMS, path: '/v1/{item}' }] }), [['stubs.0.path', /id of an item/]])
  const collection = { id: 'team_id', adds: { label: '{{body.name}}' } }
  t.strictSame(wrongFields({ stubs: [{ path: '/v1/teams', collection }] }), [], 'a creation has a body')
  t.strictSame(wrongFields({ stubs: [STUB, STUB] }), ['stubs.1.name', 'stubs.1.path'])
  t.strictSame(
    wrongFields({
      stubs: [
        { ...STUB, name: 'a' },
        { ...STUB, path: '/v1/b', name: 'a' }
      ]
    }),
    ['stubs.1.name']
  )
  t.strictSame(wrongFields({ stubs: [TEAMS, { ...STUB, path: '/v1/orgs/{o}/teams' }] }), ['stubs.1.path'])
})

void t.test('an unknown placeholder is refused with the nearest one, or with all', async (t) => {
  const reasonOf = (body: string) => {
    const [[field, reason] = []] = refusals({ stubs: [{ ...STUB, path: '/v1/{team}/{member}', body }] })
    t.equal(field, 'stubs.0.body', body)
    return reason
  }
  t.match(reasonOf('{{path.tem}}'), /\{\{path\.tem\}\}.*path\.team\?$/)
  t.match(reasonOf('{{org_nam}}'), /\{\{org_nam\}\}.*org_name\?$/)
  t.match(reasonOf('{{quux}}'), /; there are org_id, .*path\.team, path\.member, query\.…$/)
})

void t.test('a collection stores what is sent', async (t) => {
  const mock = await buildWith(t, { stubs: [TEAMS] })
  const { key, now, sandbox, controlResult } = await openSandbox(mock)
  const call = (method: string, path: string, body?: unknown, as = key) =>
    mock.call(method, `/v1/orgs/${path}`, { key: as, prefix: '', body })
  const { status, body: made } = await call('POST', 'a/teams', { name: 'One', size: 3, team_id: 'mine' })
  const { team_id: id } = made.Result
  t.equal(status, 200)
  t.match(id, /^[0-9a-f-]{36}$/)
  const one = { team_id: id, name: 'One', size: 3, org: 'a', state: 'active', created_at: await now() }
  t.match(made, { Error: false, ErrorDetails: null, RequestID: String })
  t.strictSame(made.Result, one)
  t.strictSame((await call('GET', `a/teams/${id}`)).body.Result, one)
  await call('POST', 'a/teams', { name: 'Two', plan: 'gold' })
  const names = async (org: string) =>
    ((await call('GET', `${org}/teams`)).body.teams as Body[]).map(({ name }) => name as string)
  t.strictSame(await names('a'), ['One', 'Two'], 'in the order of their creation')
  t.strictSame(await names('b'), [], 'each parent has its own')
  for (const method of ['PUT', 'PATCH'])
    t.strictSame(
      (await call(method, `a/teams/${id}?x=1`, { size: 4, team_id: 'other' })).body.Result,
      { ...one, size: 4 },
      'the rest stays'
    )
  t.equal((await call('GET', `b/teams/${id}`)).status, 404)
  const limits = { max_tokens: 4096, has_session: true, token: null }
  const secret = await call('POST', 'a%2Fb/teams', {
    name: 'Three',
    password: 'hunter2',
    pin: { password: 12 },
    limits
  })
  t.match(secret.body.Result, { name: 'Three', org: 'a/b', password: '***', pin: { password: '***' } })
  t.strictSame(secret.body.Result.limits, limits, 'a count is no secret')
  t.strictSame([await names('a%2Fb'), await names('a%2fb'), await names('a')], [['Three'], ['Three'], ['One', 'Two']])
  t.match((await call('GET', 'a/teams/none')).body, { Error: true, Message: 'There is no team_id none.' })
  t.equal((await call('DELETE', `a/teams/${id}`)).status, 200)
  t.equal((await call('DELETE', `a/teams/${id}`)).status, 404)
  t.strictSame(await names('a'), ['Two'])
  t.strictSame((await call('GET', 'a/teams', undefined, 'another')).body.teams, [], 'each sandbox has its own')

  const { stub_items: items } = await controlResult('GET', '/state')
  t.match(items, [{ path: '/v1/orgs/a/teams', value: { name: 'Two', plan: 'gold' } }])
  await controlResult('PUT', '/snapshots/s')
  await call('DELETE', `a/teams/${items[0].id}`)
  t.strictSame(await names('a'), [])
  await controlResult('POST', '/snapshots/s/restore')
  t.strictSame(await names('a'), ['Two'], 'a snapshot has them')
  await controlResult('POST', '/reset')
  t.strictSame(await names('a'), [], 'a reset has none')
  t.equal(mock.plane.resources.count(sandbox.key), 3, 'the org users')
})

void t.test('the body of a stub is checked, with errors as the profile says', async (t) => {
  const stub = { ...STUB, method: 'POST', request: TEAMS.request }
  const mock = await buildWith(t, { stubs: [TEAMS, stub], errors: { invalidBody: { status: 422 } } })
  const { key } = await openSandbox(mock)
  const send = (path: string, body: unknown, method = 'POST') => mock.call(method, path, { key, prefix: '', body })
  for (const path of ['/v1/stub', '/v1/orgs/a/teams']) {
    const { status, body } = await send(path, { plan: 'lead', other: [] })
    t.equal(status, 422)
    const wrong = pluck(body.ErrorDetails, 'FieldName').sort()
    t.strictSame(wrong, ['name', 'plan'], 'fields that are not listed are not checked')
    t.equal((await send(path, { name: 7 })).status, 422)
    t.equal((await send(path, { name: 'x' })).status, 200)
  }
  const { body } = await send('/v1/orgs/a/teams', { name: 'x' })
  const item = `/v1/orgs/a/teams/${body.Result.team_id}`
  t.equal((await send(item, { plan: 'gold' }, 'PATCH')).status, 200, 'a change needs no field')
  t.equal((await send(item, { plan: 'lead' }, 'PATCH')).status, 422)
})

void t.test('a stub may need no credential, or be activity of a workspace', async (t) => {
  const mock = await buildWith(t, {
    stubs: [
      { ...STUB, path: '/v1/health', credential: false, body: { ok: true, id: '{{request_id}}' } },
      { ...STUB, path: '/v1/{ws}/query', method: 'POST', activity: '{{path.ws}}' }
    ]
  })
  const { body, headers } = await mock.call('GET', '/v1/health', { prefix: '', key: null })
  t.strictSame(body, { ok: true, id: headers['x-request-id'] })
  const b = await openActiveWorkspace(mock)
  const query = (id: string) => mock.call('POST', `/v1/${id}/query`, { key: b.key, prefix: '' })
  await b.result('PUT', b.path, { auto_stop_minutes: 100 })
  await query(b.workspace)
  const dueAt = async () => Date.parse((await b.due())[0]!.due!)
  const before = await dueAt()
  await b.controlResult('POST', '/clock/advance', { by: '5m' })
  t.match(await query(b.workspace), { status: 200 })
  t.equal((await dueAt()) - before, 300_000, 'the auto-stop is later')
  t.equal((await query('none')).status, 404)
})
