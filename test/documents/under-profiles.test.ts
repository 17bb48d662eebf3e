import { join } from 'node:path'
import t, { type Test } from 'tap'
import { exportState } from '../../src/documents/export.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import type { FieldsDocument } from '../../src/profile/fields.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import { type Body, buildMock, type BuiltMock, close } from '../helper.js'
import { type Calls, callsOf } from '../sandbox.js'
import { row } from './parts.js'

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

/** The further values of everything that is in a document, in its order. */
const extrasIn = (document: Body) => JSON.stringify(document).match(/"extra":\{[^}]*\}/g)

/** A document without some further values. */
const without = (document: Body, ...names: string[]): Body =>
  JSON.parse(JSON.stringify(document), (key, value: object) =>
    names.includes(key) || (key === 'extra' && Object.keys(value).length === 0) ? undefined : value
  )

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
    t.strictSame(await controlResult('GET', '/state'), without(whole, 'gone'))
    const sandbox = await plane.sandboxes.open(sandboxIdOf(key))
    t.strictSame(exportState(plane, sandbox), whole, 'one that is stored has all values')
    await controlResult('PUT', '/snapshots/first')
  })
  await under(undefined, async ({ controlResult }) => {
    const { profile: _, ...unnamed } = without(whole, 'gone', 'kept') as object & { profile: string }
    t.strictSame(await controlResult('GET', '/state'), unnamed, 'the built-in profile needs no name')
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

/** A document that leaves out some states, too. */
const OF_STATES = {
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
          status: 'Active',
          backups: [{ id: 'a', status: 'Succeeded' }, { id: 'b', status: 'Failed' }, { id: 'c' }],
          restore_jobs: [{ id: 'j', status: 'Succeeded' }, { id: 'k' }]
        },
        { id: 'r', status: 'Restoring', restore_jobs: [{ id: 'l', status: 'Running' }] },
        { id: 's', database: 'd', is_rw: false, refresh_status: 'Refreshed' }
      ]
    }
  ],
  timeline: [{ ...row(0), transition: 'workspace.resume', from: 'Resuming', to: 'Active' }]
}
const STATES = {
  workspace: { Active: 'Up', Restoring: 'Rebuilding' },
  refresh: { Refreshed: 'Fresh' },
  backup: { Succeeded: 'Done', Failed: 'Lost' },
  restore_job: { Succeeded: 'Over', Running: 'Busy' }
}

/** All states of a document, in its order. */
const statesIn = ({ workgroups, timeline }: Body) =>
  Array.from(
    JSON.stringify([workgroups, timeline]).matchAll(/"(?:(?:refresh_)?status|to)":"(\w+)"/g),
    ([, word]) => word
  )

void t.test('a document has the words of the profile, and a database the built-in ones', async (t) => {
  const under = databaseOf(t)
  let other: Body
  await under({ states: STATES }, async ({ controlResult }) => {
    await controlResult('PUT', '/state', OF_STATES)
    other = await controlResult('GET', '/state')
    const writer = ['Up', 'Done', 'Lost', 'Done', 'Over', 'Over']
    t.strictSame(statesIn(other), ['Up', ...writer, 'Rebuilding', 'Busy', 'Up', 'Fresh', 'Up'])
    await controlResult('PUT', '/state', {})
    t.match(await controlResult('GET', '/state'), { workgroups: { length: 0 }, timeline: { length: 0 } })
    await controlResult('PUT', '/state', other)
    t.strictSame(await controlResult('GET', '/state'), other, 'these and the built-in words are understood')
  })
  await under(undefined, async ({ controlResult, control }) => {
    const own = await controlResult('GET', '/state')
    const writer = ['Active', 'Succeeded', 'Failed', 'Succeeded', 'Succeeded', 'Succeeded']
    t.strictSame(statesIn(own), ['Active', ...writer, 'Restoring', 'Running', 'Active', 'Refreshed', 'Active'])
    t.equal((await control('PUT', '/state', { ...other, profile: undefined })).status, 400, 'there are no such words')
    await controlResult('PUT', '/state', own)
  })
  await under({ states: STATES }, async ({ controlResult }) => {
    t.strictSame(await controlResult('GET', '/state'), other)
  })
})
