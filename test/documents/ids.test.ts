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

/** Documents in which an id has one place each. */
const PLACES: Readonly<Record<string, (id: string) => object>> = {
  org: (id) => ({ org: { id } }),
  'org user': (id) => ({ org_users: [{ id, email: 'a', roles: ['org-admin'] }] }),
  workgroup: (id) => inGroup({ id }),
  'allowed IP': (id) => inGroup({ allow_list: { entries: [{ id, cidr: '10.0.0.0/8' }] } }),
  database: (id) => inGroup({ databases: [{ id }] }),
  workspace: (id) => inWorkspace({ id }),
  backup: (id) => inWorkspace({ backups: [{ id }] }),
  'restore job': (id) => inWorkspace({ restore_jobs: [{ id }] }),
  schedule: (id) => inWorkspace({ schedules: [{ id, ...daily }] }),
  'in-database user': (id) => inWorkspace({ users: [{ id, username: 'a', password_hash: 'x' }] }),
  'what the timeline is about': (id) => ({ timeline: [{ ...row(0), resource_id: id }] })
}

for (const [place, documentWith] of Object.entries(PLACES)) {
  void t.test(`the id of a document is not given again, if it is that of: ${place}`, async (t) => {
    const b = await openSandbox(mock)
    const id = new Random({ seed: SEED, draws: DRAW - 1 }).uuid()
    const random = { seed: SEED, draws: 0 }
    await b.controlResult('PUT', '/state', { random, ...documentWith('readable') })
    t.ok((await b.controlResult('GET', '/state')).random.draws < DRAW, 'a readable id uses up none')
    await b.controlResult('PUT', '/state', { random, ...documentWith(id) })
    t.ok((await b.controlResult('GET', '/state')).random.draws >= DRAW)
    for (let i = 0; i < 3; i++) t.not(await b.createWorkgroup(), id)
  })
}

const twice = (item: object) => [item, item]
const twoWorkspaces = (contents: object) => inGroup({ workspaces: twice(contents) })

/** Documents that use one value twice where it must be unique, and the field that they are refused for. */
const DUPLICATES: Readonly<Record<string, readonly [document: object, field: string]>> = {
  'two org users': [{ org_users: twice({ id: 'x', email: 'a', roles: ['org-admin'] }) }, 'org_users.1.id'],
  'two workgroups': [{ workgroups: twice({ id: 'x' }) }, 'workgroups.1.id'],
  'allowed IPs of one list': [
    inGroup({
      allow_list: {
        entries: [
          { id: 'x', cidr: '10.0.0.0/8' },
          { id: 'x', cidr: '11.0.0.0/8' }
        ]
      }
    }),
    'workgroups.0.allow_list.entries.1.id'
  ],
  'databases of two workgroups': [{ workgroups: twice({ databases: [{ id: 'x' }] }) }, 'workgroups.1.databases.0.id'],
  'workspaces of two workgroups': [
    { workgroups: twice({ workspaces: [{ id: 'x' }] }) },
    'workgroups.1.workspaces.0.id'
  ],
  'backups of two workspaces': [twoWorkspaces({ backups: [{ id: 'x' }] }), 'workgroups.0.workspaces.1.backups.0.id'],
  'restore jobs of two workspaces': [
    twoWorkspaces({ restore_jobs: [{ id: 'x' }] }),
    'workgroups.0.workspaces.1.restore_jobs.0.id'
  ],
  'schedules of one workspace': [
    inWorkspace({ schedules: twice({ id: 'x', ...daily }) }),
    'workgroups.0.workspaces.0.schedules.1.id'
  ],
  'in-database users of two workspaces': [
    twoWorkspaces({ users: [{ id: 'x', username: 'a', password_hash: 'x' }] }),
    'workgroups.0.workspaces.1.users.0.id'
  ],
  'names of users of one workspace': [
    inWorkspace({ users: twice({ username: 'a', password_hash: 'x' }) }),
    'workgroups.0.workspaces.0.users.1.username'
  ]
}

for (const [what, [document, field]] of Object.entries(DUPLICATES)) {
  void t.test(`a document is refused if these are the same: ${what}`, async (t) => {
    t.strictSame(await wrongFields(mock, document), [field])
  })
}

void t.test('two allow lists, or two workspaces, may have equal entries, schedules and users', async (t) => {
  const document = {
    workgroups: twice({
      allow_list: { entries: [{ id: 'x', cidr: '10.0.0.0/8' }] },
      workspaces: [{ schedules: [{ id: 'x', ...daily }], users: [{ username: 'a', password_hash: 'x' }] }]
    })
  }
  t.strictSame(await wrongFields(mock, document), [])
})
