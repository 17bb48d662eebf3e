import t, { type Test } from 'tap'
import { startMock } from '../../src/node/index.js'
import { openProfile } from '../../src/resources/open-profile.js'
import { buildMock, matchError } from '../helper.js'
import { openSandbox } from '../sandbox.js'
import { openWith } from './edge.js'

const open = (t: Test, quotas: object) => openWith(t, { quotas }, { transitions: 'instant' })

const FAIL = { transition: 'backup.run', outcome: 'fail' }

void t.test('a backup quota counts per workspace, without failed backups', async (t) => {
  const b = await openSandbox(await buildMock(t, { transitions: 'instant' }))
  const workgroup = await b.createWorkgroup()
  const [one, other] = [await b.createActive(workgroup), await b.createActive(workgroup)]
  await b.controlResult('PUT', '/quotas', { manual_backups: 1 })
  const backUp = (workspace: { workspace_id: string }) =>
    b.control('POST', `/workspaces/${workspace.workspace_id}/backups`)
  await b.setRules(FAIL)
  for (let i = 0; i < 3; i++) t.equal((await backUp(one)).status, 200)
  await b.setRules()
  const kept = await backUp(one)
  t.equal(kept.status, 200)
  matchError(t, await backUp(one), 'quotaExceeded', 'quotaPerOf', {
    values: { quota: 'manual_backups', maximum: 1, per: 'workspace', what: 'backup' }
  })
  t.equal((await backUp(other)).status, 200)
  const path = `/workgroups/${workgroup}/workspaces/${one.workspace_id}/backups`
  await b.result('DELETE', path, { backup_id: kept.body.Result.id })
  t.equal((await backUp(one)).status, 200, 'a deleted backup does not count')
  await b.controlResult('PUT', '/quotas', { manual_backups: null })
  t.equal((await backUp(one)).status, 200, 'there is no limit now')
  const state = await b.controlResult('GET', '/state')
  for (const [manual_backups, status] of [
    [2, 403],
    [3, 200]
  ] as const) {
    await b.controlResult('PUT', '/state', { ...state, quotas: { manual_backups } })
    t.equal((await backUp(one)).status, status, 'those of a document count, and no others')
  }
})

void t.test('a profile can count backups per sandbox or database, including failed ones', async (t) => {
  for (const per of ['org', 'database'] as const) {
    const b = await open(t, { manual_backups: { default: 2, per, failed: true } })
    const workgroup = await b.createWorkgroup()
    const [one, other] = [await b.createActive(workgroup), await b.createActive(workgroup)]
    const backUp = async (workspace: { workspace_id: string }) =>
      (await b.control('POST', `/workspaces/${workspace.workspace_id}/backups`)).status
    await b.setRules(FAIL)
    t.strictSame([await backUp(one), await backUp(one), await backUp(one)], [200, 200, 403], per)
    t.equal(await backUp(other), per === 'org' ? 403 : 200, per)
  }
})

void t.test('a failed read-write workspace is not counted, unless the profile says so', async (t) => {
  for (const failed of [false, true]) {
    const b = await open(t, { rw_workspaces: { default: 1, failed } })
    const workgroup = await b.createWorkgroup()
    const create = async () => (await b.call('POST', `/workgroups/${workgroup}/workspaces`, {})).status
    await b.setRules({ transition: 'workspace.create', outcome: 'fail' })
    t.equal(await create(), 200)
    await b.setRules()
    t.strictSame([await create(), await create()], failed ? [403, 403] : [200, 403])
  }
})

void t.test('read-only workspaces can be counted per database', async (t) => {
  const b = await open(t, { ro_workspaces: { default: 1, per: 'database' } })
  const workgroup = await b.createWorkgroup()
  const path = `/workgroups/${workgroup}/workspaces`
  for (let i = 0; i < 2; i++) {
    const { database_id: svc_database_id } = await b.createActive(workgroup)
    const read = () => b.call('POST', path, { svc_database_id, is_rw: false })
    t.equal((await read()).status, 200)
    matchError(t, await read(), 'quotaExceeded', 'quotaPerOf', {
      values: { quota: 'ro_workspaces', maximum: 1, per: 'database', what: 'workspace' }
    })
  }
})

