import t from 'tap'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { resetSandbox } from '../../src/test-control/sandboxes/state.js'
import {
  type Body,
  buildMock,
  CONTROLLER,
  matchError,
  pluck,
  replaceMethod,
  type Reply,
  testInOneSlice
} from '../helper.js'
import { type Fields, injected, messageOf, reasonOf, wrongType } from '../messages.js'
import { at, NONE, openSandbox, START, type TestSandbox, testsIn, workspaceIn } from '../sandbox.js'

const mock = await buildMock(t)
const testIn = testsIn(mock)
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
/** What stands in the message about a workgroup that there is not. */
const MISSING = { what: 'workgroup', id: NONE }
const idOf = (reply: Reply) => reply.headers['x-request-id'] as string

async function list(b: TestSandbox, query = ''): Promise<Body[]> {
  return (await b.controlResult('GET', `/requests${query}`)).requests as Body[]
}

const record = (b: TestSandbox, id: string) => b.controlResult('GET', `/requests/${id}`)

/** A sandbox with a workgroup, and the path of its workspaces. */
async function open(...[t, options]: Parameters<typeof buildMock>) {
  const b = await openSandbox(await buildMock(t, options))
  const workgroup = await b.createWorkgroup()
  return { b, workgroup, path: `/workgroups/${workgroup}/workspaces` }
}

/** The changes of a record in short. */
const inShort = (changes: Body[]) => changes.map(({ table, change }) => `${change} ${table}`)

testInOneSlice('the journal lists the requests of the interface, oldest first', async (t) => {
  const { b, workgroup } = await open(t)
  await b.call('POST', `/workgroups/${workgroup}/workspaces?verbose=1`, { name: 'a', colour: 'red' })
  await b.call('GET', `/workgroups/${NONE}`)
  await b.control('PUT', '/clock', {})
  const requests = await list(b)
  t.match(requests, [
    {
      operation: 'createWorkgroup',
      method: 'POST',
      path: `${CONTROLLER}/workgroups`,
      query: {},
      status: 200,
      body: { cloud_provider_id: 'account' },
      unread: [],
      error: null,
      fault: null,
      at: at(0)
    },
    {
      operation: 'createWorkspace',
      path: `${CONTROLLER}/workgroups/${workgroup}/workspaces`,
      query: { verbose: '1' },
      body: { name: 'a', colour: 'red' },
      unread: ['?verbose', 'colour']
    },
    {
      operation: 'getWorkgroup',
      method: 'GET',
      status: 404,
      body: null,
      error: messageOf('notFound', 'resource', MISSING)
    }
  ])
  t.equal(requests.length, 3, 'calls of the control API are not listed')
  t.ok(requests.every(({ duration_ms: ms }) => Number.isInteger(ms) && ms >= 0))
})

testInOneSlice('the list is filtered by operation, status, RequestID, time and number', async (t) => {
  const { b, workgroup } = await open(t)
  const missing = await b.call('GET', `/workgroups/${NONE}`)
  await b.call('GET', `/workgroups/${workgroup}`)
  await b.call('POST', '/workgroups', {})
  const statuses = async (query: string) => (await list(b, query)).map(({ status }) => status as number)
  t.strictSame(await statuses(''), [200, 404, 200, 400])
  t.strictSame(await statuses('?operation=getWorkgroup'), [404, 200])
  for (const [status, expected] of [
    ['404', [404]],
    ['4xx', [404, 400]],
    ['4Xx', [404, 400]],
    ['1xx', []],
    ['599', []]
  ] as const)
    t.strictSame(await statuses(`?status=${status}`), expected, status)
  t.strictSame(await statuses('?status=4XX&operation=createWorkgroup'), [400])
  t.strictSame(await statuses(`?request_id=${idOf(missing)}`), [404])
  t.strictSame(await statuses('?limit=2'), [200, 400], 'the newest')
  t.match(await b.controlResult('GET', '/requests?limit=2'), { total: 4 })
  t.strictSame(await statuses('?since=2000-01-01T00:00:00Z'), [200, 404, 200, 400])
  t.strictSame(await statuses('?since=9999-01-01T00:00:00Z'), [])
  const { received } = (await list(b, '?limit=1'))[0]
  t.ok((await statuses(`?since=${received as string}`)).includes(400), 'at that time or later')
})

