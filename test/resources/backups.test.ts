import t from 'tap'
import { type ActiveWorkspace, openActiveWorkspace } from '../active-workspace.js'
import { type Body, buildMock, matchError, matchSuccess, type Reply, UUID } from '../helper.js'
import { LENGTH, type Reason, wrongType } from '../messages.js'
import { at, goTime, NONE, openSandbox, type SandboxOptions, seconds } from '../sandbox.js'

const mock = await buildMock(t)
const open = (options?: SandboxOptions) => openActiveWorkspace(mock, options)

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

/**
 * Begins to restore a new backup with the tag `b`; the clock shows two seconds after the start then.
 * @returns the id of the job
 */
async function beginRestore(b: ActiveWorkspace): Promise<string> {
  const reply = await restore(b, await makeBackup(b, 'b'))
  return reply.body.Result as string
}

/** A backup as it is shown while it is made. */
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

void t.test('a manual backup has the tag that is given, even an empty one, or else one made of the time', async (t) => {
  const b = await open()
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
  for (const body of [{ tag: 'x'.repeat(257) }, { tag: 5 }, { name: 'x' }])
    t.equal((await backup(b, body)).status, 400, 'not a tag')
})

void t.test('a backup is Running for its time and then Succeeded, and the workspace stays Active', async (t) => {
  const b = await open()
  const reply = await backup(b, { tag: 'b' })
  const { id } = reply.body.Result as { id: string }
  t.strictSame(await b.advance('PT1.999S'), [])
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [running(id, 'b', at(0))])
  t.equal(await b.status(), 'Active')
  t.strictSame(
    (await b.advance('PT0.001S')).map(({ at, event, resource_id }) => [at, event, resource_id]),
    [['2026-01-01T00:00:02.000Z', 'backup.run', b.workspace]]
  )
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

void t.test('a rule for backup.run makes a backup fail, with its reason in the timeline and no size', async (t) => {
  const b = await open()
  await b.setRules({
    transition: 'backup.run',
    outcome: 'fail',
    reason: 'The bucket is gone.',
    after: 'PT5S',
    times: 1
  })
  const {
    body: {
      Result: { id }
    }
  } = await backup(b, { tag: 'b' })
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

void t.test('a backup that is held stays Running until it is released', async (t) => {
  const b = await open()
  await b.setRules({ transition: 'backup.run', outcome: 'hold' })
  const {
    body: {
      Result: { id }
    }
  } = await backup(b, { tag: 'b' })
  await b.advance('P30D')
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [running(id as string, 'b', at(0))])
  await b.control('POST', '/transitions/release', { transition: 'backup.run' })
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [succeeded(id as string, 'b', at(0))])
})

void t.test(
  'the quota manual_backups counts the manual backups of each workspace until they are deleted',
  async (t) => {
    const b = await open()
    await b.control('PUT', '/quotas', { manual_backups: 1, automatic_backups: 0 })
    const id = await makeBackup(b, 'b')
    matchError(t, await backup(b), 'quotaExceeded', 'quotaPerOf', {
      values: { quota: 'manual_backups', maximum: 1, per: 'workspace', what: 'backup' }
    })
    const other = await b.addWorkspace()
    t.equal((await b.control('POST', `/workspaces/${other}/backups`)).status, 200, 'another has its own')
    await remove(b, id)
    t.equal((await backup(b)).status, 200)
    await b.control('PUT', '/quotas', { manual_backups: null })
    t.equal((await backup(b)).status, 200, 'there is no limit any more')
    t.equal((await list(b)).body.Result.length, 2)
  }
)

void t.test('only a workspace that is Active can be backed up', async (t) => {
  const b = await open()
  const { call, path, workspace, advance } = b
  const refused = async (state: string) => {
    matchError(t, await backup(b), 'notAllowed', 'state', {
      values: { id: workspace, state, name: 'backup.run', states: 'Active' }
    })
  }
  await call('POST', `${path}/pause`)
  await refused('Pausing')
  await advance('PT1S')
  await refused('Stopped')
  await call('POST', `${path}/resume`)
  await refused('Resuming')
  await advance('PT2S')
  await call('PUT', path, { enable_ha: true })
  await refused('Resizing')
  await advance('PT2S')
  await call('DELETE', path)
  await refused('Terminating')
  await advance('PT1S')
  matchError(t, await backup(b), 'notFound', 'resource', { values: { what: 'workspace', id: workspace } })
})

void t.test('a read-only workspace can neither be backed up nor restored nor have a backup schedule', async (t) => {
  const b = await open()
  const { call, path, control, workgroup } = b
  const {
    body: {
      Result: { database_id }
    }
  } = await call('GET', path)
  const id = await b.addWorkspace({ svc_database_id: database_id, is_rw: false })
  const own = `/workgroups/${workgroup}/workspaces/${id}`
  const backedUp = { values: { verb: 'backed up' } }
  matchError(t, await control('POST', `/workspaces/${id}/backups`), 'notAllowed', 'readOnly', backedUp)
  matchError(
    t,
    await call('POST', `${own}/backups/schedule`, { schedule: '0 3 * * *' }),
    'notAllowed',
    'readOnly',
    backedUp
  )
  matchError(
    t,
    await call('POST', `${own}/backups/restore`, { backup_id: await makeBackup(b, 'b') }),
    'notAllowed',
    'readOnly',
    { values: { verb: 'restored' } }
  )
  matchSuccess(t, await call('GET', `/workspaces/${id}/backups`), 'Successfully listed the backups.', [])
})

void t.test('operation 31 lists the backups of one workspace in the order of creation', async (t) => {
  const b = await open()
  const { advance, addWorkspace, control } = b
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [])
  const other = await addWorkspace()
  await control('POST', `/workspaces/${other}/backups`, { tag: 'of another' })
  const expected = []
  for (const tag of ['m', 'z', 'a']) {
    const {
      body: {
        Result: { id, time }
      }
    } = await backup(b, { tag })
    expected.push(succeeded(id as string, tag, time as string))
    await advance('PT1H')
  }
  matchSuccess(t, await list(b), 'Successfully listed the backups.', expected)
  t.strictSame(
    expected.map(({ time }) => time),
    ['2026-01-01T00:00:02Z', '2026-01-01T01:00:02Z', '2026-01-01T02:00:02Z']
  )
})

