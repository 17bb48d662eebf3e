import t from 'tap'
import { sandboxIdOf } from '../../src/sandboxes/keys.js'
import { type Body, buildMock, matchError, matchSuccess, type Reply, UUID } from '../helper.js'
import { NONE, type Scenario, stageTogether as stage, START } from '../scenario.js'
import { openBench } from '../simulation.js'

const REQUESTED = (tag: string) => `Restore of backup ${tag} requested.\n`
const READING = 'The workspace was taken out of service; reading the backup.\n'
const RESTORED = 'The backup was restored; the workspace is in service again.\n'

const backup = ({ control, workspace }: Scenario, body?: object) =>
  control('POST', `/workspaces/${workspace}/backups`, body)
const list = ({ call, workspace }: Scenario) => call('GET', `/workspaces/${workspace}/backups`)
const remove = ({ call, path }: Scenario, id: string) => call('DELETE', `${path}/backups`, { body: { backup_id: id } })
const restore = ({ call, path }: Scenario, id: string) =>
  call('POST', `${path}/backups/restore`, { body: { backup_id: id } })
const jobStatus = ({ call, workspace }: Scenario, job: string) =>
  call('GET', `/workspaces/${workspace}/backups/${job}/status`)

/** Makes a backup that succeeds. @returns its id */
async function makeBackup(scenario: Scenario, tag: string): Promise<string> {
  const id = (await backup(scenario, { tag })).body.Result.id as string
  await scenario.control('POST', '/clock/advance', { until: 'idle' })
  return id
}

/**
 * Begins to restore a new backup with the tag `b`; the clock shows two seconds after the start then.
 * @returns the id of the job
 */
async function beginRestore(scenario: Scenario): Promise<string> {
  const reply = await restore(scenario, await makeBackup(scenario, 'b'))
  return reply.body.Result as string
}

/** A backup as it is shown while it is made. */
const running = (id: string, tag: string, time: string) => ({
  id,
  tag,
  time,
  type: 'manual',
  is_automatic: false,
  status: 'Running',
  size_bytes: '0',
  version: '4.2.1'
})
const succeeded = (id: string, tag: string, time: string) => ({
  ...running(id, tag, time),
  status: 'Succeeded',
  size_bytes: '1048576'
})

const requestIdOf = ({ body }: Reply) => body.RequestID as string

void t.test('a manual backup has the tag that is given, even an empty one, or else one made of the time', async (t) => {
  const scenario = await stage(t)
  const cases: [body: object | undefined, tag: string][] = [
    [{ tag: 'before the migration' }, 'before the migration'],
    [{ tag: '' }, ''],
    [{}, `manual-${START}`],
    [undefined, `manual-${START}`],
    [{ tag: 'x'.repeat(256) }, 'x'.repeat(256)]
  ]
  for (const [body, tag] of cases) {
    const reply = await backup(scenario, body)
    t.match(reply.body.Result.id, UUID)
    matchSuccess(t, reply, 'The backup is Running.', running(reply.body.Result.id as string, tag, START))
  }
  for (const body of [{ tag: 'x'.repeat(257) }, { tag: 5 }, { name: 'x' }])
    t.equal((await backup(scenario, body)).status, 400, 'not a tag')
})

void t.test('a backup is Running for its time and then Succeeded, and the workspace stays Active', async (t) => {
  const scenario = await stage(t)
  const reply = await backup(scenario, { tag: 'b' })
  const { id } = reply.body.Result as { id: string }
  t.strictSame(await scenario.advance('PT1.999S'), [])
  matchSuccess(t, await list(scenario), 'Backups: 1.', [running(id, 'b', START)])
  t.equal(await scenario.status(), 'Active')
  t.strictSame(await scenario.advance('PT0.001S'), [
    { at: '2026-01-01T00:00:02.000Z', event: 'backup.run', id: scenario.workspace }
  ])
  matchSuccess(t, await list(scenario), 'Backups: 1.', [succeeded(id, 'b', START)])
  const {
    body: { Result }
  } = await scenario.control('GET', `/timeline?workspace_id=${id}`)
  const entry = {
    resource_id: id,
    transition: 'backup.run',
    attribute: 'status',
    reason: null,
    request_id: requestIdOf(reply)
  }
  t.strictSame(Result, [
    { ...entry, at: START, from: null, to: 'Running' },
    { ...entry, at: '2026-01-01T00:00:02.000Z', from: 'Running', to: 'Succeeded' }
  ])
})

