import type { Body } from '../helper.js'
import type { TestSandbox } from '../sandbox.js'

/**
 * Creates one of everything in a sandbox, with rare schedules.
 * @returns the ids, by the names of path parameters
 */
export async function furnish({
  key,
  mock,
  result,
  control,
  controlResult,
  advance,
  createWorkgroup,
  createActive
}: TestSandbox): Promise<Record<string, string>> {
  const workgroupID = await createWorkgroup()
  const { workspace_id: workspaceID, database_id: databaseID } = await createActive(workgroupID)
  const place = `/workgroups/${workgroupID}/workspaces/${workspaceID}`
  const address = { cidr: '203.0.113.7', note: `note of ${key}` }
  const { id } = await result('POST', `/workgroups/${workgroupID}/allow_list`, address)
  const { id: backup } = await controlResult('POST', `/workspaces/${workspaceID}/backups`, { tag: `tag of ${key}` })
  await advance('PT5S')
  const job = await result('POST', `${place}/backups/restore`, { backup_id: backup })
  await advance('PT5S')
  await result('POST', `${place}/backups/schedule`, { schedule: '0 3 1 1 *' })
  const once = { repeat: 'none', date: '2027-03-28', time: '05:00', timezone: 'UTC', workspace_type_name: 'SVC-1' }
  const schedule = await result('POST', `${place}/backups/schedule`, { workspace_id: workspaceID, ...once })
  await result('POST', `${place}/dbuser`, { username: 'ann', password: 'secret' })
  await control('PUT', `/snapshots/of-${key}`)
  const session = { key: null, headers: { authorization: `Bearer ${key}` }, prefix: '' }
  const [user] = (await mock.call('GET', '/users', session)).body as Body[]
  return { workgroupID, workspaceID, databaseID, id, backup, job, schedule, userId: user.id as string }
}
