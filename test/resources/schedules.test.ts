import fc from 'fast-check'
import t from 'tap'
import { QuotaStore } from '../../src/resources/quotas.js'
import type { WorkspaceScheduleRecord } from '../../src/resources/schedules/fields.js'
import { nextOfCron, nextOfSchedule } from '../../src/resources/schedules/times.js'
import { type ActiveWorkspace, openActiveWorkspace } from '../active-workspace.js'
import { type Body, buildMock, matchError, matchSuccess, replaceMethod, UUID } from '../helper.js'
import { type Fields, LENGTH, messageOf, oneOf, patternOf, wrongType } from '../messages.js'
import { NONE, type SandboxOptions, SIZES, START } from '../sandbox.js'

const mock = await buildMock(t)
const open = (options?: SandboxOptions) => openActiveWorkspace(mock, options)

const DAY = 86_400_000
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

/** Calls the path that operations 22, 35 and 36 share. */
const post = ({ call, path }: ActiveWorkspace, body: unknown, query = '') =>
  call('POST', `${path}/backups/schedule${query}`, body)
const readBackupSchedule = ({ call, path }: ActiveWorkspace) => call('GET', `${path}/backups/schedule`)
const readSchedules = ({ call, path }: ActiveWorkspace) => call('GET', `${path}/schedules`)
const SET = 'Successfully set the backup schedule.'

/** The automatic backups of the workspace, the oldest first. */
async function backups({ call, workspace }: ActiveWorkspace): Promise<Body[]> {
  return (await call('GET', `/workspaces/${workspace}/backups`)).body.Result as Body[]
}

/** A workspace schedule for every day at noon, UTC, with other fields instead. */
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