void t.test('a rule for backup.run makes a backup fail, with its reason in the timeline and no size', async (t) => {
  const scenario = await stage(t)
  await scenario.rules({
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
  } = await backup(scenario, { tag: 'b' })
  await scenario.advance('PT5S')
  matchSuccess(t, await list(scenario), 'Backups: 1.', [{ ...running(id as string, 'b', START), status: 'Failed' }])
  t.strictSame(await scenario.timeline(id as string), [
    [START, 'backup.run', null, 'Running', null],
    ['2026-01-01T00:00:05.000Z', 'backup.run', 'Running', 'Failed', 'The bucket is gone.']
  ])
  const next = await makeBackup(scenario, 'c')
  t.equal((await list(scenario)).body.Result[1].status, 'Succeeded', 'the rule was for one')
  t.equal((await list(scenario)).body.Result[1].id, next)
})

void t.test('a backup that is held stays Running until it is released', async (t) => {
  const scenario = await stage(t)
  await scenario.rules({ transition: 'backup.run', outcome: 'hold' })
  const {
    body: {
      Result: { id }
    }
  } = await backup(scenario, { tag: 'b' })
  await scenario.advance('P30D')
  matchSuccess(t, await list(scenario), 'Backups: 1.', [running(id as string, 'b', START)])
  await scenario.control('POST', '/transitions/release', { transition: 'backup.run' })
  matchSuccess(t, await list(scenario), 'Backups: 1.', [succeeded(id as string, 'b', START)])
})

void t.test(
  'the quota manual_backups counts the manual backups of the sandbox, in any state, until they are deleted',
  async (t) => {
    const scenario = await stage(t)
    await scenario.control('PUT', '/quotas', { manual_backups: 1, automatic_backups: 0 })
    const id = await makeBackup(scenario, 'b')
    matchError(
      t,
      await backup(scenario),
      403,
      'Quota-Exceed',
      'The quota manual_backups (1) is used up; delete a backup first.'
    )
    const other = await scenario.addWorkspace()
    t.equal((await scenario.control('POST', `/workspaces/${other}/backups`)).status, 403, 'nor of another workspace')
    await remove(scenario, id)
    t.equal((await backup(scenario)).status, 200)
    await scenario.control('PUT', '/quotas', { manual_backups: null })
    t.equal((await backup(scenario)).status, 200, 'there is no limit any more')
    t.equal((await list(scenario)).body.Result.length, 2)
  }
)

void t.test('only a workspace that is Active can be backed up', async (t) => {
  const scenario = await stage(t)
  const { call, path, workspace, advance } = scenario
  const refused = async (state: string) => {
    matchError(
      t,
      await backup(scenario),
      400,
      'Bad-Request',
      `The workspace ${workspace} is ${state}; backup.run is possible only in Active.`
    )
  }
  await call('POST', `${path}/pause`)
  await refused('Stopping')
  await advance('PT1S')
  await refused('Stopped')
  await call('POST', `${path}/resume`)
  await refused('Resuming')
  await advance('PT2S')
  await call('PUT', path, { body: { enable_ha: true } })
  await refused('Resizing')
  await advance('PT2S')
  await call('DELETE', path)
  await refused('Terminating')
  await advance('PT1S')
  matchError(t, await backup(scenario), 404, 'Not-Found', `There is no workspace ${workspace}.`)
})

void t.test('a read-only workspace can neither be backed up nor restored nor have a backup schedule', async (t) => {
  const scenario = await stage(t)
  const { call, path, control, workgroup } = scenario
  const {
    body: {
      Result: { database_id }
    }
  } = await call('GET', path)
  const id = await scenario.addWorkspace({ svc_database_id: database_id, is_rw: false })
  const own = `/workgroups/${workgroup}/workspaces/${id}`
  const backedUp = `Only a read-write workspace can be backed up; this one is read-only.`
  matchError(t, await control('POST', `/workspaces/${id}/backups`), 400, 'Bad-Request', backedUp)
  matchError(
    t,
    await call('POST', `${own}/backups/schedule`, { body: { schedule: '0 3 * * *' } }),
    400,
    'Bad-Request',
    backedUp
  )
  matchError(
    t,
    await call('POST', `${own}/backups/restore`, { body: { backup_id: await makeBackup(scenario, 'b') } }),
    400,
    'Bad-Request',
    `Only a read-write workspace can be restored; this one is read-only.`
  )
  matchSuccess(t, await call('GET', `/workspaces/${id}/backups`), 'Backups: 0.', [])
})

void t.test('operation 31 lists the backups of one workspace in the order of creation', async (t) => {
  const scenario = await stage(t)
  const { advance, addWorkspace, control } = scenario
  matchSuccess(t, await list(scenario), 'Backups: 0.', [])
  const other = await addWorkspace()
  await control('POST', `/workspaces/${other}/backups`, { tag: 'of another' })
  const expected = []
  for (const tag of ['m', 'z', 'a']) {
    const {
      body: {
        Result: { id, time }
      }
    } = await backup(scenario, { tag })
    expected.push(succeeded(id as string, tag, time as string))
    await advance('PT1H')
  }
  matchSuccess(t, await list(scenario), 'Backups: 3.', expected)
  t.strictSame(
    expected.map(({ time }) => time),
    ['2026-01-01T00:00:02.000Z', '2026-01-01T01:00:02.000Z', '2026-01-01T02:00:02.000Z']
  )
})

void t.test('a backup has the version of its workspace', async (t) => {
  const scenario = await stage(t)
  const id = await scenario.addWorkspace({ svc_version: '4.1.3' })
  t.equal((await scenario.control('POST', `/workspaces/${id}/backups`)).body.Result.version, '4.1.3')
})

void t.test('operation 20 deletes one backup, named by the body of the DELETE', async (t) => {
  const scenario = await stage(t)
  const [first, second] = [await makeBackup(scenario, 'first'), await makeBackup(scenario, 'second')]
  matchSuccess(t, await remove(scenario, first), `The backup ${first} was deleted.`)
  matchSuccess(t, await list(scenario), 'Backups: 1.', [succeeded(second, 'second', '2026-01-01T00:00:02.000Z')])
  matchError(
    t,
    await remove(scenario, first),
    400,
    'Bad-Request',
    `backup_id ${first} is not a backup of this workspace.`,
    { fields: { backup_id: `${first} is not a backup of this workspace` } }
  )
})

void t.test('operations 20 and 21 refuse an id that is no backup of the workspace, naming backup_id', async (t) => {
  const scenario = await stage(t)
  const { control, addWorkspace, call } = scenario
  const other = await addWorkspace()
  const {
    body: {
      Result: { id: foreign }
    }
  } = await control('POST', `/workspaces/${other}/backups`)
  await control('POST', '/clock/advance', { until: 'idle' })
  for (const send of [remove, restore]) {
    for (const id of [NONE, foreign as string, scenario.workspace]) {
      const reason = `${id} is not a backup of this workspace`
      matchError(t, await send(scenario, id), 400, 'Bad-Request', `backup_id ${reason}.`, {
        fields: { backup_id: reason }
      })
    }
  }
  t.equal(
    (await call('GET', `/workspaces/${other}/backups`)).body.Result.length,
    1,
    'that of the other workspace is still there'
  )
  t.equal(await scenario.status(), 'Active')
})

void t.test('operations 20 and 21 need a body with a backup_id of 1 to 256 characters', async (t) => {
  const { call, path } = await stage(t)
  for (const [method, url] of [
    ['DELETE', `${path}/backups`],
    ['POST', `${path}/backups/restore`]
  ] as const) {
    const cases: [body: unknown, fields: Record<string, string>][] = [
      [{}, { backup_id: 'is required' }],
      [{ backup_id: 5 }, { backup_id: 'must be a string, not a number' }],
      [{ backup_id: null }, { backup_id: 'must be a string, not null' }],
      [{ backup_id: '' }, { backup_id: 'must be 1 to 256 characters long' }],
      [{ backup_id: 'x'.repeat(257) }, { backup_id: 'must be 1 to 256 characters long' }]
    ]
    for (const [body, fields] of cases) {
      matchError(
        t,
        await call(method, url, { body }),
        400,
        'Bad-Request',
        `The request is not valid: backup_id ${fields['backup_id']}.`,
        { fields }
      )
    }
    for (const headers of [{}, { 'content-type': 'application/json' }] as Record<string, string>[]) {
      matchError(
        t,
        await call(method, url, { headers }),
        400,
        'Bad-Request',
        'The request is not valid: the body must be a JSON object, and is required.',
        { fields: { '': 'must be a JSON object, and is required' } }
      )
    }
  }
})

void t.test('a backup that is Running cannot be deleted', async (t) => {
  const scenario = await stage(t)
  const {
    body: {
      Result: { id }
    }
  } = await backup(scenario, { tag: 'b' })
  const reason = `${id} is still Running; delete it when it has ended`
  matchError(t, await remove(scenario, id as string), 400, 'Bad-Request', `backup_id ${reason}.`, {
    fields: { backup_id: reason }
  })
  await scenario.advance('PT2S')
  t.equal((await remove(scenario, id as string)).status, 200)
})

void t.test('a backup that has Failed can be deleted', async (t) => {
  const scenario = await stage(t)
  await scenario.rules({ transition: 'backup.run', outcome: 'fail' })
  const id = await makeBackup(scenario, 'b')
  matchSuccess(t, await remove(scenario, id), `The backup ${id} was deleted.`)
  matchSuccess(t, await list(scenario), 'Backups: 0.', [])
})

void t.test(
  'operation 21 answers the job; it goes from Pending over Running to Succeeded, a line of output a step, ' +
    'and the workspace is Restoring meanwhile',
  async (t) => {
    const scenario = await stage(t)
    const { advance, status, workspace, timeline } = scenario
    const id = await makeBackup(scenario, 'b')
    const reply = await restore(scenario, id)
    const job = reply.body.Result as string
    t.match(job, UUID)
    matchSuccess(t, reply, `The restore job ${job} was accepted.`, job)
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
      matchSuccess(t, await jobStatus(scenario, job), `The restore job is ${jobState}.`, {
        name: job,
        status: jobState,
        output,
        created_at
      })
      t.equal(await status(), state)
    }
    t.strictSame(await timeline(job), [
      [created_at, 'restore.run', null, 'Pending', null],
      ['2026-01-01T00:00:03.000Z', 'restore.run', 'Pending', 'Running', null],
      ['2026-01-01T00:00:05.000Z', 'restore.run', 'Running', 'Succeeded', null]
    ])
    t.strictSame((await timeline(workspace)).slice(-2), [
      [created_at, 'restore.run', 'Active', 'Restoring', null],
      ['2026-01-01T00:00:05.000Z', 'restore.run', 'Restoring', 'Active', null]
    ])
    matchSuccess(t, await list(scenario), 'Backups: 1.', [succeeded(id, 'b', START)])
  }
)