testInOneSlice('an invalid filter is a 400 that names the field', async (t) => {
  const b = await openSandbox(await buildMock(t))
  for (const [query, fields] of [
    ...['', '9', '0xx', '6xx', '600', '099', '40', '4x', '4044', 'x404', '404x', '4xxx', 'xx4'].map(
      (status): [string, Fields] => [`status=${status}`, { status: 'statusFilter' }]
    ),
    ...['x', TRACE.toUpperCase(), TRACE.slice(1), '0'.repeat(32)].map((trace): [string, Fields] => [
      `trace=${trace}`,
      { trace: 'traceFilter' }
    ]),
    ['since=today', { since: 'timestamp' }],
    ['limit=many', { limit: wrongType('integer', 'string') }]
  ] as [query: string, fields: Fields][])
    matchError(t, await b.control('GET', `/requests?${query}`), 'invalidBody', fields)
})

testInOneSlice('a request for no operation is recorded only if it is refused, and its sandbox exists', async (t) => {
  const mock = await buildMock(t)
  const b = await openSandbox(mock)
  await b.call('GET', '/workgruops')
  await b.call('PATCH', '/workgroups')
  await mock.call('GET', '/users', { key: b.key, prefix: '' })
  for (const url of ['/openapi.json', '/_mock/openapi.json', '/_mock/ready'])
    t.equal((await mock.call('GET', url, { key: b.key, prefix: '' })).status, 200)
  await mock.call('GET', '/openapi.jsonx', { key: b.key, prefix: '' })
  const workgroup = await b.createWorkgroup()
  await b.call('PUT', `/workgroups/${workgroup}/allow_list/current`, { cidr: '1.2.3.4' })
  await b.call('POST', `/workgroups/${workgroup}/workspaces/w/backups/schedule?operation=other`, {})
  await mock.call('GET', '/workgruops', { key: 'nobody' })
  await mock.call('GET', '/workgroups', { key: null })
  t.match(await list(b), [
    {
      method: 'GET',
      path: `${CONTROLLER}/workgruops`,
      operation: null,
      status: 404,
      error: messageOf('notFound', 'route', { method: 'GET', path: `${CONTROLLER}/workgruops` }),
      at: at(0)
    },
    { method: 'PATCH', operation: null, status: 405 },
    { operation: 'listOrgUsers', status: 403 },
    { path: '/openapi.jsonx', operation: null, status: 404 },
    { operation: 'createWorkgroup', status: 200 },
    { operation: null, status: 405 },
    { operation: null, status: 400 }
  ])
  t.equal(mock.plane.sandboxes.find(sandboxIdOf('nobody')), undefined, 'none is created for it')
})

testInOneSlice('a workspace that is created has its record before and after it is Active', async (t) => {
  const { b, workgroup, path } = await open(t)
  const reply = await b.call('POST', path, { name: 'a' })
  const { workspace_id: id, database_id: database } = reply.body.Result
  const before = await record(b, idOf(reply))
  t.match(before, {
    request: {
      operation: 'createWorkspace',
      status: 200,
      params: { workgroupID: workgroup },
      reply: { RequestID: idOf(reply), Result: { workspace_id: id } }
    },
    validation: { ok: true, faults: [] },
    fault: null,
    changes: [
      { table: 'databases', change: 'insert', id: database, before: null, after: { id: database, workgroup } },
      { table: 'workspaces', change: 'insert', id, before: null, after: { name: 'a', status: 'Creating', is_rw: 1 } }
    ],
    events: [
      {
        event: 'workspace.create',
        resource_id: id,
        due: at(2),
        held: false,
        state: 'pending',
        at: null,
        cancelled_by: null,
        changes: []
      }
    ],
    timeline: [{ at: at(0), resource_id: id, from: null, to: 'Creating', request_id: idOf(reply) }],
    omitted: 0
  })
  t.equal(before.changes.length, 2)
  t.equal(before.changes[1].after.sandbox, undefined)

  await b.advance('PT5S')
  const after = await record(b, idOf(reply))
  t.strictSame(after.changes, before.changes, 'what the request itself changed stays the same')
  t.strictSame(after.events, [
    {
      event: 'workspace.create',
      resource_id: id,
      due: at(2),
      held: false,
      state: 'fired',
      at: at(2),
      cancelled_by: null,
      changes: [
        {
          table: 'workspaces',
          change: 'update',
          id,
          before: { status: 'Creating', last_active: START, last_modified_time: at(0), status_since: at(0) },
          after: { status: 'Active', last_active: START + 2000, last_modified_time: at(2), status_since: at(2) }
        }
      ]
    }
  ])
  t.match(after.timeline, [{ to: 'Creating' }, { at: at(2), to: 'Active' }])
})

