import t, { type Test } from 'tap'
import { type Body, buildMock, pluck } from '../helper.js'
import { at, openSandbox, type TestSandbox } from '../sandbox.js'
import { daily, event, withWorkspace, wrongFields } from './parts.js'

const mock = await buildMock(t)
const PATH = '/workgroups/g/workspaces/w'

/** A sandbox whose clock stands at the start, with a workspace w that is as given. */
async function put(workspace: object, more: object = {}, on = mock): Promise<TestSandbox> {
  const b = await openSandbox(on)
  await b.controlResult('PUT', '/state', withWorkspace(workspace, more))
  return b
}

const instant = (t: Test) => buildMock(t, { transitions: 'instant' })
const due = async (b: TestSandbox) => pluck(await b.events(), 'due', 'event')
const steps = async (b: TestSandbox, id = 'w') =>
  pluck(await b.timeline(id), 'at', 'transition', 'attribute', 'from', 'to')
const status = async (b: TestSandbox) => (await b.call('GET', PATH)).body.Result?.status as string | undefined
const job = { id: 'j', status: 'Pending', output: 'Begun.\n' }

void t.test('without events, each transient state continues as if it had started now', async (t) => {
  for (const [state, event, seconds, after] of [
    ['Creating', 'workspace.create', 2, 'Active'],
    ['Pausing', 'workspace.pause', 1, 'Stopped'],
    ['Resuming', 'workspace.resume', 2, 'Active'],
    ['Resizing', 'workspace.resize', 2, 'Active'],
    ['Terminating', 'workspace.delete', 1, undefined]
  ] as const) {
    const b = await put({ status: state })
    t.strictSame(await due(b), [[at(seconds), event]], state)
    await b.advance('P1D')
    t.strictSame(await steps(b), [[at(seconds), event, 'status', state, after ?? 'gone']])
    t.equal(await status(b), after)
  }
})

void t.test('lasting states schedule nothing', async (t) => {
  for (const state of ['Active', 'Stopped', 'Idle', 'Failed'])
    t.strictSame(await due(await put({ status: state, auto_stop_minutes: state === 'Active' ? 0 : 5 })), [], state)
})

void t.test('rules say how a transient state of a document ends', async (t) => {
  const transitions = [{ transition: 'workspace.create', outcome: 'fail', reason: 'No.', after: 'PT1H', times: 1 }]
  const b = await put({ status: 'Creating' }, { transitions })
  t.strictSame(await due(b), [[at(3600), 'workspace.create']])
  t.strictSame((await b.controlResult('GET', '/state')).transitions, [], 'its one time is used up')
  await b.advance('PT1H')
  t.equal(await status(b), 'Failed')
  const held = await put({ status: 'Creating' }, { transitions: [{ transition: 'workspace.create', outcome: 'hold' }] })
  t.match(await held.events(), [{ due: null, held: true, event: 'workspace.create' }])
})

void t.test('with --transitions instant, transient states have ended before the reply', async (t) => {
  const on = await instant(t)
  for (const [state, after] of [
    ['Creating', 'Active'],
    ['Pausing', 'Idle'],
    ['Resuming', 'Active'],
    ['Resizing', 'Active'],
    ['Terminating', undefined]
  ] as const) {
    const b = await put(
      {
        status: state,
        enable_auto_start: true,
        backups: [{ status: 'Running' }],
        schedules: [daily]
      },
      {},
      on
    )
    t.equal(await status(b), after, state)
    t.strictSame(await due(b), after === undefined ? [] : [[at(8 * 3600), 'workspace.schedule']])
  }
})

