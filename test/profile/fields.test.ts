import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { FieldsDocument } from '../../src/profile/fields.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import { type Body, close } from '../helper.js'
import { callsOf } from '../sandbox.js'
import { buildWith, openWith, refusals } from './edge.js'

type Parts = Omit<ProfileDocument, 'profile' | 'name'>

const path = '/workgroups/g/workspaces/w'

/** The fields at fault, with their reasons. */
const faultsOf = (fields: object, parts: Parts = {}) => Object.fromEntries(refusals({ ...parts, fields }))

const STATE = {
  clock: { mode: 'frozen' },
  workgroups: [
    {
      id: 'g',
      allow_list: { entries: [{ id: 'a', cidr: '10.0.0.0/8' }] },
      databases: [{ id: 'd', name: 'Shop' }],
      workspaces: [
        {
          id: 'w',
          database: 'd',
          backups: [{ id: 'b' }],
          backup_schedule: { schedule: '0 * * * *' },
          schedules: [{ id: 's', repeat: 'daily', time: '08:00', timezone: 'UTC' }],
          users: [{ id: 'u', username: 'ann', password: 'a secret' }]
        }
      ]
    }
  ],
  org_users: [{ id: 'o', email: 'ada@svc.test', roles: ['org-admin'] }]
}

/** A sandbox under a profile, with something of everything. */
async function open(t: Test, fields: FieldsDocument, parts: Parts = {}, options: object = {}) {
  const b = await openWith(t, { ...parts, fields }, options)
  await b.controlResult('PUT', '/state', STATE)
  const session = { key: null, headers: { authorization: `Bearer ${b.key}` }, prefix: '' }
  return {
    ...b,
    state: () => b.controlResult('GET', '/state'),
    callUsers: (method: string, url: string, body?: object) => b.mock.call(method, url, { ...session, body })
  }
}

const TIER = {
  type: 'string',
  enum: ['free', 'gold'],
  default: 'free',
  set_by: ['CreateWorkspaceRequest', 'UpdateWorkspaceRequest']
} as const

void t.test('a workspace has the further fields wherever it is shown', async (t) => {
  const { call, result } = await open(t, {
    Workspace: {
      tier: TIER,
      display_status: { from: 'status' },
      edition: { const: 'enterprise' },
      database_name: { from: 'database.name' },
      account: { from: 'workgroup.cloud_provider_id' },
      cores: { from: 'workspace_type.cpu' },
      note: { type: 'string', set_by: ['UpdateWorkspaceRequest'] }
    }
  })
  const added = {
    tier: 'free',
    display_status: 'Active',
    edition: 'enterprise',
    database_name: 'Shop',
    account: 'my-account',
    cores: '2'
  }
  t.match(await result('GET', path), added)
  t.notOk('note' in (await result('GET', path)), 'it has no default, and no request has set it')
  t.match((await result('GET', '/workgroups'))[0].workspaces[0], added)
  t.match((await result('GET', '/workgroups/g')).workspaces[0], added)
  t.match((await result('GET', '/workgroups/g/databases/d')).workspaces[0], added)
  t.match(await result('PUT', path, { tier: 'gold', note: '-' }), { ...added, tier: 'gold', note: '-' })
  t.match(await result('PUT', path, { workspace_name: 'x' }), { tier: 'gold', note: '-', name: 'x' })
  t.match(await result('GET', path), { ...added, tier: 'gold', note: '-' })
  t.match(await result('POST', '/workgroups/g/workspaces', { tier: 'gold' }), { tier: 'gold', edition: 'enterprise' })
  const wrong = await call('PUT', path, { tier: 'silver' })
  t.equal(wrong.status, 400)
  t.match(wrong.body.ErrorDetails, [{ FieldName: 'tier' }])
  t.match(await result('PUT', '/workgroups/g', { workgroup_name: 'new' }), { workspaces: [{ tier: 'gold' }, {}] })
})