void t.test('a backup has the version of its workspace', async (t) => {
  const b = await open()
  const id = await b.addWorkspace({ svc_version: '4.1.3' })
  t.equal((await b.controlResult('POST', `/workspaces/${id}/backups`)).version, '4.1.3')
})

void t.test('operation 20 deletes one backup, named by the body of the DELETE', async (t) => {
  const b = await open()
  const [first, second] = [await makeBackup(b, 'first'), await makeBackup(b, 'second')]
  matchSuccess(t, await remove(b, first), 'Successfully deleted the backup.')
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [
    succeeded(second, 'second', '2026-01-01T00:00:02.000Z')
  ])
  matchError(t, await remove(b, first), 'notAllowed', { backup_id: 'notBackup' }, { values: { id: first } })
})

void t.test('operations 20 and 21 refuse an id that is no backup of the workspace, naming backup_id', async (t) => {
  const b = await open()
  const { control, controlResult, addWorkspace, call } = b
  const other = await addWorkspace()
  const { id: foreign } = await controlResult('POST', `/workspaces/${other}/backups`)
  await control('POST', '/clock/advance', { until: 'idle' })
  for (const send of [remove, restore]) {
    for (const id of [NONE, foreign as string, b.workspace]) {
      matchError(t, await send(b, id), 'notAllowed', { backup_id: 'notBackup' }, { values: { id } })
    }
  }
  t.equal(
    (await call('GET', `/workspaces/${other}/backups`)).body.Result.length,
    1,
    'that of the other workspace is still there'
  )
  t.equal(await b.status(), 'Active')
})

void t.test('operations 20 and 21 need a body with a backup_id of 1 to 256 characters', async (t) => {
  const { call, mock, key, path } = await open()
  for (const [method, url] of [
    ['DELETE', `${path}/backups`],
    ['POST', `${path}/backups/restore`]
  ] as const) {
    const cases: [body: unknown, reason: Reason][] = [
      [{}, 'required'],
      [{ backup_id: 5 }, wrongType('string', 'number')],
      [{ backup_id: null }, wrongType('string', 'null')],
      [{ backup_id: '' }, LENGTH],
      [{ backup_id: 'x'.repeat(257) }, LENGTH]
    ]
    for (const [body, reason] of cases) {
      matchError(t, await call(method, url, body), 'invalidBody', { backup_id: reason })
    }
    for (const headers of [{}, { 'content-type': 'application/json' }] as Record<string, string>[]) {
      matchError(t, await mock.call(method, url, { key, headers }), 'invalidBody', { '': 'noBody' })
    }
  }
})

