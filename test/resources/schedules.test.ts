import t from 'tap'
import { BackupLifecycle } from '../../src/resources/backups/transitions.js'
import { type ActiveWorkspace, openActiveWorkspace, testsWithActive } from '../active-workspace.js'
import { type Body, buildMock, matchError, matchSuccess, pluck, replaceMethod, UUID } from '../helper.js'
import { type Fields, messageOf, oneOf, patternOf, wrongType } from '../messages.js'
import { type SandboxOptions, SIZES, START } from '../sandbox.js'

const mock = await buildMock(t)
const open = (options?: SandboxOptions) => openActiveWorkspace(mock, options)
const testActive = testsWithActive(mock)

const DAY = 86_400_000

/** Calls the path that operations 22, 35 and 36 share. */
const post = ({ call, path }: ActiveWorkspace, body: unknown, query = '') =>
  call('POST', `${path}/backups/schedule${query}`, body)
const readBackupSchedule = ({ call, path }: ActiveWorkspace) => call('GET', `${path}/backups/schedule`)
const readSchedules = ({ call, path }: ActiveWorkspace) => call('GET', `${path}/schedules`)
const schedulesOf = async (b: ActiveWorkspace) => JSON.parse((await readSchedules(b)).body.Result as string) as Body[]
const SET = 'Successfully set the backup schedule.'
const GOT = 'Successfully got the backup schedule.'
const UPDATED = 'Successfully updated the workspace schedule.'
const DELETED = 'Successfully deleted the workspace schedule.'

/** Another workspace of the workgroup. */
async function another(b: ActiveWorkspace, body?: object): Promise<ActiveWorkspace> {
  const workspace = await b.addWorkspace(body)
  return { ...b, workspace, path: b.path.replace(b.workspace, workspace) }
}

/** The automatic backups of the workspace, the oldest first. */
async function backups({ call, workspace }: ActiveWorkspace): Promise<Body[]> {
  return (await call('GET', `/workspaces/${workspace}/backups`)).body.Result as Body[]
}

/** The day and the state of each backup. */
const daysOf = async (b: ActiveWorkspace) =>
  (await backups(b)).map(({ time, status }) => `${(time as string).slice(8, 10)} ${status}`)

/** A workspace schedule for every day at noon, UTC, unless other fields are given. */
const daily = ({ workspace }: ActiveWorkspace, fields: object = {}) => ({
  workspace_id: workspace,
  repeat: 'daily',
  time: '12:00',
  timezone: 'UTC',
  ...fields
})

/** Sets a workspace schedule. @returns its id */
async function setSchedule(b: ActiveWorkspace, fields: object): Promise<string> {
  const { status, body } = await post(b, daily(b, fields))
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.Result as string
}

/** Firings of a kind of schedule on the way to a time. */
async function firings(b: ActiveWorkspace, to: string, event = 'workspace.schedule'): Promise<string[]> {
  return (await b.advance(to)).filter((fired) => fired.event === event).map(({ at }) => at)
}

/** Why a firing is skipped in a state of the workspace. */
const refusal = (id: string, state: string, name: string, states = 'Active') =>
  messageOf('notAllowed', 'state', { id, state, name, states })

const skipped = (timeline: unknown[][]) => timeline.filter(([, , , to]) => to === 'skipped')

// ---------------------------------------------------------------------------------------------------------------------
// Backup schedule

testActive('operation 22 sets the whole schedule, with defaults for omitted fields', async (t, b) => {
  const whole = { schedule: '*/5 1-3 * * mon', pause: false, max_backup_files: 1, max_reserved_days: 30, max_retry: 2 }
  matchSuccess(t, await post(b, whole), SET)
  matchSuccess(t, await readBackupSchedule(b), GOT, whole)
  matchSuccess(t, await post(b, { schedule: '0 4 * * *' }), SET)
  const filledIn = { schedule: '0 4 * * *', pause: false, max_backup_files: 7, max_reserved_days: 7, max_retry: 0 }
  matchSuccess(t, await readBackupSchedule(b), GOT, filledIn)
  const due = [{ due: '2026-01-01T04:00:00.000Z', event: 'backup.schedule' }]
  t.strictSame(await b.due(), due, 'the event of the previous one is gone')
})

testActive('a paused schedule does not fire until it is set without pause', async (t, b) => {
  await post(b, { schedule: '0 3 * * *' })
  matchSuccess(t, await post(b, { schedule: '0 3 * * *', pause: true }), SET)
  t.equal((await readBackupSchedule(b)).body.Result.pause, true)
  t.strictSame(await b.due(), [])
  t.strictSame(await b.advance('P3D'), [])
  await post(b, { schedule: '0 3 * * *', pause: false })
  t.strictSame(await firings(b, 'P1D', 'backup.schedule'), ['2026-01-04T03:00:00.000Z'], 'missed ones are not repeated')
})

testActive('it fires by the clock, in UTC, and makes automatic backups', async (t, b) => {
  await post(b, { schedule: '30 2 * * *' })
  t.strictSame(await b.advance('2026-01-01T02:29:59.999Z'), [])
  t.strictSame(pluck(await b.advance('PT0.001S'), 'at', 'event', 'resource_id'), [
    ['2026-01-01T02:30:00.000Z', 'backup.schedule', b.workspace]
  ])
  const backup = {
    tag: 'automatic-2026-01-01T02:30:00.000Z',
    time: '2026-01-01T02:30:00Z',
    type: 'automatic',
    is_automatic: true,
    version: '4.2.2'
  }
  const [{ id }] = (await backups(b)) as [Body]
  t.strictSame(await backups(b), [{ ...backup, id, status: 'Running', size_bytes: '0' }])
  await b.advance('PT2S')
  t.strictSame(await backups(b), [{ ...backup, id, status: 'Succeeded', size_bytes: '1048576' }])
})