void t.test('every resource that requests set keeps its fields, in replies and documents', async (t) => {
  const label = (...requests: string[]) => ({ label: { type: 'string', default: 'none', set_by: requests } }) as const
  const { callUsers, controlResult, result, state } = await open(t, {
    Workgroup: label('CreateWorkgroupRequest', 'UpdateWorkgroupRequest'),
    AllowedIP: label('AllowedIP'),
    SvcDatabase: label('UpdateSvcDatabaseRequest', 'CreateWorkspaceRequest'),
    Workspace: label('UpdateWorkspaceRequest'),
    BackupRestoreStatus: label('RestoreBackupRequest'),
    BackupSchedule: label('BackupSchedule'),
    WorkspaceSchedule: label('WorkspaceSchedule'),
    'svcIAM.IAMUser': label('InDatabaseUserRequest'),
    'org_handler.OrgListUserResponse': label('org_handler.PutOrgUsersRoles')
  })
  t.notOk(JSON.stringify(await state()).includes('extra'), 'defaults are not stored')
  const schedule = { workspace_id: 'w', id: 's', repeat: 'daily', time: '09:00', timezone: 'UTC' }
  const user = { username: 'ann', password: 'another' }
  await result('PUT', '/workgroups/g', { label: '1' })
  await result('PUT', '/workgroups/g/allow_list/a', { cidr: '10.0.0.0/8', label: '2' })
  await result('PUT', '/workgroups/g/databases/d', { svc_database_name: 'Shop', label: '3' })
  await result('PUT', path, { label: '4' })
  await result('POST', `${path}/backups/schedule`, { schedule: '0 * * * *', label: '6' })
  await result('POST', `${path}/backups/schedule`, { ...schedule, label: '7' })
  await result('PUT', `${path}/dbuser`, { ...user, label: '8' })
  t.equal((await callUsers('PUT', '/users/o/roles', { roles: ['org-admin'], label: '9' })).status, 204)
  await result('POST', `${path}/backups/restore`, { backup_id: 'b', label: '5' })

  const workgroup = await result('GET', '/workgroups/g')
  const job = (await controlResult('GET', '/workspaces/w')).restore_jobs[0].name as string
  t.strictSame(
    [
      workgroup.label,
      (await result('GET', '/workgroups/g/allow_list'))[0].label,
      workgroup.svc_databases[0].label,
      workgroup.workspaces[0].label,
      (await result('GET', `/workspaces/w/backups/${job}/status`)).label,
      (await result('GET', `${path}/backups/schedule`)).label,
      JSON.parse(await result('GET', `${path}/schedules`))[0].label,
      (await result('GET', `${path}/dbuser`))[0].label,
      (await callUsers('GET', '/users')).body[0].label
    ],
    ['1', '2', '3', '4', '5', '6', '7', '8', '9']
  )
  t.equal(JSON.stringify(await state()).match(/"extra":\{"label":"\d"\}/g)?.length, 9, 'a document has all of them')
  await result('POST', `${path}/backups/schedule`, { schedule: '0 * * * *' })
  t.equal((await result('GET', `${path}/backups/schedule`)).label, 'none', 'a schedule is replaced as a whole')
  const created = await result('POST', '/workgroups/g/workspaces', { label: 'of the database' })
  t.equal(created.label, 'none')
  const account = { cloud_provider_id: 'account', label: 'of the workgroup' }
  t.equal((await result('POST', '/workgroups', account)).label, 'of the workgroup')
  t.equal((await result('GET', `/workgroups/g/databases/${created.database_id}`)).label, 'of the database')
})

