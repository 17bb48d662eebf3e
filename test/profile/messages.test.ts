import t from 'tap'
import { openActiveWorkspace } from '../active-workspace.js'
import { buildWith, checkRefused } from './edge.js'

void t.test('an operation succeeds with the message of the profile', async (t) => {
  const mock = await buildWith(t, {
    messages: {
      updateWorkspace: 'Renamed {{path.workspaceID}} to {{body.workspace_name}}',
      getWorkspace: 'One for {{org_name}}: {{request_id}}',
      listWorkgroups: '"All"',
      deleteWorkspaceSchedule: 'Gone: {{body.id}}',
      enableAllowList: 'On',
      getMetadata: '{{query.none}}',
      pauseWorkspace: '{{query.n}}'
    }
  })
  const { call, path, workspace, workgroup, sandbox, control } = await openActiveWorkspace(mock)
  t.match((await call('PUT', path, { workspace_name: 'n' })).body, {
    Message: `Renamed ${workspace} to n`,
    Result: { name: 'n' }
  })
  for (let count = 0; count < 2; count++) {
    const { body, headers } = await call('GET', path)
    t.equal(body.Message, `One for ${sandbox.orgName}: ${headers['x-request-id'] as string}`, 'also from the cache')
    t.equal(body.RequestID, headers['x-request-id'])
    t.equal(body.Result.name, 'n')
  }
  t.equal((await call('GET', '/workgroups')).body.Message, '"All"')
  t.match((await call('PUT', `/workgroups/${workgroup}/allow_list/enable`)).body, { Message: 'On', Result: 'On' })
  t.equal((await call('GET', '/workspaces/meta')).body.Message, '')
  const schedule = { workspace_id: workspace, repeat: 'daily', time: '08:30', timezone: 'UTC', id: 'x' }
  await call('POST', `${path}/backups/schedule`, schedule)
  t.match((await call('POST', `${path}/backups/schedule`, { id: 'x' })).body, { Message: 'Gone: x', Result: 'x' })
  t.equal((await call('GET', `/workgroups/${workgroup}`)).body.Message.length > 0, true, 'others keep their own')
  t.match((await call('PUT', path, { workspace_name: 5 })).body, { Error: true, Message: /workspace_name/ })
  t.equal((await call('POST', `${path}/pause?n=1`)).body.Message, '1')
  const { requests } = (await control('GET', '/requests?operation=updateWorkspace')).body.Result
  const { request } = (await control('GET', `/requests/${requests[0].request_id}`)).body.Result
  t.equal(request.reply.Message, `Renamed ${workspace} to n`)
})

void t.test('invalid messages are refused', async (t) => {
  checkRefused(t, 'messages', [
    [{ getWorkspaces: 'a' }, 'getWorkspaces'],
    [{ listOrgUsers: 'a' }, 'listOrgUsers'],
    [{ getWorkspace: 5 }, 'getWorkspace'],
    [{ getWorkspace: '{{body.a}}' }, 'getWorkspace'],
    [{ getWorkspace: '{{path.databaseID}}' }, 'getWorkspace']
  ])
})