void t.test('a backup that is Running cannot be deleted', async (t) => {
  const b = await open()
  const {
    body: {
      Result: { id }
    }
  } = await backup(b, { tag: 'b' })
  matchError(t, await remove(b, id as string), 'notAllowed', { backup_id: 'running' }, { values: { id: id as string } })
  await b.advance('PT2S')
  t.equal((await remove(b, id as string)).status, 200)
})

void t.test('a backup that has Failed can be deleted', async (t) => {
  const b = await open()
  await b.setRules({ transition: 'backup.run', outcome: 'fail' })
  const id = await makeBackup(b, 'b')
  matchSuccess(t, await remove(b, id), 'Successfully deleted the backup.')
  matchSuccess(t, await list(b), 'Successfully listed the backups.', [])
})

void t.test(
  'operation 21 answers the job; it goes from Pending over Running to Succeeded, a line of output a step, ' +
    'and the workspace is Restoring meanwhile',
  async (t) => {
    const b = await open()
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

void t.test(
  'while a restore runs, another one and everything else that needs an Active workspace is a 400',
  async (t) => {
    const b = await open()
    const { call, path, workspace, advance } = b
    const id = await makeBackup(b, 'b')
    const job = (await restore(b, id)).body.Result as string
    const refused = (reply: Reply, name: string, states = 'Active') =>
      matchError(t, reply, 'notAllowed', 'state', { values: { id: workspace, state: 'Restoring', name, states } })
    for (let step = 0; step < 2; step++) {
      refused(await restore(b, id), 'restore.run')
      await advance('PT1S')
    }
    refused(await backup(b), 'backup.run')
    refused(await call('POST', `${path}/pause`), 'workspace.pause')
    refused(await call('POST', `${path}/resume`), 'workspace.resume', 'Stopped, Idle, Failed')
    refused(await call('POST', `${path}/refresh`), 'workspace.refresh')
    await advance('PT1S')
    t.equal((await jobStatus(b, job)).body.Result.status, 'Succeeded', 'the first one was not disturbed')
    const second = await restore(b, id)
    t.equal(second.status, 200)
    t.not(second.body.Result, job)
    t.equal((await jobStatus(b, job)).body.Result.status, 'Succeeded', 'nor by the next')
  }
)

void t.test(
  'a restore that fails leaves the workspace Failed and the job Failed, with the reason as its last line',
  async (t) => {
    const b = await open()
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
    t.strictSame((await history(job)).at(-1), [
      '2026-01-01T00:00:05.000Z',
      'restore.run',
      'Running',
      'Failed',
      'The backup is damaged.'
    ])
    matchError(t, await restore(b, id), 'notAllowed', 'state', {
      values: { id: b.workspace, state: 'Failed', name: 'restore.run', states: 'Active' }
    })
    await call('POST', `${path}/resume`)
    await advance('PT2S')
    t.equal(await status(), 'Active')
    t.equal((await jobStatus(b, job)).body.Result.status, 'Failed', 'the job stays what it was')
    t.equal((await restore(b, id)).status, 200)
  }
)

void t.test('a restore that is held is Running and Restoring until it is released', async (t) => {
  const b = await open()
  const { setRules, advance, status, control } = b
  await setRules({ transition: 'restore.run', outcome: 'hold' })
  const job = await beginRestore(b)
  await advance('P30D')
  t.strictSame([(await jobStatus(b, job)).body.Result.status, await status()], ['Running', 'Restoring'])
  await control('POST', '/transitions/release', {})
  t.strictSame([(await jobStatus(b, job)).body.Result.status, await status()], ['Succeeded', 'Active'])
  t.equal((await jobStatus(b, job)).body.Result.output, REQUESTED('b') + READING + RESTORED)
})

void t.test('a restore that is released before it has begun to work passes through Running all the same', async (t) => {
  const b = await open()
  await b.setRules({ transition: 'restore.run', outcome: 'hold' })
  const job = await beginRestore(b)
  await b.control('POST', '/transitions/release', { resource_id: b.workspace })
  t.equal((await jobStatus(b, job)).body.Result.output, REQUESTED('b') + READING + RESTORED)
  t.strictSame(
    (await b.history(job)).map(([, , , to]) => to),
    ['Pending', 'Running', 'Succeeded']
  )
  const state = await b.controlResult('GET', '/state')
  t.equal(
    (await b.control('PUT', '/state', state)).status,
    200,
    'nothing is due for it any more, which an import would refuse'
  )
  await b.advance('P1D')
  t.equal((await jobStatus(b, job)).body.Result.output, REQUESTED('b') + READING + RESTORED, 'no line comes later')
})

void t.test(
  'deleting the workspace interrupts its restore job, which can be read until the workspace is gone',
  async (t) => {
    const b = await open()
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
      t.strictSame(
        (await due()).map(({ event }) => event),
        ['workspace.delete'],
        'nothing of the restore is due'
      )
      await advance('PT1S')
      matchError(t, await jobStatus(own, job), 'notFound', 'resource', { values: { what: 'workspace', id } })
      matchError(t, await list(own), 'notFound', 'resource', { values: { what: 'workspace', id } })
      t.strictSame(await due(), [])
    }
    t.equal(await status(), 'Active', 'the first workspace has nothing to do with it')
  }
)

void t.test('only a backup that has Succeeded can be restored', async (t) => {
  const b = await open()
  await b.setRules({ transition: 'backup.run', outcome: 'fail', times: 1 })
  const {
    body: {
      Result: { id }
    }
  } = await backup(b)
  for (const state of ['Running', 'Failed']) {
    matchError(
      t,
      await restore(b, id as string),
      'notAllowed',
      { backup_id: 'notSucceeded' },
      { values: { id: id as string, state } }
    )
    await b.advance('PT2S')
  }
  t.equal(await b.status(), 'Active')
})

void t.test('a stopped workspace cannot be restored', async (t) => {
  const b = await open()
  const id = await makeBackup(b, 'b')
  await b.call('POST', `${b.path}/pause`)
  await b.advance('PT1S')
  matchError(t, await restore(b, id), 'notAllowed', 'state', {
    values: { id: b.workspace, state: 'Stopped', name: 'restore.run', states: 'Active' }
  })
})

void t.test('operation 32 knows a job only under its own workspace', async (t) => {
  const b = await open()
  const { call, addWorkspace } = b
  const job = await beginRestore(b)
  const other = await addWorkspace()
  matchError(t, await jobStatus(b, NONE), 'notFound', 'resource', { values: { what: 'restore job', id: NONE } })
  matchError(t, await call('GET', `/workspaces/${other}/backups/${job}/status`), 'notFound', 'resource', {
    values: { what: 'restore job', id: job }
  })
  matchError(t, await call('GET', `/workspaces/${NONE}/backups/${job}/status`), 'notFound', 'resource', {
    values: { what: 'workspace', id: NONE }
  })
  matchError(
    t,
    await mock.call('GET', `/workspaces/${b.workspace}/backups/${job}/status`, { key: 'other' }),
    'notFound',
    'resource',
    { values: { what: 'workspace', id: b.workspace } }
  )
  t.equal((await jobStatus(b, job)).status, 200)
})

void t.test('operations 20, 21 and 31 answer 404 for a workgroup or workspace that there is not', async (t) => {
  const b = await open()
  const { call, workgroup, workspace } = b
  const {
    body: {
      Result: { workgroup_id: elsewhere }
    }
  } = await call('POST', '/workgroups', { cloud_provider_id: 'x' })
  const cases = [
    [NONE, workspace, { what: 'workgroup', id: NONE }],
    [workgroup, NONE, { what: 'workspace', id: NONE }],
    [elsewhere as string, workspace, { what: 'workspace', id: workspace }]
  ] as const
  for (const [group, id, values] of cases) {
    const own = `/workgroups/${group}/workspaces/${id}/backups`
    matchError(t, await call('DELETE', own, { backup_id: 'b' }), 'notFound', 'resource', { values })
    matchError(t, await call('POST', `${own}/restore`, { backup_id: 'b' }), 'notFound', 'resource', { values })
  }
  matchError(t, await call('GET', `/workspaces/${NONE}/backups`), 'notFound', 'resource', {
    values: { what: 'workspace', id: NONE }
  })
  matchError(t, await b.control('POST', `/workspaces/${NONE}/backups`), 'notFound', 'resource', {
    values: { what: 'workspace', id: NONE }
  })
})

void t.test(
  'in clock mode poll, each read of a restore job or of backups goes one step on, and no further than its end',
  async (t) => {
    const b = await open()
    const { control, now, status } = b
    await control('PUT', '/clock', { mode: 'poll' })
    const {
      body: {
        Result: { id }
      }
    } = await backup(b, { tag: 'b' })
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

void t.test('in clock mode poll, reading a job that is over, or that there is not, moves nothing', async (t) => {
  const b = await open()
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

void t.test('with instant transitions, backups and restores are over when they are answered', async (t) => {
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
  t.strictSame(
    (await b.history(workspace)).slice(-2).map(([, name, from, to]) => [name, from, to]),
    [
      ['restore.run', 'Active', 'Restoring'],
      ['restore.run', 'Restoring', 'Active']
    ]
  )
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

void t.test(
  'with realistic transitions, a backup takes 3 minutes and a restore 5, a third of it pending',
  async (t) => {
    const b = await openActiveWorkspace(await buildMock(t, { transitions: 'realistic' }))
    const { advance } = b
    const {
      body: {
        Result: { id }
      }
    } = await backup(b, { tag: 'b' })
    t.strictSame(
      (await advance('PT1H')).map(({ at, event }) => [at, event]),
      [['2026-01-01T00:03:00.000Z', 'backup.run']]
    )
    await restore(b, id as string)
    t.strictSame(
      (await advance('PT1H')).map(({ at, event }) => [at, event]),
      [
        ['2026-01-01T01:01:40.000Z', 'restore.step'],
        ['2026-01-01T01:05:00.000Z', 'restore.run']
      ]
    )
  }
)

void t.test('a rule decides how long a restore takes, and with it when the job begins to work', async (t) => {
  const b = await open()
  await b.setRules({ transition: 'restore.run', after: 'PT30M', resource_id: b.workspace })
  await beginRestore(b)
  t.strictSame(
    (await b.advance('PT1H')).map(({ at, event }) => [at, event]),
    [
      ['2026-01-01T00:10:02.000Z', 'restore.step'],
      ['2026-01-01T00:30:02.000Z', 'restore.run']
    ]
  )
})

void t.test('the backups of a workspace go with it', async (t) => {
  const b = await open()
  const { call, path, advance, due, control } = b
  await control('PUT', '/quotas', { manual_backups: 2 })
  await makeBackup(b, 'b')
  await backup(b)
  await call('DELETE', path)
  await advance('PT1S')
  t.strictSame(await due(), [], 'nor does the one that was being made end')
  const other = await b.addWorkspace()
  t.strictSame((await call('GET', `/workspaces/${other}/backups`)).body.Result as Body[], [])
  t.equal((await control('POST', `/workspaces/${other}/backups`)).status, 200, 'the quota is free again')
})

void t.test('backups are counted right, whatever becomes of them', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const stored = b.mock.plane.storesOf(b.sandbox).backups
  const check = (what: string) => {
    const all = ['v', 'w'].flatMap((id) => stored.list(id))
    const database = b.mock.plane.storesOf(b.sandbox).workspaces.find('w')?.database ?? ''
    for (const kind of [true, false]) {
      for (const per of ['org', 'workspace', 'database'] as const) {
        for (const failed of [true, false]) {
          t.equal(
            stored.countFor(kind, { per, failed }, { id: 'w', database }),
            all.filter(
              ({ isAutomatic, status, workspace }) =>
                isAutomatic === kind && (failed || status !== 'Failed') && (per === 'org' || workspace === 'w')
            ).length,
            `${what}: ${kind ? 'automatic' : 'manual'} per ${per}${failed ? ', with failed ones' : ''}`
          )
        }
      }
    }
  }
  const backups = [
    { is_automatic: true },
    { is_automatic: false },
    { is_automatic: true, status: 'Failed' },
    { is_automatic: true, status: 'Running' }
  ]
  check('none')
  await b.control('PUT', '/state', {
    clock: { mode: 'frozen', now: '2026-01-01T00:00:00Z' },
    workgroups: [
      {
        id: 'g',
        workspaces: [
          { id: 'v', backups },
          { id: 'w', backups, backup_schedule: { schedule: '0 * * * *', max_backup_files: 2 } }
        ]
      }
    ]
  })
  check('imported')
  await b.advance('PT1H')
  check('one more, that runs')
  await b.advance('P1D')
  check('some were too many')
  t.equal(stored.list('w').filter(({ isAutomatic, status }) => isAutomatic && status === 'Succeeded').length, 2)
  await b.call('DELETE', '/workgroups/g/workspaces/v')
  await b.advance('PT1H')
  check('a workspace has gone')
  await b.control('POST', '/reset')
  check('all have gone')
})
