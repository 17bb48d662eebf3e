import t from 'tap'
import { startMock } from '../../src/node/mock.js'
import { openActiveWorkspace } from '../active-workspace.js'
import { type Body, CONTROLLER, pluck } from '../helper.js'
import { JSON_SCHEMA, schemasIn } from '../reply-validators.js'
import { buildWith, checkRefused, wrongFields } from './edge.js'

const get = (path: string, operation = 'getWorkspace', more: object = {}) => ({
  method: 'GET',
  path,
  operation,
  ...more
})
const outside = (key: string) => ({ key, prefix: '' })
const SCHEDULE = { repeat: 'daily', time: '08:30', timezone: 'UTC', workspace_type_name: 'SVC-4', id: 'nightly' }

void t.test(
  'an operation answers at each of its paths, whatever the names and the order of the parameters',
  async (t) => {
    const mock = await buildWith(t, {
      routes: [
        get('/v9/teams/{workgroupID}/dbs/{workspaceID}'),
        get('/v9/by-position/{team}/{db}'),
        get('/v9/half/{db}/of/{workgroupID}'),
        get('/v9/reversed/{db}/{team}', 'getWorkspace', { parameters: { db: 'workspaceID', team: 'workgroupID' } }),
        get('/v9/slash/{team}/{db}/')
      ]
    })
    const { key, path, workgroup, workspace, control } = await openActiveWorkspace(mock)
    const { body: expected } = await mock.call('GET', path, { key })
    for (const url of [
      `/v9/teams/${workgroup}/dbs/${workspace}`,
      `/v9/by-position/${workgroup}/${workspace}`,
      `/v9/half/${workspace}/of/${workgroup}`,
      `/v9/reversed/${workspace}/${workgroup}`,
      `/v9/slash/${workgroup}/${workspace}/`
    ]) {
      const { status, body } = await mock.call('GET', url, outside(key))
      t.equal(status, 200, url)
      t.strictSame(body.Result, expected.Result, url)
      const [entry] = (await control('GET', '/requests?limit=1')).body.Result.requests as [Body]
      t.match(entry, { operation: 'getWorkspace', path: url })
      const { request } = (await control('GET', `/requests/${entry.request_id}`)).body.Result
      t.strictSame(
        request.params,
        { workgroupID: workgroup, workspaceID: workspace },
        'the journal has the usual names'
      )
    }
    t.equal((await mock.call('GET', `/v9/teams/other/dbs/${workspace}`, outside(key))).status, 404, 'a wrong id')
    t.equal((await mock.call('GET', `/v9/teams//dbs/${workspace}`, outside(key))).status, 404, 'an empty id')
    t.equal((await mock.call('HEAD', `/v9/teams/${workgroup}/dbs/${workspace}`, outside(key))).status, 200)
    const wrong = await mock.call('PUT', `/v9/teams/${workgroup}/dbs/${workspace}`, outside(key))
    t.match([wrong.status, wrong.headers['allow']], [405, 'GET, HEAD'])
    const slashless = await mock.call('GET', `/v9/slash/${workgroup}/${workspace}`, outside(key))
    t.equal(slashless.status, 404, 'a path with a slash at its end is different')
  }
)

void t.test('faults, coverage and verification include every path of an operation', async (t) => {
  const mock = await buildWith(t, {
    routes: [{ method: 'PATCH', path: '/v9/{team}/{db}', operation: 'updateWorkspace' }]
  })
  const { key, workgroup, workspace, control, controlResult } = await openActiveWorkspace(mock)
  const url = `/v9/${workgroup}/${workspace}`
  await controlResult('DELETE', '/coverage')
  t.equal((await mock.call('PATCH', url, { ...outside(key), body: { workspace_name: 5 } })).status, 400, 'validated')
  t.equal((await mock.call('PATCH', url, { ...outside(key), body: { workspace_name: 'n' } })).body.Result.name, 'n')
  await controlResult('POST', '/faults', {
    operation: 'updateWorkspace',
    workspace_id: workspace,
    effect: { status: 503 }
  })
  t.equal((await mock.call('PATCH', url, { ...outside(key), body: {} })).status, 503)
  const { statuses, faults } = await controlResult('GET', '/coverage')
  const countOf = (items: Body[], name: string) => items.find((item) => item.name === name)?.count as number
  t.equal(countOf(statuses, 'updateWorkspace 200'), 1)
  t.equal(countOf(statuses, 'updateWorkspace 400'), 1)
  t.equal(countOf(faults, 'updateWorkspace'), 1)
  const expected = { operation: 'updateWorkspace', where: { workspace_id: workspace, body: { workspace_name: 'n' } } }
  t.equal((await control('POST', '/requests/verify', expected)).status, 200)
})

