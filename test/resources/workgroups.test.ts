import t from 'tap'
import { buildMock, createWorkgroup, matchSuccess, pluck, UUID } from '../helper.js'

void t.test('operation 1 answers the workgroup with every field as given', async (t) => {
  const { call } = await buildMock(t)
  // The longest name, in characters.
  const name = 'Ü🚀'.repeat(128)
  const body = { cloud_provider_id: 'account-1', name, platform: 'gcp', region: 'eu-west-1' }
  const reply = await call('POST', '/workgroups', { body })
  const { workgroup_id, org_id } = reply.body.Result as Record<string, string>
  t.match(workgroup_id, UUID)
  t.match(org_id, UUID)
  matchSuccess(t, reply, 'Successfully created the workgroup.', {
    workgroup_id,
    name,
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

void t.test('operation 1 has defaults for name, platform and region', async (t) => {
  const { call } = await buildMock(t)
  const { Result } = (await call('POST', '/workgroups', { body: { cloud_provider_id: 'x' } })).body
  t.equal(Result.name, `workgroup-${(Result.workgroup_id as string).slice(0, 8)}`)
  t.equal(Result.platform, 'aws')
  t.equal(Result.region, 'us-east-1')
})

void t.test('operation 2 lists the workgroups in the order of creation', async (t) => {
  const mock = await buildMock(t)
  matchSuccess(t, await mock.call('GET', '/workgroups'), 'Successfully listed the workgroups.', [])
  const created = []
  for (const name of ['c', 'a', 'b']) {
    const { Result } = (await mock.call('POST', '/workgroups', { body: { cloud_provider_id: 'x', name } })).body
    created.push(Result)
  }
  matchSuccess(t, await mock.call('GET', '/workgroups'), 'Successfully listed the workgroups.', created)
})

void t.test('operation 4 renames, and changes nothing without a name; operation 3 shows the result', async (t) => {
  const { call } = await buildMock(t)
  const { Result } = (await call('POST', '/workgroups', { body: { cloud_provider_id: 'x', name: 'old' } })).body
  const url = `/workgroups/${Result.workgroup_id}`
  matchSuccess(t, await call('GET', url), 'Successfully got the workgroup.', Result)
  const renamed = { ...Result, name: 'new' }
  for (const body of [{ workgroup_name: 'new' }, {}, { name: 'ignored', region: 'nowhere' }]) {
    matchSuccess(t, await call('PUT', url, { body }), 'Successfully updated the workgroup.', renamed)
    matchSuccess(t, await call('GET', url), 'Successfully got the workgroup.', renamed)
  }
})

void t.test('operation 5 deletes only that workgroup', async (t) => {
  const mock = await buildMock(t)
  const [gone, kept] = [await createWorkgroup(mock), await createWorkgroup(mock)]
  const message = 'Successfully deleted the workgroup.'
  matchSuccess(t, await mock.call('DELETE', `/workgroups/${gone}`), message, message)
  t.equal((await mock.call('GET', `/workgroups/${gone}`)).status, 404)
  const { Result } = (await mock.call('GET', '/workgroups')).body
  t.strictSame(pluck(Result, 'workgroup_id'), [kept])
})
