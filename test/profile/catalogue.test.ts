import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startMock } from '../../src/node/index.js'
import { BUILT_IN, toProfileDocument } from '../../src/profile/profile.js'
import { STATES } from '../../src/resources/states.js'
import { buildMock, close, matchError } from '../helper.js'
import { oneOf } from '../messages.js'
import { at, openSandbox, REGIONS, SIZES } from '../sandbox.js'
import { openWith } from './edge.js'

const PROFILE = {
  profile: 1,
  name: 'another',
  catalogue: {
    platforms: ['metal'],
    regions: [{ name: 'eu-central-1', description: 'Frankfurt' }, { name: 'eu-north-1' }],
    versions: [
      { name: '5.0.0', create: false },
      { name: '4.9.9', image: 'x/y:1' }
    ],
    workspace_types: [
      { typeName: 'S', cpu: 0.5, memory: 2 },
      { typeName: 'M', cpu: 4, memory: '16', partition: 2, replicas: 2, ha: 5 },
      { typeName: 'XL', cpu: 64, memory: 512, create: false },
      { typeName: 'OLD', cpu: 1, memory: 1, resize: false }
    ]
  }
} as const

const size = (typeName: string, cpu: string, memory: string, partition: number, ha: number) => ({
  typeName,
  cpu,
  memory,
  partition,
  ha
})

const open = (t: Test) => openWith(t, PROFILE)

void t.test('the metadata lists the catalogue of the profile', async (t) => {
  const { result } = await open(t)
  t.strictSame(await result('GET', '/workspaces/meta'), {
    regions: [
      { name: 'eu-central-1', description: 'Frankfurt' },
      { name: 'eu-north-1', description: 'eu-north-1' }
    ],
    svcVersions: [
      { name: '5.0.0', image: 'svc/database:5.0.0' },
      { name: '4.9.9', image: 'x/y:1' }
    ],
    workspaceTypes: [
      size('S', '0.5', '2Gi', 1, 1),
      size('M', '4', '16', 2, 2),
      size('XL', '64', '512Gi', 1, 1),
      size('OLD', '1', '1Gi', 1, 1)
    ]
  })
})

void t.test('omitted fields have the defaults of the profile, and replies show its sizes', async (t) => {
  const b = await open(t)
  const workgroup = await b.result('POST', '/workgroups', { cloud_provider_id: 'x' })
  t.match(workgroup, { platform: 'metal', region: 'eu-central-1' })
  const path = `/workgroups/${workgroup.workgroup_id}/workspaces`
  t.match(await b.createActive(workgroup.workgroup_id), {
    region: 'eu-central-1',
    svc_version: '4.9.9',
    workspace_type: size('S', '0.5', '2Gi', 1, 1)
  })
  const ha = await b.result('POST', path, { workspace_type_name: 'S', enable_ha: true })
  t.strictSame(
    ha.workspace_type,
    size('S', '0.5', '2Gi', 1, 2),
    'high availability has two replicas unless it says more'
  )
  const large = await b.result('POST', path, { workspace_type_name: 'M', enable_ha: true, svc_version: '4.9.9' })
  t.strictSame(large.workspace_type, size('M', '4', '16', 2, 5))
})

void t.test('values that the catalogue lacks are refused everywhere', async (t) => {
  const b = await open(t)
  const id = await b.createWorkgroup()
  const { workspace_id: workspace } = await b.createActive(id)
  const path = `/workgroups/${id}/workspaces`
  const zone = { repeat: 'daily', time: '08:00', timezone: 'UTC', workspace_id: workspace }
  const types = oneOf('S', 'M', 'XL', 'OLD')
  for (const [method, url, body, problem] of [
    [
      'POST',
      '/workgroups',
      { cloud_provider_id: 'x', platform: 'aws', region: 'us-east-1' },
      { platform: oneOf('metal'), region: oneOf('eu-central-1', 'eu-north-1') }
    ],
    [
      'POST',
      path,
      { svc_version: '5.0.0', workspace_type_name: 'XL' },
      { svc_version: oneOf('4.9.9'), workspace_type_name: oneOf('S', 'M', 'OLD') }
    ],
    ['PUT', `${path}/${workspace}`, { workspace_type_name: 'SVC-00' }, { workspace_type_name: types }],
    [
      'POST',
      `${path}/${workspace}/backups/schedule`,
      { ...zone, workspace_type_name: 'SVC-00' },
      { workspace_type_name: types }
    ],
    [
      'POST',
      `${path}/${workspace}/backups/schedule?operation=delete_workspace_schedule`,
      { id: 'x', workspace_type_name: 'SVC-00' },
      { workspace_type_name: types }
    ]
  ] as const)
    matchError(t, await b.call(method, url, body), 'invalidBody', problem)
  const state = await b.control('PUT', '/state', {
    workgroups: [
      {
        region: 'us-east-1',
        workspaces: [{ id: 'w', status: 'Resuming', svc_version: '4.2.2', workspace_type_name: 'SVC-00' }]
      }
    ],
    events: [{ event: 'workspace.resume', workspace_id: 'w', due: null, payload: { thenType: 'SVC-1' } }]
  })
  matchError(t, state, 'invalidBody', {
    'workgroups.0.region': oneOf('eu-central-1', 'eu-north-1'),
    'workgroups.0.workspaces.0.svc_version': oneOf('5.0.0', '4.9.9'),
    'workgroups.0.workspaces.0.workspace_type_name': types,
    'events.0.payload.thenType': types
  })
})