testActive('30 days of 0 3 * * * are 30 firings in order, and the 3 newest backups are left', async (t, b) => {
  await post(b, { schedule: '0 3 * * *', max_backup_files: 3, max_reserved_days: 365 })
  const days = Array.from({ length: 30 }, (_, day) => new Date(START + day * DAY).toISOString().slice(0, 10))
  const due = days.flatMap((day) => [
    [`${day}T03:00:00.000Z`, 'backup.schedule'],
    [`${day}T03:00:02.000Z`, 'backup.run']
  ])
  t.strictSame(pluck(await b.advance('P30D'), 'at', 'event'), due)
  t.strictSame(await daysOf(b), ['28 Succeeded', '29 Succeeded', '30 Succeeded'])
})

testActive('a run is skipped while the workspace is not Active, and the timeline says why', async (t, b) => {
  const { call, path, workspace, advance, history } = b
  await post(b, { schedule: '0 3 * * *', max_retry: 5 })
  await call('POST', `${path}/pause`)
  await advance('2026-01-02T12:00:00.000Z')
  const reason = refusal(workspace, 'Stopped', 'backup.run')
  t.strictSame(skipped(await history()), [
    ['2026-01-01T03:00:00.000Z', 'backup.run', null, 'skipped', reason],
    ['2026-01-02T03:00:00.000Z', 'backup.run', null, 'skipped', reason]
  ])
  t.match((await b.timeline(workspace)).at(-1), { attribute: 'firing', to: 'skipped' })
  t.strictSame(await backups(b), [])
  await call('POST', `${path}/resume`)
  await advance('P1D')
  t.strictSame(await daysOf(b), ['03 Succeeded'])
})

void t.test('an internal error in a run is not reported as a skipped run', async (t) => {
  const b = await openActiveWorkspace(await buildMock(t, { transitions: 'fast' }))
  await post(b, { schedule: '0 3 * * *' })
  replaceMethod(t, BackupLifecycle.prototype, 'run', () => {
    throw new Error('A defect.')
  })
  t.equal((await b.control('POST', '/clock/advance', { by: 'P1D' })).status, 500)
  t.strictSame(skipped(await b.history()), [])
})

testActive('a failed backup is retried a minute later, up to max_retry times', async (t, b) => {
  await post(b, { schedule: '0 3 * * *', max_retry: 2 })
  await b.setRules({ transition: 'backup.run', outcome: 'fail', reason: 'No space.' })
  t.strictSame(pluck(await b.advance('2026-01-01T12:00:00.000Z'), 'at', 'event'), [
    ['2026-01-01T03:00:00.000Z', 'backup.schedule'],
    ['2026-01-01T03:00:02.000Z', 'backup.run'],
    ['2026-01-01T03:01:02.000Z', 'backup.retry'],
    ['2026-01-01T03:01:04.000Z', 'backup.run'],
    ['2026-01-01T03:02:04.000Z', 'backup.retry'],
    ['2026-01-01T03:02:06.000Z', 'backup.run']
  ])
  t.strictSame(
    pluck(await backups(b), 'status', 'time', 'size_bytes'),
    ['00:00', '01:02', '02:04'].map((time) => ['Failed', `2026-01-01T03:${time}Z`, '0'])
  )
})

testActive('retries of backups that fail at once do not run forever', async (t, b) => {
  await post(b, { schedule: '0 3 * * *', max_retry: Number.MAX_SAFE_INTEGER })
  await b.setRules({ transition: 'backup.run', outcome: 'fail', after: 'PT0S' })
  await b.advance('2026-01-01T05:00:00.000Z')
  t.equal((await backups(b)).length, 121, 'the firing and a retry each minute')
  await post(b, { schedule: '0 3 * * *' })
  await b.advance('PT1H')
  t.equal((await backups(b)).length, 121, 'another schedule ends them')
})

testActive('a retry that succeeds is the last one, and the next firing has all its retries again', async (t, b) => {
  await post(b, { schedule: '0 3 * * *', max_retry: 3 })
  await b.setRules({ transition: 'backup.run', outcome: 'fail', times: 2 })
  await b.advance('P1D')
  t.strictSame(await daysOf(b), ['01 Failed', '01 Failed', '01 Succeeded'])
  await b.setRules({ transition: 'backup.run', outcome: 'fail', times: 3 })
  await b.advance('P1D')
  t.strictSame((await daysOf(b)).slice(3), ['02 Failed', '02 Failed', '02 Failed', '02 Succeeded'])
})

testActive('without max_retry, a failed backup is not retried; a manual one never is', async (t, b) => {
  await b.setRules({ transition: 'backup.run', outcome: 'fail' })
  await post(b, { schedule: '0 3 * * *' })
  await b.advance('P1D')
  t.equal((await backups(b)).length, 1)
  await post(b, { schedule: '0 3 * * *', max_retry: 4 })
  await b.control('POST', `/workspaces/${b.workspace}/backups`)
  await b.advance('PT1H')
  t.equal((await backups(b)).length, 2)
})

