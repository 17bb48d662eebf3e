import t from 'tap'
import { type ActiveWorkspace, openActiveWorkspace, testsWithActive } from '../active-workspace.js'
import { type Body, buildMock, matchError, matchSuccess, pluck, type Reply, UUID } from '../helper.js'
import { at, goTime, NONE, seconds } from '../sandbox.js'

const testActive = testsWithActive(await buildMock(t))

const REQUESTED = (tag: string) => `Restore of backup ${tag} requested.\n`
const READING = 'The workspace was taken out of service; reading the backup.\n'
const RESTORED = 'The backup was restored; the workspace is in service again.\n'

const backup = ({ control, workspace }: ActiveWorkspace, body?: object) =>
  control('POST', `/workspaces/${workspace}/backups`, body)
const list = ({ call, workspace }: ActiveWorkspace) => call('GET', `/workspaces/${workspace}/backups`)
const remove = ({ call, path }: ActiveWorkspace, id: string) => call('DELETE', `${path}/backups`, { backup_id: id })
const restore = ({ call, path }: ActiveWorkspace, id: string) =>
  call('POST', `${path}/backups/restore`, { backup_id: id })
const jobStatus = ({ call, workspace }: ActiveWorkspace, job: string) =>
  call('GET', `/workspaces/${workspace}/backups/${job}/status`)

/** Makes a backup that succeeds. @returns its id */
async function makeBackup(b: ActiveWorkspace, tag: string): Promise<string> {
  const id = (await backup(b, { tag })).body.Result.id as string
  await b.control('POST', '/clock/advance', { until: 'idle' })
  return id
}

/** Begins to restore a new backup with the tag `b`, two seconds after the start. @returns the id of the job */
async function beginRestore(b: ActiveWorkspace): Promise<string> {
  const reply = await restore(b, await makeBackup(b, 'b'))
  return reply.body.Result as string
}

/** A running backup as a reply shows it. */
const running = (id: string, tag: string, time: string) => ({
  id,
  tag,
  time: seconds(time),
  type: 'manual',
  is_automatic: false,
  status: 'Running',
  size_bytes: '0',
  version: '4.2.2'
})
const succeeded = (id: string, tag: string, time: string) => ({
  ...running(id, tag, time),
  status: 'Succeeded',
  size_bytes: '1048576'
})

const requestIdOf = ({ body }: Reply) => body.RequestID as string

testActive('a manual backup has the given tag, even an empty one, or by default one with the time', async (t, b) => {
  const cases: [body: object | undefined, tag: string][] = [
    [{ tag: 'before the migration' }, 'before the migration'],
    [{ tag: '' }, ''],
    [{}, `manual-${at(0)}`],
    [undefined, `manual-${at(0)}`],
    [{ tag: 'x'.repeat(256) }, 'x'.repeat(256)]
  ]
  for (const [body, tag] of cases) {
    const reply = await backup(b, body)
    t.match(reply.body.Result.id, UUID)
    matchSuccess(t, reply, 'The backup is Running.', running(reply.body.Result.id as string, tag, at(0)))
  }
})

testActive('a backup is Running for its time and then Succeeded, and the workspace stays Active', async (t, b) => {
  const reply = await backup(b, { tag: 'b' })
  const { id } = reply.body.Result as { id: string }
  t.strictSame(await b.advance('PT1.999S'), [])
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [running(id, 'b', at(0))])
  t.equal(await b.status(), 'Active')
  t.strictSame(pluck(await b.advance('PT0.001S'), 'at', 'event', 'resource_id'), [
    ['2026-01-01T00:00:02.000Z', 'backup.run', b.workspace]
  ])
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [succeeded(id, 'b', at(0))])
  const entry = {
    resource_id: id,
    transition: 'backup.run',
    attribute: 'status',
    reason: null,
    request_id: requestIdOf(reply)
  }
  t.strictSame(await b.timeline(id), [
    { ...entry, at: at(0), from: null, to: 'Running' },
    { ...entry, at: '2026-01-01T00:00:02.000Z', from: 'Running', to: 'Succeeded' }
  ])
})

