import fc from 'fast-check'
import t, { type Test } from 'tap'
import { wireNamesOf } from '../../src/http/wire-names.js'
import { startMock } from '../../src/node/mock.js'
import { compileProfile } from '../../src/profile/profile.js'
import { renaming } from '../../src/profile/renaming.js'
import { compileStates, type StateKind } from '../../src/profile/states.js'
import { STATES } from '../../src/resources/states.js'
import { LISTED } from '../../src/resources/tables.js'
import { builtInWording, NAMED_SCHEMAS } from '../../src/resources/vocabulary.js'
import { WorkspaceSchema } from '../../src/resources/workspaces/fields.js'
import { type Body, pluck } from '../helper.js'
import { ALL_OTHER_WORDS } from '../under-words.js'
import { buildWith, openWith, refusals } from './edge.js'

const path = '/workgroups/g/workspaces/w'
const CLOCK = { mode: 'frozen' }

/** A server with a workspace, and a client that translates nothing. */
async function open(t: Test, wording: object) {
  const b = await openWith(t, wording)
  await b.controlResult('PUT', '/state', { workgroups: [{ id: 'g', workspaces: [{ id: 'w' }] }], clock: CLOCK })
  return b
}

/** The fields at fault, with their reasons. */
const faultsOf = (wording: object) => Object.fromEntries(refusals(wording))

/** Renames of some of the names, one to one: to each other's names, and to names that nobody has. */
const renamesOf = (known: readonly string[]) =>
  fc
    .tuple(fc.subarray([...known]), fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }), fc.noShrink(fc.nat()))
    .chain(([names, others]) => {
      const fresh = [...new Set(others)].filter((other) => !known.includes(other))
      const targets = [...names, ...fresh]
      return fc
        .shuffledSubarray(targets, { minLength: names.length, maxLength: names.length })
        .map((chosen) => Object.fromEntries(names.map((name, index) => [name, chosen[index]!])))
    })

const NAMES = ['a', 'b', 'c', 'd', 'e', 'toString', '__proto__']

void t.test('every name survives a translation there and back', async (t) => {
  fc.assert(
    fc.property(renamesOf(NAMES), fc.oneof(fc.constantFrom(...NAMES), fc.string()), (renames, other) => {
      const { toWire, fromWire } = renaming(renames)
      for (const name of [other, ...NAMES, ...Object.values(renames)]) {
        t.equal(fromWire(toWire(name)), name)
        t.equal(toWire(fromWire(name)), name)
      }
      t.equal(new Set(NAMES.map(toWire)).size, NAMES.length, 'two names stay two')
      for (const [name, renamed] of Object.entries(renames)) t.equal(toWire(name), renamed)
    })
  )
})

void t.test('every state survives a translation, and built-in ones are understood unless ambiguous', async (t) => {
  const kinds = Object.keys(STATES) as StateKind[]
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds).chain((kind) => fc.tuple(fc.constant(kind), renamesOf(STATES[kind]))),
      ([kind, renames]) => {
        const { toWire, fromWire } = compileStates({ [kind]: renames })[kind]
        for (const state of STATES[kind]) {
          t.equal(fromWire(toWire(state)), state)
          if (!Object.values(renames).includes(state)) t.equal(fromWire(state), state)
        }
      }
    )
  )
})

