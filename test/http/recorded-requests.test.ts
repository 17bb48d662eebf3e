import t from 'tap'
import { type Body, buildMock, pluck, replaceMethod } from '../helper.js'
import { messageOf, reasonOf } from '../messages.js'
import { START, type TestSandbox, testsIn, workspaceIn } from '../sandbox.js'

const mock = await buildMock(t)
const testIn = testsIn(mock)

/** Reads the record of a request. */
const record = (b: TestSandbox, id: unknown) => b.controlResult('GET', `/requests/${String(id)}`)

const listed = async (b: TestSandbox) => (await b.controlResult('GET', '/requests')).requests as Body[]

testIn('a request for no operation is listed only if it was refused', async (t, b) => {
  const call = (method: string, url: string) => mock.call(method, url, { key: b.key, prefix: '' })
  for (const url of ['/openapi.json', '/_mock/openapi.json', '/_mock/ready'])
    t.equal((await call('GET', url)).status, 200)
  t.strictSame(await listed(b), [])
  await call('GET', '/openapi.jsonx')
  const workgroup = await b.createWorkgroup()
  await b.call('PUT', `/workgroups/${workgroup}/allow_list/current`, { cidr: '1.2.3.4' })
  await b.call('POST', `/workgroups/${workgroup}/workspaces/w/backups/schedule?operation=other`, {})
  t.match(await listed(b), [
    { path: '/openapi.jsonx', operation: null, status: 404 },
    { operation: 'createWorkgroup', status: 200 },
    { operation: null, status: 405 },
    { operation: null, status: 400 }
  ])
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
    return { length: JSON.stringify(body).length, reply: (await record(b, body.RequestID)).request.reply as unknown }
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
    const { request } = await record(b, body.RequestID)
    t.match(request, { method: 'GET', status: 200, fault: null, trace: (body.RequestID as string).repeat(16) })
    t.strictSame(request.reply, body)
  }
  t.match((await record(b, 'a3')).request, { method: 'HEAD', status: 200 })
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
  t.match((await record(b, headers['x-request-id'])).request, {
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
  const durations = async () => (await listed(b)).map(({ duration_ms: ms }) => ms as number)
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
    return (await record(b, body.RequestID)).changes as Body[]
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
  const changesOf = async (reply: { body: Body }) => (await record(b, reply.body.RequestID)).changes as Body[]
  const backups = `${url}/backups`
  t.match(await changesOf(await b.call('POST', `${backups}/schedule`, { schedule: '0 3 * * *' })), [
    { table: 'backup_schedules', change: 'insert', id }
  ])
  const rules = [{ transition: 'workspace.pause' }, { transition: 'workspace.resume' }]
  const positions = (await changesOf(await b.control('PUT', '/transitions', { rules }))).map((change) => change.id)
  t.equal(new Set(positions).size, 2)
  for (const position of positions) t.match(position, /^\d+$/)
  const settings = await changesOf(await b.control('PUT', '/clock', { rate: 2 }))
  t.match(settings.at(-1), { table: 'sandboxes', id: null, before: { clock_rate: 1 }, after: { clock_rate: 2 } })
  const columns = settings.flatMap(({ after }) => Object.keys(after as object))
  const others = columns.filter((column) => !column.startsWith('clock_'))
  t.strictSame(others, [])
})

testIn('a status to look for is three digits, or a class', async (t, b) => {
  await b.call('GET', '/workgroups')
  await b.call('GET', '/nothing')
  const statuses = async (status: string) => {
    const { body } = await b.control('GET', `/requests?status=${status}`)
    if (body.Error === true) return (body.ErrorDetails as Body[]).map(({ FieldName }) => FieldName as string)
    return (body.Result.requests as Body[]).map(({ status }) => status as number)
  }
  for (const wrong of ['', '0xx', '6xx', '600', '099', '40', '4x', '4044', 'x404', '404x', '4xxx', 'xx4'])
    t.strictSame(await statuses(wrong), ['status'], wrong)
  for (const right of ['4Xx', '404']) t.strictSame(await statuses(right), [404], right)
  for (const right of ['1xx', '599']) t.strictSame(await statuses(right), [], right)
})

testIn('validation shows what is wrong with the request itself, not what a rule refuses', async (t, b) => {
  const validationOf = async (body: unknown, headers: Record<string, string> = {}) => {
    const reply = await mock.call('POST', '/workgroups', { key: b.key, body, headers })
    const { validation } = await record(b, reply.headers['x-request-id'])
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
  t.strictSame((await record(b, missing.body.RequestID)).validation, { ok: true, faults: [] })
})