void t.test(
  'while a restore runs, another one and everything else that needs an Active workspace is a 400',
  async (t) => {
    const scenario = await stage(t)
    const { call, path, workspace, advance } = scenario
    const id = await makeBackup(scenario, 'b')
    const job = (await restore(scenario, id)).body.Result as string
    const refused = (name: string, states = 'Active') =>
      `The workspace ${workspace} is Restoring; ${name} is possible only in ${states}.`
    for (let step = 0; step < 2; step++) {
      matchError(t, await restore(scenario, id), 400, 'Bad-Request', refused('restore.run'))
      await advance('PT1S')
    }
    matchError(t, await backup(scenario), 400, 'Bad-Request', refused('backup.run'))
    matchError(t, await call('POST', `${path}/pause`), 400, 'Bad-Request', refused('workspace.pause'))
    matchError(
      t,
      await call('POST', `${path}/resume`),
      400,
      'Bad-Request',
      refused('workspace.resume', 'Stopped, Idle, Failed')
    )
    matchError(t, await call('POST', `${path}/refresh`), 400, 'Bad-Request', refused('workspace.refresh'))
    await advance('PT1S')
    t.equal((await jobStatus(scenario, job)).body.Result.status, 'Succeeded', 'the first one was not disturbed')
    const second = await restore(scenario, id)
    t.equal(second.status, 200)
    t.not(second.body.Result, job)
    t.equal((await jobStatus(scenario, job)).body.Result.status, 'Succeeded', 'nor by the next')
  }
)