void t.test('unknown names, and renames that are not one to one, are refused', async (t) => {
  t.match(faultsOf({ names: { fields: { svc_verson: 'x' } } }), { 'names.fields.svc_verson': /svc_version\?$/ })
  t.match(faultsOf({ names: { fields: { svc_verson: 'name' } } }), { 'names.fields.svc_verson': /svc_version\?$/ })
  t.match(faultsOf({ names: { schemas: { Wrkspace: 'x' } } }), { 'names.schemas.Wrkspace': /Workspace\?$/ })
  t.match(faultsOf({ names: { values: { 'SVC-000': 'x' } } }), { 'names.values.SVC-000': /SVC-00\?$/ })
  t.match(faultsOf({ names: { prefixes: { 'srn:': 'x' } } }), { 'names.prefixes.srn:': /./ })
  t.match(faultsOf({ names: { fields: { name: 'x', status: 'x' } } }), { 'names.fields.status': /x.*name/ })
  t.match(faultsOf({ names: { fields: { name: 'status' } } }), { 'names.fields.name': /status/ })
  t.strictSame(faultsOf({ names: { fields: { name: 'status', status: 'name' } } }), {}, 'two may be swapped')
  t.match(faultsOf({ names: { fields: { name: 'a.b' } } }), { 'names.fields.name': /./ })
  t.match(faultsOf({ names: { feilds: {} } }), { 'names.feilds': /./ })
  t.match(faultsOf({ states: { workspace: { Actve: 'Ready' } } }), { 'states.workspace.Actve': /Active\?$/ })
  t.match(faultsOf({ states: { workspace: { Active: 'Up', Idle: 'Up' } } }), { 'states.workspace.Idle': /Up.*Active/ })
  t.match(faultsOf({ states: { backup: { Running: 'Failed' } } }), { 'states.backup.Running': /Failed/ })
  t.match(faultsOf({ states: { backup: { Running: ' ' } } }), { 'states.backup.Running': /./ })
  t.match(faultsOf({ states: { workgroup: {} } }), { 'states.workgroup': /./ })
  t.match(faultsOf({ omit: { Workspaces: [] } }), { 'omit.Workspaces': /Workspace\?$/ })
  t.match(faultsOf({ omit: { CreateWorkspaceRequest: ['name'] } }), { 'omit.CreateWorkspaceRequest': /reply/ })
  t.match(faultsOf({ omit: { Workspace: ['agent_confg'] } }), { 'omit.Workspace.0': /agent_config\?$/ })
  const shown = {
    Workspace: { name: { in_states: ['Actve'], only: ['getSpace'] }, nam: {} },
    Workgroup: { name: { in_states: ['Active'] } },
    Space: {}
  }
  t.match(faultsOf({ shown }), {
    'shown.Workspace.name.in_states.0': /Active\?$/,
    'shown.Workspace.name.only.0': /operation/,
    'shown.Workspace.nam': /name\?$/,
    'shown.Workgroup.name.in_states.0': /no state/,
    'shown.Space': /schema/
  })
  t.strictSame(faultsOf(ALL_OTHER_WORDS), {})
  const types = [{ typeName: 'ONE', cpu: 1, memory: 1 }]
  const catalogue = { workspace_types: types, defaults: { workspace_type: 'ONE' } }
  t.strictSame(faultsOf({ catalogue, names: { values: { ONE: 'EINS' } } }), {}, 'values are those of the catalogue')
  t.match(faultsOf({ catalogue, names: { values: { 'SVC-00': 'x' } } }), { 'names.values.SVC-00': /./ })
})

void t.test('a name that JSON bodies cannot have is refused', async (t) => {
  t.strictSame(Object.keys(faultsOf({ names: { fields: { region: '__proto__' } } })), ['names.fields.region'])
  t.strictSame(Object.keys(faultsOf({ names: { schemas: { Workspace: '__proto__' } } })), ['names.schemas.Workspace'])
  const { call } = await open(t, { names: { fields: { region: 'constructor' }, values: { 'SVC-00': '__proto__' } } })
  const body = { constructor: 'us-east-1', cloud_provider_id: 'account' }
  t.match((await call('POST', '/workgroups', body)).body.Result, { constructor: 'us-east-1' })
  const workspace = { workspace_type: '__proto__' }
  t.match((await call('POST', '/workgroups/g/workspaces', workspace)).body.Result, {
    workspace_type: { typeName: '__proto__' }
  })
})

void t.test('a profile renames the value of each field that takes it from a list', async (t) => {
  const document = { profile: 1, name: 'service', names: { values: { 'SVC-00': 'other' } } } as const
  const { toWire } = wireNamesOf(compileProfile(document, builtInWording), NAMED_SCHEMAS)!
  for (const [schema, fields] of Object.entries(LISTED))
    for (const field of Object.keys(fields))
      t.strictSame(toWire({ [field]: 'SVC-00' }, 200, { $ref: `${schema}#` }), { [field]: 'other' }, schema)
})