void t.test('a type that is not for resizes can be kept, but not resized to', async (t) => {
  const b = await open(t)
  const id = await b.createWorkgroup()
  const url = async (workspace_type_name: string) =>
    `/workgroups/${id}/workspaces/${(await b.createActive(id, { workspace_type_name })).workspace_id}`
  const small = await url('S')
  matchError(t, await b.call('PUT', small, { workspace_type_name: 'OLD' }), 'notAllowed', {
    workspace_type_name: ['notResizable', { type: 'OLD' }]
  })
  t.equal((await b.call('PUT', await url('OLD'), { workspace_type_name: 'OLD', auto_stop_minutes: 5 })).status, 200)
  t.match(await b.result('PUT', small, { workspace_type_name: 'XL' }), { status: 'Resizing' })
  await b.advance('PT1M')
  t.match(await b.result('GET', small), { status: 'Active', workspace_type: { typeName: 'XL' } })

  const workspace_id = small.split('/').at(-1)!
  await b.result('POST', `${small}/backups/schedule`, {
    ...{ workspace_id, repeat: 'daily', time: '01:00', timezone: 'UTC', workspace_type_name: 'OLD' }
  })
  await b.advance('P1D')
  t.match((await b.timeline(workspace_id)).at(-1), { attribute: 'firing', to: 'skipped', reason: /OLD is not a type/ })
})

void t.test('the documents, the demo and every example of OpenAPI have the values of the profile', async (t) => {
  const mock = await buildMock(t, { profile: PROFILE })
  const builtIn = /SVC-\d|us-east-1|eu-west-1|4\.2\.\d|ap-southeast/
  for (const url of ['/openapi.json', '/_mock/openapi.json']) {
    const { body } = await mock.call('GET', url, { prefix: '' })
    t.notMatch(JSON.stringify(body.paths), builtIn, url)
    t.notMatch(JSON.stringify(body.components), builtIn, url)
  }
  const { body } = await mock.call('GET', '/openapi.json', { prefix: '' })
  const { properties } = body.components.schemas.CreateWorkspaceRequest
  t.match(properties.workspace_type_name, { enum: ['S', 'M', 'OLD'], description: /; S if absent/ })
  t.strictSame(properties.svc_version.enum, ['4.9.9'])
  t.strictSame(body.components.schemas.UpdateWorkspaceRequest.properties.workspace_type_name.enum.length, 4)
  await using demo = await startMock({ profile: PROFILE, demo: true })
  const state = await demo.sandbox().state.read()
  t.match(state.workgroups, [{ region: 'eu-central-1', workspaces: [{ workspace_type_name: 'S' }] }])
  t.notMatch(JSON.stringify(state), builtIn)
})

void t.test('servers with different profiles, or none, can share a process', async (t) => {
  const mocks = await Promise.all([
    startMock(),
    startMock({ profile: PROFILE }),
    startMock({ profile: { ...PROFILE, catalogue: { regions: [{ name: 'mars' }] } } })
  ])
  t.teardown(() => Promise.all(mocks.map((mock) => mock.close())))
  for (const region of ['us-east-1', 'eu-central-1', 'mars']) {
    const worked = await Promise.allSettled(
      mocks.map((mock) => mock.sandbox().call('createWorkgroup', { body: { cloud_provider_id: 'x', region } }))
    )
    t.equal(worked.filter(({ status }) => status === 'fulfilled').length, 1, region)
  }
  const documents = await Promise.all(mocks.map((mock) => mock.sandbox().profile()))
  const regions = documents.map(({ name, catalogue }) => [name, catalogue?.defaults?.region])
  t.strictSame(regions, [
    ['built-in', 'us-east-1'],
    ['another', 'eu-central-1'],
    ['another', 'mars']
  ])
})

