import t from 'tap'
import { machineTime } from '../../src/lib/time.js'
import { sandboxInside } from '../../src/node/inside.js'
import { startMock } from '../../src/node/mock.js'
import { openActiveWorkspace } from '../active-workspace.js'
import { type Body, CONTROLLER } from '../helper.js'
import { replyValidators } from '../reply-validators.js'
import type { TestSandbox } from '../sandbox.js'
import { buildWith, checkRefused, openWith } from './edge.js'

const BARE = {
  envelope: 'none',
  error: { error: { code: '{{status}}', status: '{{type}}', message: '{{message}}', fields: '{{details}}' } },
  status: { createWorkgroup: 201, pauseWorkspace: 202, deleteWorkspace: 204 },
  under: { listWorkgroups: 'items', listOrgUsers: 'users' }
} as const

void t.test('without an envelope, a reply is its result, and an error is as the profile defines it', async (t) => {
  const b = await openWith(t, { replies: BARE })
  const { call } = b
  const group = await call('POST', '/workgroups', { cloud_provider_id: 'a', name: 'one' })
  t.match(group, { status: 201, body: { name: 'one', workspaces: [] } })
  t.match((await call('GET', '/workgroups')).body, { items: [{ name: 'one' }] })

  const unknown = await call('GET', `/workgroups/${group.body.workgroup_id as string}/workspaces/none`)
  t.strictSame(unknown.body, {
    error: {
      code: 404,
      status: 'Not-Found',
      message: 'There is no workspace none.',
      fields: [{ FieldName: '', Reason: 'There is no workspace none.', Type: 'Not-Found' }]
    }
  })
  const invalid = await call('POST', '/workgroups', { cloud_provider_id: 5 })
  t.match(invalid, { status: 400, body: { error: { code: 400, fields: [{ FieldName: 'cloud_provider_id' }] } } })
  t.match((await call('POST', '/workgroups', '{')).body, { error: { code: 400 } })
  t.match((await call('GET', '/none')).body, { error: { code: 404 } })
  await b.controlResult('POST', '/faults', { operation: 'listWorkgroups', effect: { status: 503 } })
  t.match(await call('GET', '/workgroups'), { status: 503, body: { error: { code: 503 } } })

  const { path } = await openBare(b)
  t.match(await call('POST', `${path}/pause`), { status: 202, body: {} })
  await b.controlResult('POST', '/clock/advance', { until: 'idle' })
  const deleted = await call('DELETE', path)
  t.match([deleted.status, deleted.headers['content-type']], [204, undefined])
})

void t.test('OpenAPI describes the form of replies, and they match it', async (t) => {
  const forms = {
    empty: { addons: 'null', attachedTo: 'null', ErrorDetails: 'list' },
    timestamps: { created_at: 'unix' }
  }
  const b = await openWith(t, { replies: { ...BARE, error: undefined, ...forms } })
  const { body: document } = await b.mock.call('GET', '/openapi.json', { prefix: '' })
  const validatorOf = replyValidators(document)
  const at = (path: string) => document.paths[`${CONTROLLER}${path}`]
  t.strictSame(Object.keys(at('/workgroups').post.responses as object)[0], '201')
  const { schema, examples } = at('/workgroups').get.responses['200'].content['application/json']
  t.strictSame([schema.required, schema.properties.items.type], [['items'], 'array'])
  t.ok(Array.isArray(examples.listWorkgroups.value.items), 'and so does its example')
  const { path, workgroup } = await openBare(b)
  for (const [method, url, template, status] of [
    ['GET', '/workgroups', '/workgroups', 200],
    ['GET', `/workgroups/${workgroup}`, '/workgroups/{workgroupID}', 200],
    ['GET', path, '/workgroups/{workgroupID}/workspaces/{workspaceID}', 200],
    ['POST', `${path}/pause`, '/workgroups/{workgroupID}/workspaces/{workspaceID}/pause', 202],
    [
      'POST',
      `${path}/backups/schedule?operation=set_backup_schedule`,
      '/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule',
      200
    ]
  ] as const) {
    const reply = await b.call(method, url, url.endsWith('backup_schedule') ? { schedule: '0 * * * *' } : undefined)
    t.equal(reply.status, status, url)
    const validate = validatorOf(`${CONTROLLER}${template}`, method.toLowerCase(), status)
    t.ok(validate(reply.body), url, { problems: validate.errors })
  }
  const headers = { authorization: 'Bearer session' }
  const { body: users } = await b.mock.call('GET', '/users', { prefix: '', key: null, headers })
  const validate = validatorOf('/users', 'get', 200)
  t.strictSame([validate(users), validate({})], [true, false], 'also of a reply that never has an envelope')
})