testActive('a retry is skipped if the workspace is no longer Active', async (t, b) => {
  await post(b, { schedule: '0 3 * * *', max_retry: 1 })
  await b.setRules({ transition: 'backup.run', outcome: 'fail' })
  await b.advance('2026-01-01T03:00:01.500Z')
  await b.call('POST', `${b.path}/pause`)
  await b.advance('PT1H')
  t.equal((await backups(b)).length, 1)
  t.strictSame(skipped(await b.history()), [
    ['2026-01-01T03:01:02.000Z', 'backup.run', null, 'skipped', refusal(b.workspace, 'Stopped', 'backup.run')]
  ])
})

testActive('after a success, backups older than max_reserved_days are removed, failed ones too', async (t, b) => {
  await post(b, { schedule: '0 3 * * *', max_backup_files: 100, max_reserved_days: 2 })
  await b.setRules({ transition: 'backup.run', outcome: 'fail', times: 1 })
  await b.advance('2026-01-02T12:00:00.000Z')
  t.strictSame(await daysOf(b), ['01 Failed', '02 Succeeded'])
  await b.advance('2026-01-03T03:00:01.999Z')
  t.strictSame(await daysOf(b), ['01 Failed', '02 Succeeded', '03 Running'], 'nothing goes before the success')
  await b.advance('2026-01-03T03:00:02.000Z')
  t.strictSame(await daysOf(b), ['02 Succeeded', '03 Succeeded'])
  await b.advance('P7D')
  t.strictSame(await daysOf(b), ['09 Succeeded', '10 Succeeded'])
})

void t.test('a backup that is exactly max_reserved_days old stays', async (t) => {
  const b = await openActiveWorkspace(await buildMock(t, { transitions: 'instant' }))
  await post(b, { schedule: '0 3 * * *', max_backup_files: 100, max_reserved_days: 1 })
  await b.advance('P3D')
  t.strictSame(await daysOf(b), ['02 Succeeded', '03 Succeeded'])
})

testActive('a backup that is still being made stays however old it is, and ends well', async (t, b) => {
  await b.setRules({ transition: 'backup.run', outcome: 'hold', times: 1 })
  await post(b, { schedule: '0 3 * * *', max_backup_files: 2, max_reserved_days: 1 })
  await b.advance('P4D')
  t.strictSame(await daysOf(b), ['01 Running', '04 Succeeded'])
  await b.control('POST', '/transitions/release')
  t.strictSame(await daysOf(b), ['04 Succeeded'], 'then it is too old')
})

testActive('a manual backup removes no automatic one', async (t, b) => {
  await post(b, { schedule: '0 3 * * *' })
  await b.advance('P3D')
  await post(b, { schedule: '0 3 * * *', max_backup_files: 1 })
  await b.control('POST', `/workspaces/${b.workspace}/backups`)
  await b.advance('PT1M')
  t.equal((await backups(b)).length, 4)
})

testActive('a failure removes nothing, and failed backups do not count as files', async (t, b) => {
  await post(b, { schedule: '0 3 * * *', max_backup_files: 2, max_reserved_days: 365 })
  await b.advance('P2D')
  await b.setRules({ transition: 'backup.run', outcome: 'fail', times: 2 })
  await b.advance('P2D')
  t.strictSame(await daysOf(b), ['01 Succeeded', '02 Succeeded', '03 Failed', '04 Failed'])
  await b.advance('P1D')
  t.strictSame(await daysOf(b), ['02 Succeeded', '03 Failed', '04 Failed', '05 Succeeded'])
})

testActive('retention leaves manual backups and those of other workspaces alone', async (t, b) => {
  const second = await another(b)
  await b.control('POST', `/workspaces/${b.workspace}/backups`, { tag: 'mine' })
  await post(second, { schedule: '0 2 * * *' })
  await post(b, { schedule: '0 3 * * *', max_backup_files: 1, max_reserved_days: 1 })
  await b.advance('P5D')
  t.strictSame(pluck(await backups(b), 'tag'), ['mine', 'automatic-2026-01-05T03:00:00.000Z'])
  t.equal((await backups(second)).length, 5)
})

testActive('the quota automatic_backups does not count what retention removes', async (t, b) => {
  await b.control('PUT', '/quotas', { automatic_backups: 2 })
  await post(b, { schedule: '0 3 * * *', max_backup_files: 2 })
  await b.advance('P5D')
  t.strictSame(await daysOf(b), ['04 Succeeded', '05 Succeeded'])
  t.strictSame(skipped(await b.history()), [])
})

testActive('the deletion of a workspace cancels its due events', async (t, b) => {
  const { due, call, path, advance, control, workspace } = b
  await post(b, { schedule: '0 3 * * *' })
  await setSchedule(b, {})
  await setSchedule(b, { repeat: 'none', date: '2026-05-01' })
  await call('PUT', path, { auto_stop_minutes: 600 })
  await control('POST', `/workspaces/${workspace}/backups`)
  t.strictSame(pluck(await due(), 'event'), [
    'backup.run',
    'backup.schedule',
    'workspace.auto-stop',
    'workspace.schedule',
    'workspace.schedule'
  ])
  await call('DELETE', path)
  await advance('PT1S')
  t.strictSame(await due(), [])
  t.strictSame(await advance('P1Y'), [])
})

