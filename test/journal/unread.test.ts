import t from 'tap'
import { buildMock, pluck } from '../helper.js'
import { openSandbox } from '../sandbox.js'

void t.test('at most 100 unread fields of a body are listed', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const list = async (count: number) => {
    const body = {
      cloud_provider_id: 'account',
      ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))
    }
    const id = (await b.call('POST', '/workgroups', body)).headers['x-request-id']
    return (await b.controlResult('GET', `/requests?request_id=${id as string}`)).requests[0]
  }
  const all = await list(100)
  t.equal(all.unread.length, 100)
  t.notHas(all, { unread_omitted: true })
  const some = await list(5000)
  t.strictSame(some.unread, all.unread)
  t.equal(some.unread_omitted, true)
})

void t.test('each request lists the fields and parameters that its operation does not read', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const workgroup = await b.createWorkgroup()
  const workspace = await b.createActive(workgroup)
  const url = `/workgroups/${workgroup}/workspaces/${workspace.workspace_id}`
  await b.control('DELETE', '/requests')
  await b.call('PUT', url, {
    workspace_name: { y: 1 },
    addons: [{ addons_id: 'a', enable: true, enable_configuration: { any: [{ x: 1 }] }, colour: 1 }, 'text'],
    agent_config: { x: 1 },
    name: 'b'
  })
  await b.call('POST', `${url}/pause`, { force: true })
  await b.call('POST', `${url}/backups/schedule`, { schedule: '0 3 * * *', time: '12:00' })
  await b.call('POST', `${url}/backups/schedule`, { id: 'x' })
  await b.call('POST', `${url}/backups/schedule`, {
    repeat: 'daily',
    time: '12:00',
    timezone: 'UTC',
    workspace_id: workspace.workspace_id,
    pause: true
  })
  await b.call('POST', `${url}/backups/schedule?operation=other`, { colour: 1, schedule: 'x' })
  await b.call('POST', `${url}/dbuser`, { username: 'a', password: 'b', role: 'c' })
  await b.call('POST', '/workgruops', { a: 1 })
  await b.call('GET', '/workgroups?limit=3&operation=3')
  await b.call('POST', `${url}/backups/schedule?operation=set_backup_schedule&now=1`, { schedule: '', later: 1 })
  const { requests } = await b.controlResult('GET', '/requests')
  t.match(pluck(requests, 'operation', 'unread'), [
    ['updateWorkspace', ['workspace_name.y', 'addons.0.colour', 'agent_config.x', 'name']],
    ['pauseWorkspace', ['force']],
    ['setBackupSchedule', ['time']],
    ['deleteWorkspaceSchedule', []],
    ['updateWorkspaceSchedule', ['pause']],
    [null, []],
    ['createDatabaseUser', ['role']],
    [null, []],
    ['listWorkgroups', ['?limit', '?operation']],
    ['setBackupSchedule', ['?now', 'later']]
  ])
})
