import t from 'tap'
import { openActiveWorkspace } from '../active-workspace.js'
import { type Body, CONTROLLER } from '../helper.js'
import { buildWith, checkRefused } from './edge.js'

const session = (token: string, prefix = CONTROLLER) => ({
  key: null,
  prefix,
  headers: { authorization: `Bearer ${token}` }
})

void t.test('a session has the roles of its user, and every API key those of the profile', async (t) => {
  const mock = await buildWith(t, {
    roles: {
      api_key: ['workspace-member'],
      allow: {
        pauseWorkspace: ['org-admin', 'workspace-admin'],
        getWorkspace: ['workspace-member', 'org-admin'],
        updateWorkspaceSchedule: ['org-admin'],
        deleteWorkgroup: []
      }
    }
  })
  const { key, path, workgroup, workspace, controlResult } = await openActiveWorkspace(mock)
  const status = async (method: string, url: string, options: object, body?: object) => {
    const reply = await mock.call(method, url, { ...options, ...(body === undefined ? {} : { body }) })
    if (reply.status === 403) t.match(reply.body, { Error: true, ErrorDetails: [{ Type: 'Forbidden' }] })
    return reply.status
  }
  t.equal(await status('POST', `${path}/pause`, { key }), 403)
  t.equal(await status('GET', path, { key }), 200)
  t.equal(await status('GET', path, session(`${key}:ada@svc.test`)), 403)
  t.equal(await status('GET', path, session(`${key}:max@svc.test`)), 200)
  t.equal(await status('POST', `${path}/pause`, session(`${key}:max@svc.test`)), 403)
  t.equal(await status('POST', `${path}/pause`, session(`${key}:nobody`)), 403)
  t.equal((await mock.call('GET', path, { key })).body.Result.status, 'Active', 'nothing was done')
  const schedule = { workspace_id: workspace, repeat: 'daily', time: '08:30', timezone: 'UTC', id: 'x' }
  t.equal(await status('POST', `${path}/backups/schedule`, { key }, schedule), 403)
  t.equal(await status('POST', `${path}/backups/schedule`, { key }, { schedule: '0 3 * * *' }), 200)
  t.equal(await status('DELETE', `/workgroups/${workgroup}`, session(key)), 403, 'no role allows it')
  t.equal(await status('GET', '/workgroups', { key }), 200, 'anyone may call the others')
  t.equal(await status('GET', '/workgroups', session(`${key}:nobody`)), 403, 'but must exist')

  const users = (await mock.call('GET', '/users', session(key, ''))).body as Body[]
  const ada = users.find(({ email }) => email === 'ada@svc.test').id as string
  t.equal(await status('POST', `${path}/pause`, session(`${key}:${ada}`)), 200, 'a user can be named by its id')
  await mock.call('PUT', `/users/${ada}/roles`, { ...session(key, ''), body: { roles: ['billing-viewer'] } })
  t.equal(await status('POST', `${path}/resume`, session(`${key}:${ada}`)), 400)
  t.equal(await status('POST', `${path}/pause`, session(`${key}:${ada}`)), 403, 'roles can change')
  t.equal(await status('POST', `${path}/pause`, session(key)), 200, 'a session that names nobody is the org admin')
  const { statuses } = await controlResult('GET', '/coverage')
  const refused = (statuses as Body[]).find(({ name }) => name === 'pauseWorkspace 403')
  t.match(refused, { count: 4 })
})

void t.test('a disabled user may call nothing', async (t) => {
  const mock = await buildWith(t, { roles: { allow: { deleteWorkgroup: ['org-admin'] } } })
  const users = [
    { email: 'a@svc.test', roles: ['org-admin'] },
    { email: 'b@svc.test', roles: ['org-admin'], enabled: false }
  ]
  const { body } = await mock.call('PUT', '/state', { prefix: '/_mock', body: { org_users: users } })
  t.equal(body.Error, false, JSON.stringify(body))
  t.equal((await mock.call('GET', '/workgroups', session('test:a@svc.test'))).status, 200)
  t.equal((await mock.call('GET', '/workgroups', session('test:b@svc.test'))).status, 403)
  t.equal((await mock.call('GET', '/workgroups')).status, 200, 'an API key may do everything by default')
})

void t.test('a session can contain a colon if the profile has no roles', async (t) => {
  const mock = await buildWith(t, {})
  await mock.call('POST', '/workgroups', { key: 'a:b', body: { cloud_provider_id: 'a' } })
  t.equal((await mock.call('GET', '/workgroups', session('a:b'))).body.Result.length, 1)
})

void t.test('bad roles are refused', async (t) => {
  checkRefused(t, 'roles', [
    [{}, 'allow'],
    [{ allow: { getWorkspaces: [] } }, 'allow.getWorkspaces'],
    [{ allow: { getWorkspace: ['admin'] } }, 'allow.getWorkspace.0'],
    [{ allow: {}, api_key: 'org-admin' }, 'api_key']
  ])
})
