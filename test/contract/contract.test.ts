import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { startMock } from '../../src/index.js'
import { type Body, CONTROLLER } from '../helper.js'
import { hasErrorResult, type InterfaceOperation, needsSession, readOperations } from '../operations.js'
import { replyValidators } from '../reply-validators.js'

/**
 * A black box: everything here goes over HTTP, and every reply is held against the document that the server itself
 * publishes. It runs against a server of its own, or against the one that CONTRACT_URL names (its origin, without the
 * base path), which must accept any credential.
 */

type Params = Record<string, string>
type Credential = 'key' | 'session' | 'none'

interface Request {
  readonly params?: Params
  readonly query?: string
  /** A text is sent as it is, anything else as JSON; nothing is sent as an empty body that is announced as JSON. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly credential?: Credential
}

interface Reply {
  readonly status: number
  readonly body: Body
}

interface Contract {
  readonly operations: ReadonlyMap<string, InterfaceOperation>
  readonly document: Body
  /** Calls an operation, holds the reply against the document, and checks the status. */
  readonly call: (t: Test, operationId: string, status: number, request?: Request) => Promise<Reply>
  /** Calls what is not part of the interface. @returns `Result` */
  readonly control: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>
  /** Successes and errors that were seen of each operation. */
  readonly seen: ReadonlyMap<string, { successes: number; errors: Set<number> }>
}

const contract = await openContract()