testInOneSlice('the record of a moved clock has the clock, but not the changes of the events', async (t) => {
  const { b, path } = await open(t)
  await b.call('POST', path, {})
  const advance = await b.control('POST', '/clock/advance', { by: 'PT5S' })
  const { request, changes, events } = await record(b, idOf(advance))
  t.match(request, { operation: 'advanceClock', path: '/_mock/clock/advance' })
  const change = { table: 'sandboxes', change: 'update', id: null }
  t.match(changes, [{ ...change, before: { clock_base: START }, after: { clock_base: START + 5000 } }])
  t.equal(changes.length, 1)
  t.ok(Object.keys(changes[0].after as object).every((column) => column.startsWith('clock_')))
  t.strictSame(events, [])
})

testInOneSlice('an event names the pause that cancelled it', async (t) => {
  const { b, path } = await open(t)
  const created = await b.call('POST', path, { auto_stop_minutes: 10 })
  await b.advance('PT5S')
  const auto = (await record(b, idOf(created))).events
  t.match(
    auto,
    [
      { event: 'workspace.create', state: 'fired' },
      { event: 'workspace.auto-stop', due: at(602), state: 'pending' }
    ],
    'follow-ups belong to it'
  )
  const paused = await b.call('POST', `${path}/${created.body.Result.workspace_id}/pause`)
  t.match((await record(b, idOf(created))).events, [
    {},
    {
      event: 'workspace.auto-stop',
      due: at(602),
      state: 'cancelled',
      at: null,
      cancelled_by: idOf(paused),
      changes: []
    }
  ])
  const { changes, events } = await record(b, idOf(paused))
  t.strictSame(inShort(changes), ['update workspaces'])
  t.match(events, [{ event: 'workspace.pause', state: 'pending' }])
  t.equal(events.length, 1)
})

testInOneSlice('a deletion lists all dependent rows', async (t) => {
  const { b, workgroup } = await open(t, { transitions: 'instant' })
  await b.result('POST', `/workgroups/${workgroup}/allow_list`, { cidr: '10.0.0.0/8' })
  await b.result('POST', `/workgroups/${workgroup}/allow_list`, { cidr: '11.0.0.0/8' })
  const reply = await b.call('DELETE', `/workgroups/${workgroup}`)
  const { changes } = await record(b, idOf(reply))
  t.strictSame(inShort(changes).sort(), ['delete allowed_ips', 'delete allowed_ips', 'delete workgroups'])
  const deletion = (changes as Body[]).find(({ table }) => table === 'workgroups')
  t.match(deletion, { id: workgroup, before: { name: /^workgroup-/ }, after: null })
})

testInOneSlice('an event that is held shows so, until it is released', async (t) => {
  const { b, path } = await open(t)
  await b.setRules({ transition: 'workspace.create', outcome: 'hold' })
  const reply = await b.call('POST', path, {})
  t.match((await record(b, idOf(reply))).events, [{ due: null, held: true, state: 'pending' }])
  await b.control('POST', '/transitions/release')
  t.match((await record(b, idOf(reply))).events, [{ due: at(0), held: false, state: 'fired', at: at(0) }])
})