testActive('a rule for backup.run makes a backup fail, with the reason in the timeline and no size', async (t, b) => {
  await b.setRules({
    transition: 'backup.run',
    outcome: 'fail',
    reason: 'The bucket is gone.',
    after: 'PT5S',
    times: 1
  })
  const { id } = (await backup(b, { tag: 'b' })).body.Result
  await b.advance('PT5S')
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [
    { ...running(id as string, 'b', at(0)), status: 'Failed' }
  ])
  t.strictSame(await b.history(id as string), [
    [at(0), 'backup.run', null, 'Running', null],
    ['2026-01-01T00:00:05.000Z', 'backup.run', 'Running', 'Failed', 'The bucket is gone.']
  ])
  const next = await makeBackup(b, 'c')
  t.equal((await list(b)).body.Result[1].status, 'Succeeded', 'the rule was for one')
  t.equal((await list(b)).body.Result[1].id, next)
})

testActive('a backup that is held stays Running until it is released', async (t, b) => {
  await b.setRules({ transition: 'backup.run', outcome: 'hold' })
  const { id } = (await backup(b, { tag: 'b' })).body.Result
  await b.advance('P30D')
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [running(id as string, 'b', at(0))])
  await b.control('POST', '/transitions/release', { transition: 'backup.run' })
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [succeeded(id as string, 'b', at(0))])
})

testActive('operation 31 lists the backups of one workspace in the order of creation', async (t, b) => {
  const { advance, addWorkspace, control } = b
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [])
  const other = await addWorkspace()
  await control('POST', `/workspaces/${other}/backups`, { tag: 'of another' })
  const expected = []
  for (const tag of ['m', 'z', 'a']) {
    const { id, time } = (await backup(b, { tag })).body.Result
    expected.push(succeeded(id as string, tag, time as string))
    await advance('PT1H')
  }
  matchSuccess(t, await list(b), 'Successfully listed the backups.', expected)
  t.strictSame(pluck(expected, 'time'), ['2026-01-01T00:00:02Z', '2026-01-01T01:00:02Z', '2026-01-01T02:00:02Z'])
})

testActive('a backup has the version of its workspace', async (t, b) => {
  const id = await b.addWorkspace({ svc_version: '4.1.3' })
  t.equal((await b.controlResult('POST', `/workspaces/${id}/backups`)).version, '4.1.3')
})

testActive('operation 20 deletes one backup, named by the body of the DELETE', async (t, b) => {
  const [first, second] = [await makeBackup(b, 'first'), await makeBackup(b, 'second')]
  matchSuccess(t, await remove(b, first), 'Successfully deleted the backup.')
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [
    succeeded(second, 'second', '2026-01-01T00:00:02.000Z')
  ])
  matchError(t, await remove(b, first), 'notAllowed', { backup_id: 'notBackup' }, { values: { id: first } })
})

testActive('operations 20 and 21 refuse the id of any other backup, naming backup_id', async (t, b) => {
  const { control, controlResult, addWorkspace, call } = b
  const other = await addWorkspace()
  const { id: foreign } = await controlResult('POST', `/workspaces/${other}/backups`)
  await control('POST', '/clock/advance', { until: 'idle' })
  for (const send of [remove, restore])
    for (const id of [NONE, foreign as string, b.workspace])
      matchError(t, await send(b, id), 'notAllowed', { backup_id: 'notBackup' }, { values: { id } })
  t.equal((await call('GET', `/workspaces/${other}/backups`)).body.Result.length, 1, 'the other one is still there')
  t.equal(await b.status(), 'Active')
})

testActive('a backup that is Running cannot be deleted', async (t, b) => {
  const id = (await backup(b, { tag: 'b' })).body.Result.id as string
  matchError(t, await remove(b, id), 'notAllowed', { backup_id: 'running' }, { values: { id } })
  await b.advance('PT2S')
  t.equal((await remove(b, id)).status, 200)
})

