import t from 'tap'
import { prepareState } from '../../src/documents/prepare.js'
import { buildMock } from '../helper.js'
import { at } from '../sandbox.js'
import { daily, event, row, withWorkspace, wrongFields } from './parts.js'

const mock = await buildMock(t)
const few = await buildMock(t, { maxResources: 10, timelineEntries: 20 })

const reader = { is_rw: false }
const user = (roles: unknown) => ({ org_users: [{ email: 'a', roles }] })
const frozenAt = (seconds: number) => ({ mode: 'frozen', now: at(seconds) })

const WORKSPACE = 'workgroups.0.workspaces.0'

const REFUSED: Readonly<Record<string, readonly [document: object, ...fields: string[]]>> = {
  'a reader that is restored, for its state alone': [
    withWorkspace({ ...reader, status: 'Restoring' }),
    `${WORKSPACE}.status`
  ],
  'roles that are no list, and so no org admin': [user('org-admin'), 'org_users', 'org_users.0.roles'],
  'a user without roles': [user([]), 'org_users', 'org_users.0.roles'],
  'one role twice': [user(['org-admin', 'org-admin']), 'org_users', 'org_users.0.roles'],
  'a job that is over, as that of a restore': [
    withWorkspace(
      { status: 'Restoring', restore_jobs: [{ id: 'old' }, { id: 'new', status: 'Running' }] },
      { events: [event('restore.run', { job: 'old' })] }
    ),
    'events.0.payload.job'
  ],
  'two events that are wrong, each for itself': [
    withWorkspace({}, { events: [event('workspace.pause'), event('workspace.pause')] }),
    'events.0.event',
    'events.1.event'
  ],
  'a timeline that runs back behind an entry without a right time': [
    withWorkspace({}, { clock: frozenAt(9), timeline: [row(5), { ...row(5), at: 'x' }, row(4)] }),
    'timeline.1.at',
    'timeline.2.at'
  ],
  'a fault without an effect': [{ faults: [{ effect: { status: 500 } }, { effect: {} }] }, 'faults.1.effect'],
  'a field with a dot in its name, beside another mistake': [
    { 'x.y': 1, workgroups: [{ id: 'g' }, { id: 'g' }] },
    'workgroups.1.id',
    'x.y'
  ]
}

for (const [what, [document, ...fields]] of Object.entries(REFUSED)) {
  void t.test(`a document is refused for ${what}`, async (t) => {
    t.strictSame(await wrongFields(mock, document), fields)
  })
}

const ACCEPTED: Readonly<Record<string, object>> = {
  'changes and events at one moment': withWorkspace(
    { status: 'Pausing' },
    { clock: frozenAt(5), timeline: [row(5), row(5)], events: [event('workspace.pause', {}, at(5))] }
  ),
  'a clock that runs, and showed an earlier time than the newest change': {
    clock: { mode: 'real', now: at(0), wall: at(0) },
    timeline: [row(5)]
  },
  'the same of a clock that does not say its mode': { clock: { now: at(0) }, timeline: [row(5)] },
  'a reader that goes on with its own size': withWorkspace(
    { ...reader, status: 'Resuming', workspace_type_name: 'SVC-2' },
    { events: [event('workspace.resume', { thenType: 'SVC-2' })] }
  ),
  'a reader that goes on with the usual size': withWorkspace(
    { ...reader, status: 'Resuming' },
    { events: [event('workspace.resume', { thenType: 'SVC-00' })] }
  ),
  'several retries of backups': withWorkspace(
    {},
    { events: [event('backup.retry', { retries: 1 }), event('backup.retry', { retries: 1 })] }
  ),
  'the ends of two backups': withWorkspace(
    { backups: ['a', 'b'].map((id) => ({ id, status: 'Running' })) },
    { events: [event('backup.run', { backup: 'a' }), event('backup.run', { backup: 'b' })] }
  ),
  'the firings of two schedules': withWorkspace(
    { schedules: ['a', 'b'].map((id) => ({ id, ...daily })) },
    { events: [event('workspace.schedule', { schedule: 'a' }), event('workspace.schedule', { schedule: 'b' })] }
  ),
  'the firing of a backup schedule': withWorkspace(
    { backup_schedule: { schedule: '0 3 * * *' } },
    { events: [event('backup.schedule')] }
  ),
  'the end of a refresh': withWorkspace({ refresh_status: 'Refreshing' }, { events: [event('workspace.refresh')] }),
  'the auto-stop of a workspace that is Active without saying so': withWorkspace(
    {},
    { events: [event('workspace.auto-stop')] }
  ),
  'a step and the end of a restore, behind a job that is over': withWorkspace(
    { status: 'Restoring', restore_jobs: [{ id: 'old' }, { id: 'new', status: 'Running' }] },
    { events: [event('restore.step', { job: 'new' }), event('restore.run', { job: 'new' })] }
  )
}

for (const [what, document] of Object.entries(ACCEPTED)) {
  void t.test(`a document may have ${what}`, async (t) => {
    t.strictSame(await wrongFields(mock, document), [])
  })
}

void t.test('a document may be exactly as large as the options allow', async (t) => {
  // Three users, a workgroup, and three workspaces with a database each.
  t.strictSame(await wrongFields(few, { workgroups: [{ workspaces: [{}, {}, {}] }] }), [])
  const timeline = Array.from({ length: 20 }, (_, i) => row(i))
  t.strictSame(await wrongFields(few, { timeline }), [])
  const fields = await wrongFields(few, { events: Array(40).fill(0) })
  t.ok(fields.includes('events.39'), 'each event is looked at')
  t.notOk(fields.includes('events'), 'and there are not too many of them')
})

void t.test('a refused document is not modified', async (t) => {
  const document = {
    org: { id: 'o', name: 5 },
    workgroups: [
      { id: 'g', region: 'nowhere', workspaces: [{ id: 'w', status: 'Sleeping', backups: [{ id: 5 }, 7] }, null] }
    ]
  }
  const before = structuredClone(document)
  await t.rejects(prepareState(document, mock.plane), { name: 'ServiceError' })
  t.strictSame(document, before)
})