testInOneSlice('firings of a schedule belong to the request that set it', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const { id, url } = await workspaceIn(b, 'Active')
  const schedule = { workspace_id: id, repeat: 'daily', time: '12:00', timezone: 'UTC' }
  const reply = await b.call('POST', `${url}/backups/schedule`, schedule)
  await b.advance('PT13H')
  const first = await record(b, idOf(reply))
  t.match(first.request, { operation: 'updateWorkspaceSchedule', unread: [] })
  t.match(first.changes, [{ table: 'workspace_schedules', change: 'insert', id: reply.body.Result }])
  t.match(first.events, [
    {
      event: 'workspace.schedule',
      state: 'fired',
      at: '2026-01-01T12:00:00.000Z',
      changes: [{ table: 'workspaces', after: { status: 'Pausing' } }]
    },
    { event: 'workspace.schedule', state: 'pending', due: '2026-01-02T12:00:00.000Z' },
    { event: 'workspace.pause', state: 'fired', at: '2026-01-01T12:00:01.000Z' }
  ])
  t.match(first.timeline, [{ to: 'Pausing' }, { to: 'Stopped' }])
})

testInOneSlice('a refused change leaves no trace, but the events that ran before it stay', async (t) => {
  const { b, path } = await open(t)
  const created = await b.call('POST', path, {})
  // The clock is moved without a write, so that the next one has to catch up.
  b.sandbox.clock = { ...b.sandbox.clock, base: START + 5000 }
  const refused = await b.call('POST', path, { svc_database_id: created.body.Result.database_id })
  t.equal(refused.status, 400)
  t.strictSame((await record(b, idOf(refused))).changes, [])
  t.match((await record(b, idOf(created))).events, [
    { state: 'fired', at: at(2), changes: [{ after: { status: 'Active' } }] }
  ])
})

testInOneSlice('a RequestID used twice is listed twice, and its record is that of the newest request', async (t) => {
  const mock = await buildMock(t)
  const b = await openSandbox(mock)
  for (const name of ['a', 'b'])
    await mock.call('POST', '/workgroups', {
      key: b.key,
      body: { cloud_provider_id: 'x', name },
      headers: { 'x-request-id': 'twice' }
    })
  t.match(await list(b, '?request_id=twice'), [{ body: { name: 'a' } }, { body: { name: 'b' } }])
  const { changes } = await record(b, 'twice')
  t.match(changes, [{ table: 'workgroups', after: { name: 'b' } }])
  t.equal(changes.length, 1)
})

testInOneSlice('a change that did not come over HTTP has a record without a request', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const { plane } = b.mock
  await plane.write({ sandbox: b.sandbox, id: 'from-node' }, ({ quotas }) => quotas.set('rw_workspaces', 3))
  t.match(await record(b, 'from-node'), {
    request: null,
    validation: { ok: true, faults: [] },
    changes: [{ table: 'quotas', change: 'insert', id: 'rw_workspaces', after: { maximum: 3 } }],
    events: [],
    timeline: []
  })
  t.strictSame(await list(b), [])
})

testInOneSlice('the replacement of a whole sandbox is not recorded row by row', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const imported = await b.control('PUT', '/state', { workgroups: [{ id: 'main', workspaces: [{ id: 'writer' }] }] })
  const shown = await b.controlResult('GET', `/requests/${imported.body.RequestID}`)
  t.match(shown, { request: { operation: 'replaceState' }, changes: [], events: [] })
})

testInOneSlice('timeline and due events show a request that the journal has lost; otherwise it is a 404', async (t) => {
  const { b, path } = await open(t)
  const created = await b.call('POST', path, {})
  await b.control('DELETE', '/requests')
  t.match(await record(b, idOf(created)), {
    request: null,
    changes: [],
    events: [{ event: 'workspace.create', state: 'pending', due: at(2) }],
    timeline: [{ to: 'Creating' }]
  })
  await b.advance('PT5S')
  t.match(await record(b, idOf(created)), {
    request: null,
    events: [{ state: 'fired', at: at(2) }],
    timeline: [{}, { to: 'Active' }]
  })
  matchError(t, await b.control('GET', '/requests/nothing'), 'notFound', 'resource', {
    values: { what: 'request', id: 'nothing' }
  })
})