void t.test('getWorkspaceSchedules answers an array where a route says so, with the names of a brand', async (t) => {
  const routes = [get('/v9/{team}/{db}/schedules', 'getWorkspaceSchedules', { result: 'array' })]
  const mock = await buildWith(t, { routes }, { brand: 'acme' })
  const { key, path, workgroup, workspace } = await openActiveWorkspace(mock)
  const schedule = { ...SCHEDULE, workspace_id: workspace, workspace_type_name: 'ACME-4' }
  await mock.call('POST', `${path}/backups/schedule`, { key, body: schedule })
  const text = (await mock.call('GET', `${path}/schedules`, { key })).body.Result
  const { body } = await mock.call('GET', `/v9/${workgroup}/${workspace}/schedules`, outside(key))
  t.match(body.Result, [{ id: 'nightly', workspace_type_name: 'ACME-4' }])
  t.strictSame(body.Result, JSON.parse(text as string))
  const missing = await mock.call('GET', `/v9/${workgroup}/none/schedules`, outside(key))
  t.match(missing, { status: 404, body: { Error: true, Result: undefined } })
  const { paths } = (await mock.call('GET', '/openapi.json', { prefix: '' })).body
  const { schema, examples } = paths['/v9/{team}/{db}/schedules'].get.responses['200'].content['application/json']
  t.equal(schema.properties.Result.type, 'array')
  t.ok(Array.isArray(Object.values<Body>(examples)[0].value.Result))
})

void t.test('a path can omit parents of its ids, and have fields of the body', async (t) => {
  const mock = await buildWith(t, {
    prefix: '/v9',
    routes: [
      get('/v9/dbs/{id}'),
      get('/v9/databases/{databaseID}', 'getDatabase'),
      get('/v9/jobs/{job}', 'getRestoreStatus'),
      get('/v9/dbs/{db}/jobs/{job}', 'getRestoreStatus'),
      get('/v9/schedules', 'getWorkspaceSchedules', { from: { workspaceID: 'query.db' } }),
      { ...get('/v9/dbs', 'createWorkspace'), method: 'POST', from: { workgroupID: 'body.team' } },
      {
        ...get('/v9/orgs/{org}/schedules/{id}', 'deleteWorkspaceSchedule'),
        method: 'DELETE',
        parameters: { org: null, id: 'body.id' }
      },
      { ...get('/v9/addresses/{id}', 'deleteAllowedIP'), method: 'DELETE' }
    ]
  })
  const key = 'parents'
  const send = (method: string, path: string, body?: object) => mock.call(method, path, { ...outside(key), body })
  const group = (await send('POST', '/v9/workgroups', { cloud_provider_id: 'a' })).body.Result.workgroup_id as string
  const made = await send('POST', '/v9/dbs', { team: group, name: 'one' })
  const { workspace_id: id, database_id: database } = made.body.Result
  t.match(made.body.Result, { workgroup_id: group, name: 'one' })
  const [{ body, unread }] = (await send('GET', '/_mock/requests?operation=createWorkspace')).body.Result.requests
  t.strictSame([body, unread], [{ team: group, name: 'one' }, []], 'the journal has the body that was sent')
  await send('POST', '/_mock/clock/advance', { until: 'idle' })
  const path = `/v9/workgroups/${group}/workspaces/${id as string}`
  t.strictSame((await send('GET', `/v9/dbs/${id as string}`)).body.Result, (await send('GET', path)).body.Result)
  t.match((await send('GET', `/v9/databases/${database as string}`)).body.Result, { database_id: database })

  await send('POST', `${path}/backups/schedule`, { ...SCHEDULE, workspace_id: id })
  t.match((await send('GET', `/v9/schedules?db=${id as string}`)).body.Result, /nightly/)
  t.equal((await send('DELETE', '/v9/orgs/any/schedules/nightly', { workspace_id: id })).status, 200)
  t.equal((await send('GET', `/v9/schedules?db=${id as string}`)).body.Result, '[]')
  const address = (await send('POST', `/v9/workgroups/${group}/allow_list`, { cidr: '10.0.0.0/8' })).body.Result.id
  t.equal((await send('DELETE', `/v9/addresses/${address as string}`)).status, 200)

  for (const [method, url, body, status, message] of [
    ['GET', '/v9/dbs/none', undefined, 404, /no workspace none/],
    ['GET', '/v9/jobs/none', undefined, 404, /no restore job none/],
    ['GET', '/v9/dbs/none/jobs/any', undefined, 404, /no workspace none/],
    ['GET', '/v9/databases/none', undefined, 404, /no database none/],
    ['DELETE', '/v9/addresses/none', undefined, 404, /no allowed IP none/],
    ['DELETE', '/v9/orgs/x/schedules/none', {}, 404, /no schedule none/],
    ['GET', '/v9/schedules', undefined, 400, /db is required/],
    ['POST', '/v9/dbs', { name: 'two' }, 400, /team is required/],
    ['POST', '/v9/dbs', { team: 'none' }, 404, /no workgroup none/],
    ['POST', '/v9/dbs', [1], 400, /team is required/],
    ['DELETE', '/v9/orgs/x/schedules/none', [1], 404, /no schedule/],
    ['GET', '/controller/v4/v2/workgroups', undefined, 404, /at \/v9\/workgroups/]
  ] as const) {
    const reply = await send(method, url, body)
    t.match([reply.status, reply.body.Message], [status, message], url)
  }
  const { paths } = (await send('GET', '/openapi.json')).body
  const areMoved = Object.keys(paths as object).every((url) => /^\/(v9|users)/.test(url))
  t.ok(areMoved, 'nothing is at the built-in prefix')
  const { schema, examples } = paths['/v9/dbs'].post.requestBody.content['application/json']
  t.match(schema, { required: ['team'], properties: { team: { type: 'string' }, name: { type: 'string' } } })
  t.match(examples.createWorkspace.value, { team: 'demo' })
  const deletion = paths['/v9/orgs/{org}/schedules/{id}'].delete.requestBody.content['application/json']
  t.strictSame([deletion.schema.required, deletion.schema.properties.id], [[], undefined])
})