async function openContract(): Promise<Contract> {
  const external = process.env['CONTRACT_URL']
  const mock = external === undefined ? await startMock() : undefined
  t.teardown(() => mock?.close())
  const origin = new URL(external ?? mock!.url).origin
  const document: Body = await (await fetch(`${origin}/openapi.json`)).json()
  const base = Object.keys(document.paths as object)
    .find((path) => path.endsWith(`${CONTROLLER}/workgroups`))!
    .slice(0, -`${CONTROLLER}/workgroups`.length)
  const operations = new Map(readOperations().map((operation) => [operation.operationId, operation]))
  const seen = new Map([...operations.keys()].map((id) => [id, { successes: 0, errors: new Set<number>() }]))
  const validatorOf = replyValidators(document)
  // The same text names the same sandbox, as an API key and as a session. A new one has nobody else's data in it.
  const secret = `contract-${randomUUID()}`
  const credentials: Record<Credential, Record<string, string>> = {
    key: { 'x-api-key': secret },
    session: { authorization: `Bearer ${secret}` },
    none: {}
  }

  const call: Contract['call'] = async (
    t,
    operationId,
    status,
    { params = {}, query = '', body, headers = {}, credential } = {}
  ) => {
    const operation = operations.get(operationId)!
    const { method, path } = operation
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
    const url = `${origin}${base}${filled}${query}`
    const requestId = `call-${randomUUID()}`
    const response = await fetch(url, {
      method: method.toUpperCase(),
      headers: {
        'content-type': 'application/json',
        'x-request-id': requestId,
        ...credentials[credential ?? (needsSession(operation) ? 'session' : 'key')],
        ...headers
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    const name =
      `${operationId} ${status}` +
      (body === undefined ? '' : ` ${(typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 80)}`) +
      query
    const reply = { status: response.status, body: parse(text) }
    const problems = problemsOf(operation, response, text, reply.body, requestId)
    if (response.status !== status) problems.push(`the status is ${response.status}, not ${status}`)
    t.strictSame(problems, [], name, problems.length === 0 ? {} : { reply })
    const record = seen.get(operationId)!
    if (response.ok) record.successes++
    else record.errors.add(response.status)
    return reply
  }

  /** What is wrong with a reply, whatever its status should have been. */
  function problemsOf(
    operation: InterfaceOperation,
    response: Response,
    text: string,
    body: Body,
    requestId: string
  ): string[] {
    const { method, path, result, isBare, success } = operation
    const { status, headers } = response
    const declared = document.paths[`${base}${path}`][method].responses[status]
    if (declared === undefined) return [`the status ${status} is not declared`]
    const problems: string[] = []
    if (headers.get('x-request-id') !== requestId) problems.push('X-Request-Id is not what was sent')
    if (status === 204) {
      if (text !== '' || headers.get('content-type') !== null) problems.push('a 204 has a body')
      if (declared.content !== undefined) problems.push('a 204 has a schema')
      return problems
    }
    if (headers.get('content-type') !== 'application/json; charset=utf-8')
      problems.push(`Content-Type is ${headers.get('content-type')}`)
    const validate = validatorOf(`${base}${path}`, method, status)
    if (!validate(body))
      problems.push(
        ...validate.errors!.map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`
        )
      )
    if (response.ok && isBare) {
      if (!Array.isArray(body)) problems.push('it is not a bare array')
      return problems
    }
    if (body.RequestID !== requestId) problems.push('RequestID is not X-Request-Id')
    if (body.Error !== !response.ok) problems.push('Error does not fit the status')
    if (typeof body.Message !== 'string' || body.Message === '') problems.push('Message is not a text')
    if (response.ok) {
      if (status !== success) problems.push(`a success is a ${success}`)
      if ('ErrorDetails' in body) problems.push('a success has ErrorDetails')
      if ('Result' in body !== (result !== undefined)) problems.push('Result is there, or not, against the interface')
      if (result === 'string' && typeof body.Result !== 'string') problems.push('Result is not a string')
    } else {
      if (!Array.isArray(body.ErrorDetails) || body.ErrorDetails.length === 0)
        problems.push('an error has no ErrorDetails')
      if (body.Result !== (hasErrorResult(operation) ? body.Message : undefined))
        problems.push('Result of an error is against the interface')
    }
    return problems
  }

  const control: Contract['control'] = async (method, path, body) => {
    const response = await fetch(`${origin}/_mock${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...credentials.key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const reply: Body = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${reply.Message}`)
    return reply.Result as Record<string, unknown>
  }

  return { operations, document, call, control, seen }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A world in which every operation can succeed: one of everything. */
interface Fixture {
  readonly params: Params
  readonly bodies: Readonly<Record<string, Body>>
}

const ADDON = {
  addons_id: 'addon',
  enable: true,
  enable_configuration: { any: { thing: [1] } },
  unique_name: 'one',
  is_free: false,
  workspace_id: 'x'
}
// The auto-stop is later than anything that happens here, however long transitions take.
const WORKSPACE = {
  name: 'w',
  workspace_type_name: 'SVC-0',
  svc_version: '4.2.0',
  is_rw: true,
  enable_ha: true,
  enable_auto_start: true,
  auto_stop_minutes: 100_000,
  addons: [ADDON],
  solution_install_request: { name: 's', solution_catalog_id: 'c', data_source_origin: 'd', addons: [ADDON] }
}
const AGENT = {
  heartbeat_interval_seconds: 1,
  topology_update_interval_seconds: 2,
  catalog_activity_update_interval_seconds: 3,
  query_activity_update_interval_seconds: 4,
  enable_topology_force_update: true
}
const BACKUP_SCHEDULE = { schedule: '0 3 * * *', pause: false, max_backup_files: 3, max_reserved_days: 5, max_retry: 1 }
const SCHEDULE = {
  repeat: 'weekly',
  repeat_on: 'Mon,Thu',
  time: '08:30',
  timezone: 'Europe/Berlin',
  workspace_type_name: 'SVC-1'
}

/** Lets everything that has begun come to its end. */
const settle = () => contract.control('POST', '/clock/advance', { until: 'idle' })

/** Creates one of everything, each by its operation, and so that reads have something to show in every field. */
async function createWorld(t: Test): Promise<Fixture> {
  const { call, control } = contract
  await control('PUT', '/clock', { mode: 'frozen' })
  const workgroup = await call(t, 'createWorkgroup', 200, {
    body: { cloud_provider_id: 'account', name: 'g', platform: 'gcp', region: 'eu-west-1' }
  })
  const workgroupID: string = workgroup.body.Result.workgroup_id
  const workspace = await call(t, 'createWorkspace', 200, { params: { workgroupID }, body: WORKSPACE })
  const { workspace_id: workspaceID, database_id: databaseID } = workspace.body.Result as Record<string, string>
  const place = { workgroupID, workspaceID: workspaceID! }
  await settle()
  const entry = await call(t, 'addAllowedIP', 200, { params: place, body: { cidr: '203.0.113.7/24', note: 'office' } })
  const { id: backup } = await control('POST', `/workspaces/${workspaceID}/backups`, { tag: 'tag' })
  await settle()
  const job = await call(t, 'restoreBackup', 200, { params: place, body: { backup_id: backup } })
  await settle()
  await call(t, 'setBackupSchedule', 200, { params: place, body: BACKUP_SCHEDULE })
  const schedule = { ...SCHEDULE, workspace_id: workspaceID }
  const scheduleId: string = (await call(t, 'updateWorkspaceSchedule', 200, { params: place, body: schedule })).body
    .Result
  await call(t, 'createDatabaseUser', 200, { params: place, body: { username: 'ann', password: 'secret' } })
  const users: Body[] = (await call(t, 'listOrgUsers', 200)).body
  const owner = users.find(({ roles }) => (roles as Body[]).some(({ name }) => name === 'org-admin'))
  return {
    params: { ...place, databaseID: databaseID!, id: entry.body.Result.id, job: job.body.Result, userId: owner.id },
    bodies: {
      createWorkgroup: { cloud_provider_id: 'account', name: 'x', platform: 'aws', region: 'us-east-1' },
      updateWorkgroup: { workgroup_name: 'x' },
      addAllowedIP: { cidr: '2001:db8::/32', note: '' },
      updateAllowedIP: { cidr: '2001:db8::/32', note: '' },
      updateDatabase: { svc_database_name: 'x' },
      createWorkspace: WORKSPACE,
      updateWorkspace: {
        workspace_name: 'x',
        workspace_type_name: 'SVC-2',
        enable_ha: false,
        enable_auto_start: false,
        auto_stop_minutes: 200_000,
        addons: [ADDON],
        agent_config: AGENT
      },
      deleteBackup: { backup_id: backup },
      restoreBackup: { backup_id: backup },
      setBackupSchedule: BACKUP_SCHEDULE,
      updateWorkspaceSchedule: schedule,
      deleteWorkspaceSchedule: { id: scheduleId },
      createDatabaseUser: { username: 'bob', password: 'secret' },
      updateDatabaseUserPassword: { username: 'ann', password: 'other' },
      deleteDatabaseUser: { username: 'ann' },
      updateOrgUserRoles: { roles: ['org-admin', 'workspace-member'] }
    }
  }
}

/** The parameter that makes sure that a call of the shared path comes to its operation, whatever its body. */
function queryOf(operationId: string): string {
  const isShared = ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule'].includes(operationId)
  return isShared ? `?operation=${operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}` : ''
}

void t.test('every operation succeeds, in every state on the way', async (t) => {
  const { call, control } = contract
  const { params, bodies } = await createWorld(t)
  const ok = (operationId: string, request: Request = {}) => {
    const body = request.body ?? bodies[operationId]
    return call(t, operationId, contract.operations.get(operationId)!.success, {
      params,
      ...request,
      ...(body === undefined ? {} : { body })
    })
  }
  const readEverything = async () => {
    for (const { operationId, method } of contract.operations.values()) if (method === 'get') await ok(operationId)
  }

  await t.test('reads, with everything there and by a session too', async () => {
    await readEverything()
    for (const { operationId, method } of contract.operations.values())
      if (method === 'get') await ok(operationId, { credential: 'session' })
    t.match((await ok('getMetadata')).body.Result, { regions: [{}], svcVersions: [{}], workspaceTypes: [{}] })
    t.match((await ok('listAllowedIPs')).body.Result, [{ cidr: '203.0.113.0/24', note: 'office' }])
    t.match(
      JSON.parse((await ok('getWorkspaceSchedules')).body.Result as string),
      [SCHEDULE],
      'operation 34 answers an array as text'
    )
  })

  await t.test('the allow list', async () => {
    await ok('createWorkgroup', { body: { cloud_provider_id: 'a' } })
    await ok('updateWorkgroup')
    await ok('updateWorkgroup', { body: {} })
    await ok('enableAllowList')
    await ok('getCurrentIP')
    await ok('disableAllowList')
    const { id } = (await ok('addAllowedIP', { body: { cidr: '::ffff:10.0.0.1', id: 'ignored', other: 1 } })).body
      .Result
    await ok('updateAllowedIP', { params: { ...params, id } })
    await ok('deleteAllowedIP', { params: { ...params, id } })
  })

  await t.test('the states of a workspace', async () => {
    await ok('updateDatabase')
    await ok('updateWorkspace')
    await ok('getWorkspace')
    await settle()
    await ok('updateWorkspace', { body: {} })
    // What the service does not know is left out, and does not come back.
    await ok('updateWorkspace', {
      body: { other: 1, addons: [{ ...ADDON, other: 1 }], agent_config: { heartbeat_interval_seconds: 9, other: 1 } }
    })
    await readEverything()
    for (const [verb, other] of [
      ['refreshWorkspace', 'getWorkspace'],
      ['pauseWorkspace', 'getDatabase'],
      ['resumeWorkspace', 'listWorkgroups']
    ] as const) {
      await ok(verb)
      await ok(other)
      await ok(verb)
      await settle()
      await ok(other)
    }
    const readOnly = { is_rw: false, svc_database_id: params['databaseID'] }
    const { workspace_id: workspaceID } = (await ok('createWorkspace', { body: readOnly })).body.Result
    await ok('getWorkspace', { params: { ...params, workspaceID } })
    await settle()
    await ok('refreshWorkspace', { params: { ...params, workspaceID } })
    await settle()
    await ok('getWorkspace', { params: { ...params, workspaceID } })
    await ok('deleteWorkspace', { params: { ...params, workspaceID } })
    await settle()
  })

  await t.test('backups and restore jobs', async () => {
    const { id } = await control('POST', `/workspaces/${params['workspaceID']}/backups`, {})
    await ok('listBackups')
    await settle()
    await control('POST', '/clock/advance', { by: 'P2D' })
    await settle()
    await ok('listBackups')
    const job: string = (await ok('restoreBackup')).body.Result
    for (const by of ['PT0S', 'PT2S', 'PT10M']) {
      await control('POST', '/clock/advance', { by })
      await ok('getRestoreStatus', { params: { ...params, job } })
    }
    await settle()
    await ok('deleteBackup', { body: { backup_id: id } })
  })

  await t.test('the shared path, by the body and by the query', async () => {
    for (const operationId of ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule']) {
      for (const query of ['', queryOf(operationId)]) {
        const id =
          operationId === 'deleteWorkspaceSchedule'
            ? ((
                await ok('updateWorkspaceSchedule', { body: { ...bodies['updateWorkspaceSchedule'], repeat: 'daily' } })
              ).body.Result as string)
            : undefined
        const { body } = await ok(operationId, {
          query,
          ...(id === undefined ? {} : { body: { id, workspace_id: params['workspaceID'] } })
        })
        t.match(body.Message, new RegExp(`^${operationId}: `), 'the message names the operation')
        if (id !== undefined) t.equal(body.Result, id, 'the result is the id')
      }
    }
    // The interface declares a whole WorkspaceSchedule as the body of the deletion; with the query, it can be sent.
    const id = (
      await ok('updateWorkspaceSchedule', {
        body: { ...bodies['updateWorkspaceSchedule'], repeat: 'No Repeat', date: '2999-12-31' }
      })
    ).body.Result as string
    await ok('getWorkspaceSchedules')
    await ok('deleteWorkspaceSchedule', {
      query: queryOf('deleteWorkspaceSchedule'),
      body: { ...bodies['updateWorkspaceSchedule'], id }
    })
    await ok('getBackupSchedule')
  })

  await t.test('users', async () => {
    await ok('createDatabaseUser')
    await ok('updateDatabaseUserPassword')
    await ok('listDatabaseUsers')
    await ok('deleteDatabaseUser')
    await ok('updateOrgUserRoles')
    await ok('listOrgUsers')
  })

  await t.test('deleting all of it', async () => {
    // Held, so that it is still seen where transitions take no time.
    await control('PUT', '/transitions', { rules: [{ transition: 'workspace.delete', outcome: 'hold' }] })
    await ok('deleteWorkspace')
    await ok('getWorkspace')
    await control('PUT', '/transitions', { rules: [] })
    await control('POST', '/transitions/release', {})
    await settle()
    await ok('deleteDatabase')
    await ok('listWorkgroups')
    await ok('deleteWorkgroup')
  })
})

void t.test('invalid requests are refused, each as the document says', async (t) => {
  const { call, document } = contract
  const { params, bodies } = await createWorld(t)
  // What is wrong in the path must not be found first.
  const base = { params }

  for (const { operationId, path, method, body: schemaName } of contract.operations.values()) {
    const query = queryOf(operationId)
    const body = bodies[operationId]
    const sent = body === undefined ? {} : { body }
    await t.test(operationId, async (t) => {
      const refused = (status: number, request: Request) => call(t, operationId, status, { ...base, query, ...request })
      await refused(401, { ...sent, credential: 'none' })
      if (!path.startsWith(CONTROLLER)) await refused(403, { ...sent, credential: 'key' })

      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
        for (const id of [randomUUID(), 'x', 'ü/%', 'x'.repeat(300)])
          await refused(404, { ...sent, params: { ...params, [name!]: id } })
      }

      if (method === 'get') return
      await refused(400, { body: '{"a"' })
      await refused(415, { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } })
      await refused(413, { body: JSON.stringify({ ...body, padding: 'x'.repeat(1 << 20) }) })
      if (schemaName === undefined) return
      await refused(400, {})
      for (const other of ['null', '[]', '"text"', '1', 'true']) await refused(400, { body: other })
      for (const [field, values] of Object.entries(wrongValues(document, schemaName))) {
        // Only the id counts where a schedule is deleted.
        if (operationId === 'deleteWorkspaceSchedule' && field !== 'id') continue
        for (const value of values) await refused(400, { body: { ...body, [field]: value } })
      }
      for (const field of document.components.schemas[schemaName].required ?? []) {
        if (operationId === 'deleteWorkspaceSchedule') continue
        await refused(400, { body: { ...body, [field as string]: undefined } })
      }
    })
  }

  await t.test('rules and states that forbid an operation', async (t) => {
    const refused = (operationId: string, status: number, request: Request = {}) =>
      call(t, operationId, status, { ...base, ...request })
    const other = randomUUID()
    await refused('deleteWorkgroup', 400)
    await refused('deleteDatabase', 400)
    await refused('addAllowedIP', 400, { body: { cidr: '203.0.113.0/24' } })
    for (const cidr of ['', 'localhost', '10.0.0.0/33', '1.2.3'])
      await refused('updateAllowedIP', 400, { body: { cidr } })
    await refused('createWorkspace', 400, { body: { svc_database_id: other } })
    await refused('createWorkspace', 400, { body: { svc_database_id: params['databaseID'] } })
    await refused('createWorkspace', 400, { body: { is_rw: false } })
    await refused('createWorkspace', 400, { body: { addons: [{ enable: true }] } })
    await refused('updateWorkspace', 400, { body: { agent_config: { heartbeat_interval_seconds: -1 } } })
    await refused('deleteBackup', 400, { body: { backup_id: other } })
    await refused('restoreBackup', 400, { body: { backup_id: other } })
    await refused('setBackupSchedule', 400, { body: { schedule: 'never' } })
    await refused('setBackupSchedule', 400, { query: '?operation=other' })
    await refused('updateWorkspaceSchedule', 400, { body: {} })
    await refused('updateWorkspaceSchedule', 400, {
      body: { ...bodies['updateWorkspaceSchedule'], workspace_id: other }
    })
    await refused('updateWorkspaceSchedule', 400, { body: { ...bodies['updateWorkspaceSchedule'], repeat: 'none' } })
    await refused('updateWorkspaceSchedule', 400, {
      body: { ...bodies['updateWorkspaceSchedule'], repeat: 'none', date: '2001-01-01' }
    })
    await refused('deleteWorkspaceSchedule', 400, { body: { id: other } })
    await refused('deleteWorkspaceSchedule', 400, {
      body: { ...bodies['deleteWorkspaceSchedule'], workspace_id: other }
    })
    await refused('createDatabaseUser', 400, { body: { username: 'ann', password: 'x' } })
    await refused('createDatabaseUser', 400, { body: { username: 'cid' } })
    await refused('updateDatabaseUserPassword', 400, { body: { username: 'cid', password: 'x' } })
    await refused('updateDatabaseUserPassword', 400, { body: { username: 'ann' } })
    await refused('deleteDatabaseUser', 400, { body: { username: 'cid' } })
    await refused('deleteDatabaseUser', 400, { body: {} })
    for (const roles of [['workspace-member'], ['none'], [], ['org-admin', 'org-admin']])
      await refused('updateOrgUserRoles', 400, { body: { roles } })

    await call(t, 'pauseWorkspace', 200, base)
    await settle()
    await refused('refreshWorkspace', 400)
    await refused('restoreBackup', 400, { body: bodies['restoreBackup'] })
    const { body } = await call(t, 'createWorkspace', 200, { ...base, body: {} })
    const fresh = { params: { ...params, workspaceID: body.Result.workspace_id as string } }
    await settle()
    await refused('getBackupSchedule', 404, fresh)
    await refused('getRestoreStatus', 404, fresh)
    await contract.control('PUT', '/transitions', { rules: [{ transition: 'workspace.delete', outcome: 'hold' }] })
    await call(t, 'deleteWorkspace', 200, fresh)
    for (const id of ['pauseWorkspace', 'resumeWorkspace', 'refreshWorkspace', 'deleteWorkspace'])
      await refused(id, 400, fresh)
    await refused('updateWorkspace', 400, { ...fresh, body: {} })
    for (const id of ['setBackupSchedule', 'updateWorkspaceSchedule']) {
      await refused(id, 400, {
        ...fresh,
        body: id === 'setBackupSchedule' ? BACKUP_SCHEDULE : { ...SCHEDULE, workspace_id: fresh.params.workspaceID }
      })
    }
    await contract.control('PUT', '/transitions', { rules: [] })
    await contract.control('POST', '/transitions/release', {})
    await settle()
    await refused('getWorkspace', 404, fresh)
  })
})

void t.test('the check finds a field too many, one too few, and one of another type', async (t) => {
  const { operations, document, call } = contract
  const { path, method } = operations.get('listOrgUsers')!
  const [published] = Object.keys(document.paths as object).filter((key) => key.endsWith(path))
  const validate = replyValidators(document)(published!, method, 200)
  const { body } = await call(t, 'listOrgUsers', 200)
  const users = body as [Record<string, object>]
  const [user] = users
  t.equal(validate(users), true)
  t.equal(validate([{ ...user, other: 1 }]), false)
  t.equal(validate([{ ...user, metadata: { ...user['metadata'], other: 1 } }]), false)
  t.equal(validate([{ ...user, srn: undefined }]), false)
  t.equal(validate([{ ...user, enabled: 'true' }]), false)
  t.equal(validate({ Result: users }), false)
})

void t.test('every operation was seen to succeed and to fail', async (t) => {
  for (const [operationId, { successes, errors }] of contract.seen) {
    t.ok(successes > 0, `${operationId} succeeded`)
    t.ok(errors.size > 0, `${operationId} failed`)
    t.comment(`${operationId}: ${successes} successes; errors ${[...errors].sort().join(', ')}`)
  }
})

/** For each field of a request's schema, values that it does not allow. */
function wrongValues(document: Body, schemaName: string): Record<string, unknown[]> {
  const all = [null, 1.5, true, 'text', [1], { a: 1 }]
  return Object.fromEntries(
    Object.entries(document.components.schemas[schemaName].properties as Record<string, Body>).map(
      ([field, property]) => {
        const schema = '$ref' in property ? { type: 'object' } : property
        const isRight = (value: unknown) =>
          (Array.isArray(value) ? 'array' : typeof value) === schema.type && value !== null
        const wrong: unknown[] = all.filter((value) => !isRight(value))
        if (schema.enum !== undefined) wrong.push('none of them')
        if (schema.minLength !== undefined) wrong.push('')
        if (schema.maxLength !== undefined) wrong.push('x'.repeat(Number(schema.maxLength) + 1))
        if (schema.minimum !== undefined) wrong.push(Number(schema.minimum) - 1)
        if (schema.format !== undefined) wrong.push('not of this format')
        return [field, wrong]
      }
    )
  )
}