testInOneSlice('passwords appear nowhere', async (t) => {
  const { b, workgroup } = await open(t)
  const { workspace_id: id } = await b.createActive(workgroup)
  const path = `/workgroups/${workgroup}/workspaces/${id}/dbuser`
  const replies = [
    await b.call('POST', `${path}?api_key=hunter2`, {
      username: 'a',
      password: 'hunter2',
      deep: [{ Secret: { x: 'hunter2' } }]
    }),
    await b.call('PUT', path, { username: 'a', password: 'hunter2' }),
    await b.call('POST', path, { username: 5, password: 'hunter2' })
  ]
  t.strictSame(pluck(replies, 'status'), [200, 200, 400])
  const text = JSON.stringify([await list(b), ...(await Promise.all(replies.map((reply) => record(b, idOf(reply)))))])
  t.notMatch(text, /hunter2|scrypt/)
  t.match((await list(b)).slice(-3), [
    { query: { api_key: '***' }, body: { password: '***', deep: [{ Secret: '***' }] }, unread: ['?api_key', 'deep'] },
    {},
    {}
  ])
  t.match((await record(b, idOf(replies[1]!))).changes, [
    { table: 'database_users', before: { password_hash: '***' }, after: { password_hash: '***' } }
  ])
  t.notMatch(JSON.stringify(b.sandbox.journal.records().map(({ entry }) => entry)), /hunter2/)
})

testInOneSlice('with the journal off, no changes are watched and no requests listed', async (t) => {
  const { b, path } = await open(t, { journalRequests: 0 })
  const created = await b.call('POST', path, {})
  await b.advance('PT5S')
  t.strictSame(await b.controlResult('GET', '/requests'), { requests: [], total: 0, dropped: 0 })
  t.match(await record(b, idOf(created)), { request: null, changes: [], events: [], timeline: [{}, { to: 'Active' }] })
  const count = () => b.mock.plane.resources.count(b.sandbox.key)
  const before = count()
  await b.call('DELETE', `${path}/${created.body.Result.workspace_id}`)
  await b.advance('PT5S')
  t.ok(count() < before, 'but rows are counted')
})

testInOneSlice('the oldest requests are dropped first, and counted', async (t) => {
  const b = await openSandbox(await buildMock(t, { journalRequests: 3 }))
  for (let i = 0; i < 5; i++) await b.call('GET', `/workgroups?i=${i}`)
  t.match(await b.controlResult('GET', '/requests'), {
    requests: [{ query: { i: '2' } }, { query: { i: '3' } }, { query: { i: '4' } }],
    dropped: 2
  })
})

testInOneSlice('an injected fault is shown, with the part of the reply that it leaves', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const error = messageOf('notFound', 'resource', MISSING)
  const late = { phase: 'after-commit' }
  for (const [rule, shown] of [
    [{ effect: { delay: 'PT0.001S' } }, { status: 404, error, reply: { Error: true } }],
    [{ effect: { status: 429, retry_after: 5 } }, { status: 429, error: injected('fault-1'), reply: null }],
    [
      { ...late, effect: { status: 503, reason: 'Lost.' } },
      { status: 503, error: 'Lost.', reply: null }
    ],
    [{ effect: { reply: 'cut' } }, { status: 404, error, reply: null }],
    [
      { ...late, effect: { reply: 'empty' } },
      { status: 200, error: null, reply: null }
    ],
    [{ effect: { reply: 'drop' } }, { status: null, error: null, reply: null }],
    [
      { ...late, effect: { delay: 'PT0.05S' } },
      { status: 404, error, reply: { Error: true } }
    ]
  ] as const) {
    const { id } = await b.controlResult('POST', '/faults', { times: 1, ...rule })
    await b.call('GET', `/workgroups/${NONE}`).catch(() => undefined)
    const listed = (await list(b)).at(-1)!
    t.match(await record(b, listed.request_id as string), {
      request: shown,
      validation: { ok: true },
      fault: { id },
      changes: [{ table: 'faults', change: 'update', after: { hits: 1 } }]
    })
    t.match(listed, { fault: { id, ...rule } }, JSON.stringify(rule))
    await b.control('DELETE', `/faults/${id}`)
  }
  const { duration_ms: ms } = (await list(b)).at(-1)!
  t.ok(ms >= 50, `${ms} ms`)
  t.equal((await list(b, '?status=2xx')).length, 1)
  const where = { status: 201 }
  const { body } = await b.control('POST', '/requests/verify', { operation: 'getWorkgroup', where })
  t.match(body.Message, /status is absent, not 201/)
})

