import { join } from 'node:path'
import t, { type Test } from 'tap'
import { exportState } from '../../src/documents/export.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import type { FieldsDocument } from '../../src/profile/fields.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import { type Body, buildMock, type BuiltMock, close } from '../helper.js'
import { type Calls, callsOf } from '../sandbox.js'

// A database outlives the profile that it was filled under: what it keeps, and what is shown of it.

/** Every request that sets further fields of a resource, by the schema that shows it. */
const REQUESTS = {
  Workgroup: 'UpdateWorkgroupRequest',
  AllowedIP: 'AllowedIP',
  SvcDatabase: 'UpdateSvcDatabaseRequest',
  Workspace: 'UpdateWorkspaceRequest',
  BackupRestoreStatus: 'RestoreBackupRequest',
  BackupSchedule: 'BackupSchedule',
  WorkspaceSchedule: 'WorkspaceSchedule',
  'svcIAM.IAMUser': 'InDatabaseUserRequest',
  'org_handler.OrgListUserResponse': 'org_handler.PutOrgUsersRoles'
}

/** Fields of the same names for every resource. */
const fieldsOf = (...names: string[]): FieldsDocument =>
  Object.fromEntries(
    Object.entries(REQUESTS).map(([schema, request]) => [
      schema,
      Object.fromEntries(names.map((name) => [name, { type: 'string', set_by: [request] } as const]))
    ])
  )

const EXTRA = { kept: 'a', gone: 'b' }

/** Something of everything, each resource with further values. */
const DOCUMENT = {
  clock: { mode: 'frozen' },
  org_users: [
    { id: 'o', email: 'ada@svc.test', roles: ['org-admin'], extra: { gone: 'b' } },
    { id: 'p', email: 'ben@svc.test', roles: ['workspace-member'], extra: EXTRA }
  ],
  workgroups: [
    {
      id: 'g',
      extra: EXTRA,
      allow_list: { enabled: true, entries: [{ id: 'a', cidr: '10.0.0.0/8', extra: EXTRA }] },
      databases: [{ id: 'd', name: 'Shop', extra: EXTRA }],
      workspaces: [
        {
          id: 'w',
          database: 'd',
          extra: EXTRA,
          backups: [{ id: 'b' }],
          restore_jobs: [{ id: 'j', extra: EXTRA }],
          backup_schedule: { schedule: '0 * * * *', extra: EXTRA },
          schedules: [{ id: 's', repeat: 'daily', time: '08:00', timezone: 'UTC', extra: EXTRA }],
          users: [{ id: 'u', username: 'ann', password: 'a secret', extra: EXTRA }]
        }
      ]
    },
    { id: 'h' }
  ]
}

/** Further values of everything that is in a document, by what has them. */
function extrasIn({ org_users: users, workgroups: [group] }: Body): Record<string, unknown> {
  const { workspaces, databases, allow_list: allowList } = group
  const [workspace] = workspaces
  const all: Record<string, Body> = {
    orgUser: users[0],
    otherOrgUser: users[1],
    workgroup: group,
    allowedIp: allowList.entries[0],
    database: databases[0],
    workspace,
    job: workspace.restore_jobs[0],
    backupSchedule: workspace.backup_schedule,
    schedule: workspace.schedules[0],
    user: workspace.users[0]
  }
  return Object.fromEntries(Object.entries(all).map(([name, { extra }]) => [name, extra as unknown]))
}

/** Works with a sandbox of a database under a profile; undefined: the built-in one. */
type Under = (
  parts: Partial<ProfileDocument> | undefined,
  work: (calls: Calls, mock: BuiltMock) => Promise<void>
) => Promise<void>

function databaseOf(t: Test): Under {
  const db = join(t.testdir(), 'a.db')
  return async (parts, work) => {
    const mock = await buildMock(t, { db, ...(parts && { profile: { profile: 1, name: 'own', ...parts } }) })
    await work(callsOf(mock, 'x'), mock)
    await close(mock)
  }
}

void t.test('a database keeps all values; a document for readers has those of the profile', async (t) => {
  const under = databaseOf(t)
  let whole: Body
  await under({ fields: fieldsOf('kept', 'gone') }, async ({ controlResult }) => {
    await controlResult('PUT', '/state', DOCUMENT)
    whole = await controlResult('GET', '/state')
    t.strictSame(extrasIn(whole), extrasIn(DOCUMENT))
    t.equal(whole.profile, 'own')
  })
  await under({ fields: fieldsOf('kept') }, async ({ key, controlResult }, { plane }) => {
    const state = await controlResult('GET', '/state')
    for (const [name, extra] of Object.entries(extrasIn(state)))
      t.strictSame(extra, name === 'orgUser' ? undefined : { kept: 'a' }, name)
    const withoutExtra = (document: Body) =>
      JSON.parse(JSON.stringify(document, (name, value: unknown) => (name === 'extra' ? undefined : value)))
    t.strictSame(withoutExtra(state), withoutExtra(whole), 'nothing else is missing')
    const sandbox = await plane.sandboxes.open(sandboxIdOf(key))
    t.strictSame(extrasIn(exportState(plane, sandbox)), extrasIn(whole), 'one that is stored has all values')
    await controlResult('PUT', '/snapshots/first')
  })
  await under(undefined, async ({ controlResult }) => {
    const state = await controlResult('GET', '/state')
    t.notMatch(JSON.stringify(state), 'extra')
    t.notOk('profile' in state, 'the built-in one needs no name')
    await controlResult('PUT', '/snapshots/second')
    await controlResult('PUT', '/state', {})
  })
  await under({ fields: fieldsOf('kept', 'gone') }, async ({ controlResult }) => {
    for (const snapshot of ['first', 'second']) {
      await controlResult('POST', `/snapshots/${snapshot}/restore`)
      t.strictSame(await controlResult('GET', '/state'), whole, `the ${snapshot} snapshot has all of them, too`)
    }
  })
})