void t.test('a state document can only have fields that requests can set', async (t) => {
  const { control } = await open(t, { Workspace: { tier: TIER, edition: { const: 'x' } } })
  const put = async (extra: object) => {
    const workgroups = [{ id: 'g', workspaces: [{ id: 'w', extra }] }]
    return (await control('PUT', '/state', { workgroups })).body.ErrorDetails
  }
  t.equal(await put({ tier: 'gold' }), null)
  t.match(await put({ tier: 'silver' }), [{ FieldName: 'workgroups.0.workspaces.0.extra.tier' }])
  t.match(await put({ teir: 'gold' }), [{ FieldName: 'workgroups.0.workspaces.0.extra.teir' }])
  t.match(await put({ edition: 'x' }), [{ FieldName: 'workgroups.0.workspaces.0.extra.edition' }])
  const other = await buildWith(t, {})
  const { body } = await other.call('PUT', '/state', {
    prefix: '/_mock',
    body: { profile: 'test', workgroups: [{ extra: { label: 'x' } }] }
  })
  t.match(body.ErrorDetails, [{ FieldName: 'workgroups.0.extra.label' }], 'without a profile, there is none')
})

void t.test('a text that a request sets has 1 to 256 characters, but its default may be empty', async (t) => {
  const text = { type: 'string', default: '' } as const
  const { call, result, controlResult, state } = await open(t, {
    Workspace: { note: { ...text, nullable: true, set_by: ['UpdateWorkspaceRequest'] } },
    AllowedIP: { note_: { ...text, set_by: ['AllowedIP'] } },
    DeleteBackupRequest: { why: { type: 'string', default: 'none' } },
    Region: { about: { type: 'string', default: 'x'.repeat(1000) } }
  })
  t.equal((await result('GET', path)).note, '')
  t.equal((await result('GET', '/workgroups/g/allow_list'))[0].note_, '')
  const long = '\u{1f600}'.repeat(257)
  for (const note of ['', long])
    t.match((await call('PUT', path, { note })).body.ErrorDetails, [{ FieldName: 'note' }], `${note.length}`)
  for (const note of ['x', long.slice(2), null]) t.equal((await result('PUT', path, { note })).note, note)
  t.match((await call('DELETE', `${path}/backups`, { backup_id: 'b', why: long })).body.ErrorDetails, [
    { FieldName: 'why' }
  ])
  const entry = { cidr: '10.0.0.0/8', note_: long }
  t.equal((await call('PUT', '/workgroups/g/allow_list/a', entry)).status, 400)
  await result('PUT', '/workgroups/g/allow_list/a', { ...entry, note_: '' })
  await controlResult('PUT', '/state', await state())
})

void t.test('stored values that another profile does not allow are not shown', async (t) => {
  const db = join(t.testdir(), 'a.db')
  const set_by = ['UpdateWorkspaceRequest']
  const note = { type: 'string', set_by } as const
  const { mock, key, result } = await open(
    t,
    {
      Workspace: { capacity: note, tier: TIER, gone: note, kept: note, fixed: note, loose: note },
      Workgroup: { note: { type: 'string', set_by: ['UpdateWorkgroupRequest'] } },
      AgentConfig: {
        depth: { type: 'integer', set_by: ['AgentConfig'] },
        gone: { type: 'string', set_by: [], default: '' }
      },
      'org_handler.OrgListUserResponse': { note: { type: 'string', set_by: ['org_handler.PutOrgUsersRoles'] } }
    },
    {},
    { db }
  )
  const sent = { capacity: 'large', tier: 'gold', gone: 'x', kept: 'y', fixed: 'z', loose: 'own' }
  await result('PUT', path, { ...sent, agent_config: { depth: 4, gone: 'x', heartbeat_interval_seconds: 5 } })
  await result('PUT', '/workgroups/g', { note: 'here' })
  await close(mock)

  const fields = {
    Workspace: {
      capacity: { type: 'integer', default: 1, set_by },
      tier: { ...TIER, enum: ['free', 'silver'] },
      kept: { ...note, nullable: true },
      fixed: { const: 'always' },
      loose: { type: 'string', default: 'none' }
    },
    AgentConfig: { depth: { type: 'string', default: 'deep', set_by: ['AgentConfig'] } }
  } as const
  const changed = await buildWith(t, { fields }, { db })
  const own = callsOf(changed, key)
  const shown = { capacity: 1, tier: 'free', kept: 'y', fixed: 'always', loose: 'none' }
  t.match(await own.result('GET', path), { ...shown, agent_config: { depth: 'deep' } })
  const exported = await own.controlResult('GET', '/state')
  t.strictSame(exported.workgroups[0].workspaces[0].extra, { kept: 'y' })
  t.strictSame(exported.workgroups[0].workspaces[0].agent_config, { heartbeat_interval_seconds: 5 })
  t.notOk('extra' in exported.workgroups[0])
  await callsOf(changed, 'another').controlResult('PUT', '/state', { ...exported, org: undefined })
})

