import t from 'tap'
import { Api } from '../../src/fidelity/api.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { BUILT_IN } from '../../src/profile/profile.js'

const path = '/controller/v4/v2/workgroups/g/workspaces/w/backups/schedule'

void t.test('the query or, without it, the body selects the operation of a shared path', async (t) => {
  const api = new Api(BUILT_IN)
  for (const [query, requestBody, operation] of [
    ['operation=set_backup_schedule', {}, 'setBackupSchedule'],
    ['operation=update_workspace_schedule', { schedule: {} }, 'updateWorkspaceSchedule'],
    ['operation=delete_workspace_schedule', { schedule: {} }, 'deleteWorkspaceSchedule'],
    ['', { schedule: {} }, 'setBackupSchedule'],
    ['', { id: 's' }, 'deleteWorkspaceSchedule'],
    ['', { id: 's', time: '10:00' }, 'updateWorkspaceSchedule'],
    ['operation=constructor', { id: 's' }, 'deleteWorkspaceSchedule']
  ] as const) {
    const call = api.recognise({ method: 'POST', path, query, requestBody } as unknown as Exchange)
    t.equal(call?.operation, operation, `${query} ${JSON.stringify(requestBody)}`)
  }
})