testActive('a backup that has Failed can be deleted', async (t, b) => {
  await b.setRules({ transition: 'backup.run', outcome: 'fail' })
  const id = await makeBackup(b, 'b')
  matchSuccess(t, await remove(b, id), 'Successfully deleted the backup.')
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [])
})

testActive(
  'operation 21 answers the job, which goes through Running to Succeeded, with a line of output per step, while the ' +
    'workspace is Restoring',
  async (t, b) => {
    const { advance, status, workspace, history } = b
    const id = await makeBackup(b, 'b')
    const reply = await restore(b, id)
    const job = reply.body.Result as string
    t.match(job, UUID)
    matchSuccess(t, reply, 'Successfully restored the backup.', job)
    const created_at = '2026-01-01T00:00:02.000Z'
    const steps: [move: string | undefined, job: string, workspace: string, output: string][] = [
      [undefined, 'Pending', 'Restoring', REQUESTED('b')],
      ['PT0.999S', 'Pending', 'Restoring', REQUESTED('b')],
      ['PT0.001S', 'Running', 'Restoring', REQUESTED('b') + READING],
      ['PT1.999S', 'Running', 'Restoring', REQUESTED('b') + READING],
      ['PT0.001S', 'Succeeded', 'Active', REQUESTED('b') + READING + RESTORED],
      ['P30D', 'Succeeded', 'Active', REQUESTED('b') + READING + RESTORED]
    ]
    for (const [move, jobState, state, output] of steps) {
      if (move !== undefined) await advance(move)
      matchSuccess(t, await jobStatus(b, job), 'Successfully got the restore status.', {
        name: job,
        status: jobState,
        output,
        created_at: goTime(created_at)
      })
      t.equal(await status(), state)
    }
    t.strictSame(await history(job), [
      [created_at, 'restore.run', null, 'Pending', null],
      ['2026-01-01T00:00:03.000Z', 'restore.run', 'Pending', 'Running', null],
      ['2026-01-01T00:00:05.000Z', 'restore.run', 'Running', 'Succeeded', null]
    ])
    t.strictSame((await history(workspace)).slice(-2), [
      [created_at, 'restore.run', 'Active', 'Restoring', null],
      ['2026-01-01T00:00:05.000Z', 'restore.run', 'Restoring', 'Active', null]
    ])
    matchSuccess(t, await list(b), 'Successfully listed the backups.', [succeeded(id, 'b', at(0))])
  }
)

testActive('while a restore runs, another one is a 400, and so is a backup', async (t, b) => {
  const id = await makeBackup(b, 'b')
  const job = (await restore(b, id)).body.Result as string
  const values = { id: b.workspace, state: 'Restoring', states: 'Active' }
  for (let step = 0; step < 2; step++) {
    matchError(t, await restore(b, id), 'notAllowed', 'state', { values: { ...values, name: 'restore.run' } })
    matchError(t, await backup(b), 'notAllowed', 'state', { values: { ...values, name: 'backup.run' } })
    await b.advance('PT1S')
  }
  await b.advance('PT1S')
  t.equal((await jobStatus(b, job)).body.Result.status, 'Succeeded', 'the first one was not disturbed')
  const second = (await restore(b, id)).body.Result as string
  t.not(second, job)
  t.equal((await jobStatus(b, job)).body.Result.status, 'Succeeded', 'nor is it by the next')
})

