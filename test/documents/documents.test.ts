import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Body, buildMock, matchError, type Reply } from '../helper.js'
import { logLines } from '../log-lines.js'
import { type Fields, oneOf, wrongType } from '../messages.js'
import { at, openSandbox, SIZES, testsIn } from '../sandbox.js'
import { holdWall } from '../wall.js'
import { daily, event, row, withWorkspace } from './parts.js'

const mock = await buildMock(t)
const open = () => openSandbox(mock)
const testIn = testsIn(mock)

testIn('a document always leads to the same sandbox, ids included', async (t, b) => {
  const document = {
    clock: { mode: 'frozen', now: at(0) },
    workgroups: [{ workspaces: [{ schedules: [daily] }, {}] }]
  }
  const states: string[] = []
  for (const before of [{}, withWorkspace(), { random: { seed: 'a'.repeat(24), draws: 7 } }, document]) {
    await b.control('PUT', '/state', before)
    await b.createWorkgroup()
    await b.control('PUT', '/state', document)
    const { transitions, ...state } = await b.controlResult('GET', '/state')
    t.strictSame(transitions, [])
    states.push(
      JSON.stringify({
        ...state,
        events: (state.events as Body[]).map(({ request_id: _, ...event }: Body) => event as object)
      })
    )
  }
  t.equal(new Set(states).size, 1)
})

testIn('a clock without a time does not show one before what has happened', async (t, b) => {
  const timeline = [{ ...row(5), at: '2999-01-01T00:00:00.000Z' }]
  await b.control('PUT', '/state', withWorkspace({}, { clock: { mode: 'frozen' }, timeline }))
  const state = await b.controlResult('GET', '/state')
  t.equal(state.clock.now, '2999-01-01T00:00:00.000Z')
  t.equal((await b.control('PUT', '/state', state)).status, 200)
})

/** What `PUT /_mock/state` answers to a document that is wrong. */
async function refused(t: Test, document: unknown): Promise<Reply> {
  const b = await open()
  await b.control('PUT', '/state', withWorkspace({ name: 'before' }))
  const before = JSON.stringify(await b.controlResult('GET', '/state'))
  const reply = await b.control('PUT', '/state', document)
  t.equal(reply.status, 400, JSON.stringify(document))
  t.equal(JSON.stringify(await b.controlResult('GET', '/state')), before, 'nothing was changed')
  return reply
}

void t.test('all errors of a document are reported at once, with their paths', async (t) => {
  const { body } = await refused(t, {
    format: 1,
    clock: { mode: 'frozen', wall: at(0) },
    other: 1,
    transitions: [{ transition: 'workspace.stop' }],
    org_users: [{ email: 'a', roles: ['workspace-member'] }],
    workgroups: [
      { id: 'g', region: 'nowhere', workspaces: [{ database: 'x', status: 'Sleeping' }] },
      { id: 'g', workspaces: 'none', allow_list: { entries: [{ cidr: '10.0.0.0/33' }] } }
    ],
    events: [{ event: 'x', workspace_id: 'y', due: 5 }]
  })
  const fields = new Set((body.ErrorDetails as Body[]).map(({ FieldName }) => FieldName as string))
  t.strictSame([...fields].sort(), [
    'clock.wall',
    'events.0.due',
    'events.0.event',
    'org_users',
    'other',
    'transitions.0.transition',
    'workgroups.0.region',
    'workgroups.0.workspaces.0.database',
    'workgroups.0.workspaces.0.status',
    'workgroups.1.allow_list.entries.0.cidr',
    'workgroups.1.id',
    'workgroups.1.workspaces'
  ])
})

testIn('faults are tried in the order of the document, which also numbers those without an id', async (t, b) => {
  await b.control('PUT', '/state', {
    faults: [{ effect: { status: 500 } }, { id: 'fault-5', effect: { status: 501 } }, { effect: { status: 502 } }]
  })
  t.match(await b.controlResult('GET', '/faults'), [
    { id: 'fault-1', effect: { status: 500 }, seen: 0, hits: 0 },
    { id: 'fault-5', effect: { status: 501 } },
    { id: 'fault-6', effect: { status: 502 } }
  ])
})

