import t, { type Test } from 'tap'
import { OPERATION_IDS } from '../../src/interface/operation-ids.js'
import { type Mock, type Options, startMock, type StateDocument } from '../../src/node/index.js'
import { type Body, pluck, replaceMethod, sendJson, until } from '../helper.js'
import { httpAgent, REVISIONS } from './client.js'
import { breakAndRepair, fillWithLongNames } from './scenario.js'

const KEY = { 'x-api-key': 'agent' }
const ACCEPT = { accept: 'application/json, text/event-stream' }

async function start(t: Test, options: Partial<Options> = {}): Promise<Mock> {
  const mock = await startMock(options)
  t.teardown(() => mock.close())
  return mock
}

/** A server, and an agent that uses it over HTTP. */
async function open(t: Test, options: Partial<Options> = {}) {
  const { url, sandbox } = await start(t, options)
  return { url, sandbox, ...(await httpAgent(t, url, KEY)) }
}

/** Sends a plain message of the protocol. */
async function post(url: string, message: unknown, headers: Record<string, string> = {}) {
  const reply = await sendJson('POST', `${url}/_mock/mcp`, { ...ACCEPT, ...KEY, ...headers }, message)
  const text = await reply.text()
  const isStream = reply.headers.get('content-type') === 'text/event-stream'
  const messages = (isStream ? text.match(/(?<=^data: ).*/gm)! : [text]).filter((message) => message !== '')
  const [body, ...others] = messages.map((message) => JSON.parse(message) as unknown)
  return { status: reply.status, body: others.length > 0 ? [body, ...others] : (body as Body) }
}

const toolCall = (name: string, input: object, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input }
})

for (const revision of REVISIONS)
  void t.test(`an agent of revision ${revision} breaks and repairs a workspace`, async (t) => {
    const { url, sandbox } = await start(t)
    replaceMethod(t, console, 'warn', (text: string) => {
      t.fail(`nothing is printed beside the log: ${text}`)
    })
    const agent = await httpAgent(t, url, KEY, revision)
    t.equal(agent.client.getNegotiatedProtocolVersion(), revision)
    await breakAndRepair(t, agent)
    t.equal((await sandbox('agent').call('listWorkgroups')).length, 1)
    await t.rejects(agent.client.readResource({ uri: 'svc-mock://x' }), { code: -32602 })
    t.match(await agent.use('clock', { action: 'fly' }), { isError: true }, 'a wrong argument is an error of the tool')
  })

void t.test('a request of the newest revision needs no handshake, and lists have a lifetime', async (t) => {
  const { url } = await start(t)
  const request = (method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
        'io.modelcontextprotocol/clientCapabilities': {}
      }
    }
  })
  const send = (method: string, params: object, headers: object) =>
    post(url, request(method, params), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...headers })
  const discovered = await send('server/discover', {}, {})
  t.match(discovered, {
    status: 200,
    body: { result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } }
  })
  const { body } = await send('tools/list', {}, {})
  t.match(body.result, { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' })
  const clock = { name: 'clock', arguments: { action: 'read' } }
  t.match(await send('tools/call', clock, { 'mcp-name': 'clock' }), {
    status: 200,
    body: { result: { content: [{}] } }
  })
  t.match(await send('tools/call', clock, { 'mcp-name': 'call' }), { status: 400 }, 'headers must be true')
  t.match(await send('subscriptions/listen', { notifications: { toolsListChanged: true } }, {}), {
    body: { error: { code: -32603 } }
  })
})

void t.test('an agent works with the names, the paths and the credentials of the server', async (t) => {
  const { url } = await start(t, {
    brand: 'acme',
    basePath: '/v1',
    controlToken: 'let-me-in',
    auth: 'strict',
    apiKeys: ['ci=agent']
  })
  await breakAndRepair(t, await httpAgent(t, url, { ...KEY, 'x-mock-token': 'let-me-in' }))
})

void t.test('a key or a session token names the sandbox, and an argument another one', async (t) => {
  const { url, sandbox } = await start(t, { demo: true })
  const owner = { email: 'owner@svc.test', roles: ['org-admin'] }
  await sandbox('other').state.replace({ org_users: [owner as never], workgroups: [] })
  for (const headers of [KEY, { authorization: 'Bearer agent' }]) {
    const { result } = await httpAgent(t, url, headers)
    t.equal((await result('call', { operation: 'listOrgUsers' })).length, 3)
    t.equal((await result('call', { operation: 'listWorkgroups' })).Result.length, 2)
    t.equal((await result('call', { operation: 'listOrgUsers', key: 'other' })).length, 1)
    t.strictSame((await result('call', { operation: 'listWorkgroups', key: 'other' })).Result, [])
  }
})