void t.test('explicit names take precedence over a brand', async (t) => {
  const names = { schemas: { SvcDatabase: 'ACMEDatabase' }, fields: { svc_version: 'version_of_acme' } }
  const mock = await buildWith(t, { names }, { brand: 'acme' })
  const { components } = (await mock.app.inject('/openapi.json')).json()
  t.ok(components.schemas['ACMEDatabase'])
  t.notOk(components.schemas['AcmeDatabase'])
  t.match(components.schemas['Workgroup'], { properties: { acme_databases: {} } })
  t.match(components.schemas['Workspace'], { properties: { version_of_acme: {} } })
  t.match((await mock.app.inject('/_mock/profile')).json(), {
    Result: { names: { schemas: { SvcDatabase: 'ACMEDatabase', SvcVersion: 'AcmeVersion' } } }
  })
})

void t.test('every envelope has the new names, whichever part of the server answers', async (t) => {
  const { mock, key, control } = await open(t, ALL_OTHER_WORDS)
  await control('POST', '/faults', { operation: 'getWorkspace', times: 1, effect: { status: 500 } })
  const calls = [
    ['GET', path, {}],
    ['GET', path, {}],
    ['GET', '/nothing', {}],
    ['PATCH', '/workgroups', {}],
    ['GET', '/workgroups', { key: null }],
    ['POST', '/workgroups', { body: '{' }],
    ['POST', '/workgroups', { body: {} }],
    ['GET', '/workgroups/%E0%A4%A', {}]
  ] as const
  for (const [method, url, given] of calls) {
    const { body } = await mock.call(method, url, { key, ...given })
    t.match(body, { w_Error: Boolean, w_RequestID: String, w_Message: String }, `${method} ${url}`)
    t.notOk('Message' in body, `${method} ${url}`)
  }
})

void t.test('states have the words of the profile everywhere, also in requests', async (t) => {
  const { mock, key, call, control, controlResult } = await open(t, ALL_OTHER_WORDS)
  t.match((await call('GET', path)).body, {
    w_Message: 'Successfully got the workspace.',
    w_Result: { w_status: 'WsActive', w_refresh_status: 'Rf' }
  })
  await mock.call('POST', `${path}/pause`, { key, headers: { 'x-request-id': 'pause' } })
  t.match((await call('POST', `${path}/refresh`)).body.w_Message, /is WsPausing; .* only in WsActive/)
  t.match(await controlResult('GET', '/overview'), {
    workspaces: [{ status: 'WsPausing' }],
    possible_in: { pause: ['WsActive'] }
  })
  t.match(await controlResult('GET', '/requests/pause'), {
    timeline: [{ from: 'WsActive', to: 'WsPausing' }],
    changes: [{ table: 'workspaces', before: { status: 'WsActive' }, after: { status: 'WsPausing' } }]
  })
  const until = (status: string) =>
    control('POST', '/clock/advance', { until: { workspace_id: 'w', status }, max: 'PT1H' })
  t.equal((await until('WsStopped')).status, 200)
  t.match((await until('WsActive')).body.Message, /does not become WsActive .* is WsStopped/)
  t.match((await until('Asleep')).body.Message, /WsCreating, .*Wsgone/)
  const state = await controlResult('GET', '/state')
  t.match(state.workgroups[0].workspaces[0], { status: 'WsStopped', refresh_status: 'Rf' })
  t.match((state.timeline as object[]).at(-1), { from: 'WsPausing', to: 'WsStopped' })
  await call('POST', `${path}/resume`)
  t.equal((await control('PUT', '/state', state)).status, 200)
  t.equal((await call('GET', path)).body.w_Result.w_status, 'WsStopped')
  t.strictSame(await controlResult('GET', '/state'), state, 'an import and an export change nothing')
  state.workgroups[0].workspaces[0].status = 'Idle'
  t.equal((await control('PUT', '/state', state)).status, 200, 'the built-in word is understood')
  t.equal((await call('GET', path)).body.w_Result.w_status, 'WsIdle')
})