void t.test('automatic backups beyond the quota are skipped, per workspace', async (t) => {
  const b = await open(t, { automatic_backups: { default: 1 } })
  const workgroup = await b.createWorkgroup()
  const ids: string[] = []
  for (let i = 0; i < 2; i++) {
    const { workspace_id } = await b.createActive(workgroup)
    ids.push(workspace_id as string)
    const path = `/workgroups/${workgroup}/workspaces/${workspace_id}/backups/schedule`
    await b.result('POST', path, { schedule: '0 * * * *' })
  }
  await b.advance('PT2H')
  for (const id of ids) {
    t.equal((await b.result('GET', `/workspaces/${id}/backups`)).length, 1)
    t.match((await b.timeline(id)).at(-1), { to: 'skipped', reason: /1 per workspace/ })
  }
})

void t.test('new sandboxes, resets and documents without quotas have the defaults of the profile', async (t) => {
  const b = await open(t, { rw_workspaces: { default: 5 }, ro_workspaces: { default: null } })
  const defaults = { rw_workspaces: 5, ro_workspaces: null, manual_backups: null, automatic_backups: null }
  t.strictSame(await b.controlResult('GET', '/quotas'), defaults)
  await b.controlResult('PUT', '/quotas', { rw_workspaces: null, ro_workspaces: 3 })
  t.match((await b.controlResult('GET', '/state')).quotas, { rw_workspaces: null, ro_workspaces: 3 })
  await b.control('POST', '/reset')
  t.strictSame(await b.controlResult('GET', '/quotas'), defaults)
  await b.control('PUT', '/state', { quotas: { rw_workspaces: null, manual_backups: 1 } })
  t.strictSame(await b.controlResult('GET', '/quotas'), { ...defaults, rw_workspaces: null, manual_backups: 1 })
})

void t.test('a plan sets all quotas, and others can be set with it', async (t) => {
  const profile = {
    profile: 1,
    name: 'x',
    quotas: {
      ro_workspaces: { default: 7 },
      plans: { free: { rw_workspaces: 1 }, 'pro plus': { rw_workspaces: null } }
    }
  } as const
  await using mock = await startMock({ profile })
  const box = mock.sandbox()
  await box.quotas.set({ manual_backups: 3, ro_workspaces: 2 })
  const free = { rw_workspaces: 1, ro_workspaces: 7, manual_backups: null, automatic_backups: null }
  t.strictSame(await box.quotas.set({ plan: 'free' }), free)
  t.strictSame(await box.quotas.set({ plan: 'pro plus', ro_workspaces: 0 }), {
    ...free,
    rw_workspaces: null,
    ro_workspaces: 0
  })
})

void t.test('a plan that does not exist is refused, and nothing is set', async (t) => {
  const b = await open(t, { plans: { free: {} } })
  const refused = await b.control('PUT', '/quotas', { plan: 'fee', rw_workspaces: 1 })
  matchError(t, refused, 'invalidBody', { plan: ['plan', { plans: 'free' }] })
  t.match(await b.controlResult('GET', '/quotas'), { rw_workspaces: null })
  const none = await openSandbox(await buildMock(t))
  matchError(t, await none.control('PUT', '/quotas', { plan: 'free' }), 'invalidBody', {
    plan: ['plan', { plans: 'it has none' }]
  })
})

void t.test('invalid quotas are refused', async (t) => {
  for (const [quotas, problem] of [
    [{ rw_workspace: {} }, 'quotas.rw_workspace is not a field of a profile (did you mean rw_workspaces?)'],
    [{ rw_workspaces: { per: 'database' } }, 'quotas.rw_workspaces.per must be one of org'],
    [{ manual_backups: { default: -1 } }, 'quotas.manual_backups.default must be at least 0'],
    [{ plans: { free: { backups: 1 } } }, 'quotas.plans.free.backups is not a field of a profile'],
    [{ plans: { free: { rw_workspaces: 1.5 } } }, 'quotas.plans.free.rw_workspaces must be an integer, not a fraction']
  ] as const)
    await t.rejects(openProfile({ profile: 1, name: 'x', quotas }), {
      message: `the profile is not valid: ${problem}`
    })
})