void t.test('the tools, resources and prompts are described', async (t) => {
  const { url, client } = await open(t)
  const { tools } = await client.listTools()
  t.strictSame(
    pluck(tools, 'name'),
    ['call', 'clock', 'requests', 'transitions', 'faults', 'sandbox', 'state', 'compare', 'control'],
    'explore runs commands, and is for a client on the same machine only'
  )
  for (const { name, description = '', inputSchema } of tools) {
    t.ok(description.length > 100 && description.length < 1200, name)
    t.match(inputSchema, { type: 'object', additionalProperties: false, properties: { key: {}, select: {} } })
  }
  t.ok(JSON.stringify(tools).length < 24_000, 'together they leave room for others')
  t.match(client.getInstructions(), url)
  const hinted = (hint: 'readOnlyHint' | 'idempotentHint' | 'destructiveHint' | 'openWorldHint') =>
    tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name)
  t.strictSame(hinted('readOnlyHint'), ['requests', 'compare'])
  t.strictSame(hinted('idempotentHint'), ['requests', 'compare'])
  t.strictSame(hinted('destructiveHint'), ['call', 'sandbox', 'state', 'control'])
  t.strictSame(hinted('openWorldHint'), [])

  const { resources } = await client.listResources()
  const textOf = async (uri: string) => {
    const { contents } = await client.readResource({ uri })
    return (contents[0] as { text: string }).text
  }
  t.strictSame(pluck(resources, 'name'), ['interface', 'assumptions', 'profile'])
  const table = await textOf('svc-mock://interface')
  const rows = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  t.strictSame(rows, OPERATION_IDS, 'a row for each operation')
  t.match(table, /`listWorkgroups` \| GET \| `[^`]*` \| none \| ./)
  t.match(table, /`setBackupSchedule` \| POST \| `.*\?operation=set_backup_schedule` \| `BackupSchedule`/)
  t.match(JSON.parse(await textOf('svc-mock://profile')), { profile: 1 })
  const { resourceTemplates } = await client.listResourceTemplates()
  t.match(resourceTemplates, [{ uriTemplate: 'svc-mock://operation/{operation}' }])
  t.match(JSON.parse(await textOf('svc-mock://operation/createWorkspace')), {
    method: 'POST',
    ids: { workgroupID: /./ },
    body: { type: 'object', properties: { addons: { items: { type: 'object' } } } },
    example: { name: 'analytics' }
  })
  for (const uri of ['svc-mock://operation/x', 'svc-mock://x', 'file:///etc/passwd'])
    await t.rejects(client.readResource({ uri }), { code: -32602 }, uri)

  const { prompts } = await client.listPrompts()
  t.equal(prompts.length, 2)
  for (const { name, arguments: args = [] } of prompts) {
    const given = Object.fromEntries(args.map((argument) => [argument.name, `the ${argument.name}`]))
    const { messages } = await client.getPrompt({ name, arguments: given })
    for (const text of Object.values(given)) t.match(messages[0]?.content, { text: new RegExp(text) }, name)
    await t.rejects(client.getPrompt({ name }), { code: -32602 }, 'what is required is missing')
  }
  await t.rejects(client.getPrompt({ name: 'other' }), { code: -32602 })
})

void t.test('every action of every tool works', async (t) => {
  const { result, use } = await open(t)
  const document = {
    clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' },
    workgroups: [{ id: 'g', workspaces: [{ id: 'w' }] }]
  }
  t.match((await use('state', { action: 'seed', document })).answer, { request_id: /./ })
  t.match(await result('state', { action: 'read', select: 'workgroups[].workspaces[].id' }), ['w'])
  t.match(await result('clock', { action: 'read' }), { mode: 'frozen', now: '2027-01-01T00:00:00.000Z' })
  t.equal(await result('clock', { action: 'read', select: 'nothing' }), null)
  t.match(await result('clock', { action: 'set', mode: 'poll' }), { clock: { mode: 'poll' } })
  t.match(await result('clock', { action: 'advance', by: '1h' }), { clock: { now: '2027-01-01T01:00:00.000Z' } })
  t.match(await result('clock', { action: 'advance', to: '2027-01-02T00:00:00Z' }), { fired: [] })

  const ids = { workgroupID: 'g', workspaceID: 'w' }
  const hold = { transition: 'workspace.pause', outcome: 'hold' }
  const fail = { transition: 'workspace.resume', outcome: 'fail' }
  t.match(await result('transitions', { action: 'set', rules: [hold, fail] }), { rules: [hold, fail] })
  await result('call', { operation: 'pauseWorkspace', ids })
  t.match(await result('transitions', { action: 'release', resource_id: 'w' }), { fired: [{ resource_id: 'w' }] })
  t.match(await result('transitions', { action: 'list', select: 'rules' }), [hold, fail])
  t.strictSame(await result('transitions', { action: 'set', rules: [], select: 'rules' }), [])

  const fault = { operation: 'getWorkspace', times: 1, effect: { status: 503 } }
  t.match(await result('faults', { action: 'add', ...fault }), { id: 'fault-1' })
  t.match(await use('call', { operation: 'getWorkspace', ids }), {
    isError: true,
    answer: { status: 503, result: { Error: true }, remedy: /fault/ }
  })
  t.match(await result('faults', { action: 'list' }), [{ id: 'fault-1', hits: 1 }])
  t.match(await result('faults', { action: 'remove', id: 'fault-1' }), { removed: 1 })
  t.match(await result('faults', { action: 'clear' }), { removed: 0 })

  t.match(await result('requests', { action: 'list', status: '5xx' }), {
    requests: [{ operation: 'getWorkspace', status: 503, error: /./, fault: { id: 'fault-1' } }],
    total: 1,
    dropped: 0
  })
  const described = await result('call', { operation: 'updateWorkspaceSchedule', describe: true })
  t.match(described, { query: 'operation=update_workspace_schedule', body: { required: ['workspace_id'] } })
  t.notMatch(JSON.stringify(described), /\$ref|x-assumption/, 'a schema is whole, without marks')
  const schedule = { ...described.example, workspace_id: 'w' }
  t.match(await result('call', { operation: 'updateWorkspaceSchedule', ids, body: schedule }), { Error: false })

  await result('sandbox', { action: 'save', name: 'paused' })
  const copy = await result('sandbox', { action: 'new', from: 'paused' })
  const statuses = 'workgroups[].workspaces[].status'
  t.strictSame(await result('state', { action: 'read', key: copy.key, select: statuses }), ['Stopped'])
  await result('call', { operation: 'resumeWorkspace', ids })
  await result('sandbox', { action: 'restore', name: 'paused' })
  t.strictSame(await result('state', { action: 'read', select: statuses }), ['Stopped'])
  const { key } = await result('sandbox', { action: 'new', ttl: '1h' })
  t.strictSame(await result('state', { action: 'read', key, select: statuses }), ['Active'])
  await result('sandbox', { action: 'reset', keep: ['clock'] })
  t.strictSame(await result('state', { action: 'read', select: 'workgroups[].workspaces[].schedules[]' }), [])
  await result('sandbox', { action: 'remove', key })
  t.match(await use('state', { action: 'read', key }), { isError: true, answer: { status: 401 } })
})

void t.test('two moments can be named by requests and by steps', async (t) => {
  const { use, result } = await open(t, { profile: { profile: 1, name: 'own', quotas: {} } })
  const create = async (name: string) =>
    (await use('call', { operation: 'createWorkgroup', body: { cloud_provider_id: 'a', name } })).answer
  const first = await create('one')
  const second = await create('two')
  const pathsOf = async (input: object): Promise<string[]> =>
    ((await result('compare', input)).differences as Body[]).map(({ path }) => path as string)
  const idOf = ({ result: { Result } }: Body) => `workgroups[${String(Result.workgroup_id)}]`
  t.ok((await pathsOf({ from: '0' })).includes(idOf(first)))
  const later = await pathsOf({ from: first.request_id })
  t.ok(later.includes(idOf(second)) && !later.includes(idOf(first)))
  t.strictSame(await pathsOf({ from: second.request_id, to: second.request_id }), [])
  t.match(await use('compare', { from: 'nowhere' }), { isError: true, answer: { message: /nowhere/ } })
  const off = await open(t, { journalRequests: 0 })
  t.match(await off.use('compare', { from: '0' }), { isError: true, answer: { status: 400 } })
})

void t.test('resources from documents, seeds and snapshots are explained', async (t) => {
  const document: StateDocument = {
    clock: { mode: 'frozen', now: '2026-01-01T00:00:00Z' },
    workgroups: [
      {
        id: 'main',
        workspaces: [
          {
            id: 'writer',
            status: 'Stopped',
            backups: [{ id: 'bac0bac0-0000-4000-8000-000000000001', status: 'Failed' }]
          }
        ]
      }
    ]
  }
  const { sandbox, use, result } = await open(t, { demo: true })
  const why = (id: string) => result('requests', { action: 'why', resource_id: id })
  const demo = await result('state', { action: 'read', select: 'workgroups[].workspaces[] | [0]' })
  t.match(await why(demo.id as string), { status: demo.status, state_changes: [], caused_by: null })
  await result('state', { action: 'put', document })
  const isThere = async (way: string) => {
    t.match(await why('writer'), { status: 'Stopped', state_changes: [], caused_by: null }, way)
    t.match(await why('bac0bac0'), { status: 'Failed', state_changes: [] }, way)
  }
  await isThere('imported')
  const box = sandbox('agent')
  await box.seed(document)
  await isThere('seeded')
  await box.snapshot.save('before')
  await box.reset()
  await isThere('the baseline')
  await box.snapshot.restore('before')
  await isThere('a snapshot')
  t.match(await use('requests', { action: 'why', resource_id: 'nothing' }), { isError: true })
})

void t.test('any call of test control can be made by name', async (t) => {
  const { use, result } = await open(t)
  t.match(await result('control', { call: 'setQuotas', input: { rw_workspaces: 1 } }), { rw_workspaces: 1 })
  t.match(await result('control', { call: 'saveSnapshot', input: { name: 'now' } }), { name: 'now' })
  t.match(await result('control', { call: 'listSnapshots' }), [{ name: 'now' }])
  t.match(await result('control', { call: 'listTimeline', input: { limit: 1 } }), [])
  const junit = await use('control', { call: 'readCoverage', input: { format: 'junit' } })
  t.match(junit, { isError: false, text: /"result":"<\?xml/ }, 'also one without the envelope')
  t.match(await result('control', { call: 'runBackup', describe: true }), {
    ids: { workspaceID: /workspace/ },
    body: { properties: { tag: {} } },
    query: null
  })
  t.match(await use('control', { call: 'runBackup', input: { workspaceID: 'a/b' } }), {
    isError: true,
    answer: { status: 404 }
  })
  const unknown = await use('control', { call: 'readRequest', input: { requestID: 'a/b' } })
  t.match(unknown, { isError: true, answer: { status: 404 } })
  t.match(JSON.stringify(unknown), /a\/b/)
})

void t.test('a select that cannot be read changes nothing, and none hides why a call was refused', async (t) => {
  const { result, use } = await open(t)
  const create = (body: object, select: string) => use('call', { operation: 'createWorkgroup', body, select })
  const body = { cloud_provider_id: 'any', name: 'main' }
  const names = () => result('call', { operation: 'listWorkgroups', select: 'Result[].name' })
  t.match(await create(body, 'Result.['), { isError: true, answer: { fields: [{ field: 'select' }] } })
  t.strictSame(await names(), [])
  t.match(await create({}, 'Result.workgroup_id'), {
    isError: true,
    answer: { status: 400, result: { ErrorDetails: [{ FieldName: /./ }] } }
  })
  t.match(await create(body, 'length(`1`)'), {
    isError: true,
    answer: { fields: [{ field: 'select', reason: /the call itself was made$/ }] }
  })
  t.strictSame(await names(), ['main'])
})

void t.test('wrong arguments are errors of the tool that name the field', async (t) => {
  const { use, client } = await open(t)
  const fields: [tool: string, input: object, field: string, reason?: RegExp][] = [
    ['clock', {}, 'action'],
    ['clock', { action: 'stop' }, 'action'],
    ['clock', { action: 'read', by: '1s' }, 'by', /^cannot be used with the action read$/],
    ['clock', { action: 'read', other: 1 }, 'other'],
    ['clock', { action: 'advance', by: 'soon' }, 'by'],
    ['clock', { action: 'read', key: '' }, 'key'],
    ['clock', { action: 'read', key: '€' }, 'key', /visible/],
    ['clock', { action: 'read', select: 'a[' }, 'select'],
    ['clock', { action: 'read', select: 'length(`1`)' }, 'select', /[^.]$/],
    ['call', { operation: 'createWorkgrop' }, 'operation'],
    ['call', { operation: 'getWorkgroup' }, 'ids.workgroupID'],
    ['call', { operation: 'listWorkgroups', ids: { a: 'b' } }, 'ids.a'],
    ['call', { operation: 'listWorkgroups', body: {} }, 'body'],
    ['faults', { action: 'add' }, 'effect', /is needed for the action add$/],
    ['faults', { action: 'add', effect: { delay: 'long' } }, 'effect.delay'],
    ['transitions', { action: 'set', rules: [{ transition: 'x' }] }, 'rules.0.transition'],
    ['transitions', { action: 'release', transition: 'resume' }, 'transition'],
    ['requests', { action: 'why' }, 'request_id'],
    ['requests', { action: 'why', request_id: 'a', resource_id: 'b' }, 'resource_id'],
    ['requests', { action: 'why', resource_id: 'nothing' }, 'resource_id', /id of a workspace/],
    ['sandbox', { action: 'new', keep: ['clock'] }, 'keep', /cannot be used with the action new; it takes from, ttl$/],
    ['state', { action: 'put' }, 'document'],
    ['state', { action: 'put', document: { workgroup: [] } }, 'workgroup'],
    ['compare', {}, 'from'],
    ['control', { call: 'fly' }, 'call'],
    ['control', { call: 'saveSnapshot' }, 'input.name'],
    ['control', { call: 'readClock', input: { now: '2027' } }, 'now'],
    ['control', { call: 'removeSandbox', input: { now: '2027' } }, 'now'],
    ['control', { call: 'setQuotas', input: { workspaces: 1 } }, 'workspaces'],
    ['control', { call: 'listTimeline', input: { limit: 'few' } }, 'limit']
  ]
  for (const [tool, input, field, reason = /./] of fields)
    t.match(
      await use(tool, input),
      { isError: true, answer: { message: /./, fields: [{ field, reason }] } },
      `${tool} ${JSON.stringify(input)}`
    )
  t.match(await use('requests', { action: 'why', request_id: 'nothing' }), { isError: true, answer: { status: 404 } })
  t.match(await use('call', { operation: 'getWorkgroup', ids: { workgroupID: '../x' } }), {
    isError: true,
    answer: { status: 404, remedy: /state read/ }
  })
  t.match(await use('call', { operation: 'createWorkgroup', body: {} }), {
    isError: true,
    answer: { status: 400, remedy: /describe.*clock/, result: { ErrorDetails: [{ FieldName: 'cloud_provider_id' }] } }
  })
  await t.rejects(client.callTool({ name: 'clocks' }), { code: -32602 }, 'there is no such tool')
})

void t.test('operations that a profile moves are called at their paths, and disabled ones are refused', async (t) => {
  const routes = [
    { operation: 'listBackups', off: true },
    { operation: 'setBackupSchedule', off: true },
    { operation: 'getWorkgroup', method: 'GET', path: '/teams/{team}', parameters: { team: 'workgroupID' } },
    { operation: 'getWorkgroup', off: true },
    { operation: 'getWorkspace', method: 'GET', path: '/dbs/{db}', from: { workgroupID: 'query.team' } },
    { operation: 'getWorkspace', off: true },
    { operation: 'listWorkgroups', method: 'GET', path: '/also' }
  ] as const
  const { use, result } = await open(t, { demo: true, profile: { profile: 1, name: 'own', routes } })
  for (const operation of ['listBackups', 'setBackupSchedule'])
    t.match(
      await use('call', { operation }),
      { isError: true, answer: { fields: [{ field: 'operation' }] } },
      operation
    )
  const { path, ids } = await result('call', { operation: 'getWorkgroup', describe: true })
  t.match({ path, ids }, { path: '/teams/{team}', ids: { team: /./ } })
  t.match(await result('call', { operation: 'getWorkgroup', ids: { team: 'demo' } }), { Result: { name: 'demo' } })
  const placed = { operation: 'getWorkspace', ids: { db: 'main', team: 'demo' } }
  t.match(await result('call', placed), { Result: { name: 'main' } }, 'an id in the query')
  const { path: first } = await result('call', { operation: 'listWorkgroups', describe: true })
  t.match(first, /workgroups$/, 'of several paths, the first')
  const { body } = await result('call', { operation: 'updateWorkspaceSchedule', describe: true })
  t.match(body, { required: ['workspace_id'] }, 'those that share a path keep their schemas')
})

void t.test('operations that share a path can have an id in the query', async (t) => {
  const routes = [
    { operation: 'changeSchedule', method: 'POST', path: '/plans/{db}', from: { workgroupID: 'query.team' } },
    { operation: 'changeSchedule', off: true }
  ] as const
  const { result } = await open(t, { demo: true, profile: { profile: 1, routes } })
  const { example } = await result('call', { operation: 'updateWorkspaceSchedule', describe: true })
  const body = { ...example, id: 'x', workspace_id: 'main', schedule: '0 4 * * *' }
  const change = { operation: 'updateWorkspaceSchedule', ids: { db: 'main', team: 'demo' }, body }
  t.match(await result('call', change), { Result: 'x' })
})

void t.test('a reply that would block the server is refused', async (t) => {
  const { sandbox, use } = await open(t)
  const select = await fillWithLongNames({ sandbox })
  t.match(await use('state', { action: 'read', select }), { isError: true, answer: { remedy: /--url/ } })
})

void t.test('requests outside the protocol are refused', async (t) => {
  const { url } = await start(t, { bodyLimit: 100_000 })
  t.match(await post(url, { no: 'message' }), { status: 400, body: { error: { code: -32600 } } })
  t.match(await post(url, ''), { status: 400, body: { error: { code: -32600 } } })
  t.match(await post(url, '{'), { status: 400, body: { Error: true } })
  t.match(await post(url, toolCall('clock', { action: 'read' }), { accept: 'application/json' }), { status: 406 })
  t.match(await post(url, '{}', { 'content-type': 'text/plain' }), { status: 415 })
  t.match(await post(url, ' '.repeat(100_001)), { status: 413 })
  t.match(await post(url, { jsonrpc: '2.0', id: 1, method: 'no/such' }), {
    status: 200,
    body: { error: { code: -32601 } }
  })
  t.match(await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }), { status: 202, body: undefined })
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  t.equal((await post(url, list, { 'mcp-protocol-version': '1999-01-01' })).status, 400)
  for (const method of ['GET', 'DELETE', 'PUT'])
    t.match(await fetch(`${url}/_mock/mcp`, { method, headers: KEY }), { status: 405 }, method)
  const both = await post(url, [toolCall('clock', { action: 'read' }, 'a'), toolCall('clock', { action: 'read' }, 'b')])
  t.strictSame((both.body as Body[]).map(({ id }) => id as string).sort(), ['a', 'b'], 'several at once')
})

void t.test('only the operations that tools call appear in the journal', async (t) => {
  const { sandbox, client, result } = await open(t)
  await client.listTools()
  t.equal((await sandbox('agent').requests.list()).requests.length, 0)
  await result('call', { operation: 'listWorkgroups' })
  t.match((await sandbox('agent').requests.list()).requests, [{ operation: 'listWorkgroups' }])
})

void t.test('a client that leaves aborts its calls', async (t) => {
  const { url, sandbox } = await start(t)
  const box = sandbox('agent')
  await box.fault.add({ operation: 'listWorkgroups', effect: { delay: '10m' } })
  const leaving = new AbortController()
  const list = toolCall('call', { operation: 'listWorkgroups' })
  const asked = sendJson('POST', `${url}/_mock/mcp`, { ...ACCEPT, ...KEY }, list, { signal: leaving.signal })
  await until(async () => (await box.fault.list())[0]!.hits === 1)
  leaving.abort()
  await t.rejects(asked)
  await until(async () => (await box.requests.list()).requests.length === 1)
  t.match((await box.requests.list()).requests, [{ status: null }], 'the delayed request has ended')
})

void t.test('a server that stops does not wait for a tool', async () => {
  const mock = await startMock()
  const box = mock.sandbox('agent')
  await box.fault.add({ operation: 'listWorkgroups', effect: { delay: '10m' } })
  const asked = post(mock.url, toolCall('call', { operation: 'listWorkgroups' })).catch(() => undefined)
  await until(async () => (await box.fault.list())[0]!.hits === 1)
  await mock.close()
  await asked
})
