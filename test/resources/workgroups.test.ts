import t from 'tap'
import { type Body, buildMock, createWorkgroup, matchError, matchSuccess, UUID } from '../helper.js'
import { type Fields, LENGTH, oneOf, type Reason, wrongType } from '../messages.js'
import { NONE, REGIONS } from '../sandbox.js'

/** Every operation on one workgroup, with a body where it needs one. */
const OF_ONE = [
  ['GET', undefined],
  ['PUT', { workgroup_name: 'x' }],
  ['DELETE', undefined]
] as const

void t.test('operation 1 answers the workgroup with every field as given', async (t) => {
  const { call } = await buildMock(t)
  const body = { cloud_provider_id: 'account-1', name: 'Ümläut 🚀', platform: 'gcp', region: 'eu-west-1' }
  const reply = await call('POST', '/workgroups', { body })
  const { workgroup_id, org_id } = reply.body.Result as Record<string, string>
  t.match(workgroup_id, UUID)
  t.match(org_id, UUID)
  matchSuccess(t, reply, 'Successfully created the workgroup.', {
    workgroup_id,
    name: 'Ümläut 🚀',
    org_id,
    org_name: '',
    creator: 'owner@svc.test',
    cloud_provider_id: 'account-1',
    platform: 'gcp',
    region: 'eu-west-1',
    enable_allow_list: false,
    svc_databases: [],
    workspaces: []
  })
  t.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
})

void t.test('operation 1 fills in name, platform and region', async (t) => {
  const { call } = await buildMock(t)
  const {
    body: { Result }
  } = await call('POST', '/workgroups', { body: { cloud_provider_id: 'x' } })
  t.equal(Result.name, `workgroup-${(Result.workgroup_id as string).slice(0, 8)}`)
  t.equal(Result.platform, 'aws')
  t.equal(Result.region, 'us-east-1')
})

void t.test('operation 1 accepts every platform, and texts of 1 to 256 characters', async (t) => {
  const { call } = await buildMock(t)
  for (const platform of ['aws', 'azure', 'gcp']) {
    const {
      body: { Result }
    } = await call('POST', '/workgroups', { body: { cloud_provider_id: 'x', platform } })
    t.equal(Result.platform, platform)
  }
  for (const text of ['x', 'x'.repeat(256), '🚀'.repeat(256)]) {
    const {
      status,
      body: { Result }
    } = await call('POST', '/workgroups', { body: { cloud_provider_id: text, name: text } })
    t.equal(status, 200)
    t.strictSame([Result.cloud_provider_id, Result.name], [text, text])
  }
})

void t.test('operation 1 reports every invalid field at once', async (t) => {
  const { call } = await buildMock(t)
  const platform = oneOf('aws', 'azure', 'gcp')
  const region = oneOf(...REGIONS)
  const cases: [body: unknown, fields: Fields][] = [
    [{}, { cloud_provider_id: 'required' }],
    [
      { cloud_provider_id: '', name: '' },
      { name: LENGTH, cloud_provider_id: LENGTH }
    ],
    [
      { cloud_provider_id: 'x'.repeat(257), name: 'x'.repeat(257) },
      { name: LENGTH, cloud_provider_id: LENGTH }
    ],
    [
      { name: 5, platform: 'AWS', region: 'mars' },
      { cloud_provider_id: 'required', name: wrongType('string', 'number'), platform, region }
    ],
    [
      { cloud_provider_id: null, name: true, platform: {}, region: [] },
      {
        name: wrongType('string', 'boolean'),
        cloud_provider_id: wrongType('string', 'null'),
        platform: wrongType('string', 'object'),
        region: wrongType('string', 'array')
      }
    ]
  ]
  for (const [body, fields] of cases) {
    matchError(t, await call('POST', '/workgroups', { body }), 'invalidBody', fields)
  }
  matchSuccess(t, await call('GET', '/workgroups'), 'Successfully listed the workgroups.', [])
})

void t.test('operation 2 lists the workgroups in the order of creation', async (t) => {
  const mock = await buildMock(t)
  matchSuccess(t, await mock.call('GET', '/workgroups'), 'Successfully listed the workgroups.', [])
  const created = []
  for (const name of ['c', 'a', 'b']) {
    const {
      body: { Result }
    } = await mock.call('POST', '/workgroups', { body: { cloud_provider_id: 'x', name } })
    created.push(Result)
  }
  matchSuccess(t, await mock.call('GET', '/workgroups'), 'Successfully listed the workgroups.', created)
})

void t.test('workgroups that are created at the same time are all kept, with different ids', async (t) => {
  const mock = await buildMock(t)
  const ids = await Promise.all(Array.from({ length: 50 }, () => createWorkgroup(mock)))
  t.equal(new Set(ids).size, 50)
  const {
    body: { Result }
  } = await mock.call('GET', '/workgroups')
  t.strictSame(
    (Result as Body[]).map(({ workgroup_id }) => workgroup_id as string),
    ids,
    'in the order of arrival'
  )
})