void t.test('the examples of a body fit its description, wherever a profile has its fields', async (t) => {
  const at = (operation: string, method: string, path: string, more: object) => ({ operation, method, path, ...more })
  const routes = [
    at('createWorkspace', 'POST', '/v9/dbs', { from: { workgroupID: 'body.team' } }),
    at('deleteDatabaseUser', 'DELETE', '/v9/{team}/{db}/users/{user}', { parameters: { user: 'body.username' } }),
    at('restoreBackup', 'POST', '/v9/backups/{id}/restore', {
      from: { workgroupID: 'body.team', workspaceID: 'body.db' },
      parameters: { id: 'body.backup_id' }
    }),
    at('changeSchedule', 'POST', '/v9/dbs/{db}/schedules', { from: { workgroupID: 'body.team' } }),
    at('updateWorkspaceSchedule', 'PUT', '/v9/schedules', {
      from: { workgroupID: 'body.team', workspaceID: 'body.workspace_id' }
    })
  ]
  for (const strictBodies of [false, true]) {
    await using mock = await startMock({ demo: true, strictBodies, profile: { profile: 1, routes } as never })
    const document: Body = await (await fetch(`${mock.url}/openapi.json`)).json()
    const schemas = schemasIn(document)
    for (const { path, method } of routes.map((route) => ({ ...route, method: route.method.toLowerCase() }))) {
      const { parameters = [], requestBody } = document.paths[path][method]
      const url = path.replaceAll(
        /\{(\w+)\}/g,
        (_, wanted: string) => (parameters as Body[]).find(({ name }) => name === wanted)!.example as string
      )
      const validate = schemas('paths', path, method, 'requestBody', ...JSON_SCHEMA)
      for (const [id, { value }] of Object.entries<Body>(requestBody.content['application/json'].examples)) {
        t.ok(validate(value), `${id}: ${JSON.stringify(validate.errors)}`)
        t.equal(validate({}), id === 'deleteDatabaseUser', `${id} without fields`)
        const { headers } = mock.sandbox()
        const reply = await fetch(`${mock.url}${url}`, {
          method: method.toUpperCase(),
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(value)
        })
        t.equal(reply.status, 200, `${id}: ${await reply.text()}`)
      }
    }
  }
})

