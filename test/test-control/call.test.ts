import { createServer } from 'node:http'
import t from 'tap'
import { mask } from '../../src/lib/secrets.js'
import { CallError, type SandboxHandle, startMock } from '../../src/node/index.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import { callOperation } from '../../src/test-control/handle/call.js'
import { type Body, listen, pluck } from '../helper.js'
import { messageOf } from '../messages.js'
import { bodiesWith, readOperations } from '../operations.js'

/** A sandbox in which each operation succeeds, and the ids in its path. */
const SEED = {
  org_users: [{ id: 'owner', email: 'owner@svc.test', roles: ['org-admin', 'workspace-member'] }],
  workgroups: [
    {
      id: 'main',
      allow_list: { entries: [{ id: 'office', cidr: '10.0.0.0/8' }] },
      databases: [{ id: 'data' }, { id: 'unused' }],
      workspaces: [
        {
          id: 'writer',
          database: 'data',
          backups: [{ id: 'monday' }],
          restore_jobs: [{ id: 'job' }],
          backup_schedule: { schedule: '0 3 * * *' },
          schedules: [{ id: 'nightly', repeat: 'daily', time: '08:00', timezone: 'UTC' }],
          users: [{ username: 'ann', password_hash: 'x' }]
        }
      ]
    },
    { id: 'empty' }
  ]
} as const
const IDS = {
  workgroupID: 'main',
  workspaceID: 'writer',
  databaseID: 'data',
  id: 'office',
  job: 'job',
  userId: 'owner'
}
const OTHER_IDS: Record<string, object> = {
  deleteWorkgroup: { workgroupID: 'empty' },
  deleteDatabase: { databaseID: 'unused' }
}
const BODIES: Record<string, object> = {
  ...bodiesWith({ backup: 'monday', schedule: 'nightly', workspaceID: 'writer' }),
  updateOrgUserRoles: { roles: ['org-admin'] }
}

/** What a promise is rejected with. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error
  )

void t.test('every operation can be called by name, and returns its result', async (t) => {
  await using mock = await startMock()
  for (const { operationId, path, isBare } of readOperations()) {
    await using box = mock.sandbox()
    await box.seed(SEED as never)
    const ids = Object.entries({ ...IDS, ...OTHER_IDS[operationId] }).filter(([name]) => path.includes(`{${name}}`))
    const body = BODIES[operationId]
    const input = { ...Object.fromEntries(ids), ...(body && { body }) }
    const result: unknown = await box.call(operationId as 'getWorkgroup', input as never)
    const { request } = await box.requests.read((await box.requests.list()).requests[0]!.request_id)
    t.equal(request?.operation, operationId)
    const reply = request?.reply as Body
    t.strictSame(mask(result ?? null), isBare ? reply : (reply?.Result ?? null), operationId)
  }
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
    if (options.auth === 'off') t.strictSame(box.headers, {})
    await box.seed(SEED as never)
    t.strictSame(pluck(await box.call('listWorkgroups'), 'workgroup_id'), ['main', 'empty'], JSON.stringify(options))
    const [owner] = (await box.state.read()).org_users ?? []
    t.equal((await box.call('listOrgUsers'))[0]?.id, owner?.id)
  }
})

void t.test('an id may have any character', async (t) => {
  await using mock = await startMock()
  const error = await errorOf(mock.sandbox().call('getWorkgroup', { workgroupID: 'a/b?c#d e%$&' }))
  t.match(error, { status: 404, Message: messageOf('notFound', 'resource', { what: 'workgroup', id: 'a/b?c#d e%$&' }) })
})

void t.test('a reply that is not an envelope of a success is an error with its text', async (t) => {
  const reply = { status: 200, text: '{"Error":false}' }
  const server = createServer((_, response) => response.writeHead(reply.status).end(reply.text))
  const target = { url: await listen(t, server), key: 'mine', profile: BUILT_IN }
  const call = () => callOperation(target, 'getMetadata', {})
  t.equal(await call(), undefined, 'a success may have no result')
  const nothing = { Type: undefined, ErrorDetails: [], RequestID: '' }
  const detail = { FieldName: 'a', Reason: 'b', Type: 'Not-Found' }
  for (const [status, text, said] of [
    [200, 'no JSON', { ...nothing, Message: /\S/ }],
    [200, 'null', { ...nothing, Message: /\S/ }],
    [200, '5', { ...nothing, Message: /\S/ }],
    [200, '{}', { ...nothing, Message: '' }],
    [404, '{"Error":true,"Message":"m"}', { ...nothing, Message: 'm' }],
    [
      404,
      JSON.stringify({ Error: true, Message: 'm', RequestID: 'r', ErrorDetails: [detail, { ...detail, Type: 'x' }] }),
      { Type: 'Not-Found', Message: 'm', RequestID: 'r', ErrorDetails: [detail, { ...detail, Type: 'x' }] }
    ]
  ] as const) {
    Object.assign(reply, { status, text })
    const error = (await errorOf(call())) as CallError
    t.match(error, { name: 'CallError', operation: 'getMetadata', status, ...said }, text)
    t.strictSame(error.ErrorDetails, said.ErrorDetails)
    const codes = error.Type === undefined ? String(status) : `${status} ${error.Type}`
    t.equal(error.message, `getMetadata: ${codes}: ${error.Message}`)
  }
})