void t.test('backups and restore jobs have words of their own', async (t) => {
  const { mock, call, controlResult, control } = await open(t, ALL_OTHER_WORDS)
  const made = await controlResult('POST', `/workspaces/w/backups`)
  await control('POST', '/clock/advance', { until: 'idle' })
  const restored = await call('POST', `${path}/backups/restore`, { w_backup_id: made.id })
  const read = () => call('GET', `/workspaces/w/backups/${restored.body.w_Result}/status`)
  t.match((await read()).body, {
    w_Message: 'Successfully got the restore status.',
    w_Result: { w_status: 'RjPending' }
  })
  await control('POST', '/clock/advance', { until: 'idle' })
  t.match((await read()).body.w_Result, { w_status: 'RjSucceeded' })
  t.match((await call('GET', `/workspaces/w/backups`)).body.w_Result, [{ w_status: 'BkSucceeded' }])
  const timeline = (await controlResult('GET', '/timeline')) as Body[]
  const restore = timeline.filter(({ transition }) => transition === 'restore.run')
  t.strictSame(pluck(restore, 'from', 'to'), [
    [null, 'RjPending'],
    ['WsActive', 'WsRestoring'],
    ['RjPending', 'RjRunning'],
    ['WsRestoring', 'WsActive'],
    ['RjRunning', 'RjSucceeded']
  ])
  const { app } = mock
  t.match((await app.inject('/openapi.json')).json<object>(), {
    components: { schemas: { W_Backup: { properties: { w_status: { description: /BkRunning/ } } } } }
  })
})

void t.test('omitted fields are absent from replies and OpenAPI, but stored', async (t) => {
  const omit = {
    Workspace: ['agent_config', 'status'],
    WorkspaceSchedule: ['timezone'],
    'middleware.Response': ['RequestID'],
    'middleware.Error': ['Type'],
    'org_handler.OrgListUserResponse': ['email']
  }
  const { mock, key, call, controlResult } = await open(t, { omit })
  const { body } = await call('GET', path)
  t.notOk('agent_config' in body.Result || 'status' in body.Result || 'RequestID' in body)
  t.ok('name' in body.Result)
  const [inGroup] = (await call('GET', `/workgroups/g`)).body.Result.workspaces
  t.notOk('status' in inGroup)
  const wrong = await call('PUT', path, { workspace_name: 5 })
  t.strictSame(Object.keys(wrong.body.ErrorDetails[0]), ['FieldName', 'Reason'])
  await call('POST', `${path}/backups/schedule`, { repeat: 'daily', time: '08:30', timezone: 'UTC' })
  t.notMatch((await call('GET', `${path}/schedules`)).body.Result, 'timezone')
  const users = (
    await mock.call('GET', '/users', { key: null, headers: { authorization: `Bearer ${key}` }, prefix: '' })
  ).body as object[]
  t.notOk('email' in users[0]!)
  const { schemas } = (await mock.app.inject('/openapi.json')).json().components
  t.notOk('agent_config' in schemas['Workspace']!.properties)
  t.ok('agent_config' in schemas['UpdateWorkspaceRequest']!.properties)
  t.match((await controlResult('GET', '/state')).workgroups[0].workspaces[0], { status: 'Active' })
})