void t.test('a field of the body can be a parameter at the same time', async (t) => {
  const route = { operation: 'updateWorkspaceSchedule', method: 'PUT', path: '/v9/schedules' }
  for (const strictBodies of [false, true]) {
    const mock = await buildWith(
      t,
      { routes: [{ ...route, from: { workspaceID: 'body.workspace_id' } }] },
      { strictBodies }
    )
    const { key, workspace } = await openActiveWorkspace(mock)
    const body = { ...SCHEDULE, workspace_id: workspace }
    t.match(await mock.call('PUT', '/v9/schedules', { ...outside(key), body }), {
      status: 200,
      body: { Result: 'nightly' }
    })
  }
})

void t.test('fields and parameters in other places have the names, values and ids outside', async (t) => {
  const mock = await buildWith(t, {
    names: { fields: { region: 'place', workspace_id: 'db' }, values: { 'us-east-1': 'use1' } },
    replies: { ids: { workspace_id: 'db-{{hex}}', backup_id: 'bk-{{hex}}', workgroup_id: 'wg-{{hex}}' } },
    routes: [
      { operation: 'createWorkgroup', method: 'POST', path: '/v9/in/{place}', parameters: { place: 'body.region' } },
      { operation: 'updateWorkspace', method: 'PUT', path: '/v9/dbs', from: { workspaceID: 'body.of' } },
      { operation: 'restoreBackup', method: 'POST', path: '/v9/restore', from: { workspaceID: 'body.db' } },
      get('/v9/dbs', 'getWorkspace', { from: { workspaceID: 'query.db' } })
    ]
  })
  const key = 'elsewhere'
  const send = (method: string, path: string, body?: object) => mock.call(method, path, { ...outside(key), body })
  const made = await send('POST', '/v9/in/use1', { cloud_provider_id: 'a' })
  t.match(made, { status: 200, body: { Result: { place: 'use1' } } })
  t.equal((await send('POST', '/v9/in/us-east-1', { cloud_provider_id: 'a' })).status, 400)
  const group = `${CONTROLLER}/workgroups/${made.body.Result.workgroup_id as string}`
  const id = (await send('POST', `${group}/workspaces`, {})).body.Result.db as string
  await mock.call('POST', '/_mock/clock/advance', { ...outside(key), body: { until: 'idle' } })
  t.equal((await send('PUT', '/v9/dbs', { of: id, name: 'two' })).status, 200)
  t.match(await send('GET', '/v9/dbs'), { status: 400, body: { ErrorDetails: [{ FieldName: 'db' }] } })
  t.match(await send('PUT', '/v9/dbs', {}), { status: 400, body: { ErrorDetails: [{ FieldName: 'of' }] } })

  const missing = `bk-${'0'.repeat(32)}`
  for (const [path, body] of [
    ['/v9/restore', { db: id, backup_id: missing }],
    [`${group}/workspaces/${id}/backups/restore`, { backup_id: missing }]
  ] as const)
    t.match((await send('POST', path, body)).body, {
      Message: `backup_id ${missing} is not a backup of this workspace.`,
      ErrorDetails: [{ Reason: `${missing} is not a backup of this workspace` }]
    })
  const unknown = await send('PUT', '/v9/dbs', { of: `db-${'0'.repeat(32)}`, name: 'x' })
  t.match(unknown, { status: 404, body: { Message: /no workspace db-0{32}\.$/ } })
})

void t.test('a path without the workgroup finds a deleted workspace as long as it is readable', async (t) => {
  const mock = await buildWith(t, {
    routes: [get('/v9/dbs/{id}')],
    states: { deleted: { readable_for: 'PT10M' } }
  })
  const { key, path, workspace, advance } = await openActiveWorkspace(mock)
  await mock.call('DELETE', path, { key })
  await advance('PT5S')
  t.match((await mock.call('GET', `/v9/dbs/${workspace}`, outside(key))).body.Result, { status: 'gone' })
  await advance('PT10M')
  t.equal((await mock.call('GET', `/v9/dbs/${workspace}`, outside(key))).status, 404)
})