testActive(
  'a restore that fails leaves the workspace Failed and the job Failed, with the reason as its last line',
  async (t, b) => {
    const { setRules, advance, status, history, call, path } = b
    await setRules({ transition: 'restore.run', outcome: 'fail', reason: 'The backup is damaged.', times: 1 })
    const id = await makeBackup(b, 'b')
    const job = (await restore(b, id)).body.Result as string
    await advance('PT2.999S')
    t.equal((await jobStatus(b, job)).body.Result.status, 'Running')
    await advance('PT0.001S')
    matchSuccess(t, await jobStatus(b, job), 'Successfully got the restore status.', {
      name: job,
      status: 'Failed',
      output: `${REQUESTED('b')}${READING}The backup is damaged.\n`,
      created_at: goTime('2026-01-01T00:00:02.000Z')
    })
    t.equal(await status(), 'Failed')
    const last = ['2026-01-01T00:00:05.000Z', 'restore.run', 'Running', 'Failed', 'The backup is damaged.']
    t.strictSame((await history(job)).at(-1), last)
    await call('POST', `${path}/resume`)
    await advance('PT2S')
    t.equal(await status(), 'Active')
    t.equal((await jobStatus(b, job)).body.Result.status, 'Failed', 'the job stays Failed')
    t.equal((await restore(b, id)).status, 200)
  }
)

testActive('a restore that is held is Running and Restoring until it is released', async (t, b) => {
  const { setRules, advance, status, control } = b
  await setRules({ transition: 'restore.run', outcome: 'hold' })
  const job = await beginRestore(b)
  await advance('P30D')
  t.strictSame([(await jobStatus(b, job)).body.Result.status, await status()], ['Running', 'Restoring'])
  await control('POST', '/transitions/release', {})
  t.strictSame([(await jobStatus(b, job)).body.Result.status, await status()], ['Succeeded', 'Active'])
  t.equal((await jobStatus(b, job)).body.Result.output, REQUESTED('b') + READING + RESTORED)
})

testActive('a restore that is released while it is Pending passes through Running', async (t, b) => {
  await b.setRules({ transition: 'restore.run', outcome: 'hold' })
  const job = await beginRestore(b)
  await b.control('POST', '/transitions/release', { resource_id: b.workspace })
  t.equal((await jobStatus(b, job)).body.Result.output, REQUESTED('b') + READING + RESTORED)
  t.strictSame(pluck(await b.timeline(job), 'to'), ['Pending', 'Running', 'Succeeded'])
  const state = await b.controlResult('GET', '/state')
  const imported = await b.control('PUT', '/state', state)
  t.equal(imported.status, 200, 'an import would refuse events of an ended job')
  await b.advance('P1D')
  t.equal((await jobStatus(b, job)).body.Result.output, REQUESTED('b') + READING + RESTORED, 'no line comes later')
})

testActive(
  'deleting the workspace interrupts its restore job, which can be read until the workspace is gone',
  async (t, b) => {
    const { call, path, advance, status, due, workspace } = b
    for (const [wait, lines] of [
      ['PT0S', REQUESTED('b')],
      ['PT1S', REQUESTED('b') + READING]
    ] as const) {
      const id = await b.addWorkspace()
      const own = { ...b, workspace: id, path: path.replace(workspace, id) }
      const job = await beginRestore(own)
      await advance(wait)
      await call('DELETE', own.path)
      const reply = await jobStatus(own, job)
      matchSuccess(t, reply, 'Successfully got the restore status.', {
        name: job,
        status: 'Failed',
        output: `${lines}Interrupted by workspace.delete.\n`,
        created_at: reply.body.Result.created_at
      })
      t.strictSame(pluck(await due(), 'event'), ['workspace.delete'], 'nothing of the restore is due')
      await advance('PT1S')
      t.strictSame([(await jobStatus(own, job)).status, (await list(own)).status], [404, 404])
      t.strictSame(await due(), [])
    }
    t.equal(await status(), 'Active', 'the first workspace is not affected')
  }
)

testActive('only a backup that has Succeeded can be restored', async (t, b) => {
  await b.setRules({ transition: 'backup.run', outcome: 'fail', times: 1 })
  const id = (await backup(b)).body.Result.id as string
  for (const state of ['Running', 'Failed']) {
    const values = { id, state }
    matchError(t, await restore(b, id), 'notAllowed', { backup_id: 'notSucceeded' }, { values })
    await b.advance('PT2S')
  }
  t.equal(await b.status(), 'Active')
})