testActive(
  'a deletion that fails leaves the schedules, and a workspace being deleted takes no new ones',
  async (t, b) => {
    await b.setRules({ transition: 'workspace.delete', outcome: 'fail' })
    await post(b, { schedule: '0 3 * * *' })
    await b.call('DELETE', b.path)
    const states = 'Creating, Active, Pausing, Stopped, Idle, Resuming, Resizing, Restoring, Failed'
    const values = { id: b.workspace, state: 'Terminating', name: 'a schedule', states }
    matchError(t, await post(b, { schedule: '0 4 * * *' }), 'notAllowed', 'state', { values })
    matchError(t, await post(b, daily(b)), 'notAllowed', 'state', { values })
    await b.advance('PT1S')
    t.equal(await b.status(), 'Failed')
    t.strictSame(await b.due(), [{ due: '2026-01-01T03:00:00.000Z', event: 'backup.schedule' }])
    await b.call('POST', `${b.path}/resume`)
    await b.advance('P1D')
    t.equal((await backups(b)).length, 1)
  }
)

testActive('a cron line must have five fields and match a date', async (t, b) => {
  for (const schedule of ['0 0 3 * * *', '@daily', '3 * * *', ' ', 'daily'])
    matchError(t, await post(b, { schedule }), 'invalidBody', { schedule: 'cron' })
  for (const schedule of [
    '60 3 * * *',
    '0 24 * * *',
    '0 0 32 * *',
    '0 0 * 13 *',
    '0 3 * * tues',
    'a b c d e',
    '5-1 * * * *',
    '*/0 * * * *'
  ]) {
    const reply = await post(b, { schedule })
    t.equal(reply.status, 400, schedule)
    t.match(reply.body.Message, patternOf('invalidBody', { schedule: 'cronField' }))
    t.match(reply.body.ErrorDetails, [{ FieldName: 'schedule' }])
  }
  for (const schedule of ['0 0 30 2 *', '0 0 31 4 *', '0 0 31 2,4,6 *'])
    matchError(t, await post(b, { schedule }), 'invalidBody', { schedule: 'never' })
  const values = { what: 'backup schedule of workspace', id: b.workspace }
  matchError(t, await readBackupSchedule(b), 'notFound', 'resource', { values })
  for (const schedule of [
    '0 0 29 2 *',
    '* * * * *',
    '0  3 * * *',
    ' 0 3 * * * ',
    '0 3 1,15 * 1-5',
    '*/15 0-6/2 * JAN sun'
  ]) {
    matchSuccess(t, await post(b, { schedule }), SET)
  }
})

// ---------------------------------------------------------------------------------------------------------------------
// Workspace schedules

testActive('operation 35 without an id creates a schedule, which operation 34 lists as it was given', async (t, b) => {
  const { workspace: workspace_id } = b
  const bodies = [
    { workspace_id, repeat: 'daily', time: '00:00', timezone: 'Europe/Berlin' },
    { workspace_id, repeat: 'weekdays', time: '23:59', timezone: 'UTC', workspace_type_name: 'SVC-4' },
    { workspace_id, repeat: 'weekly', repeat_on: 'Mon,Thu', time: '08:30', timezone: 'America/New_York' },
    { workspace_id, repeat: 'none', date: '2026-02-28', time: '12:00', timezone: 'Asia/Kolkata' }
  ]
  const expected = []
  for (const body of bodies) {
    const reply = await post(b, body)
    const id = reply.body.Result as string
    t.match(id, UUID)
    matchSuccess(t, reply, UPDATED, id)
    expected.push({ ...body, id })
  }
  const list = await readSchedules(b)
  matchSuccess(t, list, 'Successfully got the workspace schedules.', list.body.Result)
  t.type(list.body.Result, 'string')
  t.strictSame(JSON.parse(list.body.Result as string), expected)
})

testActive(
  'operation 35 with a known id replaces the whole schedule and its event, and keeps its place',
  async (t, b) => {
    await setSchedule(b, { id: 'a', repeat: 'weekly', repeat_on: 'Fri', workspace_type_name: 'SVC-2' })
    await setSchedule(b, { id: 'b' })
    matchSuccess(t, await post(b, daily(b, { id: 'a', time: '06:00' })), UPDATED, 'a')
    t.strictSame(await schedulesOf(b), [daily(b, { time: '06:00', id: 'a' }), daily(b, { id: 'b' })])
    t.strictSame(await b.due(), [
      { due: '2026-01-01T06:00:00.000Z', event: 'workspace.schedule' },
      { due: '2026-01-01T12:00:00.000Z', event: 'workspace.schedule' }
    ])
  }
)

testActive('operation 36 deletes a schedule and its event', async (t, b) => {
  await setSchedule(b, { id: 'a' })
  await setSchedule(b, { id: 'b', time: '13:00' })
  matchSuccess(t, await post(b, { id: 'a' }), DELETED, 'a')
  t.strictSame(await schedulesOf(b), [daily(b, { time: '13:00', id: 'b' })])
  t.strictSame(await b.due(), [{ due: '2026-01-01T13:00:00.000Z', event: 'workspace.schedule' }])
  matchError(t, await post(b, { id: 'a' }), 'notAllowed', { id: 'notSchedule' }, { values: { id: 'a' } })
})

testActive('an id of a schedule of another workspace is refused', async (t, b) => {
  const second = await another(b)
  await setSchedule(b, { id: 'a' })
  for (const body of [daily(second, { id: 'a' }), daily(second, { id: 'a', time: '13:00' })])
    matchError(t, await post(second, body), 'notAllowed', { id: 'otherSchedule' }, { values: { id: 'a' } })
  matchError(t, await post(second, { id: 'a' }), 'notAllowed', { id: 'notSchedule' }, { values: { id: 'a' } })
  t.strictSame((await readSchedules(second)).body.Result, '[]')
  t.strictSame(await schedulesOf(b), [daily(b, { id: 'a' })])
})