void t.test('null, lists and objects are kept unchanged', async (t) => {
  const set_by = ['UpdateWorkspaceRequest']
  const { result, call } = await open(t, {
    Workspace: {
      owner: { type: 'string', nullable: true, default: null, set_by },
      team: { type: 'string', nullable: true, default: 'none', set_by },
      tags: { type: 'array', default: [], set_by },
      labels: { type: 'object', default: { a: 1 }, set_by },
      price: { type: 'number', default: 0.5, set_by }
    }
  })
  t.match(await result('GET', path), { owner: null, team: 'none', tags: [], labels: { a: 1 }, price: 0.5 })
  const sent = { owner: 'ann', team: null, tags: ['a', { name: 1 }], labels: { name: { b: [] } }, price: 2 }
  t.match(await result('PUT', path, sent), sent)
  t.match(await result('GET', path), sent)
  const wrong = await call('PUT', path, { owner: 1, team: 'x', tags: {}, labels: [], price: '2' })
  t.strictSame((wrong.body.ErrorDetails as Body[]).map(({ FieldName }) => FieldName as string).sort(), [
    'labels',
    'owner',
    'price',
    'tags'
  ])
})

void t.test('nested objects, errors and envelopes can have further fields', async (t) => {
  const { call, callUsers, result, control, controlResult } = await open(t, {
    'middleware.Response': { request: { from: 'RequestID' }, api: { const: 2 } },
    'middleware.Error': { code: { from: 'Type' } },
    WorkspaceType: { disk: { type: 'integer', default: 100 } },
    FolderStatistics: { index_size: { type: 'integer', default: 0 } },
    'org_handler.OrgRole': { label: { from: 'displayName' } },
    Region: { title: { from: 'description' } },
    Workgroup: { clusters: { from: 'workspaces' } },
    AgentConfig: { depth: { type: 'integer', default: 3, set_by: ['AgentConfig'] } },
    AllowedIP: { account: { from: 'workgroup.cloud_provider_id' } },
    Backup: { database: { from: 'workspace.database.name' } }
  })
  t.match(await result('GET', path), {
    workspace_type: { disk: 100 },
    folder_statistics: { index_size: 0 },
    agent_config: { depth: 3 }
  })
  t.match(await result('PUT', path, { agent_config: { depth: 4 } }), { agent_config: { depth: 4 } })
  t.match(await result('GET', path), { agent_config: { depth: 4 } })
  await controlResult('PUT', '/state', await controlResult('GET', '/state'))
  t.match(await result('GET', path), { agent_config: { depth: 4 } }, 'it is kept with the object that it is in')
  t.match((await callUsers('GET', '/users')).body, [{ roles: [{ label: 'Org admin' }] }])
  for (const { workspaces, clusters } of await result('GET', '/workgroups')) t.strictSame(clusters, workspaces)
  const { workspaces, clusters } = await result('GET', '/workgroups/g')
  t.strictSame(clusters, workspaces)
  t.match(await result('GET', '/workgroups/g/allow_list'), [{ account: 'my-account' }])
  t.match(await result('GET', '/workspaces/w/backups'), [{ database: 'Shop' }])
  await control('POST', '/faults', { operation: 'refreshWorkspace', effect: { status: 500 } })
  for (const [method, url, body] of [
    ['GET', path],
    ['GET', path],
    ['GET', '/workgroups'],
    ['GET', '/workgroups/none'],
    ['GET', '/nothing'],
    ['PATCH', '/workgroups'],
    ['POST', '/workgroups', { name: 1 }],
    ['POST', `${path}/pause`],
    ['POST', `${path}/refresh`]
  ] as const) {
    const reply = await call(method, url, body)
    t.match(reply.body, { api: 2, request: reply.body.RequestID }, `${method} ${url}`)
    for (const { Type, code } of reply.body.ErrorDetails ?? []) t.equal(code, Type)
  }
  t.notOk('api' in (await control('GET', '/clock')).body, 'the control API has an envelope of its own')
})

