import t from 'tap'
import { CallError, type SandboxHandle, startMock } from '../../src/node/index.js'
import { UUID } from '../helper.js'
import { messageOf } from '../messages.js'

const SEED = {
  clock: { mode: 'frozen' as const, now: '2027-01-01T00:00:00Z' },
  workgroups: [{ id: 'main', workspaces: [{ id: 'writer', backups: [{ id: 'monday' }] }] }]
}

const nothing = async (promise: Promise<unknown>): Promise<void> => {
  t.equal(await promise, undefined)
}

/** What a promise is rejected with. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error
  )

void t.test('every operation can be called by name, and returns its result', async (t) => {
  await using mock = await startMock()
  const box = mock.sandbox()
  await box.seed(SEED)
  const workgroup = { workgroupID: 'main' }
  const workspace = { ...workgroup, workspaceID: 'writer' }
  const idle = () => box.clock.advance({ until: 'idle' })

  const created = await box.call('createWorkgroup', { body: { cloud_provider_id: 'x', name: 'second' } })
  t.match(created, { workgroup_id: UUID, name: 'second', enable_allow_list: false })
  t.equal((await box.call('listWorkgroups')).length, 2)
  const second = { workgroupID: created.workgroup_id }
  t.strictSame(await box.call('getWorkgroup', second), created)
  t.equal((await box.call('updateWorkgroup', { ...second, body: { workgroup_name: 'other' } })).name, 'other')
  t.type(await box.call('deleteWorkgroup', second), 'string')

  const entry = await box.call('addAllowedIP', { ...workgroup, body: { cidr: '10.0.0.0/8' } })
  t.match(entry, { cidr: '10.0.0.0/8', note: '', id: UUID })
  t.strictSame(await box.call('listAllowedIPs', workgroup), [entry])
  t.strictSame(await box.call('getCurrentIP', workgroup), { IsAllowed: true, CurrentIP: '127.0.0.1' })
  t.type(await box.call('enableAllowList', workgroup), 'string')
  t.type(await box.call('disableAllowList', workgroup), 'string')
  const changed = await box.call('updateAllowedIP', { ...workgroup, id: entry.id, body: { cidr: '10.1.0.0/16' } })
  t.equal(changed.cidr, '10.1.0.0/16')
  t.type(await box.call('deleteAllowedIP', { ...workgroup, id: entry.id }), 'string')

  const fresh = await box.call('createWorkspace', { ...workgroup, body: { name: 'new' } })
  t.equal(fresh.status, 'Creating')
  const database = { ...workgroup, databaseID: fresh.database_id }
  t.equal((await box.call('getDatabase', database)).workspaces?.[0]?.name, 'new')
  t.equal((await box.call('updateDatabase', { ...database, body: { svc_database_name: 'data' } })).name, 'data')
  await nothing(box.call('deleteWorkspace', { ...workgroup, workspaceID: fresh.workspace_id }))
  await idle()
  await nothing(box.call('deleteDatabase', database))

  t.equal((await box.call('updateWorkspace', { ...workspace, body: { workspace_name: 'pen' } })).name, 'pen')
  for (const [operation, state] of [
    ['pauseWorkspace', 'Stopped'],
    ['resumeWorkspace', 'Active'],
    ['refreshWorkspace', 'Active']
  ] as const) {
    await nothing(box.call(operation, workspace))
    await idle()
    t.equal((await box.call('getWorkspace', workspace)).status, state)
  }
  t.equal((await box.call('getMetadata')).regions[0]?.name, 'us-east-1')

  const credentials = { username: 'ada', password: 'secret' }
  const user = await box.call('createDatabaseUser', { ...workspace, body: credentials })
  t.equal(user.username, 'ada')
  t.strictSame(await box.call('listDatabaseUsers', workspace), [user])
  await nothing(box.call('updateDatabaseUserPassword', { ...workspace, body: credentials }))
  await nothing(box.call('deleteDatabaseUser', { ...workspace, body: { username: 'ada' } }))

  await nothing(box.call('setBackupSchedule', { ...workspace, body: { schedule: '0 3 * * *' } }))
  t.match(await box.call('getBackupSchedule', workspace), { schedule: '0 3 * * *', pause: false, max_retry: 0 })
  const daily = { workspace_id: 'writer', repeat: 'daily', time: '08:00', timezone: 'UTC' }
  const schedule = await box.call('updateWorkspaceSchedule', { ...workspace, body: daily })
  t.match(JSON.parse(await box.call('getWorkspaceSchedules', workspace)), [{ id: schedule, repeat: 'daily' }])
  t.equal(await box.call('deleteWorkspaceSchedule', { ...workspace, body: { id: schedule } }), schedule)

  t.match(await box.call('listBackups', { workspaceID: 'writer' }), [{ id: 'monday', status: 'Succeeded' }])
  const job = await box.call('restoreBackup', { ...workspace, body: { backup_id: 'monday' } })
  await idle()
  t.equal((await box.call('getRestoreStatus', { workspaceID: 'writer', job })).status, 'Succeeded')
  await nothing(box.call('deleteBackup', { ...workspace, body: { backup_id: 'monday' } }))

  const [owner] = await box.call('listOrgUsers')
  await nothing(box.call('updateOrgUserRoles', { userId: owner!.id, body: { roles: ['org-admin'] } }))

  const { operations } = await box.coverage.read()
  t.strictSame(
    operations.filter(({ count }) => count === 0),
    [],
    'all of them were called'
  )
})

void t.test('an error reply is thrown in full, at the line of the test', async (t) => {
  await using mock = await startMock()
  const box = mock.sandbox()
  async function callInTest() {
    await box.call('getWorkgroup', { workgroupID: 'none' })
  }
  const error = await errorOf(callInTest())
  t.ok(error instanceof CallError)
  const { operation, status, Type, Message, ErrorDetails, RequestID, stack } = error as CallError
  const [request] = (await box.requests.list()).requests
  const expected = messageOf('notFound', 'resource', { what: 'workgroup', id: 'none' })
  t.strictSame(
    { operation, status, Type, Message, ErrorDetails, RequestID },
    {
      operation: 'getWorkgroup',
      status: 404,
      Type: 'Not-Found',
      Message: expected,
      ErrorDetails: [{ FieldName: '', Reason: expected, Type: 'Not-Found' }],
      RequestID: request?.request_id
    }
  )
  t.ok((error as Error).message.includes(expected))
  t.match(stack, /^CallError: .*\n {4}at callInTest .*call\.test/)
})

void t.test('an unknown operation, a missing id and an unknown field are named before anything is sent', async (t) => {
  await using mock = await startMock()
  const box = mock.sandbox()
  const cases: [attempt: () => Promise<unknown>, named: string[]][] = [
    [() => box.call('flyWorkspace' as never), ['flyWorkspace', 'createWorkspace']],
    [() => box.call('toString' as never), ['toString']],
    [() => box.call('createWorkgrup' as never), ['did you mean createWorkgroup?']],
    [() => box.call('createWorkspace', { body: {} } as never), ['createWorkspace', 'workgroupID']],
    [() => box.call('getWorkspace', { workgroupID: 'a', workspaceID: '' }), ['getWorkspace', 'workspaceID']],
    [() => box.call('getWorkgroup', { workgroupID: 1 } as never), ['getWorkgroup', 'workgroupID']],
    [() => box.call('getWorkgroup', { workgroupID: 'a', body: {} } as never), ['getWorkgroup', 'body', 'workgroupID']],
    [() => box.call('createWorkgroup', { body: {}, other: 1 } as never), ['createWorkgroup', 'other', 'takes body']],
    [
      () => (box.call as (...input: unknown[]) => Promise<unknown>)('listWorkgroups', { limit: 1 }),
      ['limit', 'takes nothing']
    ]
  ]
  for (const [attempt, named] of cases) {
    const error = await errorOf(attempt())
    t.ok(error instanceof TypeError)
    for (const name of named) t.ok((error as Error).message.includes(name), name)
    t.match((error as Error).stack, /^TypeError: .*\n {4}at .*call\.test/)
  }
  t.strictSame((await box.requests.list()).requests, [])
})

void t.test('faults apply to calls of the handle', async (t) => {
  await using mock = await startMock()
  const box = mock.sandbox()
  const meet = async (effect: Parameters<SandboxHandle['fault']['add']>[0]['effect']) => {
    await box.fault.add({ operation: 'createWorkgroup', times: 1, effect })
    return errorOf(box.call('createWorkgroup', { body: { cloud_provider_id: 'x' } }))
  }
  t.match(await meet({ status: 429, error_type: 'Quota-Exceed', reason: 'Slow down' }), {
    name: 'CallError',
    status: 429,
    Type: 'Quota-Exceed',
    Message: 'Slow down'
  })
  t.match(await meet({ reply: 'empty' }), { name: 'CallError', status: 200, Type: undefined, ErrorDetails: [] })
  for (const reply of ['drop', 'cut'] as const) {
    const error = (await meet({ reply })) as Error
    t.ok(error.cause instanceof Error, reply)
    t.ok(error.message.includes('createWorkgroup'))
    t.match(error.stack, /^Error: .*\n {4}at .*call\.test/)
  }
})

void t.test('a call finds its sandbox with any base path and credentials', async (t) => {
  for (const options of [
    {},
    { basePath: '/api' },
    { auth: 'off' as const },
    { auth: 'strict' as const, apiKeys: ['ci=secret'] },
    { controlToken: 'token' }
  ]) {
    await using mock = await startMock(options)
    const box = mock.sandbox('apiKeys' in options ? 'secret' : undefined)
    await box.seed(SEED)
    t.strictSame(
      (await box.call('listWorkgroups')).map(({ workgroup_id: id }) => id),
      ['main'],
      JSON.stringify(options)
    )
    const [owner] = (await box.state.read()).org_users ?? []
    t.equal((await box.call('listOrgUsers'))[0]?.id, owner?.id)
  }
})

void t.test('an id may have any character', async (t) => {
  await using mock = await startMock()
  const error = await errorOf(mock.sandbox().call('getWorkgroup', { workgroupID: 'a/b?c#d e%$&' }))
  t.match(error, { status: 404, Message: messageOf('notFound', 'resource', { what: 'workgroup', id: 'a/b?c#d e%$&' }) })
})