testActive('a body that repeats a schedule could mean its deletion, so it must name the operation', async (t, b) => {
  await setSchedule(b, { id: 'a' })
  const same = daily(b, { id: 'a' })
  matchError(t, await post(b, same), 'notAllowed', { operation: 'unclearSchedule' })
  t.strictSame(await schedulesOf(b), [same], 'nothing has changed')
  t.equal((await post(b, same, '?operation=update_workspace_schedule')).status, 200)
  t.equal((await post(b, { ...same, time: '13:00' })).status, 200, 'a change is clear')
  const whole = { ...same, time: '13:00' }
  matchSuccess(t, await post(b, whole, '?operation=delete_workspace_schedule'), DELETED, 'a')
  t.equal((await readSchedules(b)).body.Result, '[]')
})

void t.test('of two schedules that fire at one time, the second acts when the first has ended', async (t) => {
  for (const after of ['PT0S', 'PT2M']) {
    const b = await open()
    await b.control('PUT', '/transitions', {
      rules: ['pause', 'resume', 'resize'].map((name) => ({ transition: `workspace.${name}`, after }))
    })
    await setSchedule(b, { id: 'up', workspace_type_name: SIZES[2] })
    await setSchedule(b, { id: 'up-again', workspace_type_name: SIZES[1] })
    await setSchedule(b, { id: 'stop' })
    await b.advance('2026-01-01T12:10:00.000Z')
    const { Result } = (await b.call('GET', b.path)).body
    t.match(Result, { status: 'Stopped', workspace_type: { typeName: SIZES[1] } }, after)
    t.strictSame(skipped(await b.history()), [], 'none was lost')
    t.strictSame(pluck(await b.due(), 'due'), Array(3).fill('2026-01-02T12:00:00.000Z'), 'and each fires once a day')
  }
})

testActive('repeat ignores case, and No Repeat means none', async (t, b) => {
  const cases = [
    ['DAILY', 'daily'],
    ['WeekDays', 'weekdays'],
    ['Weekly', 'weekly'],
    ['None', 'none'],
    ['No Repeat', 'none'],
    ['no repeat', 'none'],
    ['NO REPEAT', 'none']
  ]
  for (const [repeat, shown] of cases) {
    await post(b, daily(b, { id: 'a', repeat, date: '2026-01-10' }), '?operation=update_workspace_schedule')
    t.equal((await schedulesOf(b))[0].repeat, shown, repeat!)
  }
})

testActive('repeat_on is kept in the usual spelling, each day once, and only where repeat is weekly', async (t, b) => {
  const shown = async (fields: object) => {
    await setSchedule(b, { id: 'a', ...fields })
    const [{ repeat_on, date }] = (await schedulesOf(b)) as [Body]
    return [repeat_on, date] as unknown[]
  }
  t.strictSame(await shown({ repeat: 'weekly', repeat_on: 'mon, THU,mon' }), ['Mon,Thu', undefined])
  t.strictSame(await shown({ repeat: 'daily', repeat_on: 'Mon', date: '2026-01-10' }), [undefined, undefined])
  t.strictSame(await shown({ repeat: 'none', repeat_on: 'Mon', date: '2026-01-10' }), [undefined, '2026-01-10'])
})

void t.test(
  'a weekly schedule without weekdays repeats on the weekday of the day it is set, in its own zone',
  async (t) => {
    // Thursday noon in UTC, and Friday already on the other side of the date line.
    const b = await open({ start: '2026-01-01T12:30:00.000Z' })
    for (const [timezone, weekday] of [
      ['UTC', 'Thu'],
      ['Pacific/Kiritimati', 'Fri'],
      ['Pacific/Auckland', 'Fri'],
      ['America/Los_Angeles', 'Thu']
    ]) {
      await setSchedule(b, { id: 'a', repeat: 'weekly', timezone })
      t.equal((await schedulesOf(b))[0].repeat_on, weekday, timezone!)
    }
  }
)

void t.test('daily, weekdays and weekly fire on their days', async (t) => {
  const days = async (fields: object) => {
    const b = await open()
    await setSchedule(b, fields)
    return (await firings(b, '2026-01-15T00:00:00.000Z')).map((at) => at.slice(8))
  }
  const noon = (...dates: string[]) => dates.map((date) => `${date}T12:00:00.000Z`)
  t.strictSame(
    await days({ repeat: 'daily' }),
    noon('01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13', '14')
  )
  t.strictSame(await days({ repeat: 'weekdays' }), noon('01', '02', '05', '06', '07', '08', '09', '12', '13', '14'))
  t.strictSame(await days({ repeat: 'weekly' }), noon('01', '08'))
  t.strictSame(await days({ repeat: 'weekly', repeat_on: 'Sun,Tue' }), noon('04', '06', '11', '13'))
})

void t.test('without a type, a schedule stops the workspace: Stopped, or Idle with auto-start', async (t) => {
  for (const [enable_auto_start, end] of [
    [false, 'Stopped'],
    [true, 'Idle']
  ] as const) {
    const b = await open()
    await b.call('PUT', b.path, { enable_auto_start })
    await setSchedule(b, {})
    await b.advance('2026-01-01T12:00:00.000Z')
    t.equal(await b.status(), 'Pausing')
    t.strictSame(pluck(await b.advance('PT1S'), 'at', 'event'), [['2026-01-01T12:00:01.000Z', 'workspace.pause']])
    t.equal(await b.status(), end)
  }
})