/** States of workspaces, refreshes, backups and restore jobs. */
const OWN = {
  active: 'Active',
  restoring: 'Restoring',
  fresh: 'Refreshed',
  done: 'Succeeded',
  lost: 'Failed',
  over: 'Succeeded',
  busy: 'Running'
}
const OTHER: typeof OWN = {
  active: 'Up',
  restoring: 'Rebuilding',
  fresh: 'Fresh',
  done: 'Done',
  lost: 'Lost',
  over: 'Over',
  busy: 'Busy'
}
const STATES = {
  workspace: { [OWN.active]: OTHER.active, [OWN.restoring]: OTHER.restoring },
  refresh: { [OWN.fresh]: OTHER.fresh },
  backup: { [OWN.done]: OTHER.done, [OWN.lost]: OTHER.lost },
  restore_job: { [OWN.over]: OTHER.over, [OWN.busy]: OTHER.busy }
}

/** A document that leaves out some states, too. */
const documentIn = ({ active, restoring, fresh, done, lost, over, busy }: typeof OWN) => ({
  clock: { mode: 'frozen' },
  workgroups: [
    { id: 'empty' },
    {
      id: 'g',
      databases: [{ id: 'd' }],
      workspaces: [
        { id: 'plain' },
        {
          id: 'w',
          status: active,
          backups: [{ id: 'a', status: done }, { id: 'b', status: lost }, { id: 'c' }],
          restore_jobs: [{ id: 'j', status: over }, { id: 'k' }]
        },
        { id: 'r', status: restoring, restore_jobs: [{ id: 'l', status: busy }] },
        { id: 's', database: 'd', is_rw: false, refresh_status: fresh }
      ]
    }
  ],
  timeline: [
    {
      at: '2026-01-01T00:00:00Z',
      resource_id: 'w',
      transition: 'workspace.resume',
      attribute: 'status',
      from: 'Resuming',
      to: active,
      reason: null
    }
  ]
})

/** All states of the document, once it has been imported. */
const statesOf = ({ active, restoring, fresh, done, lost, over, busy }: typeof OWN) => ({
  without: [],
  workspaces: [
    { status: active, refresh: '', backups: [], jobs: [] },
    { status: active, refresh: '', backups: [done, lost, done], jobs: [over, over] },
    { status: restoring, refresh: '', backups: [], jobs: [busy] },
    { status: active, refresh: fresh, backups: [], jobs: [] }
  ],
  changed: active
})

const statesIn = ({ workgroups: [empty, { workspaces }], timeline }: Body) => ({
  without: empty.workspaces as Body[],
  workspaces: (workspaces as Body[]).map(({ status, refresh_status: refresh, backups, restore_jobs: jobs }) => ({
    status,
    refresh,
    backups: (backups as Body[]).map((backup) => backup.status as string),
    jobs: (jobs as Body[]).map((job) => job.status as string)
  })),
  changed: timeline[0].to
})

void t.test('a document has the words of the profile, and a database the built-in ones', async (t) => {
  const under = databaseOf(t)
  await under({ states: STATES }, async ({ controlResult }) => {
    await controlResult('PUT', '/state', documentIn(OTHER))
    t.strictSame(statesIn(await controlResult('GET', '/state')), statesOf(OTHER))
  })
  await under(undefined, async ({ controlResult, control }) => {
    t.strictSame(statesIn(await controlResult('GET', '/state')), statesOf(OWN))
    t.equal((await control('PUT', '/state', documentIn(OTHER))).status, 400, 'there are no such words')
    await controlResult('PUT', '/state', documentIn(OWN))
  })
  await under({ states: STATES }, async ({ controlResult }) => {
    t.strictSame(statesIn(await controlResult('GET', '/state')), statesOf(OTHER))
    await controlResult('PUT', '/state', documentIn(OWN))
    t.strictSame(statesIn(await controlResult('GET', '/state')), statesOf(OTHER), 'the built-in words are understood')
    await controlResult('PUT', '/state', {})
    t.match(await controlResult('GET', '/state'), { workgroups: { length: 0 }, timeline: { length: 0 } })
  })
})