void t.test('a restore continues with its job', async (t) => {
  const b = await put({ status: 'Restoring', restore_jobs: [{ id: 'old' }, job] })
  t.strictSame(await due(b), [
    [at(1), 'restore.step'],
    [at(3), 'restore.run']
  ])
  await b.advance('PT1S')
  const read = async () => await b.result('GET', '/workspaces/w/backups/j/status')
  t.match(await read(), { name: 'j', status: 'Running', output: /^Begun\.\n.+\n$/ })
  await b.advance('PT2S')
  t.match(await read(), { status: 'Succeeded' })
  t.equal(await status(b), 'Active')
  t.strictSame(await steps(b, 'j'), [
    [at(1), 'restore.run', 'status', 'Pending', 'Running'],
    [at(3), 'restore.run', 'status', 'Running', 'Succeeded']
  ])

  const failing = await put(
    { status: 'Restoring', restore_jobs: [{ ...job, status: 'Running' }] },
    { transitions: [{ transition: 'restore.run', outcome: 'fail', reason: 'No.' }] }
  )
  await failing.advance('PT3S')
  t.equal(await status(failing), 'Failed')
  t.match(await failing.result('GET', '/workspaces/w/backups/j/status'), { status: 'Failed', output: /No\.\n$/ })

  const done = await put({ status: 'Restoring', restore_jobs: [job] }, {}, await instant(t))
  t.equal(await status(done), 'Active')
  t.strictSame(await due(done), [])
})

void t.test('a refresh continues, and an instant one ends before an auto-stop begins', async (t) => {
  const b = await put({ is_rw: false, refresh_status: 'Refreshing' })
  t.strictSame(await due(b), [[at(1), 'workspace.refresh']])
  await b.advance('PT1S')
  t.match(await b.result('GET', PATH), { refresh_status: 'Refreshed', last_modified_time: '2026-01-01T00:00:01Z' })

  const lazy = await put(
    { refresh_status: 'Refreshing', auto_stop_minutes: 1, last_active: at(-600) },
    {},
    await instant(t)
  )
  t.strictSame(await steps(lazy), [
    [at(0), 'workspace.refresh', 'refresh_status', 'Refreshing', 'Refreshed'],
    [at(0), 'workspace.pause', 'status', 'Active', 'Pausing'],
    [at(0), 'workspace.pause', 'status', 'Pausing', 'Stopped']
  ])
})

void t.test('a running backup continues, and a finished one does not start again', async (t) => {
  const b = await put({
    backups: [
      { id: 'a', status: 'Running', is_automatic: true },
      { id: 'b', status: 'Running' },
      { id: 'c' },
      { id: 'd', status: 'Failed' }
    ]
  })
  t.strictSame(await due(b), [
    [at(2), 'backup.run'],
    [at(2), 'backup.run']
  ])
  await b.advance('PT2S')
  t.match(await b.result('GET', '/workspaces/w/backups'), [
    { id: 'a', status: 'Succeeded', size_bytes: '1048576' },
    { id: 'b', status: 'Succeeded' },
    { id: 'c', size_bytes: '0' },
    { id: 'd', status: 'Failed' }
  ])
})

void t.test('schedules fire as if they had been set now, except those that cannot fire', async (t) => {
  const there = { ...daily, timezone: 'Europe/Berlin' }
  const b = await put({
    backup_schedule: { schedule: '0 3 * * *' },
    schedules: [
      { id: 'a', ...there },
      { id: 'past', ...there, repeat: 'none', date: '2025-01-01' },
      { id: 'week', ...there, repeat: 'weekly', time: '09:00' },
      { id: 'once', ...there, repeat: 'none', date: '2026-02-01' }
    ]
  })
  t.strictSame(await due(b), [
    ['2026-01-01T03:00:00.000Z', 'backup.schedule'],
    ['2026-01-01T07:00:00.000Z', 'workspace.schedule'],
    ['2026-01-01T08:00:00.000Z', 'workspace.schedule'],
    ['2026-02-01T07:00:00.000Z', 'workspace.schedule']
  ])
  const left = ((await b.controlResult('GET', '/state')).workgroups[0].workspaces[0].schedules as Body[]).length
  t.equal(left, 4, 'the one that is past is kept')
  t.strictSame(await due(await put({ backup_schedule: { schedule: '0 3 * * *', pause: true } })), [])
})

void t.test('the auto-stop of an active workspace follows its last activity', async (t) => {
  t.strictSame(await due(await put({ auto_stop_minutes: 5, last_active: at(-60) })), [[at(240), 'workspace.auto-stop']])
  t.strictSame(await due(await put({ auto_stop_minutes: 5 })), [[at(300), 'workspace.auto-stop']])
  const b = await put({ auto_stop_minutes: 5, last_active: at(-600) })
  t.strictSame(await due(b), [[at(1), 'workspace.pause']])
  t.equal(await status(b), 'Pausing')
})