void t.test('operation 3 answers what operation 1 answered', async (t) => {
  const { call } = await buildMock(t)
  const {
    body: { Result }
  } = await call('POST', '/workgroups', { body: { cloud_provider_id: 'x', name: 'n' } })
  matchSuccess(t, await call('GET', `/workgroups/${Result.workgroup_id}`), 'Successfully got the workgroup.', Result)
})

void t.test('operation 4 renames, and changes nothing if no name is given', async (t) => {
  const { call } = await buildMock(t)
  const {
    body: { Result }
  } = await call('POST', '/workgroups', { body: { cloud_provider_id: 'x', name: 'old' } })
  const url = `/workgroups/${Result.workgroup_id}`
  const renamed = { ...Result, name: 'new' }
  matchSuccess(
    t,
    await call('PUT', url, { body: { workgroup_name: 'new' } }),
    'Successfully updated the workgroup.',
    renamed
  )
  matchSuccess(t, await call('GET', url), 'Successfully got the workgroup.', renamed)
  matchSuccess(t, await call('PUT', url, { body: {} }), 'Successfully updated the workgroup.', renamed)
  matchSuccess(
    t,
    await call('PUT', url, { body: { name: 'ignored', region: 'nowhere' } }),
    'Successfully updated the workgroup.',
    renamed
  )
  matchSuccess(t, await call('GET', url), 'Successfully got the workgroup.', renamed)
})

void t.test('operation 4 refuses an invalid name and leaves the old one', async (t) => {
  const mock = await buildMock(t)
  const url = `/workgroups/${await createWorkgroup(mock)}`
  const before = (await mock.call('GET', url)).body.Result as unknown
  const cases: [workgroup_name: unknown, reason: Reason][] = [
    ['', LENGTH],
    ['x'.repeat(257), LENGTH],
    [7, wrongType('string', 'number')],
    [null, wrongType('string', 'null')]
  ]
  for (const [workgroup_name, reason] of cases) {
    matchError(t, await mock.call('PUT', url, { body: { workgroup_name } }), 'invalidBody', { workgroup_name: reason })
  }
  t.strictSame((await mock.call('GET', url)).body.Result, before)
})

void t.test('operation 5 deletes a workgroup for good, and only that one', async (t) => {
  const mock = await buildMock(t)
  const [gone, kept] = [await createWorkgroup(mock), await createWorkgroup(mock)]
  const message = 'Successfully deleted the workgroup.'
  matchSuccess(t, await mock.call('DELETE', `/workgroups/${gone}`), message, message)
  for (const [method, body] of OF_ONE) {
    matchError(t, await mock.call(method, `/workgroups/${gone}`, { body }), 'notFound', 'resource', {
      values: { what: 'workgroup', id: gone }
    })
  }
  const {
    body: { Result }
  } = await mock.call('GET', '/workgroups')
  t.strictSame(
    (Result as Body[]).map(({ workgroup_id }) => workgroup_id as string),
    [kept]
  )
})

void t.test('operations 3 to 5 answer 404 to an id that names nothing, whatever it looks like', async (t) => {
  const { call } = await buildMock(t)
  for (const id of [NONE, 'x', '%20', encodeURIComponent("' OR 1=1 --"), encodeURIComponent('ünï')]) {
    for (const [method, body] of OF_ONE) {
      matchError(t, await call(method, `/workgroups/${id}`, { body }), 'notFound', 'resource', {
        values: { what: 'workgroup', id: decodeURIComponent(id) }
      })
    }
  }
})

void t.test('a workgroup id is compared exactly, upper case is another one', async (t) => {
  const mock = await buildMock(t)
  let id = await createWorkgroup(mock)
  // One id in about four million has no letter in it.
  while (id === id.toUpperCase()) id = await createWorkgroup(mock)
  t.equal((await mock.call('GET', `/workgroups/${id.toUpperCase()}`)).status, 404)
})

void t.test('two keys are two worlds: nothing of one can be seen, changed or deleted with the other', async (t) => {
  const mock = await buildMock(t)
  const mine = await createWorkgroup(mock, { key: 'mine' })
  const theirs = await createWorkgroup(mock, { key: 'theirs' })
  const before = (await mock.call('GET', '/workgroups', { key: 'mine' })).body.Result as Body[]
  t.strictSame(
    before.map(({ workgroup_id }) => workgroup_id as string),
    [mine]
  )
  for (const [method, body] of OF_ONE) {
    matchError(t, await mock.call(method, `/workgroups/${mine}`, { key: 'theirs', body }), 'notFound', 'resource', {
      values: { what: 'workgroup', id: mine }
    })
  }
  t.strictSame((await mock.call('GET', '/workgroups', { key: 'mine' })).body.Result, before)
  const [other] = (await mock.call('GET', '/workgroups', { key: 'theirs' })).body.Result as Body[]
  t.equal(other.workgroup_id, theirs)
  t.not(other.org_id, before[0].org_id, 'each sandbox has an org of its own')
})