void t.test(
  'a restore that fails leaves the workspace Failed and the job Failed, with the reason as its last line',
  async (t) => {
    const scenario = await stage(t)
    const { rules, advance, status, timeline, call, path } = scenario
    await rules({ transition: 'restore.run', outcome: 'fail', reason: 'The backup is damaged.', times: 1 })
    const id = await makeBackup(scenario, 'b')
    const job = (await restore(scenario, id)).body.Result as string
    await advance('PT2.999S')
    t.equal((await jobStatus(scenario, job)).body.Result.status, 'Running')
    await advance('PT0.001S')
    matchSuccess(t, await jobStatus(scenario, job), 'The restore job is Failed.', {
      name: job,
      status: 'Failed',
      output: `${REQUESTED('b')}${READING}The backup is damaged.\n`,
      created_at: '2026-01-01T00:00:02.000Z'
    })
    t.equal(await status(), 'Failed')
    t.strictSame((await timeline(job)).at(-1), [
      '2026-01-01T00:00:05.000Z',
      'restore.run',
      'Running',
      'Failed',
      'The backup is damaged.'
    ])
    matchError(
      t,
      await restore(scenario, id),
      400,
      'Bad-Request',
      `The workspace ${scenario.workspace} is Failed; restore.run is possible only in Active.`
    )
    await call('POST', `${path}/resume`)
    await advance('PT2S')
    t.equal(await status(), 'Active')
    t.equal((await jobStatus(scenario, job)).body.Result.status, 'Failed', 'the job stays what it was')
    t.equal((await restore(scenario, id)).status, 200)
  }
)

