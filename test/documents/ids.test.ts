import t from 'tap'
import { Random } from '../../src/sim/random.js'
import { buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'
import { daily, row, wrongFields } from './parts.js'

const mock = await buildMock(t)
const SEED = 'a'.repeat(24)
/** No import of these documents draws as many ids as this. */
const DRAW = 40

const inGroup = (group: object) => ({ workgroups: [group] })
const inWorkspace = (workspace: object) => inGroup({ workspaces: [workspace] })
const inGroups = (groups: object[]) => ({ workgroups: groups })
const inWorkspaces = (workspaces: object[]) => inGroup({ workspaces })

/** Documents with ids in one kind of place, and the field that is refused if two are the same. */
const PLACES: Readonly<Record<string, readonly [documentWith: (...ids: string[]) => object, field?: string]>> = {
  org: [(id) => ({ org: { id } })],
  'org users': [
    (...ids) => ({ org_users: ids.map((id) => ({ id, email: 'a', roles: ['org-admin'] })) }),
    'org_users.1.id'
  ],
  workgroups: [(...ids) => inGroups(ids.map((id) => ({ id }))), 'workgroups.1.id'],
  'allowed IPs of one list': [
    (...ids) => inGroup({ allow_list: { entries: ids.map((id, index) => ({ id, cidr: `10.0.0.${index}` })) } }),
    'workgroups.0.allow_list.entries.1.id'
  ],
  'databases of workgroups': [
    (...ids) => inGroups(ids.map((id) => ({ databases: [{ id }] }))),
    'workgroups.1.databases.0.id'
  ],
  'workspaces of workgroups': [
    (...ids) => inGroups(ids.map((id) => ({ workspaces: [{ id }] }))),
    'workgroups.1.workspaces.0.id'
  ],
  'backups of workspaces': [
    (...ids) => inWorkspaces(ids.map((id) => ({ backups: [{ id }] }))),
    'workgroups.0.workspaces.1.backups.0.id'
  ],
  'restore jobs of workspaces': [
    (...ids) => inWorkspaces(ids.map((id) => ({ restore_jobs: [{ id }] }))),
    'workgroups.0.workspaces.1.restore_jobs.0.id'
  ],
  'schedules of one workspace': [
    (...ids) => inWorkspace({ schedules: ids.map((id) => ({ id, ...daily })) }),
    'workgroups.0.workspaces.0.schedules.1.id'
  ],
  'in-database users of workspaces': [
    (...ids) => inWorkspaces(ids.map((id) => ({ users: [{ id, username: 'a', password_hash: 'x' }] }))),
    'workgroups.0.workspaces.1.users.0.id'
  ],
  'what the timeline is about': [(id) => ({ timeline: [{ ...row(0), resource_id: id }] })]
}

for (const [place, [documentWith, field]] of Object.entries(PLACES)) {
  void t.test(`an id of a document is unique, and is not given again: ${place}`, async (t) => {
    const b = await openSandbox(mock)
    const id = new Random({ seed: SEED, draws: DRAW - 1 }).uuid()
    const random = { seed: SEED, draws: 0 }
    await b.controlResult('PUT', '/state', { random, ...documentWith('readable') })
    t.ok((await b.controlResult('GET', '/state')).random.draws < DRAW, 'a readable id uses up none')
    await b.controlResult('PUT', '/state', { random, ...documentWith(id) })
    t.ok((await b.controlResult('GET', '/state')).random.draws >= DRAW)
    for (let i = 0; i < 3; i++) t.not(await b.createWorkgroup(), id)
    if (field !== undefined) t.strictSame(await wrongFields(mock, documentWith('x', 'x')), [field])
  })
}

const twice = (item: object) => [item, item]

void t.test('lists and workspaces may have items in common, but a workspace no two users of one name', async (t) => {
  const users = [{ username: 'a', password_hash: 'x' }]
  const workspaces = [{ schedules: [{ id: 'x', ...daily }], users }]
  const entries = [{ id: 'x', cidr: '10.0.0.0/8' }]
  t.strictSame(await wrongFields(mock, inGroups(twice({ allow_list: { entries }, workspaces }))), [])
  const sameName = inWorkspace({ users: twice(users[0]!) })
  t.strictSame(await wrongFields(mock, sameName), ['workgroups.0.workspaces.0.users.1.username'])
})