type Case = readonly [document: unknown, fields: Fields]

const WORKSPACE = 'workgroups.0.workspaces.0'

/** A workspace whose own fields are wrong. */
const ofWorkspace = (workspace: object, fields: Fields): Case => [
  withWorkspace(workspace),
  Object.fromEntries(Object.entries(fields).map(([field, reason]) => [`${WORKSPACE}.${field}`, reason]))
]

/** An event of a workspace whose own fields are wrong. */
const ofEvent = (workspace: object, [kind, payload]: Parameters<typeof event>, fields: Fields): Case => [
  withWorkspace(workspace, { events: [event(kind, payload)] }),
  Object.fromEntries(Object.entries(fields).map(([field, reason]) => [`events.0.${field}`, reason]))
]

const KINDS =
  'workspace.create, workspace.pause, workspace.resume, workspace.resize, restore.run, workspace.delete, ' +
  'workspace.refresh, workspace.auto-stop, backup.run, restore.step, backup.schedule, backup.retry, ' +
  'workspace.schedule'
const job = { id: 'j', status: 'Running' }
const backup_schedule = { schedule: '0 3 * * *' }
const RESERVED = ['current', 'enable', 'disable']

const CASES: Readonly<Record<string, Case>> = {
  'no object': [[], { '': wrongType('object', 'array') }],
  nothing: [null, { '': 'noBody' }],
  'a newer format': [{ format: 2 }, { format: ['newerFormat', { known: 1, format: 2 }] }],
  'no format': [{ format: '1' }, { format: ['format', { known: 1, format: '"1"' }] }],
  'a format before the first': [{ format: 0 }, { format: ['format', { known: 1, format: 0 }] }],
  'wall with a frozen clock': [{ clock: { mode: 'frozen', now: at(0), wall: at(0) } }, { 'clock.wall': 'onlyInReal' }],
  'wall without now': [{ clock: { wall: at(0) } }, { 'clock.wall': 'needsNow' }],
  'no time': [{ clock: { now: 'today' } }, { 'clock.now': 'timestamp' }],
  'an id that is no word': [{ workgroups: [{ id: 'a/b' }] }, { 'workgroups.0.id': 'readableId' }],
  'no org admin': [{ org_users: [{ email: 'a', enabled: false, roles: ['org-admin'] }] }, { org_users: 'noAdmin' }],
  'a rule that cannot be': [
    { transitions: [{ transition: 'workspace.pause', reason: 'x' }] },
    { 'transitions.0.reason': 'onlyWithFail' }
  ],
  'one block twice': [
    { workgroups: [{ allow_list: { entries: [{ cidr: '10.0.0.1' }, { cidr: '10.0.0.1/32' }] } }] },
    { 'workgroups.0.allow_list.entries.1.cidr': ['taken', { field: 'workgroups.0.allow_list.entries.0.cidr' }] }
  ],
  'ids that are operations': [
    { workgroups: [{ allow_list: { entries: RESERVED.map((id, i) => ({ id, cidr: `10.0.0.${i}` })) } }] },
    Object.fromEntries(
      RESERVED.map((id, i) => [`workgroups.0.allow_list.entries.${i}.id`, ['reservedId', { id }] as const])
    )
  ],
  'two writers of a database': [
    { workgroups: [{ databases: [{ id: 'd' }], workspaces: [{ database: 'd' }, { database: 'd' }] }] },
    { 'workgroups.0.workspaces.1.is_rw': ['secondWriter', { other: WORKSPACE }] }
  ],
  'a reader without a database': [
    { workgroups: [{ workspaces: [{ is_rw: false }] }] },
    { [`${WORKSPACE}.database`]: 'databaseForReader' }
  ],
  'a database that is not there': ofWorkspace({ database: 'x' }, { database: ['databaseId', { id: 'x' }] }),
  'a snapshot time of a writer': ofWorkspace({ snapshot_time: at(0) }, { snapshot_time: 'onlyForReader' }),
  'backups of a reader': ofWorkspace(
    { is_rw: false, backups: [{}], restore_jobs: [{}], backup_schedule },
    { backups: 'emptyForReader', restore_jobs: 'emptyForReader', backup_schedule: 'absentForReader' }
  ),
  'a reader of another size': ofWorkspace(
    { is_rw: false, status: 'Resizing' },
    { status: ['stateOfReader', { state: 'Resizing' }] }
  ),
  'a refresh of what does not run': ofWorkspace(
    { status: 'Stopped', refresh_status: 'Refreshing' },
    { refresh_status: 'refreshing' }
  ),
  'Restoring without a job': ofWorkspace({ status: 'Restoring' }, { restore_jobs: 'jobMissing' }),
  'a job without Restoring': ofWorkspace({ restore_jobs: [job] }, { 'restore_jobs.0.status': 'jobNotLast' }),
  'a job under way before the last': ofWorkspace(
    { status: 'Restoring', restore_jobs: [job, { status: 'Pending' }] },
    { 'restore_jobs.0.status': 'jobNotLast' }
  ),
  'a wrong cron line': ofWorkspace({ backup_schedule: { schedule: '0 3' } }, { 'backup_schedule.schedule': 'cron' }),
  'a cron line that never fires': ofWorkspace(
    { backup_schedule: { schedule: '0 3 30 2 *' } },
    { 'backup_schedule.schedule': 'never' }
  ),
  'a schedule without its date': ofWorkspace(
    { schedules: [{ ...daily, repeat: 'none' }] },
    { 'schedules.0.date': 'dateRequired' }
  ),
  'a user without a password': ofWorkspace({ users: [{ username: 'a' }] }, { 'users.0': 'onePassword' }),
  'a user with two': ofWorkspace(
    { users: [{ username: 'a', password: 'x', password_hash: 'y' }] },
    { 'users.0': 'onePassword' }
  ),
  'an event that is none': ofEvent({}, ['workspace.stop'], { event: ['oneOf', { known: KINDS }] }),
  'an event of nothing': [
    withWorkspace({}, { events: [{ ...event('workspace.pause'), workspace_id: 'x' }] }),
    { 'events.0.workspace_id': ['eventWorkspace', { id: 'x' }] }
  ],
  'the end of what does not run': ofEvent({}, ['workspace.pause'], {
    event: ['needsState', { needed: 'Pausing', state: 'Active' }]
  }),
  'two ends': [
    withWorkspace({ status: 'Pausing' }, { events: [event('workspace.pause'), event('workspace.pause', {})] }),
    { 'events.1': ['taken', { field: 'events.0' }] }
  ],
  'a size that there is not': ofEvent(
    { status: 'Resizing' },
    ['workspace.resize', { typeName: 'XXL', enableHa: 1, id: 'x' }],
    {
      'payload.id': 'unknown',
      'payload.typeName': oneOf(...SIZES),
      'payload.enableHa': wrongType('boolean', 'number')
    }
  ),
  'a reader that gets another size': ofEvent(
    { is_rw: false, status: 'Resuming' },
    ['workspace.resume', { thenType: 'SVC-4' }],
    { 'payload.thenType': 'sizeOfReader' }
  ),
  'a refresh that does not run': ofEvent({}, ['workspace.refresh'], { event: 'needsRefreshing' }),
  'a backup that does not run': ofEvent({ backups: [{ id: 'b' }] }, ['backup.run', { backup: 'b' }], {
    'payload.backup': 'runningBackupId'
  }),
  'a restore without its job': [
    withWorkspace(
      { status: 'Restoring', restore_jobs: [job] },
      { events: [event('restore.run', { job: 'x' }), event('restore.step', { job: 'x' })] }
    ),
    { 'events.0.payload.job': 'jobId', 'events.1.payload.job': 'jobId' }
  ],
  'a schedule that is not there': [
    withWorkspace({}, { events: [event('backup.schedule'), event('workspace.schedule', { schedule: 'x' })] }),
    { 'events.0.event': 'needsBackupSchedule', 'events.1.payload.schedule': 'scheduleId' }
  ],
  'a firing of a paused schedule': ofEvent(
    { backup_schedule: { ...backup_schedule, pause: true } },
    ['backup.schedule'],
    { event: 'needsBackupSchedule' }
  ),
  'a retry for a reader': ofEvent({ is_rw: false }, ['backup.retry', { retries: 1 }], { event: 'needsReadWrite' }),
  'an auto-stop of what is stopped': ofEvent({ status: 'Stopped' }, ['workspace.auto-stop'], { event: 'needsActive' }),
  'faults whose numbers run back': [
    { faults: [undefined, 'fault-5', 'fault-5', 'fault-1'].map((id) => ({ id, effect: { status: 500 } })) },
    { 'faults.2.id': ['afterFault', { id: 'fault-5' }], 'faults.3.id': ['afterFault', { id: 'fault-5' }] }
  ],
  'a fault without a number after the last possible one': [
    { faults: ['fault-999999999999999', undefined].map((id) => ({ id, effect: { status: 500 } })) },
    { 'faults.1.id': ['afterFault', { id: 'fault-999999999999999' }] }
  ],
  'a timeline that runs back': [
    withWorkspace({}, { clock: { mode: 'frozen', now: at(9) }, timeline: [row(5), row(4)] }),
    { 'timeline.1.at': ['beforeRow', { field: 'timeline.0.at' }] }
  ],
  'an event before what has happened': [
    withWorkspace(
      { status: 'Pausing' },
      { clock: { mode: 'frozen', now: at(61) }, timeline: [row(61)], events: [event('workspace.pause')] }
    ),
    { 'events.0.due': ['beforeNewest', { field: 'timeline.0.at' }] }
  ],
  'a clock that stands before what has happened': [
    withWorkspace({}, { timeline: [row(5)] }),
    { 'clock.now': ['beforeNewest', { field: 'timeline.0.at' }] }
  ]
}