void t.test('a handle calls an operation at its path, with each parameter in its place', async (t) => {
  const moved = (operation: string, method: string, path: string, more: object = {}) => [
    { operation, off: true },
    { operation, method, path, ...more }
  ]
  const routes = [
    ...moved('createWorkgroup', 'POST', '/v9/teams'),
    ...moved('getWorkgroup', 'GET', '/v9/teams/{team}'),
    { operation: 'listWorkgroups', off: true },
    ...moved('createWorkspace', 'POST', '/v9/dbs', { from: { workgroupID: 'body.team' } }),
    ...moved('getWorkspace', 'GET', '/v9/dbs/{id}', { from: { workgroupID: 'query.team' } }),
    ...moved('setBackupSchedule', 'PUT', '/v9/{b}/{a}', { parameters: { a: 'workgroupID' } }),
    ...moved('deleteBackup', 'DELETE', '/v9/{any}/backups/{id}', { parameters: { any: null, id: 'body.backup_id' } })
  ]
  await using mock = await startMock({ profile: { profile: 1, routes } as never })
  const box = mock.sandbox('places')
  const { workgroup_id: workgroupID } = await box.call('createWorkgroup', { body: { cloud_provider_id: 'a' } })
  t.equal((await box.call('getWorkgroup', { workgroupID })).workgroup_id, workgroupID)
  const { workspace_id: workspaceID } = await box.call('createWorkspace', { workgroupID, body: { name: 'one' } })
  const place = { workgroupID, workspaceID }
  t.match(await box.call('getWorkspace', place), { name: 'one' })
  await box.clock.advance({ until: { workspace_id: workspaceID, status: 'Active' } })
  const body = { schedule: '0 3 * * *' }
  await box.call('setBackupSchedule', { ...place, body })
  t.match(await box.call('getBackupSchedule', place), body)
  await t.rejects(box.call('deleteBackup', { ...place, body: { backup_id: 'none' } }), {
    status: 404,
    message: /no backup none/
  })
  await t.rejects(box.call('listWorkgroups'), TypeError)
  const overview = await fetch(`${mock.url}/_mock/overview`, { headers: box.headers })
  const { createWorkspace, pauseWorkspace } = ((await overview.json()) as Body).Result.routes
  const from = { workgroupID: { source: 'body', name: 'team' } }
  t.strictSame(createWorkspace, { method: 'POST', path: '/v9/dbs', from }, 'the console calls it there, too')
  t.match(pauseWorkspace, { method: 'POST', path: /\{workspaceID\}\/pause$/, from: {} })
})

void t.test('an invalid prefix is refused', async (t) => {
  for (const prefix of ['', 'v9', '/v9/', '/{a}', '/_mock', '/a b', 5])
    t.strictSame(wrongFields({ prefix }), ['prefix'], String(prefix))
  t.strictSame(wrongFields({ prefix: '/' }), [])
})

void t.test('a path that is off does not exist, and another operation can have it', async (t) => {
  const [one, two] = ['/workgroups/{a}/workspaces/{b}/pause', '/workgroups/{a}/workspaces/{b}/resume']
  const mock = await buildWith(t, {
    routes: [
      { operation: 'deleteWorkgroup', off: true },
      { operation: 'pauseWorkspace', off: true },
      { operation: 'resumeWorkspace', off: true },
      { operation: 'pauseWorkspace', method: 'POST', path: `${CONTROLLER}${two}` },
      { operation: 'resumeWorkspace', method: 'POST', path: `${CONTROLLER}${one}` }
    ]
  })
  const { call, path, status, workgroup, controlResult } = await openActiveWorkspace(mock)
  t.equal((await call('DELETE', `/workgroups/${workgroup}`)).status, 405)
  t.equal((await call('POST', `${path}/resume`)).status, 200)
  t.equal(await status(), 'Pausing', 'the paths were swapped')
  const { operations } = (await controlResult('GET', '/coverage')).summary
  t.equal(operations.total, 37, 'an operation without a path does not count')
  const { paths } = (await mock.call('GET', '/openapi.json', { prefix: '' })).body
  t.notOk(paths[`${CONTROLLER}/workgroups/{workgroupID}`].delete)
  t.equal(paths[`${CONTROLLER}${two}`].post.operationId, 'pauseWorkspace')
})