testActive('stopping a stopped workspace changes nothing and is not skipped', async (t, b) => {
  await setSchedule(b, {})
  await b.advance('P1D')
  const before = await b.history()
  t.strictSame(await firings(b, 'P1D'), ['2026-01-02T12:00:00.000Z'])
  t.strictSame(await b.history(), before)
})

testActive('with a type, a stopped workspace is started and then brought to the type', async (t, b) => {
  const { call, path, advance, status, history } = b
  await call('POST', `${path}/pause`)
  await setSchedule(b, { workspace_type_name: 'SVC-4' })
  await advance('2026-01-01T12:00:00.000Z')
  const states = []
  for (const by of ['PT0S', 'PT2S', 'PT2S']) {
    await advance(by)
    const { Result } = (await call('GET', path)).body
    states.push([Result.status, Result.workspace_type.typeName])
  }
  t.strictSame(states, [
    ['Resuming', 'SVC-00'],
    ['Resizing', 'SVC-00'],
    ['Active', 'SVC-4']
  ])
  const at = (second: string) => `2026-01-01T12:00:0${second}.000Z`
  const expected = [
    [at('0'), 'workspace.resume', 'Stopped', 'Resuming', null],
    [at('2'), 'workspace.resume', 'Resuming', 'Active', null],
    [at('2'), 'workspace.resize', 'Active', 'Resizing', null],
    [at('4'), 'workspace.resize', 'Resizing', 'Active', null]
  ]
  t.strictSame((await history()).slice(-4), expected)
  await advance('P1D')
  t.equal(await status(), 'Active')
  t.strictSame((await history()).slice(-4), expected, 'the next day it is there already')
})

void t.test('with a type, an idle or failed workspace is started; one that has the type is not resized', async (t) => {
  const idle = await open()
  await idle.call('PUT', idle.path, { enable_auto_start: true, pause: true })
  await setSchedule(idle, { workspace_type_name: 'SVC-00' })
  await idle.advance('P1D')
  t.strictSame(pluck((await idle.timeline(idle.workspace)).slice(-3), 'transition', 'from', 'to'), [
    ['workspace.pause', 'Pausing', 'Idle'],
    ['workspace.resume', 'Idle', 'Resuming'],
    ['workspace.resume', 'Resuming', 'Active']
  ])
  const failed = await open()
  await failed.setRules({ transition: 'workspace.delete', outcome: 'fail' })
  await failed.call('DELETE', failed.path)
  await failed.advance('PT1S')
  await setSchedule(failed, { workspace_type_name: 'SVC-1' })
  await failed.advance('P1D')
  const { Result } = (await failed.call('GET', failed.path)).body
  t.strictSame([Result.status, Result.workspace_type.typeName], ['Active', 'SVC-1'])
})

testActive(
  'a read-only workspace is started with the type that it has; another one is refused, as in an update',
  async (t, b) => {
    const { database_id } = (await b.call('GET', b.path)).body.Result
    const own = await another(b, { svc_database_id: database_id, is_rw: false })
    const other = await post(own, daily(own, { time: '11:00', workspace_type_name: 'SVC-2' }))
    matchError(t, other, 'notAllowed', 'readOnly', { values: { verb: 'resized' } })
    await setSchedule(own, { time: '12:00', workspace_type_name: 'SVC-00' })
    await b.call('POST', `${own.path}/pause`)
    await b.advance('2026-01-01T12:00:02.000Z')
    t.strictSame((await own.history(own.workspace)).slice(-2), [
      ['2026-01-01T12:00:00.000Z', 'workspace.resume', 'Stopped', 'Resuming', null],
      ['2026-01-01T12:00:02.000Z', 'workspace.resume', 'Resuming', 'Active', null]
    ])
  }
)

testActive('an active workspace is resized without a restart', async (t, b) => {
  await b.call('PUT', b.path, { enable_ha: true })
  await setSchedule(b, { workspace_type_name: 'SVC-2' })
  await b.advance('P1D')
  const { Result } = (await b.call('GET', b.path)).body
  t.strictSame(
    Result.workspace_type,
    { typeName: 'SVC-2', cpu: '16', memory: '128Gi', partition: 1, ha: 3 },
    'and keeps its high availability'
  )
  t.strictSame(pluck((await b.timeline(b.workspace)).slice(-2), 'at', 'transition'), [
    ['2026-01-01T12:00:00.000Z', 'workspace.resize'],
    ['2026-01-01T12:00:02.000Z', 'workspace.resize']
  ])
})

testActive('a start that fails is not followed by a resize', async (t, b) => {
  await b.call('POST', `${b.path}/pause`)
  await b.setRules({ transition: 'workspace.resume', outcome: 'fail', times: 1 })
  await setSchedule(b, { workspace_type_name: 'SVC-2' })
  await b.advance('P1D')
  t.equal(await b.status(), 'Stopped')
  await b.advance('P1D')
  t.equal((await b.call('GET', b.path)).body.Result.workspace_type.typeName, 'SVC-2', 'the next firing does it')
})