void t.test('a field can be limited to some states or replies', async (t) => {
  const { mock, call, controlResult } = await open(t, {
    fields: { Workspace: { endpoint: { const: 'db.test' } } },
    states: { workspace: { Active: 'Running' }, phases: { Active: [{ status: 'Warming', lasts: '1s' }, {}] } },
    shown: {
      Workspace: { endpoint: { in_states: ['Active'] }, nginx_host: { only: ['getWorkspace'] } },
      Backup: { size_bytes: { in_states: ['Succeeded'] } }
    }
  })
  const own = async () => (await call('GET', path)).body.Result
  const listed = async () => (await call('GET', '/workgroups/g')).body.Result.workspaces[0]
  t.match(await own(), { status: 'Warming', endpoint: 'db.test' }, 'in every phase of a state')
  await controlResult('POST', '/clock/advance', { by: '1s' })
  t.match(await own(), { status: 'Running', endpoint: 'db.test', nginx_host: /./ })
  t.match(await listed(), { endpoint: 'db.test', nginx_host: undefined })
  await call('POST', `${path}/pause`)
  t.match(await own(), { endpoint: undefined, nginx_host: /./ })
  const { properties } = (await mock.app.inject('/openapi.json')).json().components.schemas.Workspace
  t.ok('endpoint' in properties && 'nginx_host' in properties)
  t.match((await controlResult('GET', '/profile')).shown, { Workspace: { endpoint: {} } })
})

void t.test('a profile can limit the states in which a transition is possible', async (t) => {
  const { call, control } = await open(t, { states: { allowed: { 'workspace.resize': ['Active'] } } })
  const resize = (type: string) => call('PUT', path, { workspace_type_name: type })
  t.equal((await resize('SVC-8')).status, 200)
  await control('POST', '/clock/advance', { until: 'idle' })
  await call('POST', `${path}/pause`)
  await control('POST', '/clock/advance', { until: 'idle' })
  t.match(await resize('SVC-4'), {
    status: 400,
    body: { Message: /Stopped; workspace\.resize is possible only in Active/ }
  })
  t.equal((await call('PUT', path, { workspace_name: 'other' })).status, 200, 'other changes are possible')
  const allowed = { 'workspace.resise': [], 'workspace.resize': ['Actve'] }
  t.match(faultsOf({ states: { allowed } }), {
    'states.allowed.workspace.resise': /workspace\.resize\?$/,
    'states.allowed.workspace.resize.0': /Active\?$/
  })
  const without = {
    'workspace.create': ['Active'],
    constructor: ['Active'],
    'workspace.pause': ['Active', 'Idle'],
    'backup.run': ['Failed']
  }
  t.match(faultsOf({ states: { allowed: without } }), {
    'states.allowed.workspace.create': /can be requested/,
    'states.allowed.constructor': /can be requested/,
    'states.allowed.workspace.pause.1': /can be requested: Active$/,
    'states.allowed.backup.run.0': /can be requested: Active$/
  })
})

void t.test('what a profile forbids in all states is not offered, and refused as that', async (t) => {
  const { call, controlResult } = await open(t, { states: { allowed: { 'workspace.pause': [] } } })
  t.match(await call('POST', `${path}/pause`), { status: 400, body: { Message: /is Active; .* in any state\.$/ } })
  t.match((await controlResult('GET', '/overview')).possible_in, { pause: [], refresh: ['Active'] })
})

void t.test('a schedule and an auto-stop act even where requests may not', async (t) => {
  const names = ['workspace.resize', 'workspace.pause', 'workspace.resume', 'workspace.refresh', 'backup.run']
  const allowed = { ...Object.fromEntries(names.map((name) => [name, []])), 'workspace.resize': ['Stopped'] }
  const { call, controlResult } = await open(t, { states: { allowed } })
  const daily = { repeat: 'daily', time: '10:00', timezone: 'UTC', workspace_type_name: 'SVC-8' }
  const workspace = { id: 'w', status: 'Stopped', auto_stop_minutes: 1, schedules: [daily] }
  await controlResult('PUT', '/state', { workgroups: [{ id: 'g', workspaces: [workspace] }], clock: CLOCK })
  await controlResult('POST', '/clock/advance', { until: { workspace_id: 'w', status: 'Active' } })
  t.equal((await call('POST', `${path}/pause`)).status, 400)
  await controlResult('POST', '/clock/advance', { by: '2m' })
  t.match((await call('GET', path)).body.Result, { status: 'Stopped', workspace_type: { typeName: 'SVC-8' } })

  const { workspace_type_name: _, ...pause } = daily
  const backup_schedule = { schedule: '0 9 * * *', max_backup_files: 1 }
  const running = [
    { id: 'w', status: 'Active', schedules: [pause], backup_schedule },
    { id: 'v', status: 'Active', schedules: [daily] },
    { id: 'u', status: 'Idle', enable_auto_start: true }
  ]
  await controlResult('PUT', '/state', { workgroups: [{ id: 'g', workspaces: running }], clock: CLOCK })
  await controlResult('POST', '/workspaces/u/activity')
  await controlResult('POST', '/clock/advance', { by: 'P1D' })
  const { workgroups, backups } = await controlResult('GET', '/state')
  const [w, v, u] = workgroups[0].workspaces
  t.match([w, v, u], [{ status: 'Stopped' }, { workspace_type_name: 'SVC-8' }, { status: 'Active' }])
  t.equal((backups ?? w.backups).length, 1)
})