testInOneSlice('a reset forgets only earlier requests, also at the same moment', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const { plane } = b.mock
  const change = (id: string) =>
    plane.write({ sandbox: b.sandbox, id }, ({ quotas }) => quotas.set('rw_workspaces', id.length))
  await Promise.all([change('earlier'), resetSandbox(plane, { sandbox: b.sandbox, id: 'reset' }), change('later on')])
  t.strictSame(pluck(b.sandbox.journal.records(), 'id'), ['later on'])
})

testInOneSlice('a body that is too large is omitted, and the record says so', async (t) => {
  const { call } = await buildMock(t)
  const addons = `[${'{},'.repeat(100_000)}{}]`
  const { headers } = await call('POST', '/workgroups', { body: `{"cloud_provider_id":"x","colours":${addons}}` })
  const { body } = await call('GET', `/requests/${headers['x-request-id'] as string}`, { prefix: '/_mock' })
  t.match(body.Result.request, { body: null, body_omitted: true, status: 200 })
})

testIn('a read of the control API leaves no record, whatever its method; a change does', async (t, b) => {
  const known = async (method: string, url: string, body?: unknown) => {
    const { headers } = await mock.call(method, url, { key: b.key, prefix: '/_mock', body })
    return (await b.control('GET', `/requests/${headers['x-request-id'] as string}`)).status === 200
  }
  t.notOk(await known('GET', '/clock'))
  t.notOk(await known('HEAD', '/clock'))
  t.notOk(await known('POST', '/requests/verify', { operation: 'listWorkgroups', times: { exactly: 0 } }))
  t.ok(await known('PUT', '/clock', {}))
  t.ok(await known('POST', '/clock/advance', { by: 'nonsense' }), 'a refused one as well')
  t.ok(await known('DELETE', '/faults'))
})

testIn('a reply of up to 16,384 characters is kept', async (t, b) => {
  const { id, url } = await workspaceIn(b, 'Active')
  const update = async (padding: number) => {
    const { body } = await b.call('PUT', url, {
      addons: [{ addons_id: 'a', enable: true, enable_configuration: { padding: 'x'.repeat(padding) } }]
    })
    const { request } = await record(b, body.RequestID as string)
    return { length: JSON.stringify(body).length, reply: request.reply as unknown }
  }
  const { length } = await update(1000)
  const most = await update(1000 + 16_384 - length)
  t.equal(most.length, 16_384)
  t.match(most.reply, { Error: false, Result: { workspace_id: id } })
  const more = await update(1001 + 16_384 - length)
  t.equal(more.length, 16_385)
  t.equal(more.reply, null)
})

testIn('each reader of the same reply has its own record', async (t, b) => {
  const url = `/workgroups/${await b.createWorkgroup()}`
  const read = (method: string, id: string) =>
    mock.call(method, url, {
      key: b.key,
      headers: { 'x-request-id': id, traceparent: `00-${id.repeat(16)}-${'b'.repeat(16)}-01` }
    })
  const replies = [await read('GET', 'a1'), await read('GET', 'a2')]
  await read('HEAD', 'a3')
  await b.control('POST', '/faults', {
    operation: 'getWorkgroup',
    times: 1,
    phase: 'after-commit',
    effect: { reply: 'cut' }
  })
  await read('GET', 'a4').catch(() => undefined)
  replies.push(await read('GET', 'a5'))
  for (const { body } of replies) {
    const { request } = await record(b, body.RequestID as string)
    t.match(request, { method: 'GET', status: 200, fault: null, trace: (body.RequestID as string).repeat(16) })
    t.strictSame(request.reply, body)
  }
  t.match((await record(b, 'a3')).request, { method: 'HEAD', status: 200, reply: null })
  t.match((await record(b, 'a4')).request, { method: 'GET', reply: null, fault: { effect: { reply: 'cut' } } })
})

testIn('a reply without a body has none in its record', async (t, b) => {
  const session = { key: null, headers: { authorization: `Bearer ${b.key}` }, prefix: '' }
  const [user] = (await mock.call('GET', '/users', session)).body as [{ id: string }]
  const { status, headers } = await mock.call('PUT', `/users/${user.id}/roles`, {
    ...session,
    body: { roles: ['org-admin'] }
  })
  t.equal(status, 204)
  t.match((await record(b, headers['x-request-id'] as string)).request, {
    operation: 'updateOrgUserRoles',
    status: 204,
    reply: null,
    error: null
  })
})