void t.test('with instant transitions, start and resize end when the schedule fires', async (t) => {
  const b = await openActiveWorkspace(await buildMock(t, { transitions: 'instant' }))
  await setSchedule(b, { id: 'off', time: '20:00' })
  await setSchedule(b, { id: 'on', time: '08:00', workspace_type_name: 'SVC-2' })
  await b.advance('2026-01-01T21:00:00.000Z')
  t.equal(await b.status(), 'Stopped')
  await b.advance('2026-01-02T08:00:00.000Z')
  t.equal(await b.status(), 'Active')
  t.strictSame(await b.due(), [
    { due: '2026-01-02T20:00:00.000Z', event: 'workspace.schedule' },
    { due: '2026-01-03T08:00:00.000Z', event: 'workspace.schedule' }
  ])
})

testActive(
  'a firing that the state does not allow is skipped, the timeline says why, and the next one comes',
  async (t, b) => {
    const { workspace, setRules, control, history } = b
    await control('POST', `/workspaces/${workspace}/backups`)
    await b.advance('PT2S')
    const [{ id: backup_id }] = (await backups(b)) as [Body]
    await setRules({ transition: 'restore.run', outcome: 'hold' })
    await b.call('POST', `${b.path}/backups/restore`, { backup_id })
    await setSchedule(b, { id: 'off' })
    await setSchedule(b, { id: 'on', time: '13:00', workspace_type_name: 'SVC-2' })
    await b.advance('P1D')
    t.strictSame(skipped(await history()), [
      [
        '2026-01-01T12:00:00.000Z',
        'workspace.schedule',
        null,
        'skipped',
        refusal(workspace, 'Restoring', 'workspace.pause')
      ],
      [
        '2026-01-01T13:00:00.000Z',
        'workspace.schedule',
        null,
        'skipped',
        refusal(workspace, 'Restoring', 'workspace.resume', 'Stopped, Idle, Failed, Active')
      ]
    ])
    t.equal(await b.status(), 'Restoring')
    await control('POST', '/transitions/release', {})
    await b.advance('2026-01-02T12:30:00.000Z')
    t.equal(await b.status(), 'Stopped')
  }
)

testActive('a one-off fires once, stays listed, and never fires again', async (t, b) => {
  const fields = { id: 'once', repeat: 'none', date: '2026-01-03' }
  await setSchedule(b, fields)
  t.strictSame(await b.due(), [{ due: '2026-01-03T12:00:00.000Z', event: 'workspace.schedule' }])
  t.strictSame(await firings(b, 'P3Y'), ['2026-01-03T12:00:00.000Z'])
  t.strictSame(await b.due(), [])
  t.equal(await b.status(), 'Stopped')
  t.strictSame(
    await schedulesOf(b),
    [daily(b, fields)].map(({ workspace_id, repeat, time, timezone }) => ({
      workspace_id,
      repeat,
      date: '2026-01-03',
      time,
      timezone,
      id: 'once'
    }))
  )
  matchSuccess(t, await post(b, { id: 'once' }), DELETED, 'once')
})

void t.test('a one-off in the past is a 400 by the clock of the sandbox and the zone of the schedule', async (t) => {
  const b = await open({ start: '2026-03-10T12:00:00.000Z' })
  const cases = [
    ['2026-03-09', '12:00', 'UTC'],
    ['2026-03-10', '11:59', 'UTC'],
    ['2025-03-11', '12:00', 'UTC'],
    ['2026-03-10', '20:59', 'Asia/Tokyo'],
    ['1999-12-31', '00:00', 'UTC'],
    ['0000-01-01', '00:00', 'UTC']
  ] as const
  for (const [date, time, timezone] of cases) {
    const values = { date, time, timezone, now: '2026-03-10T12:00:00.000Z' }
    const refused = await post(b, daily(b, { repeat: 'none', date, time, timezone }))
    matchError(t, refused, 'notAllowed', { date: 'pastDate' }, { values })
  }
  matchSuccess(t, await readSchedules(b), 'Successfully got the workspace schedules.', '[]')
  for (const [date, time, timezone] of [
    ['2026-03-10', '12:01', 'UTC'],
    ['2026-03-10', '21:01', 'Asia/Tokyo'],
    ['2026-03-10', '08:01', 'America/New_York'],
    ['9999-12-01', '00:00', 'UTC']
  ]) {
    await setSchedule(b, { repeat: 'none', date, time, timezone })
  }
  t.strictSame(pluck(await b.due(), 'due'), [
    '2026-03-10T12:01:00.000Z',
    '2026-03-10T12:01:00.000Z',
    '2026-03-10T12:01:00.000Z',
    '9999-12-01T00:00:00.000Z'
  ])
})

// ---------------------------------------------------------------------------------------------------------------------
// The path that operations 22, 35 and 36 share

testActive('the shape of the body chooses the operation, which the Message names', async (t, b) => {
  const { workspace: workspace_id } = b
  const cases: [body: object, done: string][] = [
    [{ schedule: '0 3 * * *' }, 'set the backup schedule'],
    [{ ...daily(b), id: 'a', schedule: '0 3 * * *' }, 'set the backup schedule'],
    [{ ...daily(b), id: 'a' }, 'updated the workspace schedule'],
    [{ id: 'a' }, 'deleted the workspace schedule'],
    [daily(b, { id: 'b' }), 'updated the workspace schedule'],
    [{ id: 'b', workspace_id }, 'deleted the workspace schedule']
  ]
  for (const [body, done] of cases) {
    const reply = await post(b, body)
    t.equal(reply.body.Message, `Successfully ${done}.`, JSON.stringify(body))
  }
})

