import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { startMock } from '../../src/node/index.js'
import { type Body, CONTROLLER, sendJson } from '../helper.js'
import { bodiesWith, hasErrorResult, type InterfaceOperation, needsSession, readOperations } from '../operations.js'
import { replyValidators } from '../reply-validators.js'

// A black-box test over HTTP: checks every reply against the document that the server publishes.

type Params = Record<string, string>

type Credential = 'key' | 'session' | 'none'

interface Request {
  readonly params?: Params
  readonly query?: string
  /** A text is sent as it is, anything else as JSON; undefined as an empty body announced as JSON. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly credential?: Credential
}

const mock = await startMock()
t.teardown(() => mock.close())
const document: Body = await (await fetch(`${mock.url}/openapi.json`)).json()
// The same text names the same sandbox, as an API key and as a session.
const KEY = 'contract'
const CREDENTIALS: Readonly<Record<Credential, Record<string, string>>> = {
  key: { 'x-api-key': KEY },
  session: { authorization: `Bearer ${KEY}` },
  none: {}
}
const box = mock.sandbox(KEY)
const operations = new Map(readOperations().map((operation) => [operation.operationId, operation]))
/** Successes and errors of each operation so far. */
const seen = new Map([...operations.keys()].map((id) => [id, { successes: 0, errors: new Set<number>() }]))
const validatorOf = replyValidators(document)

/** Waits until nothing is in a transient state. */
const settle = () => box.clock.advance({ until: 'idle' })

/** Calls an operation, and checks the status and the reply. */
async function call(t: Test, operationId: string, status: number, request: Request = {}): Promise<{ body: Body }> {
  const { params = {}, query = '', body, headers = {}, credential } = request
  const operation = operations.get(operationId)!
  const { method, path } = operation
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
  const requestId = `call-${randomUUID()}`
  const given = {
    'content-type': 'application/json',
    ...CREDENTIALS[credential ?? (needsSession(operation) ? 'session' : 'key')],
    'x-request-id': requestId,
    ...headers
  }
  const response = await sendJson(method.toUpperCase(), `${mock.url}${filled}${query}`, given, body)
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

/** The problems of a reply, whatever its expected status. */
function problemsOf(
  operation: InterfaceOperation,
  response: Response,
  text: string,
  body: Body,
  requestId: string
): string[] {
  const { method, path, result, isBare, success } = operation
  const { status, headers } = response
  const declared = document.paths[path][method].responses[status]
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
  const validate = validatorOf(path, method, status)
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
  if (body.Error !== !response.ok) problems.push('Error does not match the status')
  if (typeof body.Message !== 'string' || body.Message === '') problems.push('Message is not a text')
  if (response.ok) {
    if (status !== success) problems.push(`a success is a ${success}`)
    if (body.ErrorDetails !== null) problems.push('a success has ErrorDetails')
    if ((body.Result !== null) !== (result !== undefined))
      problems.push('Result is there, or not, against the interface')
    if (result === 'string' && typeof body.Result !== 'string') problems.push('Result is not a string')
  } else {
    if (!Array.isArray(body.ErrorDetails) || body.ErrorDetails.length === 0)
      problems.push('an error has no ErrorDetails')
    if (body.Result !== (hasErrorResult(operation) ? body.Message : null))
      problems.push('Result of an error is against the interface')
  }
  return problems
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const ADDON = {
  addons_id: 'addon',
  enable: true,
  enable_configuration: { any: { thing: [1] } },
  unique_name: 'one',
  is_free: false,
  workspace_id: 'x'
}
const ADDONS = { addons: [ADDON] }
// The auto-stop comes later than anything here, however long transitions take.
const WORKSPACE = {
  name: 'w',
  workspace_type_name: 'SVC-0',
  svc_version: '4.2.0',
  is_rw: true,
  enable_ha: true,
  enable_auto_start: true,
  auto_stop_minutes: 100_000,
  ...ADDONS,
  solution_install_request: { name: 's', solution_catalog_id: 'c', data_source_origin: 'd', ...ADDONS }
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

/** Creates one of everything by its operation, with a value in every field of replies. */
async function createWorld(t: Test) {
  await box.clock.freeze()
  const workgroup = await call(t, 'createWorkgroup', 200, {
    body: { name: 'g', cloud_provider_id: 'account', platform: 'gcp', region: 'eu-west-1' }
  })
  const workgroupID: string = workgroup.body.Result.workgroup_id
  const workspace = await call(t, 'createWorkspace', 200, { params: { workgroupID }, body: WORKSPACE })
  const { workspace_id: workspaceID, database_id: databaseID } = workspace.body.Result as Record<string, string>
  const place = { workgroupID, workspaceID: workspaceID! }
  await settle()
  const entry = await call(t, 'addAllowedIP', 200, { params: place, body: { cidr: '203.0.113.7/24', note: 'office' } })
  const { id: backup } = await box.backup(workspaceID!, { tag: 'tag' })
  await settle()
  const job: string = (await call(t, 'restoreBackup', 200, { params: place, body: { backup_id: backup } })).body.Result
  await settle()
  await call(t, 'setBackupSchedule', 200, { params: place, body: BACKUP_SCHEDULE })
  const schedule = { ...SCHEDULE, workspace_id: workspaceID }
  const scheduleId: string = (await call(t, 'updateWorkspaceSchedule', 200, { params: place, body: schedule })).body
    .Result
  await call(t, 'createDatabaseUser', 200, { params: place, body: { username: 'ann', password: 'secret' } })
  const users: Body[] = (await call(t, 'listOrgUsers', 200)).body
  const owner = users.find(({ roles }) => (roles as Body[]).some(({ name }) => name === 'org-admin')) ?? users[0]
  const bodies: Readonly<Record<string, Body>> = {
    ...bodiesWith({ backup, schedule: scheduleId, workspaceID: workspaceID! }),
    createWorkgroup: { name: 'x', cloud_provider_id: 'account', platform: 'aws', region: 'us-east-1' },
    updateWorkgroup: { workgroup_name: 'y' },
    createWorkspace: WORKSPACE,
    updateWorkspace: {
      workspace_name: 'x',
      workspace_type_name: 'SVC-2',
      enable_ha: false,
      enable_auto_start: false,
      auto_stop_minutes: 200_000,
      ...ADDONS,
      agent_config: AGENT
    },
    setBackupSchedule: BACKUP_SCHEDULE,
    updateWorkspaceSchedule: schedule,
    updateOrgUserRoles: { roles: ['org-admin', 'workspace-member'] }
  }
  return {
    bodies,
    /** The roles of the user before any change. */
    roles: (owner.roles as Body[]).map(({ name }) => name as string),
    params: { ...place, databaseID: databaseID!, id: entry.body.Result.id, job, userId: owner.id }
  }
}

/** The query that selects the operation on the shared path, whatever the body. */
function queryOf(operationId: string): string {
  const isShared = ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule'].includes(operationId)
  return isShared ? `?operation=${operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}` : ''
}

void t.test('every operation succeeds, in every state on the way', async (t) => {
  const { params, bodies, roles } = await createWorld(t)
  const ok = (operationId: string, request: Request = {}) => {
    const body = request.body ?? bodies[operationId]
    return call(t, operationId, operations.get(operationId)!.success, {
      params,
      ...request,
      ...(body === undefined ? {} : { body })
    })
  }
  const reads = [...operations.values()].filter(({ method }) => method === 'get').map(({ operationId }) => operationId)
  const readEverything = async () => {
    for (const operationId of reads) await ok(operationId)
  }

  await t.test('reads, with everything there and by a session too', async () => {
    await readEverything()
    for (const operationId of reads) await ok(operationId, { credential: 'session' })
    t.match((await ok('getMetadata')).body.Result, { regions: [{}], svcVersions: [{}], workspaceTypes: [{}] })
    t.match((await ok('listAllowedIPs')).body.Result, [{ cidr: '203.0.113.0/24', note: 'office' }])
    const schedules = JSON.parse((await ok('getWorkspaceSchedules')).body.Result as string)
    t.match(schedules, [SCHEDULE], 'operation 34 answers an array as text')
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
    // Unknown fields are dropped.
    await ok('updateWorkspace', {
      body: {
        other: 1,
        addons: [{ ...ADDON, other: 1 }],
        agent_config: { heartbeat_interval_seconds: 9, other: 1 }
      }
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
    const { id } = await box.backup(params.workspaceID)
    await ok('listBackups')
    await settle()
    await box.clock.advance({ by: 'P2D' })
    await settle()
    await ok('listBackups')
    const job: string = (await ok('restoreBackup')).body.Result
    for (const by of ['PT0S', 'PT2S', 'PT10M']) {
      await box.clock.advance({ by })
      await ok('getRestoreStatus', { params: { ...params, job } })
    }
    await settle()
    await ok('deleteBackup', { body: { backup_id: id } })
  })

  await t.test('the shared path, by the body and by the query', async () => {
    for (const operationId of ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule'])
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
        t.match(body.Message, / (?:set|updated|deleted) the /, 'the message names the operation')
        if (id !== undefined) t.equal(body.Result, id, 'the result is the id')
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
    await ok('listOrgUsers')
    await ok('updateOrgUserRoles')
    await ok('updateOrgUserRoles', { body: { roles } })
  })

  await t.test('deleting all of it', async () => {
    await ok('deleteWorkspace')
    await ok('getWorkspace')
    await settle()
    await ok('deleteDatabase')
    await ok('listWorkgroups')
    await ok('deleteWorkgroup')
  })
})

void t.test('invalid requests are refused, each as the document says', async (t) => {
  const { params, bodies } = await createWorld(t)
  // The path is right, so that only the body is refused.
  const base = { params }

  for (const { operationId, path, method, body: schemaName } of operations.values()) {
    const query = queryOf(operationId)
    const body = bodies[operationId]
    const sent = body === undefined ? {} : { body }
    await t.test(operationId, async (t) => {
      const refused = (status: number, request: Request) => call(t, operationId, status, { ...base, query, ...request })
      await refused(401, { ...sent, credential: 'none' })
      if (!path.startsWith(CONTROLLER)) await refused(403, { ...sent, credential: 'key' })

      for (const [, name] of path.matchAll(/\{(\w+)\}/g))
        for (const id of [randomUUID(), 'x', 'ü/%', 'x'.repeat(300)])
          await refused(404, { ...sent, params: { ...params, [name!]: id } })

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
        for (const value of values) {
          const { ErrorDetails: details } = (await refused(400, { body: { ...body, [field]: value } })).body
          t.match(details[0].FieldName, new RegExp(`^${field}(?:\\.|$)`), 'it names the field')
        }
      }
      for (const field of document.components.schemas[schemaName].required ?? []) {
        if (operationId === 'deleteWorkspaceSchedule') continue
        const { body: reply } = await refused(400, { body: { ...body, [field as string]: undefined } })
        t.match(reply.ErrorDetails, [{ FieldName: field as string }])
      }
    })
  }

  await t.test('rules about a body that its schema does not state', async (t) => {
    for (const [operationId, body] of [
      ['createDatabaseUser', { username: 'cid' }],
      ['updateDatabaseUserPassword', { username: 'ann' }],
      ['deleteDatabaseUser', {}],
      ['updateOrgUserRoles', { roles: [] }],
      ['updateOrgUserRoles', { roles: ['none'] }],
      ['updateOrgUserRoles', { roles: ['org-admin', 'org-admin'] }]
    ] as const)
      await call(t, operationId, 400, { ...base, body })
  })
})

void t.test('every operation was seen to succeed and to fail', async (t) => {
  for (const [operationId, { successes, errors }] of seen) {
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