void t.test('each of the operations that share a path can have one of its own', async (t) => {
  const own = (operation: string, name: string) => ({ method: 'POST', path: `/own/{a}/{b}/${name}`, operation })
  const mock = await buildWith(t, {
    routes: [
      { operation: 'changeSchedule', off: true },
      own('setBackupSchedule', 'set'),
      own('updateWorkspaceSchedule', 'update'),
      own('deleteWorkspaceSchedule', 'delete'),
      own('changeSchedule', 'shared'),
      { method: 'POST', path: '/own/{b}', operation: 'changeSchedule', from: { workgroupID: 'query.a' } }
    ]
  })
  const { call, path, key, workgroup, workspace, control } = await openActiveWorkspace(mock)
  const daily = { ...SCHEDULE, workspace_id: workspace }
  const send = (name: string, body: object) =>
    mock.call('POST', `/own/${workgroup}/${workspace}/${name}`, { ...outside(key), body })
  t.equal((await call('POST', `${path}/backups/schedule`, {})).status, 405)
  t.match(await send('set', { schedule: '0 3 * * *' }), { status: 200 })
  t.match(await send('set', SCHEDULE), { status: 400, body: { ErrorDetails: [{ FieldName: 'schedule' }] } })
  t.match(await send('update?operation=delete_workspace_schedule', { ...daily, schedule: '0 3 * * *' }), {
    status: 200,
    body: { Result: 'nightly' }
  })
  t.match(await send('delete', daily), { status: 200, body: { Result: 'nightly' } })
  t.match(await send('shared', { schedule: '0 3 * * *' }), { status: 200, body: { Result: undefined } })
  t.match(await send('shared', daily), { status: 200, body: { Result: 'nightly' } })
  const { requests } = (await control('GET', '/requests?limit=6')).body.Result
  const [SET, UPDATE, DELETE] = ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule']
  t.strictSame(pluck(requests, 'operation'), [SET, SET, UPDATE, DELETE, SET, UPDATE])
  const { paths } = (await mock.call('GET', '/openapi.json', { prefix: '' })).body
  const idOf = (name: string) => paths[`/own/{a}/{b}/${name}`].post.operationId as string
  t.strictSame(['set', 'update', 'delete', 'shared'].map(idOf), [SET, UPDATE, DELETE, 'changeSchedule'])
  const { schema } = paths['/own/{a}/{b}/update'].post.responses[200].content['application/json']
  t.equal(schema.properties.Result.type, 'string', 'it cannot be null there')
  const names = (paths['/own/{b}'].post.parameters as Body[]).map(({ name }) => name as string)
  t.strictSame(names.sort(), ['a', 'b', 'operation'], 'with an id in the query, they can still be told apart')
})

void t.test('the shared path chooses among the operations that are left, which the document describes', async (t) => {
  const shared = `${CONTROLLER}/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule`
  const [SET, UPDATE, DELETE] = ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule'] as const
  for (const [off, body, status, operation] of [
    [[UPDATE], { schedule: '0 3 * * *' }, 200, SET],
    [[UPDATE], SCHEDULE, 400, null],
    [[SET], { ...SCHEDULE, schedule: '0 3 * * *' }, 200, UPDATE],
    [[DELETE], { id: 'x' }, 400, UPDATE],
    [[SET, UPDATE], SCHEDULE, 400, DELETE],
    [[DELETE, UPDATE], {}, 400, SET]
  ] as const) {
    const mock = await buildWith(t, { routes: off.map((id) => ({ operation: id, off: true })) })
    const { call, path, workspace, control } = await openActiveWorkspace(mock)
    const sent = 'repeat' in body ? { ...body, workspace_id: workspace } : body
    t.equal((await call('POST', `${path}/backups/schedule`, sent)).status, status, off.join())
    const [entry] = (await control('GET', '/requests?limit=1')).body.Result.requests as [Body]
    t.equal(entry.operation, operation, off.join())
    const { post } = (await mock.call('GET', '/openapi.json', { prefix: '' })).body.paths[shared]
    const left = [SET, UPDATE, DELETE].filter((one) => !(off as readonly string[]).includes(one))
    t.equal(post.operationId, left.length > 1 ? 'changeSchedule' : left[0])
    t.strictSame(Object.keys(post.requestBody.content['application/json'].examples as object), left)
    const isAsked = (post.parameters as Body[]).some(({ in: place }) => place === 'query')
    t.equal(isAsked, left.length > 1, 'a choice needs a parameter')
  }
})