void t.test('names and omit apply to further fields', async (t) => {
  const fields = {
    Workspace: { tier: TIER, account_name: { from: 'creator' }, type_name: { from: 'workspace_type.typeName' } },
    Workgroup: { cloud: { from: 'platform' } }
  }
  const names = {
    fields: { tier: 'plan', creator: 'created_by', account_name: 'creator' },
    values: { gold: 'GOLD', 'SVC-00': 'X-00', aws: 'AWS' }
  }
  const { call, result } = await open(t, fields, { names, omit: { Workspace: ['creator'] } })
  const workspace = await result('PUT', path, { plan: 'GOLD' })
  t.match(workspace, { plan: 'GOLD', creator: /@/, type_name: 'X-00', workspace_type: { typeName: 'X-00' } })
  t.notOk('created_by' in workspace)
  t.match((await result('GET', '/workgroups'))[0], { cloud: 'AWS', platform: 'AWS' })
  const wrong = await call('PUT', path, { plan: 'x' })
  t.match(wrong.body.ErrorDetails, [{ FieldName: 'plan', Reason: /GOLD/ }])
  t.match(faultsOf(fields, { names: { fields: { creator: 'tier' } } }), { 'names.fields.creator': /tier/ })
  t.match(faultsOf(fields, { names: { fields: { teir: 'plan' } } }), { 'names.fields.teir': /tier\?$/ })
  t.strictSame(faultsOf(fields, { omit: { Workspace: ['tier'] } }), {})
})

void t.test('OpenAPI, strict bodies and the profile in force show the fields', async (t) => {
  const fields = {
    Workspace: { tier: { ...TIER, description: 'The plan.' }, shown: { from: 'status' }, edition: { const: 'x' } },
    'svcIAM.IAMUser': { kind: { const: 1 } }
  }
  const { mock, call, controlResult, result } = await open(t, fields, {}, { strictBodies: true })
  const { components } = (await mock.app.inject('/openapi.json')).json()
  const { Workspace, UpdateWorkspaceRequest, CreateWorkspaceRequest } = components.schemas
  const property = { type: 'string', enum: ['free', 'gold'], description: 'The plan.' }
  for (const { properties } of [Workspace, UpdateWorkspaceRequest, CreateWorkspaceRequest])
    t.match(properties.tier, property)
  t.match(Workspace.properties, { shown: { type: 'string' }, edition: { type: 'string', enum: ['x'] } })
  t.notOk('shown' in UpdateWorkspaceRequest.properties)
  t.match(await result('PUT', path, { tier: 'gold' }), { tier: 'gold' })
  t.match((await call('PUT', path, { teir: 'gold' })).body.ErrorDetails, [{ FieldName: 'teir' }])
  t.match((await call('PUT', path, { edition: 'x' })).body.ErrorDetails, [{ FieldName: 'edition' }])
  t.strictSame((await controlResult('GET', '/profile')).fields, fields)
  const { requests } = await controlResult('GET', '/requests')
  const { request_id: id } = (requests as Body[]).find(({ status }) => status === 200)
  const { request } = await controlResult('GET', `/requests/${id}`)
  t.match(request.reply, { Result: { tier: 'gold', edition: 'x' } })
})