void t.test('a restore that is held is Running and Restoring until it is released', async (t) => {
  const scenario = await stage(t)
  const { rules, advance, status, control } = scenario
  await rules({ transition: 'restore.run', outcome: 'hold' })
  const job = await beginRestore(scenario)
  await advance('P30D')
  t.strictSame([(await jobStatus(scenario, job)).body.Result.status, await status()], ['Running', 'Restoring'])
  await control('POST', '/transitions/release', {})
  t.strictSame([(await jobStatus(scenario, job)).body.Result.status, await status()], ['Succeeded', 'Active'])
  t.equal((await jobStatus(scenario, job)).body.Result.output, REQUESTED('b') + READING + RESTORED)
})

void t.test('a restore that is released before it has begun to work passes through Running all the same', async (t) => {
  const scenario = await stage(t)
  await scenario.rules({ transition: 'restore.run', outcome: 'hold' })
  const job = await beginRestore(scenario)
  await scenario.control('POST', '/transitions/release', { resource_id: scenario.workspace })
  t.equal((await jobStatus(scenario, job)).body.Result.output, REQUESTED('b') + READING + RESTORED)
  t.strictSame(
    (await scenario.timeline(job)).map(([, , , to]) => to),
    ['Pending', 'Running', 'Succeeded']
  )
  const state = (await scenario.control('GET', '/state')).body.Result
  t.equal(
    (await scenario.control('PUT', '/state', state)).status,
    200,
    'nothing is due for it any more, which an import would refuse'
  )
  await scenario.advance('P1D')
  t.equal(
    (await jobStatus(scenario, job)).body.Result.output,
    REQUESTED('b') + READING + RESTORED,
    'no line comes later'
  )
})