for (const [what, [document, fields]] of Object.entries(CASES)) {
  void t.test(`a document is refused for ${what}`, async (t) => {
    matchError(t, await refused(t, document), 'invalidBody', fields)
  })
}

void t.test('a running clock shows the same time elsewhere, and not before the first timestamp', async (t) => {
  const wall = holdWall(t)
  const [b, other] = [await open(), await open()]
  await b.control('PUT', '/clock', { mode: 'real', now: at(500), rate: 60 })
  const state = await b.controlResult('GET', '/state')
  t.strictSame(state.clock, { mode: 'real', now: at(500), wall: at(0), rate: 60 })
  wall.now += 2000
  await other.control('PUT', '/state', state)
  t.equal(await other.now(), at(620))
  t.equal(await b.now(), at(620))
  await other.control('PUT', '/state', { clock: { now: at(0), rate: 2 } })
  const { clock } = await other.controlResult('GET', '/state')
  t.strictSame(clock, { mode: 'real', now: at(0), wall: at(2), rate: 2 }, 'from now on')
  t.equal(
    (await other.control('PUT', '/state', { clock: { now: at(0), wall: '9999-01-01T00:00:00Z', rate: 1e6 } })).status,
    200
  )
  t.equal(await other.now(), '0000-01-01T00:00:00.000Z')
})

void t.test('a plain-text password is neither in the database file nor in an export nor in the log', async (t) => {
  const db = join(t.testdir(), 'a.db')
  const { lines, logger } = logLines('trace')
  const b = await openSandbox(await buildMock(t, { db, logLevel: 'trace' }, logger))
  const document = withWorkspace({ users: [{ username: 'app', password: 'hunter2-in-clear' }] })
  t.equal((await b.control('PUT', '/seed', document)).status, 200)
  t.equal((await b.control('PUT', '/snapshots/s')).status, 200)
  t.equal((await b.control('PUT', '/state', { ...document, other: 1 })).status, 400)
  const exported = JSON.stringify((await b.control('GET', '/state')).body)
  for (const text of [readFileSync(db, 'latin1'), readFileSync(`${db}-wal`, 'latin1'), exported, JSON.stringify(lines)])
    t.notMatch(text, 'hunter2-in-clear')
  t.match(exported, 'scrypt')
})