void t.test('routes and stubs are below the base path', async (t) => {
  const parts = {
    routes: [get('/v9/groups', 'listWorkgroups')],
    stubs: [{ method: 'GET', path: '/v9/stub', status: 202 }]
  }
  const mock = await buildWith(t, parts, { basePath: '/api' })
  t.equal((await mock.call('GET', '/api/v9/groups', { prefix: '' })).status, 200)
  t.equal((await mock.call('GET', '/api/v9/stub', { prefix: '' })).status, 202)
  const elsewhere = await mock.call('GET', '/v9/groups', { prefix: '' })
  t.match(elsewhere, { status: 404, body: { Message: /There is one at \/api\/v9\/groups\./ } })
  const { paths } = (await mock.call('GET', '/openapi.json', { prefix: '' })).body
  t.ok(paths['/api/v9/groups'])
  t.ok(paths[`/api${CONTROLLER}/workgroups`])
})

void t.test('bad routes are refused, each at its field', async (t) => {
  const W = `${CONTROLLER}/workgroups/{a}/workspaces/{b}`
  const fields: [route: object, ...wrong: string[]][] = [
    [get('/x/{a}/{b}', 'getWorkspaces'), 'operation'],
    [{ operation: 'getWorkspace' }, 'method', 'path'],
    [{ operation: 'getWorkspace', off: true, path: '/x', method: 'GET' }, 'method', 'path'],
    [{ ...get('/x/{a}/{b}'), off: false }, 'off'],
    [get('/x/{a}/{b}', 'getWorkspace', { colour: 1 }), 'colour'],
    [get('/x/{a}/{b}', 'getWorkspace', { method: 'FETCH' }), 'method'],
    [get('/x/{a}/{b}', 'getWorkspace', { method: 'POST' }), 'method'],
    [get('/x/{a}/{b}', 'pauseWorkspace'), 'method'],
    [get('/x/{a}/{b}', 'getWorkspace', { result: 'array' }), 'result'],
    [get('/x', 'listBackups'), 'path'],
    [get('/x/{a}', 'getDatabase', { from: { databaseID: 'body.a' } }), 'from.databaseID'],
    [get('/x/{a}/{b}', 'getWorkspace', { from: { workgroupID: 'header.a' } }), 'from.workgroupID'],
    [get('/x/{a}', 'getWorkspace', { from: { databaseID: 'query.a' } }), 'from.databaseID'],
    [
      get('/x/{a}', 'getWorkspace', { parameters: { a: 'workspaceID' }, from: { workspaceID: 'query.a' } }),
      'from.workspaceID'
    ],
    [get('/x/{a}/{b}', 'getWorkspace', { parameters: { a: 'body.a' } }), 'parameters.a'],
    [get('/x/{a}/{b}', 'getWorkspace', { parameters: { a: 5 } }), 'parameters.a'],
    [get('/x/{a}/{b}/{c}'), 'path'],
    [get('/x/{a}/{a}'), 'path'],
    [get('/x/{a}/{b}', 'listWorkgroups'), 'path'],
    [get('/x/{a}/{b}', 'getWorkspace', { parameters: { c: 'workspaceID' } }), 'parameters.c'],
    [get('/x/{a}/{b}', 'getWorkspace', { parameters: { a: 'databaseID' } }), 'parameters.a'],
    [get('/x/{a}/{b}', 'getWorkspace', { parameters: { a: 'workspaceID', b: 'workspaceID' } }), 'parameters.b'],
    [get(W), 'path'],
    [get(`${CONTROLLER}/workgroups`, 'getMetadata'), 'path'],
    ...['', 'x/{a}/{b}', '/', '/_mock/{a}/{b}', '/docs/{a}/{b}', '/openapi.json', '/x//{a}/{b}', '/x/../{a}/{b}'].map(
      (path): [object, string] => [get(path), 'path']
    ),
    ...['/x/{a}{b}', '/x/{}/{b}', '/x/{a}/{b', '/x/:a/{b}', '/x/*', '/x/{a-b}/{b}', '/x y/{a}/{b}', '/%41/{a}/{b}'].map(
      (path): [object, string] => [get(path), 'path']
    ),
    [get(`/${'x'.repeat(2000)}/{a}/{b}`), 'path']
  ]
  checkRefused(t, 'routes.0', fields)
  t.strictSame(wrongFields({ routes: [get('/x/{a}/{b}'), get('/x/{c}/{d}', 'getDatabase')] }), ['routes.1.path'])
  t.strictSame(wrongFields({ routes: {} }), ['routes'])
})
