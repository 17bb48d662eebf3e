import t from 'tap'
import { type Body, buildMock, pluck } from '../helper.js'
import { NONE, type TestSandbox, testsIn, workspaceIn } from '../sandbox.js'

const mock = await buildMock(t)
const testIn = testsIn(mock)

const belongings = (b: TestSandbox, id: string) => b.controlResult('GET', `/workspaces/${id}`)

testIn('the belongings of a workspace are shown with it, and with no other', async (t, b) => {
  const { id, url } = await workspaceIn(b, 'Active')
  const other = await workspaceIn(b, 'Active')
  const { id: backup } = await b.controlResult('POST', `/workspaces/${id}/backups`)
  await b.advance('PT1M')
  const job = await b.result('POST', `${url}/backups/restore`, { backup_id: backup })
  await b.advance('PT1M')
  await b.result('POST', `${url}/backups/schedule`, { schedule: '0 3 * * *', max_retry: 2 })
  const daily = { workspace_id: id, repeat: 'daily', time: '08:30', timezone: 'UTC' }
  const schedule = await b.result('POST', `${url}/backups/schedule`, daily)
  const shown = await belongings(b, id)
  t.match(shown, {
    backups: [{ id: backup, status: 'Succeeded' }],
    restore_jobs: [{ name: job, status: 'Succeeded' }],
    backup_schedule: { schedule: '0 3 * * *', max_retry: 2 },
    schedules: [{ ...daily, id: schedule }]
  })
  t.strictSame(pluck([shown.backups, shown.restore_jobs, shown.schedules], 'length'), [1, 1, 1])
  const none = { backups: [], restore_jobs: [], backup_schedule: null, schedules: [] }
  t.strictSame(await belongings(b, other.id), none)
  t.equal((await b.control('GET', `/workspaces/${NONE}`)).status, 404)
})

testIn('quotas are set one by one, null lifts one, and all are shown', async (t, b) => {
  const none = { rw_workspaces: null, ro_workspaces: null, manual_backups: null, automatic_backups: null }
  const set = (quotas: object) => b.controlResult('PUT', '/quotas', quotas)
  t.strictSame(await set({}), none)
  t.strictSame(await set({ rw_workspaces: 0, manual_backups: 5 }), { ...none, rw_workspaces: 0, manual_backups: 5 })
  t.strictSame(await set({ ro_workspaces: 2 }), { ...none, rw_workspaces: 0, ro_workspaces: 2, manual_backups: 5 })
  t.strictSame(await set({ rw_workspaces: null, manual_backups: null }), { ...none, ro_workspaces: 2 })
  t.strictSame(await b.controlResult('GET', '/quotas'), { ...none, ro_workspaces: 2 })
})

testIn('the overview lists everything in order of creation, and the states for each action', async (t, b) => {
  const groups: string[] = []
  const workspaces: Body[] = []
  for (let i = 0; i < 3; i++) groups.push(await b.createWorkgroup())
  for (const group of [...groups, ...groups.toReversed()]) workspaces.push(await b.createActive(group))
  const overview = await b.controlResult('GET', '/overview')
  t.strictSame(pluck(overview.workgroups, 'workgroup_id'), groups)
  for (const [list, key] of [
    ['workspaces', 'workspace_id'],
    ['databases', 'database_id']
  ] as const)
    t.strictSame(pluck(overview[list], key), pluck(workspaces, key))
  t.strictSame(overview.possible_in, {
    pause: ['Active'],
    resume: ['Stopped', 'Idle', 'Failed'],
    refresh: ['Active'],
    delete: ['Creating', 'Active', 'Pausing', 'Stopped', 'Idle', 'Resuming', 'Resizing', 'Restoring', 'Failed'],
    backup: ['Active'],
    restore: ['Active'],
    activity: ['Active', 'Idle']
  })
})
