import t from 'tap'
import type { WorkspaceState } from '../../src/resources/workspaces/lifecycle.js'
import { type Body, buildMock } from '../helper.js'
import { NONE, openSandbox, type TestSandbox, workspaceIn } from '../sandbox.js'

const mock = await buildMock(t)
const open = () => openSandbox(mock)

/** Whether a workspace costs something in each state. */
const COSTS: Readonly<Record<WorkspaceState, boolean>> = {
  Creating: true,
  Active: true,
  Pausing: true,
  Stopped: false,
  Idle: false,
  Resuming: true,
  Resizing: true,
  Restoring: true,
  Terminating: false,
  Failed: false
}

async function leftBehind(b: TestSandbox): Promise<Record<string, string[]>> {
  const { left_behind: list } = await b.controlResult('GET', '/report')
  for (const { message } of list as Body[]) if (!/\S/.test(message as string)) throw new Error('nothing is said of it')
  return Object.fromEntries((list as Body[]).map(({ kind, ids }) => [kind, ids]))
}

const rulesOf = async (b: TestSandbox) =>
  ((await b.controlResult('GET', '/report')).findings as Body[]).map(({ rule }) => rule as string)

void t.test('a workspace is left running in each state in which it costs something', async (t) => {
  for (const [state, costs] of Object.entries(COSTS)) {
    const b = await open()
    const { id } = await workspaceIn(b, state as WorkspaceState)
    t.strictSame((await leftBehind(b))['running-workspaces'], costs ? [id] : undefined, state)
  }
})

void t.test('a workspace with several transitions under way is named once', async (t) => {
  const b = await open()
  const { id, url } = await workspaceIn(b, 'Active')
  const { id: backup } = await b.controlResult('POST', `/workspaces/${id}/backups`)
  await b.result('POST', `${url}/refresh`)
  t.strictSame(await leftBehind(b), {
    'running-workspaces': [id],
    'transitions-under-way': [id],
    'running-backups': [backup]
  })
  await b.advance('PT1M')
  t.strictSame(await leftBehind(b), { 'running-workspaces': [id] })
})

void t.test('of allow lists, only those that are on count', async (t) => {
  const b = await open()
  const [on, off] = [await b.createWorkgroup(), await b.createWorkgroup()]
  const ids: string[] = []
  for (const workgroup of [on, off])
    ids.push((await b.result('POST', `/workgroups/${workgroup}/allow_list`, { cidr: '0.0.0.0/0' })).id as string)
  await b.result('PUT', `/workgroups/${on}/allow_list/enable`)
  t.strictSame(await leftBehind(b), { 'open-allow-list-entries': ids.slice(0, 1) })
})

/** Creates a workspace, whose creation is all that its client has seen of it. */
async function create(b: TestSandbox): Promise<string> {
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  return `${path}/${(await b.result('POST', path, {})).workspace_id}`
}

const TAKEN_FOR_END = ['transient-state-taken-for-end']

void t.test('a call that is refused for another reason than the state says nothing about what was seen', async (t) => {
  const b = await open()
  const url = await create(b)
  t.equal((await b.call('PUT', url, { workspace_name: '' })).status, 400)
  t.strictSame(await rulesOf(b), [])
  t.equal((await b.call('POST', `${url}/pause`)).status, 400)
  t.strictSame(await rulesOf(b), TAKEN_FOR_END)
})

void t.test('a call that is refused after a stable state was seen is an error, and no more', async (t) => {
  const b = await open()
  const url = await create(b)
  await b.advance('PT5S')
  t.equal((await b.result('GET', url)).status, 'Active')
  await b.setRules({ transition: 'workspace.pause', outcome: 'hold' })
  await b.result('POST', `${url}/pause`)
  t.equal((await b.call('POST', `${url}/resume`)).status, 400)
  t.strictSame(await rulesOf(b), [])
})

void t.test('whose reply shows many workspaces may have seen each of them', async (t) => {
  for (let which = 0; which < 5; which++) {
    const b = await open()
    const workspace = await create(b)
    const { database_id: database } = await b.result('GET', workspace)
    const workgroup = workspace.split('/').slice(0, 3).join('/')
    const databaseUrl = `${workgroup}/databases/${database}`
    const [method, url, body] = (
      [
        ['GET', '/workgroups'],
        ['GET', workgroup],
        ['PUT', workgroup, { workgroup_name: 'a' }],
        ['GET', databaseUrl],
        ['PUT', databaseUrl, { svc_database_name: 'a' }]
      ] as const
    )[which]!
    await b.result(method, url, body)
    t.equal((await b.call('POST', `${workspace}/pause`)).status, 400)
    await b.advance('PT1H')
    t.strictSame(await rulesOf(b), [], `${method} ${url}`)
  }
})

void t.test(
  'a state that has not ended was not taken for the end, and neither was one that a call came after',
  async (t) => {
    const b = await open()
    await b.setRules({ transition: 'workspace.create', outcome: 'hold' })
    const url = await create(b)
    await b.advance('P1D')
    t.strictSame(await rulesOf(b), [])
    await b.control('POST', '/transitions/release')
    await b.setRules()
    await b.advance('PT1H')
    t.strictSame(await rulesOf(b), TAKEN_FOR_END)
    t.equal((await b.call('POST', `${url}/pause`)).status, 200)
    await b.advance('PT1H')
    t.strictSame(await rulesOf(b), [])
  }
)

void t.test('a state may end at the very moment at which it was seen', async (t) => {
  const b = await open()
  await b.setRules({ transition: 'workspace.create', outcome: 'hold' })
  await create(b)
  await b.control('POST', '/transitions/release')
  await b.advance('PT9.999S')
  t.strictSame(await rulesOf(b), [])
  await b.advance('PT0.001S')
  t.strictSame(await rulesOf(b), TAKEN_FOR_END)
})

void t.test('only the end of the state that was seen counts, and not one from earlier', async (t) => {
  const b = await open()
  const { url } = await workspaceIn(b, 'Active')
  const update = async (pause: boolean, status: string) => {
    t.equal((await b.result('PUT', url, { pause })).status, status)
  }
  await update(true, 'Pausing')
  await b.advance('PT5S')
  await update(false, 'Resuming')
  await b.advance('PT5S')
  t.equal((await b.result('GET', url)).status, 'Active')
  await b.setRules({ transition: 'workspace.pause', outcome: 'hold' })
  await update(true, 'Pausing')
  await b.advance('P1D')
  t.strictSame(await rulesOf(b), [])
  await b.control('POST', '/transitions/release')
  await b.advance('PT10S')
  t.strictSame(await rulesOf(b), TAKEN_FOR_END)
})

void t.test('replies that show no workspace are no sight of one', async (t) => {
  const b = await open()
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  t.equal((await b.call('GET', `${path}/${NONE}`)).status, 404)
  t.equal((await b.call('POST', path, { is_rw: false })).status, 400)
  t.strictSame(await rulesOf(b), [])
})