void t.test(
  'deleting the workspace interrupts its restore job, which can be read until the workspace is gone',
  async (t) => {
    const scenario = await stage(t)
    const { call, path, advance, status, due, workspace } = scenario
    for (const [wait, lines] of [
      ['PT0S', REQUESTED('b')],
      ['PT1S', REQUESTED('b') + READING]
    ] as const) {
      const id = await scenario.addWorkspace()
      const own = { ...scenario, workspace: id, path: path.replace(workspace, id) }
      const job = await beginRestore(own)
      await advance(wait)
      await call('DELETE', own.path)
      const reply = await jobStatus(own, job)
      matchSuccess(t, reply, 'The restore job is Failed.', {
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
      matchError(t, await jobStatus(own, job), 404, 'Not-Found', `There is no workspace ${id}.`)
      matchError(t, await list(own), 404, 'Not-Found', `There is no workspace ${id}.`)
      t.strictSame(await due(), [])
    }
    t.equal(await status(), 'Active', 'the first workspace has nothing to do with it')
  }
)

void t.test('only a backup that has Succeeded can be restored', async (t) => {
  const scenario = await stage(t)
  await scenario.rules({ transition: 'backup.run', outcome: 'fail', times: 1 })
  const {
    body: {
      Result: { id }
    }
  } = await backup(scenario)
  for (const state of ['Running', 'Failed']) {
    const reason = `${id} is ${state}; only a backup that has Succeeded can be restored`
    matchError(t, await restore(scenario, id as string), 400, 'Bad-Request', `backup_id ${reason}.`, {
      fields: { backup_id: reason }
    })
    await scenario.advance('PT2S')
  }
  t.equal(await scenario.status(), 'Active')
})

void t.test('a stopped workspace cannot be restored', async (t) => {
  const scenario = await stage(t)
  const id = await makeBackup(scenario, 'b')
  await scenario.call('POST', `${scenario.path}/pause`)
  await scenario.advance('PT1S')
  matchError(
    t,
    await restore(scenario, id),
    400,
    'Bad-Request',
    `The workspace ${scenario.workspace} is Stopped; restore.run is possible only in Active.`
  )
})

void t.test('operation 32 knows a job only under its own workspace', async (t) => {
  const scenario = await stage(t)
  const { call, addWorkspace } = scenario
  const job = await beginRestore(scenario)
  const other = await addWorkspace()
  matchError(t, await jobStatus(scenario, NONE), 404, 'Not-Found', `There is no restore job ${NONE}.`)
  matchError(
    t,
    await call('GET', `/workspaces/${other}/backups/${job}/status`),
    404,
    'Not-Found',
    `There is no restore job ${job}.`
  )
  matchError(
    t,
    await call('GET', `/workspaces/${NONE}/backups/${job}/status`),
    404,
    'Not-Found',
    `There is no workspace ${NONE}.`
  )
  matchError(
    t,
    await call('GET', `/workspaces/${scenario.workspace}/backups/${job}/status`, { key: 'other' }),
    404,
    'Not-Found',
    `There is no workspace ${scenario.workspace}.`
  )
  t.equal((await jobStatus(scenario, job)).status, 200)
})

void t.test('operations 20, 21 and 31 answer 404 for a workgroup or workspace that there is not', async (t) => {
  const scenario = await stage(t)
  const { call, workgroup, workspace } = scenario
  const {
    body: {
      Result: { workgroup_id: elsewhere }
    }
  } = await call('POST', '/workgroups', { body: { cloud_provider_id: 'x' } })
  const cases = [
    [NONE, workspace, `There is no workgroup ${NONE}.`],
    [workgroup, NONE, `There is no workspace ${NONE}.`],
    [elsewhere, workspace, `There is no workspace ${workspace}.`]
  ]
  for (const [group, id, message] of cases) {
    const own = `/workgroups/${group}/workspaces/${id}/backups`
    matchError(t, await call('DELETE', own, { body: { backup_id: 'b' } }), 404, 'Not-Found', message as string)
    matchError(
      t,
      await call('POST', `${own}/restore`, { body: { backup_id: 'b' } }),
      404,
      'Not-Found',
      message as string
    )
  }
  matchError(t, await call('GET', `/workspaces/${NONE}/backups`), 404, 'Not-Found', `There is no workspace ${NONE}.`)
  matchError(
    t,
    await scenario.control('POST', `/workspaces/${NONE}/backups`),
    404,
    'Not-Found',
    `There is no workspace ${NONE}.`
  )
})

void t.test(
  'in clock mode poll, each read of a restore job or of backups goes one step on, and no further than its end',
  async (t) => {
    const scenario = await stage(t)
    const { control, status } = scenario
    await control('PUT', '/clock', { mode: 'poll' })
    const now = async () => (await control('GET', '/clock')).body.Result.now as string
    const {
      body: {
        Result: { id }
      }
    } = await backup(scenario, { tag: 'b' })
    t.equal(await now(), START)
    for (let read = 0; read < 2; read++)
      matchSuccess(t, await list(scenario), 'Backups: 1.', [succeeded(id as string, 'b', START)])
    t.equal(await now(), '2026-01-01T00:00:02.000Z')
    const job = (await restore(scenario, id as string)).body.Result as string
    t.equal((await list(scenario)).status, 200)
    t.equal(await now(), '2026-01-01T00:00:02.000Z', 'the backups are all made')
    const states = []
    for (let read = 0; read < 3; read++)
      states.push([(await jobStatus(scenario, job)).body.Result.status as string, await now()])
    t.strictSame(states, [
      ['Running', '2026-01-01T00:00:03.000Z'],
      ['Succeeded', '2026-01-01T00:00:05.000Z'],
      ['Succeeded', '2026-01-01T00:00:05.000Z']
    ])
    t.equal(await status(), 'Active')
  }
)

void t.test('in clock mode poll, reading a job that is over, or that there is not, moves nothing', async (t) => {
  const scenario = await stage(t)
  const { control } = scenario
  const first = await beginRestore(scenario)
  await control('POST', '/clock/advance', { until: 'idle' })
  const second = await beginRestore(scenario)
  await control('PUT', '/clock', { mode: 'poll' })
  const {
    body: { Result: before }
  } = await control('GET', '/clock')
  t.equal((await jobStatus(scenario, first)).body.Result.status, 'Succeeded')
  t.equal((await jobStatus(scenario, NONE)).status, 404)
  t.strictSame((await control('GET', '/clock')).body.Result, before)
  t.equal((await jobStatus(scenario, second)).body.Result.status, 'Running')
})

void t.test('with instant transitions, backups and restores are over when they are answered', async (t) => {
  const scenario = await stage(t, { transitions: 'instant' })
  const { rules, status, due, workspace } = scenario
  const made = await backup(scenario, { tag: 'b' })
  const id = made.body.Result.id as string
  matchSuccess(t, made, 'The backup is Succeeded.', succeeded(id, 'b', START))
  const job = (await restore(scenario, id)).body.Result as string
  const { engine, sandboxes } = scenario.plane
  t.strictSame(
    engine.dueEvents.list(sandboxes.find(sandboxIdOf('test'))!.key),
    [],
    'nothing is left to be done by the next request'
  )
  matchSuccess(t, await jobStatus(scenario, job), 'The restore job is Succeeded.', {
    name: job,
    status: 'Succeeded',
    output: REQUESTED('b') + READING + RESTORED,
    created_at: START
  })
  t.equal(await status(), 'Active')
  t.strictSame(
    (await scenario.timeline(workspace)).slice(-2).map(([, name, from, to]) => [name, from, to]),
    [
      ['restore.run', 'Active', 'Restoring'],
      ['restore.run', 'Restoring', 'Active']
    ]
  )
  await rules(
    { transition: 'backup.run', outcome: 'fail' },
    { transition: 'restore.run', outcome: 'fail', reason: 'No.' }
  )
  t.equal((await backup(scenario)).body.Result.status, 'Failed')
  const failed = (await restore(scenario, id)).body.Result as string
  t.equal((await jobStatus(scenario, failed)).body.Result.output, `${REQUESTED('b')}${READING}No.\n`)
  t.equal(await status(), 'Failed')
  t.strictSame(await due(), [])
})

void t.test(
  'with realistic transitions, a backup takes 3 minutes and a restore 5, a third of it pending',
  async (t) => {
    const scenario = await stage(t, { transitions: 'realistic' })
    const { advance } = scenario
    const {
      body: {
        Result: { id }
      }
    } = await backup(scenario, { tag: 'b' })
    t.strictSame(
      (await advance('PT1H')).map(({ at, event }) => [at, event]),
      [['2026-01-01T00:03:00.000Z', 'backup.run']]
    )
    await restore(scenario, id as string)
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
  const scenario = await stage(t)
  await scenario.rules({ transition: 'restore.run', after: 'PT30M', resource_id: scenario.workspace })
  await beginRestore(scenario)
  t.strictSame(
    (await scenario.advance('PT1H')).map(({ at, event }) => [at, event]),
    [
      ['2026-01-01T00:10:02.000Z', 'restore.step'],
      ['2026-01-01T00:30:02.000Z', 'restore.run']
    ]
  )
})

void t.test('the backups of a workspace go with it', async (t) => {
  const scenario = await stage(t)
  const { call, path, advance, due, control } = scenario
  await control('PUT', '/quotas', { manual_backups: 2 })
  await makeBackup(scenario, 'b')
  await backup(scenario)
  await call('DELETE', path)
  await advance('PT1S')
  t.strictSame(await due(), [], 'nor does the one that was being made end')
  const other = await scenario.addWorkspace()
  t.strictSame((await call('GET', `/workspaces/${other}/backups`)).body.Result as Body[], [])
  t.equal((await control('POST', `/workspaces/${other}/backups`)).status, 200, 'the quota is free again')
})

void t.test('backups are counted right, whatever becomes of them', async (t) => {
  const b = await openBench(await buildMock(t))
  const { plane } = b.mock
  const { key } = b.sandbox
  const check = (what: string) => {
    const all = ['v', 'w'].flatMap((id) => plane.backups.list(key, id))
    for (const kind of [true, false]) {
      t.equal(
        plane.backups.countOfKind(key, kind),
        all.filter(({ isAutomatic }) => isAutomatic === kind).length,
        `${what}: ${kind ? 'automatic' : 'manual'}`
      )
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
  t.equal(
    plane.backups.list(key, 'w').filter(({ isAutomatic, status }) => isAutomatic && status === 'Succeeded').length,
    2
  )
  await b.call('DELETE', '/workgroups/g/workspaces/v')
  await b.advance('PT1H')
  check('a workspace has gone')
  await b.control('POST', '/reset')
  check('all have gone')
})