testActive(
  'in clock mode poll, each read of a restore job or of backups advances it by one step, up to its end',
  async (t, b) => {
    const { control, now, status } = b
    await control('PUT', '/clock', { mode: 'poll' })
    const { id } = (await backup(b, { tag: 'b' })).body.Result
    t.equal(await now(), at(0))
    for (let read = 0; read < 2; read++)
      matchSuccess(t, await list(b), 'Successfully listed the backups.', [succeeded(id as string, 'b', at(0))])
    t.equal(await now(), '2026-01-01T00:00:02.000Z')
    const job = (await restore(b, id as string)).body.Result as string
    t.equal((await list(b)).status, 200)
    t.equal(await now(), '2026-01-01T00:00:02.000Z', 'the backups are all made')
    const states = []
    for (let read = 0; read < 3; read++)
      states.push([(await jobStatus(b, job)).body.Result.status as string, await now()])
    t.strictSame(states, [
      ['Running', '2026-01-01T00:00:03.000Z'],
      ['Succeeded', '2026-01-01T00:00:05.000Z'],
      ['Succeeded', '2026-01-01T00:00:05.000Z']
    ])
    t.equal(await status(), 'Active')
  }
)

testActive('in clock mode poll, reading an ended or unknown job does not move the clock', async (t, b) => {
  const { control, controlResult } = b
  const first = await beginRestore(b)
  await control('POST', '/clock/advance', { until: 'idle' })
  const second = await beginRestore(b)
  await control('PUT', '/clock', { mode: 'poll' })
  const before = await controlResult('GET', '/clock')
  t.equal((await jobStatus(b, first)).body.Result.status, 'Succeeded')
  t.equal((await jobStatus(b, NONE)).status, 404)
  t.strictSame(await controlResult('GET', '/clock'), before)
  t.equal((await jobStatus(b, second)).body.Result.status, 'Running')
})

void t.test('with instant transitions, backups and restores have ended when they are answered', async (t) => {
  const b = await openActiveWorkspace(await buildMock(t, { transitions: 'instant' }))
  const { setRules, status, due, workspace } = b
  const made = await backup(b, { tag: 'b' })
  const id = made.body.Result.id as string
  matchSuccess(t, made, 'The backup is Succeeded.', succeeded(id, 'b', at(0)))
  const job = (await restore(b, id)).body.Result as string
  t.strictSame(b.mock.plane.engine.dueEvents.list(b.sandbox.key), [], 'nothing is left to be done by the next request')
  matchSuccess(t, await jobStatus(b, job), 'Successfully got the restore status.', {
    name: job,
    status: 'Succeeded',
    output: REQUESTED('b') + READING + RESTORED,
    created_at: goTime(at(0))
  })
  t.equal(await status(), 'Active')
  t.strictSame(pluck((await b.timeline(workspace)).slice(-2), 'transition', 'from', 'to'), [
    ['restore.run', 'Active', 'Restoring'],
    ['restore.run', 'Restoring', 'Active']
  ])
  await setRules(
    { transition: 'backup.run', outcome: 'fail' },
    { transition: 'restore.run', outcome: 'fail', reason: 'No.' }
  )
  t.equal((await backup(b)).body.Result.status, 'Failed')
  const failed = (await restore(b, id)).body.Result as string
  t.equal((await jobStatus(b, failed)).body.Result.output, `${REQUESTED('b')}${READING}No.\n`)
  t.equal(await status(), 'Failed')
  t.strictSame(await due(), [])
})

testActive('the backups of a workspace are deleted with it', async (t, b) => {
  const { call, path, advance, due, control } = b
  await control('PUT', '/quotas', { manual_backups: 2 })
  await makeBackup(b, 'b')
  await backup(b)
  await call('DELETE', path)
  await advance('PT1S')
  t.strictSame(await due(), [], 'the running one does not end')
  const other = await b.addWorkspace()
  t.strictSame((await call('GET', `/workspaces/${other}/backups`)).body.Result as Body[], [])
  t.equal((await control('POST', `/workspaces/${other}/backups`)).status, 200, 'the quota is free again')
})