testIn('the duration of a request includes a wait that is still to come', async (t, b) => {
  let step = 0
  let now = START
  replaceMethod(t, Date, 'now', () => (now += step))
  const durations = async () => (await list(b)).map(({ duration_ms: ms }) => ms as number)
  for (const phase of ['before', 'after-commit'])
    await b.control('POST', '/faults', { phase, times: 1, effect: { delay: 'PT0.02S', status: 503 } })
  for (let i = 0; i < 3; i++) await b.call('GET', '/workgroups')
  t.strictSame(await durations(), [0, 20, 0], 'by a clock that stands still')
  await b.control('DELETE', '/requests')
  step = -10
  await b.call('GET', '/workgroups')
  t.strictSame(await durations(), [0], 'a clock that is put back takes nothing away')
})

testIn('a change to the same values is not a change, and text that only looks like JSON stays', async (t, b) => {
  const workgroup = await b.createWorkgroup()
  const rename = async (name: string) => {
    const { body } = await b.call('PUT', `/workgroups/${workgroup}`, { workgroup_name: name })
    return (await record(b, body.RequestID as string)).changes as Body[]
  }
  for (const name of ['{a', '[b', '{"password":"c"', 'd']) {
    t.match(await rename(name), [{ table: 'workgroups', change: 'update', id: workgroup, after: { name } }])
    t.strictSame(await rename(name), [])
  }
  t.match(await rename('{"password":"c","shown":"e"}'), [{ after: { name: '{"password":"***","shown":"e"}' } }])
  t.match(await rename('{ "shown": "e" }'), [{ before: { name: /\*\*\*/ }, after: { name: '{ "shown": "e" }' } }])
})

testIn('the changes of a record name the row that has changed', async (t, b) => {
  const { id, url } = await workspaceIn(b, 'Active')
  const changesOf = async (reply: { body: Body }) => (await record(b, reply.body.RequestID as string)).changes as Body[]
  const backups = `${url}/backups`
  t.match(await changesOf(await b.call('POST', `${backups}/schedule`, { schedule: '0 3 * * *' })), [
    { table: 'backup_schedules', change: 'insert', id }
  ])
  const rules = [{ transition: 'workspace.pause' }, { transition: 'workspace.resume' }]
  const positions = (await changesOf(await b.control('PUT', '/transitions', { rules }))).map((change) => change.id)
  t.equal(new Set(positions).size, 2)
  for (const position of positions) t.match(position, /^\d+$/)
})

testIn('validation shows what is wrong with the request itself, not what a rule refuses', async (t, b) => {
  const validationOf = async (body: unknown, headers: Record<string, string> = {}) => {
    const reply = await mock.call('POST', '/workgroups', { key: b.key, body, headers })
    const { validation } = await record(b, idOf(reply))
    return [reply.status, validation.ok, pluck(validation.faults, 'field', 'reason')]
  }
  const notJson = messageOf('invalidBody', 'notJson')
  t.strictSame(await validationOf({ name: 'a' }), [400, false, [['cloud_provider_id', reasonOf('required')]]])
  t.strictSame(await validationOf('{'), [400, false, [['', notJson]]])
  const type = messageOf('unsupportedMediaType', 'type')
  t.strictSame(await validationOf('x', { 'content-type': 'text/plain' }), [415, false, [['', type]]])
  const bytes = messageOf('bodyTooLarge', 'bytes')
  t.strictSame(await validationOf({ name: 'a'.repeat(2 ** 20) }), [413, false, [['', bytes]]])
  t.strictSame(await validationOf({ cloud_provider_id: 'a' }), [200, true, []])
  await b.control('POST', '/faults', { times: 1, effect: { status: 400 } })
  t.strictSame(await validationOf({}), [400, true, []], 'an injected error')
  const missing = await b.call('GET', '/nothing')
  t.strictSame((await record(b, idOf(missing))).validation, { ok: true, faults: [] })
})