void t.test('backup schedule', async (t) => {
  await t.test('operation 33 is a 404 before a schedule was set', async (t) => {
    const b = await open()
    matchError(t, await readBackupSchedule(b), 'notFound', 'resource', {
      values: { what: 'backup schedule of workspace', id: b.workspace }
    })
  })

  await t.test('operation 22 sets a schedule, which operation 33 reads with its defaults', async (t) => {
    const b = await open()
    matchSuccess(t, await post(b, { schedule: '0 3 * * *' }), SET)
    matchSuccess(t, await readBackupSchedule(b), 'Successfully got the backup schedule.', {
      schedule: '0 3 * * *',
      pause: false,
      max_backup_files: 7,
      max_reserved_days: 7,
      max_retry: 0
    })
    t.strictSame(await b.due(), [{ due: '2026-01-01T03:00:00.000Z', event: 'backup.schedule' }])
  })

  await t.test('operation 22 replaces the whole schedule, what is left out by its default', async (t) => {
    const b = await open()
    const whole = {
      schedule: '*/5 1-3 * * mon',
      pause: false,
      max_backup_files: 1,
      max_reserved_days: 30,
      max_retry: 2
    }
    matchSuccess(t, await post(b, whole), SET)
    matchSuccess(t, await readBackupSchedule(b), 'Successfully got the backup schedule.', whole)
    matchSuccess(t, await post(b, { schedule: '0 4 * * *' }), SET)
    matchSuccess(t, await readBackupSchedule(b), 'Successfully got the backup schedule.', {
      schedule: '0 4 * * *',
      pause: false,
      max_backup_files: 7,
      max_reserved_days: 7,
      max_retry: 0
    })
    t.strictSame(
      await b.due(),
      [{ due: '2026-01-01T04:00:00.000Z', event: 'backup.schedule' }],
      'what the one before had planned is gone'
    )
  })

  await t.test('a paused schedule does not fire until it is set without pause', async (t) => {
    const b = await open()
    await post(b, { schedule: '0 3 * * *' })
    matchSuccess(t, await post(b, { schedule: '0 3 * * *', pause: true }), SET)
    t.equal((await readBackupSchedule(b)).body.Result.pause, true)
    t.strictSame(await b.due(), [])
    t.strictSame(await b.advance('P3D'), [])
    await post(b, { schedule: '0 3 * * *', pause: false })
    t.strictSame(
      await firings(b, 'P1D', 'backup.schedule'),
      ['2026-01-04T03:00:00.000Z'],
      'what was missed is not made up for'
    )
  })

  await t.test('it fires by the clock, in UTC, and makes automatic backups', async (t) => {
    const b = await open()
    await post(b, { schedule: '30 2 * * *' })
    t.strictSame(await b.advance('2026-01-01T02:29:59.999Z'), [])
    t.strictSame(
      (await b.advance('PT0.001S')).map(({ at, event, resource_id }) => [at, event, resource_id]),
      [['2026-01-01T02:30:00.000Z', 'backup.schedule', b.workspace]]
    )
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

  await t.test('it fires by the clock of its own sandbox only', async (t) => {
    const b = await open()
    await post(b, { schedule: '0 3 * * *' })
    await b.mock.call('PUT', '/clock', {
      key: 'other',
      prefix: '/_mock',
      body: { mode: 'frozen', now: '2027-01-01T00:00:00.000Z' }
    })
    t.strictSame(await backups(b), [])
    t.strictSame(await b.due(), [{ due: '2026-01-01T03:00:00.000Z', event: 'backup.schedule' }])
  })

  await t.test('30 days of 0 3 * * * are 30 firings in order, and the 3 newest backups are left', async (t) => {
    const b = await open()
    await post(b, { schedule: '0 3 * * *', max_backup_files: 3, max_reserved_days: 365 })
    const days = Array.from({ length: 30 }, (_, day) => iso(START + day * DAY)!.slice(0, 10))
    const fired = (await b.advance('P30D')).map(({ at, event }) => [at, event])
    t.strictSame(
      fired,
      days.flatMap((day) => [
        [`${day}T03:00:00.000Z`, 'backup.schedule'],
        [`${day}T03:00:02.000Z`, 'backup.run']
      ])
    )
    t.strictSame(
      (await backups(b)).map(({ time, status }): unknown[] => [time, status]),
      ['2026-01-28', '2026-01-29', '2026-01-30'].map((day) => [`${day}T03:00:00Z`, 'Succeeded'])
    )
  })

  await t.test('a run is skipped while the workspace is not Active, and the timeline says why', async (t) => {
    const b = await open()
    const { call, path, workspace, advance, history } = b
    await post(b, { schedule: '0 3 * * *', max_retry: 5 })
    await call('POST', `${path}/pause`)
    await advance('2026-01-02T12:00:00.000Z')
    const reason = refusal(workspace, 'Stopped', 'backup.run')
    t.strictSame(skipped(await history()), [
      ['2026-01-01T03:00:00.000Z', 'backup.run', null, 'skipped', reason],
      ['2026-01-02T03:00:00.000Z', 'backup.run', null, 'skipped', reason]
    ])
    t.match((await b.timeline(workspace)).at(-1), {
      attribute: 'firing',
      to: 'skipped'
    })
    t.strictSame(await backups(b), [])
    await call('POST', `${path}/resume`)
    await advance('P1D')
    t.strictSame(
      (await backups(b)).map(({ time }) => time as string),
      ['2026-01-03T03:00:00Z']
    )
  })

  await t.test('a defect in a run is not taken for a rule that forbids it', async (t) => {
    const b = await openActiveWorkspace(await buildMock(t, { transitions: 'fast' }))
    await post(b, { schedule: '0 3 * * *' })
    replaceMethod(t, QuotaStore.prototype, 'check', () => {
      throw new Error('A defect.')
    })
    t.equal((await b.control('POST', '/clock/advance', { by: 'P1D' })).status, 500)
    t.strictSame(skipped(await b.history()), [])
  })

  await t.test('a failed backup is tried again a minute later, up to max_retry times', async (t) => {
    const b = await open()
    await post(b, { schedule: '0 3 * * *', max_retry: 2 })
    await b.setRules({ transition: 'backup.run', outcome: 'fail', reason: 'No space.' })
    t.strictSame(
      (await b.advance('2026-01-01T12:00:00.000Z')).map(({ at, event }) => [at, event]),
      [
        ['2026-01-01T03:00:00.000Z', 'backup.schedule'],
        ['2026-01-01T03:00:02.000Z', 'backup.run'],
        ['2026-01-01T03:01:02.000Z', 'backup.retry'],
        ['2026-01-01T03:01:04.000Z', 'backup.run'],
        ['2026-01-01T03:02:04.000Z', 'backup.retry'],
        ['2026-01-01T03:02:06.000Z', 'backup.run']
      ]
    )
    t.strictSame(
      (await backups(b)).map(({ status, time, size_bytes }): unknown[] => [status, time, size_bytes]),
      ['00:00', '01:02', '02:04'].map((time) => ['Failed', `2026-01-01T03:${time}Z`, '0'])
    )
  })

  await t.test('with no time between a failure and the next try, any number of them is no endless work', async (t) => {
    const b = await open()
    await post(b, { schedule: '0 3 * * *', max_retry: Number.MAX_SAFE_INTEGER })
    await b.setRules({ transition: 'backup.run', outcome: 'fail', after: 'PT0S' })
    await b.advance('2026-01-01T05:00:00.000Z')
    t.equal((await backups(b)).length, 121, 'the firing and a try a minute')
    await post(b, { schedule: '0 3 * * *' })
    await b.advance('PT1H')
    t.equal((await backups(b)).length, 121, 'a schedule that takes its place ends them')
  })

  await t.test('a retry that succeeds is the last one, and the next firing has all its retries again', async (t) => {
    const b = await open()
    await post(b, { schedule: '0 3 * * *', max_retry: 3 })
    await b.setRules({ transition: 'backup.run', outcome: 'fail', times: 2 })
    await b.advance('P1D')
    t.strictSame(
      (await backups(b)).map(({ status }) => status as string),
      ['Failed', 'Failed', 'Succeeded']
    )
    await b.setRules({ transition: 'backup.run', outcome: 'fail', times: 3 })
    await b.advance('P1D')
    t.strictSame(
      (await backups(b)).slice(3).map(({ status }) => status as string),
      ['Failed', 'Failed', 'Failed', 'Succeeded']
    )
  })

  await t.test('without max_retry, a failed backup is not tried again; a manual one never is', async (t) => {
    const b = await open()
    await b.setRules({ transition: 'backup.run', outcome: 'fail' })
    await post(b, { schedule: '0 3 * * *' })
    await b.advance('P1D')
    t.equal((await backups(b)).length, 1)
    await post(b, { schedule: '0 3 * * *', max_retry: 4 })
    await b.control('POST', `/workspaces/${b.workspace}/backups`)
    await b.advance('PT1H')
    t.equal((await backups(b)).length, 2)
  })

  await t.test('a retry is skipped if the workspace is not Active any more', async (t) => {
    const b = await open()
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

  await t.test('what is older than max_reserved_days goes after the next success, failed ones too', async (t) => {
    const b = await open()
    await post(b, { schedule: '0 3 * * *', max_backup_files: 100, max_reserved_days: 2 })
    await b.setRules({ transition: 'backup.run', outcome: 'fail', times: 1 })
    const times = async () =>
      (await backups(b)).map(({ time, status }): unknown[] => [(time as string).slice(8, 10), status])
    await b.advance('2026-01-02T12:00:00.000Z')
    t.strictSame(await times(), [
      ['01', 'Failed'],
      ['02', 'Succeeded']
    ])
    await b.advance('2026-01-03T03:00:01.999Z')
    t.strictSame(
      await times(),
      [
        ['01', 'Failed'],
        ['02', 'Succeeded'],
        ['03', 'Running']
      ],
      'nothing goes before the success'
    )
    await b.advance('2026-01-03T03:00:02.000Z')
    t.strictSame(await times(), [
      ['02', 'Succeeded'],
      ['03', 'Succeeded']
    ])
    await b.advance('P7D')
    t.strictSame(await times(), [
      ['09', 'Succeeded'],
      ['10', 'Succeeded']
    ])
  })

  await t.test('a backup that is exactly max_reserved_days old stays', async (t) => {
    const b = await openActiveWorkspace(await buildMock(t, { transitions: 'instant' }))
    await post(b, { schedule: '0 3 * * *', max_backup_files: 100, max_reserved_days: 1 })
    await b.advance('P3D')
    t.strictSame(
      (await backups(b)).map(({ time }) => (time as string).slice(8, 10)),
      ['02', '03']
    )
  })

  await t.test('a backup that is still being made stays however old it is, and ends well', async (t) => {
    const b = await open()
    await b.setRules({ transition: 'backup.run', outcome: 'hold', times: 1 })
    await post(b, { schedule: '0 3 * * *', max_backup_files: 2, max_reserved_days: 1 })
    await b.advance('P4D')
    t.strictSame(
      (await backups(b)).map(({ time, status }) => `${(time as string).slice(8, 10)} ${status}`),
      ['01 Running', '04 Succeeded']
    )
    await b.control('POST', '/transitions/release')
    t.strictSame(
      (await backups(b)).map(({ time }) => (time as string).slice(8, 10)),
      ['04'],
      'then it is too old'
    )
  })

  await t.test('a manual backup removes no automatic one', async (t) => {
    const b = await open()
    await post(b, { schedule: '0 3 * * *' })
    await b.advance('P3D')
    await post(b, { schedule: '0 3 * * *', max_backup_files: 1 })
    await b.control('POST', `/workspaces/${b.workspace}/backups`)
    await b.advance('PT1M')
    t.equal((await backups(b)).length, 4)
  })

  await t.test('a failure removes nothing, and failed backups do not count as files', async (t) => {
    const b = await open()
    await post(b, { schedule: '0 3 * * *', max_backup_files: 2, max_reserved_days: 365 })
    await b.advance('P2D')
    await b.setRules({ transition: 'backup.run', outcome: 'fail', times: 2 })
    await b.advance('P2D')
    const states = async () =>
      (await backups(b)).map(({ time, status }): unknown[] => [(time as string).slice(8, 10), status])
    t.strictSame(await states(), [
      ['01', 'Succeeded'],
      ['02', 'Succeeded'],
      ['03', 'Failed'],
      ['04', 'Failed']
    ])
    await b.advance('P1D')
    t.strictSame(await states(), [
      ['02', 'Succeeded'],
      ['03', 'Failed'],
      ['04', 'Failed'],
      ['05', 'Succeeded']
    ])
  })

  await t.test('retention leaves manual backups and those of other workspaces alone', async (t) => {
    const b = await open()
    const other = await b.addWorkspace()
    const second = { ...b, workspace: other, path: b.path.replace(b.workspace, other) }
    await b.control('POST', `/workspaces/${b.workspace}/backups`, { tag: 'mine' })
    await post(second, { schedule: '0 2 * * *' })
    await post(b, { schedule: '0 3 * * *', max_backup_files: 1, max_reserved_days: 1 })
    await b.advance('P5D')
    t.strictSame(
      (await backups(b)).map(({ tag }) => tag as string),
      ['mine', 'automatic-2026-01-05T03:00:00.000Z']
    )
    t.equal((await backups(second)).length, 5)
  })

  await t.test('the quota automatic_backups does not count what retention removes', async (t) => {
    const b = await open()
    await b.control('PUT', '/quotas', { automatic_backups: 2 })
    await post(b, { schedule: '0 3 * * *', max_backup_files: 2 })
    await b.advance('P5D')
    t.strictSame(
      (await backups(b)).map(({ time }) => time as string),
      ['2026-01-04T03:00:00Z', '2026-01-05T03:00:00Z']
    )
    t.strictSame(skipped(await b.history()), [])
  })

  await t.test('the quota automatic_backups lets a firing be skipped, with the quota as the reason', async (t) => {
    const b = await open()
    await b.control('PUT', '/quotas', { automatic_backups: 2, manual_backups: 0 })
    await post(b, { schedule: '0 3 * * *', max_retry: 3 })
    await b.advance('P3D')
    t.equal((await backups(b)).length, 2)
    t.strictSame(skipped(await b.history()), [
      [
        '2026-01-03T03:00:00.000Z',
        'backup.run',
        null,
        'skipped',
        messageOf('quotaExceeded', 'quotaPer', { quota: 'automatic_backups', maximum: 2, per: 'workspace' })
      ]
    ])
  })

  await t.test('the deletion of a workspace cancels everything that is due for it', async (t) => {
    const b = await open()
    const { due, call, path, advance, control, workspace } = b
    await post(b, { schedule: '0 3 * * *' })
    await setSchedule(b, {})
    await setSchedule(b, { repeat: 'none', date: '2026-05-01' })
    await call('PUT', path, { auto_stop_minutes: 600 })
    await control('POST', `/workspaces/${workspace}/backups`)
    t.strictSame(
      (await due()).map(({ event }) => event),
      ['backup.run', 'backup.schedule', 'workspace.auto-stop', 'workspace.schedule', 'workspace.schedule']
    )
    await call('DELETE', path)
    await advance('PT1S')
    t.strictSame(await due(), [])
    t.strictSame(await advance('P1Y'), [])
  })

  await t.test(
    'a deletion that fails leaves the schedules, and a workspace being deleted takes no new ones',
    async (t) => {
      const b = await open()
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

  await t.test('a schedule can be set on a workspace that is stopped', async (t) => {
    const b = await open()
    await b.call('POST', `${b.path}/pause`)
    await b.advance('PT1S')
    matchSuccess(t, await post(b, { schedule: '0 3 * * *' }), SET)
  })

  await t.test('a cron line must have five fields and fire some day', async (t) => {
    const b = await open()
    for (const schedule of ['0 0 3 * * *', '@daily', '3 * * *', ' ', 'daily']) {
      matchError(t, await post(b, { schedule }), 'invalidBody', { schedule: 'cron' })
    }
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
    for (const schedule of ['0 0 30 2 *', '0 0 31 4 *', '0 0 31 2,4,6 *']) {
      matchError(t, await post(b, { schedule }), 'invalidBody', { schedule: 'never' })
    }
    t.equal((await readBackupSchedule(b)).status, 404, 'none of them was stored')
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
})

void t.test('workspace schedules', async (t) => {
  await t.test('operation 34 answers a text: the JSON of an array, empty at first', async (t) => {
    const b = await open()
    matchSuccess(t, await readSchedules(b), 'Successfully got the workspace schedules.', '[]')
  })

  await t.test('operation 35 without an id creates a schedule, which operation 34 lists as it was given', async (t) => {
    const b = await open()
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
      matchSuccess(t, reply, 'Successfully updated the workspace schedule.', id)
      expected.push({ ...body, id })
    }
    const list = await readSchedules(b)
    matchSuccess(t, list, 'Successfully got the workspace schedules.', list.body.Result)
    t.type(list.body.Result, 'string')
    t.strictSame(JSON.parse(list.body.Result as string), expected)
  })

  await t.test('operation 35 with an id that is not in use creates the schedule with it', async (t) => {
    const b = await open()
    matchSuccess(
      t,
      await post(b, daily(b, { id: 'nightly' })),
      'Successfully updated the workspace schedule.',
      'nightly'
    )
    t.strictSame(JSON.parse((await readSchedules(b)).body.Result as string), [daily(b, { id: 'nightly' })])
  })

  await t.test(
    'operation 35 with a known id replaces the whole schedule, in its place, and what it had planned',
    async (t) => {
      const b = await open()
      await setSchedule(b, { id: 'a', repeat: 'weekly', repeat_on: 'Fri', workspace_type_name: 'SVC-2' })
      await setSchedule(b, { id: 'b' })
      matchSuccess(
        t,
        await post(b, daily(b, { id: 'a', time: '06:00' })),
        'Successfully updated the workspace schedule.',
        'a'
      )
      t.strictSame(JSON.parse((await readSchedules(b)).body.Result as string), [
        daily(b, { time: '06:00', id: 'a' }),
        daily(b, { id: 'b' })
      ])
      t.strictSame(await b.due(), [
        { due: '2026-01-01T06:00:00.000Z', event: 'workspace.schedule' },
        { due: '2026-01-01T12:00:00.000Z', event: 'workspace.schedule' }
      ])
    }
  )

  await t.test('operation 36 deletes a schedule and what it had planned', async (t) => {
    const b = await open()
    await setSchedule(b, { id: 'a' })
    await setSchedule(b, { id: 'b', time: '13:00' })
    matchSuccess(t, await post(b, { id: 'a' }), 'Successfully deleted the workspace schedule.', 'a')
    t.strictSame(JSON.parse((await readSchedules(b)).body.Result as string), [daily(b, { time: '13:00', id: 'b' })])
    t.strictSame(await b.due(), [{ due: '2026-01-01T13:00:00.000Z', event: 'workspace.schedule' }])
    matchError(t, await post(b, { id: 'a' }), 'notAllowed', { id: 'notSchedule' }, { values: { id: 'a' } })
  })

  await t.test('an id of a schedule of another workspace is refused', async (t) => {
    const b = await open()
    const other = await b.addWorkspace()
    const second = { ...b, workspace: other, path: b.path.replace(b.workspace, other) }
    await setSchedule(b, { id: 'a' })
    for (const body of [daily(second, { id: 'a' }), daily(second, { id: 'a', time: '13:00' })])
      matchError(t, await post(second, body), 'notAllowed', { id: 'otherSchedule' }, { values: { id: 'a' } })
    matchError(t, await post(second, { id: 'a' }), 'notAllowed', { id: 'notSchedule' }, { values: { id: 'a' } })
    t.strictSame((await readSchedules(second)).body.Result, '[]')
    t.strictSame(JSON.parse((await readSchedules(b)).body.Result as string), [daily(b, { id: 'a' })])
  })

  await t.test(
    'a body that repeats a schedule could mean its deletion, so it says which operation it is',
    async (t) => {
      const b = await open()
      await setSchedule(b, { id: 'a' })
      const same = daily(b, { id: 'a' })
      matchError(t, await post(b, same), 'notAllowed', { operation: 'unclearSchedule' })
      t.strictSame(JSON.parse((await readSchedules(b)).body.Result as string), [same], 'nothing has changed')
      t.equal((await post(b, same, '?operation=update_workspace_schedule')).status, 200)
      t.equal((await post(b, { ...same, time: '13:00' })).status, 200, 'a change is none')
      const whole = { ...same, time: '13:00' }
      matchSuccess(
        t,
        await post(b, whole, '?operation=delete_workspace_schedule'),
        'Successfully deleted the workspace schedule.',
        'a'
      )
      t.equal((await readSchedules(b)).body.Result, '[]')
    }
  )

  await t.test('of two schedules that fire at one time, the second acts when the first has ended', async (t) => {
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
      t.strictSame(
        (await b.due()).map(({ due }) => due),
        Array(3).fill('2026-01-02T12:00:00.000Z'),
        'and each fires once a day'
      )
    }
  })

  await t.test('repeat is taken in any case, and No Repeat means none', async (t) => {
    const b = await open()
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
      t.equal((JSON.parse((await readSchedules(b)).body.Result as string) as Body[])[0].repeat, shown, repeat!)
    }
  })

  await t.test('repeat_on is kept in the usual spelling, each day once, and only where repeat is weekly', async (t) => {
    const b = await open()
    const shown = async (fields: object) => {
      await setSchedule(b, { id: 'a', ...fields })
      const [{ repeat_on, date }] = JSON.parse((await readSchedules(b)).body.Result as string) as [Body]
      return [repeat_on, date] as unknown[]
    }
    t.strictSame(await shown({ repeat: 'weekly', repeat_on: 'mon, THU,mon' }), ['Mon,Thu', undefined])
    t.strictSame(await shown({ repeat: 'daily', repeat_on: 'Mon', date: '2026-01-10' }), [undefined, undefined])
    t.strictSame(await shown({ repeat: 'none', repeat_on: 'Mon', date: '2026-01-10' }), [undefined, '2026-01-10'])
  })

  await t.test(
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
        t.equal((JSON.parse((await readSchedules(b)).body.Result as string) as Body[])[0].repeat_on, weekday, timezone!)
      }
    }
  )

  await t.test('daily, weekdays and weekly fire on their days', async (t) => {
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

  await t.test('without a type, a schedule stops the workspace: Stopped, or Idle with auto-start', async (t) => {
    for (const [enable_auto_start, end] of [
      [false, 'Stopped'],
      [true, 'Idle']
    ] as const) {
      const b = await open()
      await b.call('PUT', b.path, { enable_auto_start })
      await setSchedule(b, {})
      await b.advance('2026-01-01T12:00:00.000Z')
      t.equal(await b.status(), 'Pausing')
      t.strictSame(
        (await b.advance('PT1S')).map(({ at, event }) => [at, event]),
        [['2026-01-01T12:00:01.000Z', 'workspace.pause']]
      )
      t.equal(await b.status(), end)
    }
  })

  await t.test('stopping what is stopped changes nothing and is not skipped', async (t) => {
    const b = await open()
    await setSchedule(b, {})
    await b.advance('P1D')
    const before = await b.history()
    t.strictSame(await firings(b, 'P1D'), ['2026-01-02T12:00:00.000Z'])
    t.strictSame(await b.history(), before)
  })

  await t.test('with a type, a stopped workspace is started and then brought to the type', async (t) => {
    const b = await open()
    const { call, path, advance, status, history } = b
    await call('POST', `${path}/pause`)
    await setSchedule(b, { workspace_type_name: 'SVC-4' })
    await advance('2026-01-01T12:00:00.000Z')
    const states = []
    for (const by of ['PT0S', 'PT2S', 'PT2S']) {
      await advance(by)
      const {
        body: { Result }
      } = await call('GET', path)
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

  await t.test(
    'with a type, an idle or failed workspace is started; one that has the type is not resized',
    async (t) => {
      const idle = await open()
      await idle.call('PUT', idle.path, { enable_auto_start: true, pause: true })
      await setSchedule(idle, { workspace_type_name: 'SVC-00' })
      await idle.advance('P1D')
      t.strictSame(
        (await idle.history()).slice(-3).map(([, name, from, to]) => [name, from, to]),
        [
          ['workspace.pause', 'Pausing', 'Idle'],
          ['workspace.resume', 'Idle', 'Resuming'],
          ['workspace.resume', 'Resuming', 'Active']
        ]
      )
      const failed = await open()
      await failed.setRules({ transition: 'workspace.delete', outcome: 'fail' })
      await failed.call('DELETE', failed.path)
      await failed.advance('PT1S')
      await setSchedule(failed, { workspace_type_name: 'SVC-1' })
      await failed.advance('P1D')
      const {
        body: { Result }
      } = await failed.call('GET', failed.path)
      t.strictSame([Result.status, Result.workspace_type.typeName], ['Active', 'SVC-1'])
    }
  )

  await t.test(
    'a read-only workspace is started with the type that it has; another one is refused, as in an update',
    async (t) => {
      const b = await open()
      const {
        body: {
          Result: { database_id }
        }
      } = await b.call('GET', b.path)
      const id = await b.addWorkspace({ svc_database_id: database_id, is_rw: false })
      const own = { ...b, workspace: id, path: b.path.replace(b.workspace, id) }
      const other = await post(own, daily(own, { time: '11:00', workspace_type_name: 'SVC-2' }))
      matchError(t, other, 'notAllowed', 'readOnly', { values: { verb: 'resized' } })
      await setSchedule(own, { time: '12:00', workspace_type_name: 'SVC-00' })
      await b.call('POST', `${own.path}/pause`)
      await b.advance('2026-01-01T12:00:02.000Z')
      t.strictSame((await b.history(id)).slice(-2), [
        ['2026-01-01T12:00:00.000Z', 'workspace.resume', 'Stopped', 'Resuming', null],
        ['2026-01-01T12:00:02.000Z', 'workspace.resume', 'Resuming', 'Active', null]
      ])
    }
  )

  await t.test('an active workspace is resized where it stands', async (t) => {
    const b = await open()
    await b.call('PUT', b.path, { enable_ha: true })
    await setSchedule(b, { workspace_type_name: 'SVC-2' })
    await b.advance('P1D')
    const {
      body: { Result }
    } = await b.call('GET', b.path)
    t.strictSame(
      Result.workspace_type,
      { typeName: 'SVC-2', cpu: '16', memory: '128Gi', partition: 1, ha: 3 },
      'and keeps its high availability'
    )
    t.strictSame(
      (await b.history()).slice(-2).map(([at, name]) => [at, name]),
      [
        ['2026-01-01T12:00:00.000Z', 'workspace.resize'],
        ['2026-01-01T12:00:02.000Z', 'workspace.resize']
      ]
    )
  })

  await t.test('a start that fails is not followed by a resize', async (t) => {
    const b = await open()
    await b.call('POST', `${b.path}/pause`)
    await b.setRules({ transition: 'workspace.resume', outcome: 'fail', times: 1 })
    await setSchedule(b, { workspace_type_name: 'SVC-2' })
    await b.advance('P1D')
    t.equal(await b.status(), 'Stopped')
    await b.advance('P1D')
    t.equal((await b.call('GET', b.path)).body.Result.workspace_type.typeName, 'SVC-2', 'the next firing does it')
  })

  await t.test('with instant transitions, start and resize are done at the time of the firing', async (t) => {
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

  await t.test(
    'a firing that the state does not allow is skipped, the timeline says why, and the next one comes',
    async (t) => {
      const b = await open()
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

  await t.test('a one-off fires once, stays listed, and never fires again', async (t) => {
    const b = await open()
    const fields = { id: 'once', repeat: 'none', date: '2026-01-03' }
    await setSchedule(b, fields)
    t.strictSame(await b.due(), [{ due: '2026-01-03T12:00:00.000Z', event: 'workspace.schedule' }])
    t.strictSame(await firings(b, 'P3Y'), ['2026-01-03T12:00:00.000Z'])
    t.strictSame(await b.due(), [])
    t.equal(await b.status(), 'Stopped')
    t.strictSame(
      JSON.parse((await readSchedules(b)).body.Result as string),
      [daily(b, fields)].map(({ workspace_id, repeat, time, timezone }) => ({
        workspace_id,
        repeat,
        date: '2026-01-03',
        time,
        timezone,
        id: 'once'
      }))
    )
    matchSuccess(t, await post(b, { id: 'once' }), 'Successfully deleted the workspace schedule.', 'once')
  })

  await t.test('a one-off in the past is a 400 by the clock of the sandbox and the zone of the schedule', async (t) => {
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
      matchError(
        t,
        await post(b, daily(b, { repeat: 'none', date, time, timezone })),
        'notAllowed',
        { date: 'pastDate' },
        { values }
      )
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
    t.strictSame(
      (await b.due()).map(({ due }) => due),
      ['2026-03-10T12:01:00.000Z', '2026-03-10T12:01:00.000Z', '2026-03-10T12:01:00.000Z', '9999-12-01T00:00:00.000Z']
    )
  })

  await t.test('several schedules at one moment fire in the order in which they were set', async (t) => {
    const b = await openActiveWorkspace(await buildMock(t, { transitions: 'instant' }))
    await setSchedule(b, { id: 'on', workspace_type_name: 'SVC-2' })
    await setSchedule(b, { id: 'off' })
    await b.advance('P1D')
    t.equal(await b.status(), 'Stopped')
    t.strictSame(
      (await b.history()).slice(-4).map(([, name]) => name),
      ['workspace.resize', 'workspace.resize', 'workspace.pause', 'workspace.pause']
    )
  })
})

void t.test('daylight saving', async (t) => {
  const cases: [name: string, start: string, fields: object, fired: string[]][] = [
    [
      'Berlin skips 02:30: it fires when the gap ends',
      '2026-03-27T12:00:00.000Z',
      { time: '02:30', timezone: 'Europe/Berlin' },
      ['2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z']
    ],
    [
      'Berlin repeats 02:30: it fires once, the first time',
      '2026-10-23T12:00:00.000Z',
      { time: '02:30', timezone: 'Europe/Berlin' },
      ['2026-10-24T00:30:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']
    ],
    [
      'New York skips 02:30',
      '2026-03-06T12:00:00.000Z',
      { time: '02:30', timezone: 'America/New_York' },
      ['2026-03-07T07:30:00.000Z', '2026-03-08T07:00:00.000Z', '2026-03-09T06:30:00.000Z']
    ],
    [
      'New York repeats 01:30',
      '2026-10-30T12:00:00.000Z',
      { time: '01:30', timezone: 'America/New_York' },
      ['2026-10-31T05:30:00.000Z', '2026-11-01T05:30:00.000Z', '2026-11-02T06:30:00.000Z']
    ],
    [
      'Sydney, in the south, skips 02:30 in October',
      '2026-10-02T06:00:00.000Z',
      { time: '02:30', timezone: 'Australia/Sydney' },
      ['2026-10-02T16:30:00.000Z', '2026-10-03T16:00:00.000Z', '2026-10-04T15:30:00.000Z']
    ],
    [
      'Sydney repeats 02:30 in April',
      '2026-04-03T06:00:00.000Z',
      { time: '02:30', timezone: 'Australia/Sydney' },
      ['2026-04-03T15:30:00.000Z', '2026-04-04T15:30:00.000Z', '2026-04-05T16:30:00.000Z']
    ],
    [
      'a weekly one in Berlin is shifted on its day alone',
      '2026-03-20T12:00:00.000Z',
      { time: '02:15', timezone: 'Europe/Berlin', repeat: 'weekly', repeat_on: 'Sun' },
      ['2026-03-22T01:15:00.000Z', '2026-03-29T01:00:00.000Z', '2026-04-05T00:15:00.000Z']
    ],
    [
      'a one-off at a time that is skipped in Berlin fires when the gap ends',
      '2026-03-27T12:00:00.000Z',
      { time: '02:30', timezone: 'Europe/Berlin', repeat: 'none', date: '2026-03-29' },
      ['2026-03-29T01:00:00.000Z']
    ],
    [
      'a one-off at a time that is repeated in New York fires once',
      '2026-10-31T12:00:00.000Z',
      { time: '01:30', timezone: 'America/New_York', repeat: 'none', date: '2026-11-01' },
      ['2026-11-01T05:30:00.000Z']
    ],
    [
      'noon stays noon',
      '2026-03-27T12:00:00.000Z',
      { time: '12:00', timezone: 'Europe/Berlin' },
      ['2026-03-28T11:00:00.000Z', '2026-03-29T10:00:00.000Z', '2026-03-30T10:00:00.000Z']
    ]
  ]
  for (const [name, start, fields, fired] of cases) {
    await t.test(name, async (t) => {
      const b = await open({ start })
      await setSchedule(b, fields)
      const seen = await firings(b, iso(Date.parse(fired.at(-1)!) + DAY / 4)!)
      t.strictSame(seen, fired)
    })
  }

  await t.test('a backup schedule is in UTC and knows none', async (t) => {
    const b = await open({ start: '2026-03-27T12:00:00.000Z' })
    await post(b, { schedule: '30 2 * * *' })
    t.strictSame(
      await firings(b, 'P3D', 'backup.schedule'),
      ['28', '29', '30'].map((day) => `2026-03-${day}T02:30:00.000Z`)
    )
  })
})

void t.test('the path that operations 22, 35 and 36 share', async (t) => {
  await t.test('the shape of the body chooses the operation, and the Message tells which', async (t) => {
    const b = await open()
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
      const {
        status,
        body: { Message }
      } = await post(b, body)
      t.equal(status, 200)
      t.equal(Message, `Successfully ${done}.`, JSON.stringify(body))
    }
  })

  await t.test('the query parameter operation chooses before the shape does', async (t) => {
    const b = await open()
    const whole = { ...daily(b), id: 'a', schedule: '0 3 * * *' }
    matchSuccess(t, await post(b, whole, '?operation=set_backup_schedule'), SET)
    t.equal((await readSchedules(b)).body.Result, '[]')
    matchSuccess(
      t,
      await post(b, whole, '?operation=update_workspace_schedule'),
      'Successfully updated the workspace schedule.',
      'a'
    )
    matchSuccess(
      t,
      await post(b, whole, '?operation=delete_workspace_schedule'),
      'Successfully deleted the workspace schedule.',
      'a'
    )
    t.equal((await readSchedules(b)).body.Result, '[]')
    t.equal((await readBackupSchedule(b)).body.Result.schedule, '0 3 * * *')
    const strange = { ...daily(b), schedule: 'not a field of this operation' }
    t.equal((await post(b, strange, '?operation=update_workspace_schedule')).status, 200)
    const missing: Fields = { workspace_id: 'required', repeat: 'required', time: 'required', timezone: 'required' }
    matchError(t, await post(b, { id: 'a' }, '?operation=update_workspace_schedule'), 'invalidBody', missing)
    matchError(t, await post(b, { id: 'a' }, '?operation=set_backup_schedule'), 'invalidBody', { schedule: 'required' })
    matchError(t, await post(b, daily(b), '?operation=delete_workspace_schedule'), 'invalidBody', { id: 'required' })
  })

  await t.test('a value of operation that there is not is a 400', async (t) => {
    const b = await open()
    const fields = {
      operation: oneOf('set_backup_schedule', 'update_workspace_schedule', 'delete_workspace_schedule')
    }
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

  await t.test('an empty body, and one that is no object, is a 400', async (t) => {
    const b = await open()
    const { call, mock, key, path } = b
    for (const query of ['', '?operation=set_backup_schedule', '?operation=delete_workspace_schedule']) {
      const url = `${path}/backups/schedule${query}`
      matchError(t, await call('POST', url), 'invalidBody', { '': 'noBody' })
      matchError(
        t,
        await mock.call('POST', url, { key, headers: { 'content-type': 'application/json' } }),
        'invalidBody',
        { '': 'noBody' }
      )
      matchError(t, await call('POST', url, 'null'), 'invalidBody', { '': 'noBody' })
      matchError(t, await call('POST', url, []), 'invalidBody', { '': wrongType('object', 'array') })
    }
    t.equal((await call('POST', `${path}/backups/schedule`, '{')).status, 400)
  })

  await t.test('every field at fault is reported', async (t) => {
    const b = await open()
    const { workspace: workspace_id } = b
    const forms = { repeat_on: 'weekdays', date: 'date', time: 'time', timezone: 'timeZone' } as const
    const cases: [body: object, fields: Fields][] = [
      [{}, { workspace_id: 'required', repeat: 'required', time: 'required', timezone: 'required' }],
      [
        {
          workspace_id,
          repeat: 'monthly',
          repeat_on: 'Monday',
          date: '2026-02-30',
          time: '24:00',
          timezone: 'Mars/Base'
        },
        { repeat: oneOf('none', 'daily', 'weekdays', 'weekly'), ...forms }
      ],
      [
        {
          workspace_id,
          repeat: 'weekly',
          repeat_on: '',
          date: '01/02/2026',
          time: '9:00',
          timezone: '+02:00',
          workspace_type_name: 'XL',
          id: ''
        },
        { ...forms, workspace_type_name: oneOf(...SIZES), id: LENGTH }
      ],
      [
        { workspace_id: 5, repeat: null, time: 900, timezone: true },
        {
          workspace_id: wrongType('string', 'number'),
          repeat: wrongType('string', 'null'),
          time: wrongType('string', 'number'),
          timezone: wrongType('string', 'boolean')
        }
      ],
      [
        { schedule: 5, pause: 'no', max_backup_files: 0, max_reserved_days: 1.5, max_retry: -1 },
        {
          schedule: wrongType('string', 'number'),
          pause: wrongType('boolean', 'string'),
          max_backup_files: ['atLeast', { limit: 1 }],
          max_reserved_days: wrongType('integer', 'fraction'),
          max_retry: ['atLeast', { limit: 0 }]
        }
      ],
      [{ workspace_id, repeat: 'none', time: '12:00', timezone: 'UTC' }, { date: 'dateRequired' }],
      [
        { workspace_id, repeat: 'No Repeat', time: '25:00', timezone: 'Mars/Base' },
        { time: 'time', timezone: 'timeZone', date: 'dateRequired' }
      ],
      [
        { workspace_id, repeat: 'none', date: 5, time: '12:00', timezone: 'UTC' },
        { date: wrongType('string', 'number') }
      ],
      [
        { schedule: '@daily', max_retry: -1 },
        { max_retry: ['atLeast', { limit: 0 }], schedule: 'cron' }
      ],
      [
        { schedule: '0 0 30 2 *', pause: 1 },
        { pause: wrongType('boolean', 'number'), schedule: 'never' }
      ],
      [{ schedule: '' }, { schedule: LENGTH }]
    ]
    for (const [body, fields] of cases) {
      matchError(t, await post(b, body), 'invalidBody', fields)
    }
  })

  await t.test('with --strict-bodies, unknown fields are refused by name, whatever operation is meant', async (t) => {
    const lenient = await open()
    const strict = await openActiveWorkspace(await buildMock(t, { strictBodies: true }))
    for (const b of [lenient, strict]) {
      await setSchedule(b, { id: 'a' })
      for (const [operation, body] of [
        ['delete_workspace_schedule', { id: 'a' }],
        ['update_workspace_schedule', daily(b, { id: 'b' })],
        ['set_backup_schedule', { schedule: '0 3 * * *' }]
      ] as const) {
        const reply = await post(b, { ...body, colour: 'red' }, `?operation=${operation}`)
        if (b === lenient) t.equal(reply.status, 200, operation)
        else matchError(t, reply, 'invalidBody', { colour: 'unknown' })
      }
    }
    t.strictSame(
      JSON.parse((await readSchedules(strict)).body.Result as string),
      [daily(strict, { id: 'a' })],
      'nothing was changed'
    )
  })

  await t.test('a deletion takes a whole workspace schedule, but no field of a wrong type', async (t) => {
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
      for (const field of Object.keys(whole)) {
        const fields = { [field]: wrongType('string', 'number') }
        matchError(
          t,
          await post(b, { ...whole, [field]: 5 }, '?operation=delete_workspace_schedule'),
          'invalidBody',
          fields
        )
        matchError(
          t,
          await post(b, { id: 'a', [field]: 5 }, '?operation=delete_workspace_schedule'),
          'invalidBody',
          fields
        )
      }
      t.equal((await readSchedules(b)).body.Result, before)
      matchSuccess(
        t,
        await post(b, whole, '?operation=delete_workspace_schedule'),
        'Successfully deleted the workspace schedule.',
        'a'
      )
      t.equal((await readSchedules(b)).body.Result, '[]')
    }
  })

  await t.test('only an IANA zone is a time zone', async (t) => {
    const b = await open()
    for (const timezone of ['+02:00', '-0500', '', ' ', 'Berlin', 'Europe/', 'Mars/Base', 'UTC+2']) {
      matchError(t, await post(b, daily(b, { timezone })), 'invalidBody', { timezone: 'timeZone' })
    }
    for (const timezone of ['UTC', 'Europe/Berlin', 'america/new_york', 'Asia/Kathmandu', 'Etc/GMT+5', 'US/Pacific']) {
      t.equal((await post(b, daily(b, { timezone }))).status, 200, timezone)
    }
  })

  await t.test('a workspace_id unlike the one in the path is a 400', async (t) => {
    const b = await open()
    await setSchedule(b, { id: 'a' })
    const other = await b.addWorkspace()
    for (const body of [daily(b, { workspace_id: other }), { id: 'a', workspace_id: other }]) {
      matchError(t, await post(b, body), 'notAllowed', { workspace_id: 'otherPath' }, { values: { id: b.workspace } })
    }
    t.strictSame(JSON.parse((await readSchedules(b)).body.Result as string), [daily(b, { id: 'a' })])
  })

  await t.test('operations 22 and 33 to 36 answer 404 for a workgroup or workspace that there is not', async (t) => {
    const b = await open()
    const { call, workgroup, workspace } = b
    for (const [path, what] of [
      [`/workgroups/${NONE}/workspaces/${workspace}`, 'workgroup'],
      [`/workgroups/${workgroup}/workspaces/${NONE}`, 'workspace']
    ] as const) {
      for (const body of [{ schedule: '0 3 * * *' }, daily(b), { id: 'a' }]) {
        matchError(t, await post({ ...b, path }, body), 'notFound', 'resource', { values: { what, id: NONE } })
      }
      for (const url of ['backups/schedule', 'schedules'])
        matchError(t, await call('GET', `${path}/${url}`), 'notFound', 'resource', { values: { what, id: NONE } })
    }
  })
})

void t.test('a schedule takes up room in a sandbox, one in the place of another takes up no more', async (t) => {
  const b = await openActiveWorkspace(await buildMock(t, { maxResources: 20 }))
  const made: string[] = []
  const { resources } = b.mock.plane
  while (resources.count(b.sandbox.key) < 20) made.push(await b.createWorkgroup())
  const makeRoom = () => b.result('DELETE', `/workgroups/${made.pop()}`)
  const refuse = async (body: object) => {
    matchError(t, await post(b, body), 'quotaExceeded', 'noRoom', { values: { has: 20, more: 'one', limit: 20 } })
  }
  for (const body of [{ schedule: '0 3 * * *' }, daily(b, { id: 'a' })]) {
    await refuse(body)
    await makeRoom()
    t.equal((await post(b, body)).status, 200)
    t.equal((await post(b, { ...body, time: '13:00' })).status, 200, 'in its own place')
  }
  await refuse(daily(b, { id: 'b' }))
})

void t.test('times', async (t) => {
  const schedule = (fields: Partial<WorkspaceScheduleRecord>): WorkspaceScheduleRecord => ({
    workspace: 'w',
    id: 'a',
    repeat: 'daily',
    repeatOn: null,
    date: null,
    time: '12:00',
    timezone: 'UTC',
    workspaceTypeName: null,
    ...fields
  })

  await t.test('the next firing is later than the time given, to the millisecond', async (t) => {
    const noon = Date.parse('2026-01-01T12:00:00.000Z')
    for (const [after, next] of [
      [-1, 0],
      [-60_001, 0],
      [0, DAY],
      [1, DAY],
      [999, DAY],
      [DAY - 1, DAY]
    ] as const) {
      t.equal(iso(nextOfSchedule(schedule({}), noon + after)), iso(noon + next))
      t.equal(iso(nextOfCron('0 12 * * *', noon + after)), iso(noon + next))
    }
  })

  await t.test('a cron line is in UTC, wherever the machine stands', async (t) => {
    const zone = process.env['TZ']
    t.teardown(() => {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    })
    process.env['TZ'] = 'America/New_York'
    t.equal(iso(nextOfCron('0 12 * * *', START)), '2026-01-01T12:00:00.000Z')
  })

  await t.test('a cron line that names a day of the month and a weekday fires on either', async (t) => {
    let time = START
    const fired = Array.from({ length: 4 }, () => (time = nextOfCron('0 0 13 * 1', time)!))
    t.strictSame(
      fired.map((at) => iso(at)!.slice(0, 10)),
      ['2026-01-05', '2026-01-12', '2026-01-13', '2026-01-19']
    )
  })

  await t.test('a cron line for the 29th of February fires in leap years, and one for the 30th never', async (t) => {
    t.equal(iso(nextOfCron('0 0 29 2 *', START)), '2028-02-29T00:00:00.000Z')
    t.equal(nextOfCron('0 0 30 2 *', START), undefined)
  })

  await t.test('a one-off has one time, on its date in its own zone and in no other year', async (t) => {
    const after = Date.parse('2026-01-01T00:00:00.000Z')
    const once = (date: string, timezone: string, from = after) =>
      iso(nextOfSchedule(schedule({ repeat: 'none', date, timezone }), from))
    t.equal(once('2028-02-29', 'UTC'), '2028-02-29T12:00:00.000Z')
    t.equal(once('2027-06-01', 'Pacific/Kiritimati'), '2027-05-31T22:00:00.000Z')
    t.equal(once('2027-06-01', 'Pacific/Pago_Pago'), '2027-06-01T23:00:00.000Z')
    t.equal(once('2025-12-31', 'UTC'), undefined)
    t.equal(once('2026-01-01', 'Asia/Tokyo', Date.parse('2026-01-01T03:00:00.000Z')), undefined)
  })

  // Zones with and without daylight saving, in the north and the south, and with offsets that are no whole hours.
  const ZONES = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Sydney',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/Sao_Paulo',
    'Pacific/Auckland'
  ]
  const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
  const formats = new Map(
    ZONES.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        hourCycle: 'h23',
        weekday: 'short',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit'
      })
    ])
  )
  /** What clocks and calendars in a zone show. */
  const local = (time: number, timezone: string) => {
    const parts = Object.fromEntries(
      formats
        .get(timezone)!
        .formatToParts(time)
        .map(({ type, value }) => [type, value])
    )
    return {
      day: parts['weekday']!,
      date: `${parts['year']}-${parts['month']}-${parts['day']}`,
      time: `${parts['hour']}:${parts['minute']}`
    }
  }
  /** Whether a time is the first after a jump of the local clocks that has left out another local time. */
  const endsGapOver = (time: number, timezone: string, wanted: string) => {
    const [before, at] = [local(time - 60_000, timezone), local(time, timezone)]
    return before.date === at.date && before.time < wanted && wanted < at.time
  }
  const minutes = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2036-01-01') })
  const clock = fc
    .tuple(fc.nat(23), fc.nat(59))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))

  await t.test(
    'the next firing is after the time given, on a day of the schedule, at its local time unless that is skipped',
    async () => {
      const repeats = fc.oneof(
        fc.record({ repeat: fc.constant('daily' as const), days: fc.constant([...WEEKDAYS]) }),
        fc.record({ repeat: fc.constant('weekdays' as const), days: fc.constant(WEEKDAYS.slice(0, 5)) }),
        fc.record({
          repeat: fc.constant('weekly' as const),
          days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 })
        })
      )
      fc.assert(
        fc.property(minutes, clock, fc.constantFrom(...ZONES), repeats, (after, time, timezone, { repeat, days }) => {
          const next = nextOfSchedule(
            schedule({ repeat, time, timezone, repeatOn: repeat === 'weekly' ? days.join(',') : null }),
            after
          )!
          const at = local(next, timezone)
          return (
            next > after &&
            next <= after + 8 * DAY &&
            (days as string[]).includes(at.day) &&
            (at.time === time || endsGapOver(next, timezone, time))
          )
        }),
        { numRuns: 300 }
      )
    }
  )

  await t.test('a daily schedule leaves out no day and fires on none twice', async () => {
    fc.assert(
      fc.property(minutes, clock, fc.constantFrom(...ZONES), (after, time, timezone) => {
        const first = nextOfSchedule(schedule({ time, timezone }), after)!
        const second = nextOfSchedule(schedule({ time, timezone }), first)!
        const following = new Date(Date.parse(`${local(first, timezone).date}T00:00:00Z`) + DAY)
          .toISOString()
          .slice(0, 10)
        return local(second, timezone).date === following
      }),
      { numRuns: 300 }
    )
  })

  await t.test('a one-off is on its date, and is found exactly if that is not past', async () => {
    fc.assert(
      fc.property(
        minutes,
        fc.integer({ min: -3, max: 1000 }),
        clock,
        fc.constantFrom(...ZONES),
        (after, days, time, timezone) => {
          const date = new Date(after + days * DAY).toISOString().slice(0, 10)
          const next = nextOfSchedule(schedule({ repeat: 'none', date, time, timezone }), after)
          const here = local(after, timezone)
          // The minute of now itself, and an hour that is repeated, are neither here nor there.
          if (next === undefined)
            return (
              `${date} ${time}` <= `${here.date} ${here.time}` || local(after - 3_600_000, timezone).time >= here.time
            )
          const at = local(next, timezone)
          return next > after && at.date === date && (at.time === time || endsGapOver(next, timezone, time))
        }
      ),
      { numRuns: 300 }
    )
  })
})