void t.test('a handle reads renamed envelopes, and shows states in the words of the profile', async (t) => {
  await using mock = await startMock({ profile: ALL_OTHER_WORDS })
  const box = mock.sandbox()
  await box.state.replace({ workgroups: [{ id: 'g', workspaces: [{ id: 'w' }] }] })
  const ids = { workgroupID: 'g', workspaceID: 'w' }
  t.match(await box.call('getWorkspace', ids), { w_status: 'WsActive' })
  await t.rejects(box.call('getWorkspace', { ...ids, workspaceID: 'none' }), {
    name: 'CallError',
    status: 404,
    ErrorDetails: [{ FieldName: '' }]
  })
  await box.call('pauseWorkspace', ids)
  t.match((await box.timeline('w')).at(-1), { from: 'WsActive', to: 'WsPausing' })
  t.equal((await box.state.read()).workgroups![0]!.workspaces![0]!.status, 'WsPausing')
})

void t.test('a profile can keep a deleted workspace readable for a while', async (t) => {
  const states = { workspace: { gone: 'Deleted' }, deleted: { readable_for: 'PT10M' } }
  const fields = { Workspace: { shown: { from: 'status' } } }
  const { mock, call, control, controlResult } = await open(t, { states, fields })
  const now = (await controlResult('GET', '/clock')).now as string
  t.equal((await call('DELETE', path)).status, 200)
  await control('POST', '/clock/advance', { by: 'PT2M' })
  const { status, body } = await call('GET', path)
  t.equal(status, 200)
  t.match(body.Result, { workspace_id: 'w', status: 'Deleted', shown: 'Deleted', workgroup_name: 'g' })
  t.ok(body.Result.deleted_at >= now)
  t.strictSame((await call('GET', '/workgroups/g')).body.Result.workspaces, [], 'no list has it')
  t.equal((await call('PUT', path, {})).status, 404, 'nothing can be done with it')
  t.equal((await call('DELETE', path)).status, 404)
  await control('POST', '/clock/advance', { by: 'PT10M' })
  t.equal((await call('GET', path)).status, 404, 'later it is gone')
  const { components } = (await mock.app.inject('/openapi.json')).json()
  t.ok(components.schemas.Workspace.properties.deleted_at)
  t.strictSame((await controlResult('GET', '/profile')).states.deleted, { readable_for: 'PT10M' })

  await control('PUT', '/state', { workgroups: [{ id: 'g', workspaces: [{ id: 'w' }] }], clock: CLOCK })
  t.equal((await call('GET', path)).body.Result.status, 'Active', 'another workspace can have its id')
  t.match(faultsOf({ states: { deleted: { readable_for: 'soon' } } }), { 'states.deleted.readable_for': /duration/ })
  t.match(faultsOf({ fields: { Workspace: { deleted_at: { const: 1 } } }, states }), {
    'fields.Workspace.deleted_at': /already/
  })
  t.notOk('deleted_at' in (await open(t, {})).mock.plane.profile.schema(WorkspaceSchema).properties)
})