testActive('the query parameter operation overrides the shape', async (t, b) => {
  const whole = { ...daily(b), id: 'a', schedule: '0 3 * * *' }
  matchSuccess(t, await post(b, whole, '?operation=set_backup_schedule'), SET)
  t.equal((await readSchedules(b)).body.Result, '[]')
  matchSuccess(t, await post(b, whole, '?operation=update_workspace_schedule'), UPDATED, 'a')
  matchSuccess(t, await post(b, whole, '?operation=delete_workspace_schedule'), DELETED, 'a')
  t.equal((await readSchedules(b)).body.Result, '[]')
  t.equal((await readBackupSchedule(b)).body.Result.schedule, '0 3 * * *')
  const strange = { ...daily(b), schedule: 'not a field of this operation' }
  t.equal((await post(b, strange, '?operation=update_workspace_schedule')).status, 200)
  const missing: Fields = { workspace_id: 'required', repeat: 'required', time: 'required', timezone: 'required' }
  matchError(t, await post(b, { id: 'a' }, '?operation=update_workspace_schedule'), 'invalidBody', missing)
  matchError(t, await post(b, { id: 'a' }, '?operation=set_backup_schedule'), 'invalidBody', { schedule: 'required' })
  matchError(t, await post(b, daily(b), '?operation=delete_workspace_schedule'), 'invalidBody', { id: 'required' })
  for (const query of ['', '?operation=set_backup_schedule', '?operation=delete_workspace_schedule']) {
    matchError(t, await post(b, 'null', query), 'invalidBody', { '': 'noBody' })
    matchError(t, await post(b, [], query), 'invalidBody', { '': wrongType('object', 'array') })
  }
})

testActive('an unknown operation is a 400', async (t, b) => {
  const fields = { operation: oneOf('set_backup_schedule', 'update_workspace_schedule', 'delete_workspace_schedule') }
  for (const query of [
    '?operation=',
    '?operation=SET_BACKUP_SCHEDULE',
    '?operation=toString',
    '?operation=set_backup_schedule&operation=set_backup_schedule'
  ]) {
    matchError(t, await post(b, { schedule: '0 3 * * *' }, query), 'invalidBody', fields)
  }
  t.equal((await readBackupSchedule(b)).status, 404)
})

testActive('every invalid field is reported', async (t, b) => {
  const { workspace: workspace_id } = b
  const cases: [body: object, fields: Fields][] = [
    [
      {
        workspace_id,
        repeat: 'monthly',
        repeat_on: 'Monday',
        date: '2026-02-30',
        time: '24:00',
        timezone: 'Mars/Base'
      },
      {
        repeat: oneOf('none', 'daily', 'weekdays', 'weekly'),
        repeat_on: 'weekdays',
        date: 'date',
        time: 'time',
        timezone: 'timeZone'
      }
    ],
    [{ workspace_id, repeat: 'none', time: '12:00', timezone: 'UTC' }, { date: 'dateRequired' }],
    [
      { workspace_id, repeat: 'No Repeat', time: '25:00', timezone: 'Mars/Base' },
      { time: 'time', timezone: 'timeZone', date: 'dateRequired' }
    ],
    [
      { schedule: '@daily', max_retry: -1 },
      { max_retry: ['atLeast', { limit: 0 }], schedule: 'cron' }
    ],
    [
      { schedule: '0 0 30 2 *', pause: 1 },
      { pause: wrongType('boolean', 'number'), schedule: 'never' }
    ]
  ]
  for (const [body, fields] of cases) matchError(t, await post(b, body), 'invalidBody', fields)
  matchError(t, await post(b, undefined), 'invalidBody', { '': 'noBody' })
})

void t.test('a deletion accepts a whole workspace schedule, but no field of a wrong type', async (t) => {
  for (const strictBodies of [false, true]) {
    const b = await openActiveWorkspace(await buildMock(t, { strictBodies }))
    const whole = daily(b, {
      id: 'a',
      repeat: 'weekly',
      repeat_on: 'Mon',
      date: '2026-02-01',
      workspace_type_name: 'SVC-2'
    })
    await setSchedule(b, whole)
    const before = (await readSchedules(b)).body.Result
    for (const field of Object.keys(whole))
      for (const rest of [whole, { id: 'a' }]) {
        const reply = await post(b, { ...rest, [field]: 5 }, '?operation=delete_workspace_schedule')
        matchError(t, reply, 'invalidBody', { [field]: wrongType('string', 'number') })
      }
    t.equal((await readSchedules(b)).body.Result, before)
    matchSuccess(t, await post(b, whole, '?operation=delete_workspace_schedule'), DELETED, 'a')
    t.equal((await readSchedules(b)).body.Result, '[]')
  }
})

testActive('a workspace_id that differs from the one in the path is a 400', async (t, b) => {
  await setSchedule(b, { id: 'a' })
  const other = await b.addWorkspace()
  for (const body of [daily(b, { workspace_id: other }), { id: 'a', workspace_id: other }])
    matchError(t, await post(b, body), 'notAllowed', { workspace_id: 'otherPath' }, { values: { id: b.workspace } })
  t.strictSame(await schedulesOf(b), [daily(b, { id: 'a' })])
})

void t.test('the replacement of a schedule needs no room within --max-resources', async (t) => {
  const b = await openActiveWorkspace(await buildMock(t, { maxResources: 20 }))
  await setSchedule(b, { id: 'a' })
  while ((await b.call('POST', '/workgroups', { cloud_provider_id: 'x' })).status === 200);
  t.equal((await post(b, daily(b, { id: 'b' }))).status, 403)
  await setSchedule(b, { id: 'a', time: '13:00' })
})