void t.test('OpenAPI shows the fields of every envelope', async (t) => {
  const { mock } = await open(
    t,
    { 'middleware.Response': { api: { const: 2 }, errors: { from: 'ErrorDetails' } } },
    { names: { fields: { api: 'api_version' } } }
  )
  const { components, paths } = (await mock.app.inject('/openapi.json')).json()
  const { api_version, errors } = components.schemas['middleware.Response'].properties
  t.match(api_version, { enum: [2] })
  let count = 0
  const replies = Object.values<Body>(paths)
    .flatMap((item) => Object.values<Body>(item))
    .flatMap(({ responses }) => Object.values<Body>(responses))
  for (const { content = {} } of replies) {
    const properties = content['application/json']?.schema.properties
    if (properties?.RequestID === undefined) continue
    count++
    t.match(properties, { api_version, errors })
  }
  t.ok(count > 20)
})

void t.test('an invalid field is refused by its path', async (t) => {
  const string = { type: 'string', default: '' }
  for (const [fields, wanted] of [
    [{ Wrkspace: {} }, { 'fields.Wrkspace': /Workspace\?$/ }],
    [{ Workspace: { status: string } }, { 'fields.Workspace.status': /already/ }],
    [{ Workspace: { 'a.b': string } }, { 'fields.Workspace.a.b': /name/ }],
    [{ Workspace: { toString: string } }, { 'fields.Workspace.toString': /every object/ }],
    [{ Workspace: { a: {} } }, { 'fields.Workspace.a': /type, const and from/ }],
    [{ Workspace: { a: { type: 'text', default: '' } } }, { 'fields.Workspace.a.type': /./ }],
    [{ Workspace: { a: { type: 'string', from: 'status' } } }, { 'fields.Workspace.a': /type and from/ }],
    [{ Workspace: { a: { from: 'status', default: '' } } }, { 'fields.Workspace.a.default': /from/ }],
    [{ Workspace: { a: { const: 1, set_by: ['UpdateWorkspaceRequest'] } } }, { 'fields.Workspace.a.set_by': /const/ }],
    [{ Workspace: { a: { type: 'string' } } }, { 'fields.Workspace.a': /required.*default/ }],
    [{ Workspace: { a: { type: 'string', default: 1 } } }, { 'fields.Workspace.a.default': /string/ }],
    [{ Workspace: { a: { type: 'integer', default: 0.5 } } }, { 'fields.Workspace.a.default': /integer/ }],
    [{ Workspace: { a: { type: 'string', default: null } } }, { 'fields.Workspace.a.default': /null/ }],
    [{ Workspace: { a: { type: 'array', default: {} } } }, { 'fields.Workspace.a.default': /array/ }],
    [{ Workspace: { a: { type: 'object', default: [] } } }, { 'fields.Workspace.a.default': /object/ }],
    [{ Workspace: { a: { type: 'string', enum: ['x'], default: 'y' } } }, { 'fields.Workspace.a.default': /"x"/ }],
    [{ Workspace: { a: { type: 'string', enum: [1], default: 'y' } } }, { 'fields.Workspace.a.enum.0': /string/ }],
    [{ Workspace: { a: { type: 'string', enum: ['x', 'x'], default: 'x' } } }, { 'fields.Workspace.a.enum': /twice/ }],
    [{ Workspace: { a: { from: 'stauts' } } }, { 'fields.Workspace.a.from': /status\?$/ }],
    [{ Workspace: { a: { from: 'a' } } }, { 'fields.Workspace.a.from': /built-in/ }],
    [{ Workspace: { a: { from: 'b' }, b: string } }, { 'fields.Workspace.a.from': /built-in/ }],
    [{ Workspace: { a: { from: 'database.nme' } } }, { 'fields.Workspace.a.from': /database\.name\?$/ }],
    [{ Workspace: { a: { from: 'databse.name' } } }, { 'fields.Workspace.a.from': /database\?$/ }],
    [{ Workspace: { a: { from: 'database' } } }, { 'fields.Workspace.a.from': /./ }],
    [{ Workspace: { a: { from: 'workgroup.workspaces' } } }, { 'fields.Workspace.a.from': /workgroup/ }],
    [{ Workspace: { a: { from: 'toString' } } }, { 'fields.Workspace.a.from': /./ }],
    [{ CreateWorkspaceRequest: { a: { from: 'name' } } }, { 'fields.CreateWorkspaceRequest.a.from': /reply/ }],
    [{ CreateWorkspaceRequest: { a: { const: 1 } } }, { 'fields.CreateWorkspaceRequest.a.const': /reply/ }],
    [setBy('Workspace', 'UpdateWorkspaceRequst'), { 'fields.Workspace.a.set_by.0': /UpdateWorkspaceRequest\?$/ }],
    [setBy('Workspace', 'UpdateWorkgroupRequest'), { 'fields.Workspace.a.set_by.0': /UpdateWorkspaceRequest\?$/ }],
    [setBy('Workspace', 'Region'), { 'fields.Workspace.a.set_by.0': /CreateWorkspaceRequest/ }],
    [setBy('Backup', 'DeleteBackupRequest'), { 'fields.Backup.a.set_by.0': /no request/ }],
    [setBy('Region', 'Region'), { 'fields.Region.a.set_by.0': /no request/ }],
    [setBy('FolderStatistics', 'CreateWorkspaceRequest'), { 'fields.FolderStatistics.a.set_by.0': /no request/ }],
    [
      { Workspace: { name_: string, pause: { ...string, set_by: ['UpdateWorkspaceRequest'] } } },
      { 'fields.Workspace.pause.set_by.0': /pause/ }
    ],
    [
      {
        CreateWorkspaceRequest: { a: { type: 'integer', default: 0 } },
        Workspace: { a: { ...string, set_by: ['CreateWorkspaceRequest'] } }
      },
      { 'fields.Workspace.a.set_by.0': /another/ }
    ],
    [
      {
        Workspace: { a: { ...string, set_by: ['UpdateWorkspaceRequest'] } },
        CreateWorkspaceRequest: { a: { type: 'integer', default: 0, set_by: ['CreateWorkspaceRequest'] } }
      },
      { 'fields.CreateWorkspaceRequest.a.set_by.0': /same resource/ }
    ]
  ] as const)
    t.match(faultsOf(fields), wanted, JSON.stringify(fields))
  t.ok('fields.Workspace.__proto__' in faultsOf({ Workspace: JSON.parse('{"__proto__":{"const":1}}') }))

  function setBy(schema: string, request: string) {
    return { [schema]: { a: { ...string, set_by: [request] } } }
  }
})