void t.test('empty fields and timestamps have the forms of the profile', async (t) => {
  const mock = await buildWith(t, {
    fields: { Workspace: { born: { from: 'created_at' } } },
    replies: {
      empty: { addons: 'list', solution_catalog_id: 'absent', refresh_message: 'null', ErrorDetails: 'absent' },
      timestamps: { created_at: 'unix', last_modified_time: 'milliseconds' }
    }
  })
  const { key, path } = await openActiveWorkspace(mock)
  const { body } = await mock.call('GET', path, { key })
  t.notOk('ErrorDetails' in body)
  const { addons, refresh_message: message, created_at: created, last_modified_time: modified } = body.Result
  t.equal(message, null)
  t.strictSame(addons, [])
  t.notOk('solution_catalog_id' in body.Result)
  t.ok(Number.isInteger(created))
  t.equal(body.Result.born, created, 'and so does a copy')
  t.match(modified, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

void t.test('a handle reads replies in any form', async (t) => {
  await using mock = await startMock({ profile: { profile: 1, replies: BARE } })
  const box = mock.sandbox('handle')
  const { workgroup_id: workgroupID } = await box.call('createWorkgroup', { body: { cloud_provider_id: 'a' } })
  t.match(await box.call('listWorkgroups'), [{ workgroup_id: workgroupID }])
  t.ok((await box.call('listOrgUsers')).length > 0)
  await t.rejects(box.call('getWorkgroup', { workgroupID: 'none' }), {
    name: 'CallError',
    status: 404,
    message: /There is no workgroup none/
  })
})

void t.test('invalid forms of replies are refused', async (t) => {
  checkRefused(t, 'replies', [
    [{ envelope: 'some' }, 'envelope'],
    [{ status: { createWorkgruop: 201 } }, 'status.createWorkgruop'],
    [{ status: { createWorkgroup: 404 } }, 'status.createWorkgroup'],
    [{ status: { updateOrgUserRoles: 200 } }, 'status.updateOrgUserRoles'],
    [{ under: { listWorkgroups: '' } }, 'under.listWorkgroups'],
    [{ empty: { adons: 'list' } }, 'empty.adons'],
    [{ empty: { addons: 'none' } }, 'empty.addons'],
    [{ timestamps: { created_ad: 'unix' } }, 'timestamps.created_ad'],
    [{ error: '{{mesage}}' }, 'error'],
    [{ ids: { workspace_id: 'ws-' } }, 'ids.workspace_id'],
    [{ ids: { workspace_id: '{{hex}}/{{hex}}' } }, 'ids.workspace_id'],
    [{ ids: { name: '{{hex}}' } }, 'ids.name'],
    [{ ids: { RequestID: 'r-{{hex}}' } }, 'ids.RequestID'],
    [{ ids: { space_id: '{{hex}}' } }, 'ids.space_id'],
    [{ lag: { createWorkgroup: '3s' } }, 'lag.createWorkgroup'],
    [{ lag: { listWorkgroups: '0s' } }, 'lag.listWorkgroups'],
    [{ lag: { listWorkgroups: 'soon' } }, 'lag.listWorkgroups'],
    [{ lag: { listGroups: '3s' } }, 'lag.listGroups'],
    [{ order: ['Results'] }, 'order.0'],
    [{ results: { createWorkgroup: 'lists' } }, 'results.createWorkgroup'],
    [{ results: { createWorkgruop: 'list' } }, 'results.createWorkgruop'],
    [{ slow: { by: 'soon', after: '0s' } }, 'slow.after', 'slow.by'],
    [{ errors: {} }, 'errors']
  ])
})

/** A workspace that runs, made over HTTP without envelopes. */
async function openBare(b: TestSandbox) {
  const group = await b.call('POST', '/workgroups', { cloud_provider_id: 'a' })
  const workgroup = group.body.workgroup_id as string
  const made = await b.call('POST', `/workgroups/${workgroup}/workspaces`, {})
  t.equal(made.status, 200, 'as built in')
  await b.controlResult('POST', '/clock/advance', { until: 'idle' })
  return { workgroup, path: `/workgroups/${workgroup}/workspaces/${made.body.workspace_id as string}` }
}

const LAG = { replies: { lag: { listWorkgroups: '3s' } } }

void t.test('a list can lag behind, by the clock of the sandbox', async (t) => {
  const b = await openWith(t, LAG)
  const names = async () => {
    const list = (await b.result('GET', '/workgroups')) as unknown as { name: string }[]
    return list.map(({ name }) => name)
  }
  const wait = (by: string) => b.controlResult('POST', '/clock/advance', { by })
  const { workgroup_id: id } = await b.result('POST', '/workgroups', { cloud_provider_id: 'a', name: 'one' })
  t.equal((await b.result('GET', `/workgroups/${id}`)).name, 'one', 'others do not lag')
  await wait('2s')
  t.strictSame(await names(), [], 'it is not there yet')
  await wait('1s')
  t.strictSame(await names(), ['one'])
  await b.result('PUT', `/workgroups/${id}`, { workgroup_name: 'two' })
  t.strictSame(await names(), ['one'], 'a change comes later, too')
  await wait('3s')
  t.strictSame(await names(), ['two'])
  await b.result('DELETE', `/workgroups/${id}`)
  t.strictSame(await names(), ['two'], 'and so does its end')
  await wait('3s')
  t.strictSame(await names(), [])
})

void t.test('a list does not lag without a journal, or while reads move the clock', async (t) => {
  for (const [options, mode] of [
    [{ journalRequests: 0 }, 'frozen'],
    [{}, 'poll']
  ] as const) {
    const b = await openWith(t, LAG, options)
    await b.controlResult('PUT', '/clock', { mode })
    await b.result('POST', '/workgroups', { cloud_provider_id: 'a' })
    t.equal((await b.result('GET', '/workgroups')).length, 1, mode)
  }
})

void t.test('ids have the form of the profile in replies and requests', async (t) => {
  const parts = {
    replies: { ids: { workgroup_id: 'wg.{{uuid}}', workspace_id: 'ws-{{hex}}', svc_database_id: '{{hex}}' } },
    stubs: [{ method: 'POST', path: '/sql/{workspace}', status: 200, activity: '{{path.workspace}}' }]
  }
  const b = await openWith(t, parts, { workspaceHostTemplate: '{workspace_id}.{workgroup_id}.test' })
  const { workgroup_id: group } = await b.result('POST', '/workgroups', { cloud_provider_id: 'a' })
  t.match(group, /^wg\.[0-9a-f-]{36}$/)
  const made = await b.result('POST', `/workgroups/${group as string}/workspaces`, { name: 'ws-one' })
  const id = made.workspace_id as string
  t.match(id, /^ws-[0-9a-f]{32}$/)
  t.equal(made.workgroup_id, group)
  await b.controlResult('POST', '/clock/advance', { until: 'idle' })
  const path = `/workgroups/${group as string}/workspaces/${id}`
  t.match(await b.result('GET', path), { workspace_id: id, workgroup_id: group, name: 'ws-one' })
  const listed = (await b.result('GET', '/workgroups'))[0]
  t.match(listed, { workgroup_id: group, workspaces: [{ workspace_id: id, nginx_host: `${id}.${group}.test` }] })
  t.equal((await b.result('GET', path)).nginx_host, listed.workspaces[0].nginx_host)
  const missing = `ws-${'0'.repeat(32)}`
  const unknown = await b.call('GET', path.replace(id, missing))
  t.match(unknown, { status: 404, body: { Message: `There is no workspace ${missing}.` } })
  const same = '0f7f1a52-7a0e-4c8e-9d3b-3f1f5c1f0a11'
  const database = { name: 'x', svc_database_id: same.replaceAll('-', '') }
  const twice = await b.call('POST', `/workgroups/wg.${same}/workspaces`, database)
  t.match(twice, { status: 404, body: { Message: `There is no workgroup wg.${same}.` } }, 'the URL comes first')
  t.equal((await b.control('POST', `/workspaces/${id}/activity`)).status, 200, 'and by the control API')
  const fault = { operation: 'getWorkspace', workspace_id: id, effect: { status: 503 }, times: 1 }
  await b.controlResult('POST', '/faults', fault)
  t.equal((await b.call('GET', path)).status, 503, 'a fault can name it')
  const step = { operation: 'getWorkspace' as const, where: { workspace_id: id, status: 503 } }
  t.match(await b.controlResult('POST', '/requests/verify', { sequence: [step] }), { count: 1 })
  t.equal((await b.mock.call('POST', `/sql/${id}`, { key: b.key, prefix: '' })).status, 200)
  const handle = sandboxInside(b.mock.plane, 'http://127.0.0.1', b.key)
  await handle.activity(id)
  t.match(await handle.verify({ sequence: [step] }), { count: 1 }, 'and so do the methods of a handle')
  await t.rejects(handle.seed(Promise.resolve({}) as never), /not a Promise/, 'which still refuse a promise')
})

void t.test('the result that is the id of a schedule has the form of the id in the list', async (t) => {
  const b = await openActiveWorkspace(await buildWith(t, { replies: { ids: { id: 'sched-{{hex}}' } } }))
  const change = async (body: object) => (await b.call('POST', `${b.path}/backups/schedule`, body)).body.Result
  const id = await change({ workspace_id: b.workspace, repeat: 'daily', time: '08:30', timezone: 'UTC' })
  t.match(id, /^sched-[0-9a-f]{32}$/)
  t.match(JSON.parse((await b.call('GET', `${b.path}/schedules`)).body.Result as string), [{ id }])
  t.equal(await change({ id }), id)
  t.equal(await change({ schedule: '0 3 * * *' }), null)
})

void t.test('the members of the envelope have the order of the profile', async (t) => {
  const mock = await buildWith(t, { replies: { order: ['Result', 'Message'] } })
  const members = async (path: string) => Object.keys((await mock.call('GET', path)).body as object)
  t.strictSame(await members('/workgroups'), ['Result', 'Message', 'RequestID', 'Error', 'ErrorDetails'])
  t.strictSame((await members('/workgroups/none')).slice(0, 2), ['Result', 'Message'])
})

void t.test('the first reply is slow, and so is one after a pause', async (t) => {
  const b = await openWith(t, { replies: { slow: { by: '60ms', after: '5m' } } })
  const isSlow = async () => {
    const begun = machineTime()
    await b.result('GET', '/workgroups')
    return machineTime() - begun >= 59
  }
  t.equal(await isSlow(), true)
  t.equal(await isSlow(), false)
  await b.controlResult('POST', '/clock/advance', { by: '5m' })
  t.equal(await isSlow(), true)
})

void t.test('a result can be in a list, or be the first of its list', async (t) => {
  const replies = {
    results: { createWorkgroup: 'list', listWorkgroups: 'first' },
    under: { createWorkgroup: 'made' }
  } as const
  await using mock = await startMock({ profile: { profile: 1, replies } })
  const box = mock.sandbox('lists')
  const { workgroup_id: id } = await box.call('createWorkgroup', { body: { cloud_provider_id: 'a' } })
  const get = async (path: string) => (await fetch(`${mock.url}${path}`, { headers: { 'x-api-key': 'lists' } })).json()
  t.match(await get(`${CONTROLLER}/workgroups`), { Result: { workgroup_id: id } })
  await box.call('deleteWorkgroup', { workgroupID: id })
  t.match(await get(`${CONTROLLER}/workgroups`), { Result: null })
  const { get: list, post } = ((await get('/openapi.json')) as Body).paths[`${CONTROLLER}/workgroups`]
  const resultIn = ({ responses }: Body): unknown => responses[200].content['application/json'].schema.properties.Result
  t.match(resultIn(list), { anyOf: Array })
  t.match(resultIn(post), { properties: { made: { type: 'array' } } })
})