void t.test('with events, exactly those are due', async (t) => {
  const b = await put(
    { status: 'Creating', auto_stop_minutes: 5, backup_schedule: { schedule: '0 3 * * *' } },
    { events: [] }
  )
  t.strictSame(await due(b), [])
  await b.advance('P30D')
  t.equal(await status(b), 'Creating')

  const events = [
    {
      event: 'workspace.resize',
      workspace_id: 'w',
      due: at(90),
      payload: { typeName: 'SVC-8', enableHa: true },
      request_id: 'mine'
    }
  ]
  const resizing = await put({ status: 'Resizing' }, { events })
  await resizing.advance('PT89S')
  t.equal(await status(resizing), 'Resizing')
  t.strictSame(await resizing.advance('PT1S'), [
    { at: at(90), event: 'workspace.resize', resource_id: 'w', request_id: 'mine' }
  ])
  t.match(await resizing.result('GET', PATH), {
    status: 'Active',
    workspace_type: { typeName: 'SVC-8' },
    enable_ha: true
  })

  const failing = await put(
    { status: 'Pausing' },
    { events: [{ event: 'workspace.pause', workspace_id: 'w', due: null, payload: { failed: true, reason: 'No.' } }] }
  )
  await failing.control('POST', '/transitions/release')
  t.match(await failing.timeline('w'), [{ from: 'Pausing', to: 'Active', reason: 'No.' }])
})

void t.test('an event that fails without a reason leaves none', async (t) => {
  const failing = (event: string, more: object = {}) => ({
    events: [{ event, workspace_id: 'w', due: at(1), payload: { failed: true, ...more } }]
  })
  const refreshing = await put({ refresh_status: 'Refreshing' }, failing('workspace.refresh'))
  await refreshing.advance('PT1S')
  t.match(await refreshing.result('GET', PATH), { status: 'Active', refresh_status: 'Failed', refresh_message: '' })
  const restoring = await put(
    { status: 'Restoring', restore_jobs: [{ ...job, status: 'Running' }] },
    failing('restore.run', { job: 'j' })
  )
  await restoring.advance('PT1S')
  t.match(await restoring.result('GET', '/workspaces/w/backups/j/status'), { status: 'Failed', output: 'Begun.\n\n' })
})

void t.test('overdue events run at once, each at its own time', async (t) => {
  const b = await put(
    { status: 'Resuming' },
    { events: [{ event: 'workspace.resume', workspace_id: 'w', due: at(-5), payload: { thenType: 'SVC-1' } }] }
  )
  t.equal(await status(b), 'Active')
  t.strictSame(pluck(await b.timeline('w'), 'at'), [at(-5), at(-5), at(-3)])
})

void t.test('the payload of an event has exactly the fields of its kind, with their types', async (t) => {
  const { kinds, transitions } = mock.plane.engine
  const VALID: Readonly<Record<string, object>> = {
    'restore.run': { job: 'j' },
    'restore.step': { job: 'j' },
    'backup.run': { backup: 'b' },
    'backup.retry': { retries: 0 },
    'workspace.schedule': { schedule: 's' }
  }
  const WRONG: readonly (readonly [kind: string, field: string, value: unknown])[] = [
    ...[...kinds.keys()].map((kind) => [kind, 'id', 'x'] as const),
    ...[...transitions.keys()].flatMap((kind) => [[kind, 'failed', 'yes'] as const, [kind, 'reason', 5] as const]),
    ...Object.entries(VALID).map(([kind, payload]) => [kind, Object.keys(payload)[0]!, undefined] as const),
    ['workspace.resume', 'thenType', 'SVC-3'],
    ['workspace.resize', 'typeName', 'SVC-3'],
    ['workspace.resize', 'enableHa', 1],
    ['restore.step', 'job', 5],
    ['backup.run', 'backup', 5],
    ['backup.run', 'retries', -1],
    ['backup.run', 'retries', 1.5],
    ['backup.retry', 'retries', -1],
    ['backup.retry', 'retries', 1.5],
    ['workspace.schedule', 'schedule', 5]
  ]
  for (const [kind, field, value] of WRONG) {
    const document = withWorkspace({}, { events: [event(kind, { ...VALID[kind], [field]: value })] })
    t.strictSame(await wrongFields(mock, document), [`events.0.payload.${field}`], `${kind} ${field} ${String(value)}`)
  }
})