void t.test('there are at most 1,000 further fields', async (t) => {
  const some = (count: number, field: object = { type: 'string', default: '' }) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, field]))
  const set_by = ['UpdateWorkspaceRequest', 'CreateWorkspaceRequest']
  t.strictSame(faultsOf({ Workspace: some(600, { type: 'string', set_by }), Workgroup: some(400) }), {})
  t.match(faultsOf({ Workspace: some(600), Workgroup: some(401) }), { fields: /1000.*1001/ })
})

void t.test('a field that only a request has is checked, and kept in documents', async (t) => {
  const { call, result, state } = await open(t, {
    CreateWorkspaceRequest: { promotion_code: { type: 'string', default: '', set_by: ['CreateWorkspaceRequest'] } },
    DeleteBackupRequest: { force: { type: 'boolean', default: false } }
  })
  const created = await result('POST', '/workgroups/g/workspaces', { promotion_code: 'SPRING' })
  t.notOk('promotion_code' in created)
  const { workspaces } = (await state()).workgroups[0]
  t.strictSame(workspaces[1].extra, { promotion_code: 'SPRING' })
  t.equal((await call('DELETE', `${path}/backups`, { backup_id: 'b', force: 'x' })).status, 400)
  t.equal((await call('DELETE', `${path}/backups`, { backup_id: 'b', force: true })).status, 200)
})