void t.test('a database from another profile can be used', async (t) => {
  const options = { db: join(t.testdir(), 'a.db') }
  const before = await buildMock(t, { ...options, profile: PROFILE })
  const made = await openSandbox(before, { key: 'a' })
  const id = await made.createWorkgroup()
  const { workspace_id } = await made.createActive(id, { workspace_type_name: 'M', enable_ha: true })
  const url = `/workgroups/${id}/workspaces/${workspace_id}`
  await made.controlResult('PUT', '/snapshots/s')
  await made.result('PUT', url, { workspace_type_name: 'XL' })
  await made.result('POST', `${url}/backups/schedule`, {
    ...{ workspace_id, repeat: 'daily', time: '01:00', timezone: 'UTC', workspace_type_name: 'M' }
  })
  await close(before)

  const b = await openSandbox(await buildMock(t, options), { key: 'a' })
  t.match(await b.result('GET', url), { region: 'eu-central-1', workspace_type: size('M', '0', '0', 0, 0) })
  await b.advance('P1D')
  t.match(await b.result('GET', url), { status: 'Active', workspace_type: { typeName: 'XL' } }, 'a resize goes on')
  t.match((await b.timeline(workspace_id as string)).at(-1), { to: 'skipped', reason: /M is not a type/ })
  t.match(await b.result('PUT', url, { workspace_name: 'x' }), { name: 'x' })
  t.match(await b.result('PUT', url, { workspace_type_name: 'SVC-1' }), { status: 'Resizing' })
  await b.controlResult('POST', '/snapshots/s/restore')
  t.match(await b.result('GET', '/workgroups'), [{ workspaces: [{ workspace_type: { typeName: 'M', cpu: '0' } }] }])
})

void t.test('a document with values of another profile is refused, and one that fits is accepted', async (t) => {
  const [builtIn, another] = [await openSandbox(await buildMock(t)), await open(t)]
  const id = await another.createWorkgroup()
  await another.createActive(id)
  const document = await another.controlResult('GET', '/state')
  t.equal(document.profile, 'another')
  const refused = await builtIn.control('PUT', '/state', document)
  matchError(t, refused, 'invalidBody', {
    'workgroups.0.platform': oneOf('aws', 'azure', 'gcp'),
    'workgroups.0.region': oneOf(...REGIONS),
    'workgroups.0.databases.0.svc_version': oneOf('4.2.2', '4.2.1', '4.2.0', '4.1.3'),
    'workgroups.0.workspaces.0.svc_version': oneOf('4.2.2', '4.2.1', '4.2.0', '4.1.3'),
    'workgroups.0.workspaces.0.workspace_type_name': oneOf(...SIZES),
    profile: ['otherProfile', { theirs: 'another', ours: 'built-in' }]
  })
  t.strictSame(await builtIn.result('GET', '/workgroups'), [], 'nothing was changed')
  t.equal((await builtIn.control('PUT', '/state', { profile: 'another', clock: { now: at(0) } })).status, 200)
  t.notOk('profile' in (await builtIn.controlResult('GET', '/state')), 'the built-in profile needs no name')
})

void t.test('an exported document names every given profile, even one called built-in', async (t) => {
  const shown = toProfileDocument(BUILT_IN, STATES)
  for (const [options, named] of [
    [{}, undefined],
    [{ brand: 'acme' }, undefined],
    [{ profile: shown }, 'built-in'],
    [{ profile: { ...PROFILE, name: 'built-in' } }, 'built-in'],
    [{ profile: { ...PROFILE, name: 'built-in' }, brand: 'acme' }, 'built-in']
  ] as const) {
    const mock = await buildMock(t, options)
    const { body } = await mock.call('GET', '/state', { prefix: '/_mock' })
    t.equal(body.Result.profile, named)
    t.equal((await mock.call('PUT', '/state', { prefix: '/_mock', body: body.Result })).status, 200)
  }
})
