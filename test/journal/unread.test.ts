import t from 'tap'
import { unreadFields } from '../../src/journal/unread.js'
import { buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

const SCHEMAS: Record<string, object> = {
  Item: { type: 'object', properties: { name: { type: 'string' } } },
  Whole: {
    type: 'object',
    properties: { items: { type: 'array', items: { $ref: 'Item#' } }, any: {}, text: { type: 'string' } }
  }
}
const unread = (body: unknown, schema?: object) => unreadFields(body, schema, (name) => SCHEMAS[name])
const whole = { $ref: 'Whole#' }

void t.test('fields that no schema names are unread, with their paths', async (t) => {
  t.strictSame(unread({ text: 'a', colour: 1, items: [{ name: 'a' }, { size: 1, name: 'b', x: {} }] }, whole), [
    'colour',
    'items.1.size',
    'items.1.x'
  ])
  t.strictSame(unread({}, whole), [])
  t.strictSame(unread({ text: { a: 1 } }, whole), ['text.a'], 'what has another type than the schema')
  t.strictSame(unread({ any: { a: [{ b: 1 }] } }, whole), [], 'a schema that takes anything reads everything')
})

void t.test('without a schema, no field is read, and only objects have fields', async (t) => {
  t.strictSame(unread({ a: { b: 1 }, c: 2 }), ['a', 'c'])
  t.strictSame(unread([1, 2]), ['0', '1'])
  for (const body of ['text', 5, null, undefined]) t.strictSame(unread(body), [])
  t.strictSame(unread({ a: 1 }, { $ref: 'Nothing#' }), ['a'])
  t.strictSame(unread([{ a: 1 }], { type: 'array' }), ['0'], 'nor is an item that has none')
})

void t.test('combined schemas read what any of them names', async (t) => {
  const a = { type: 'object', properties: { a: { type: 'object', properties: { x: {} } } } }
  const b = { type: 'object', properties: { a: { type: 'object', properties: { y: {} } }, b: {} } }
  const body = { a: { x: 1, y: 2, z: 3 }, b: 1, c: 1 }
  for (const kind of ['allOf', 'anyOf']) t.strictSame(unread(body, { [kind]: [a, b] }), ['a.z', 'c'], kind)
  t.strictSame(unread({ name: 'a', x: 1 }, { allOf: [{ $ref: 'Item#' }, { type: 'object', required: ['name'] }] }), [
    'x'
  ])
})

void t.test('an open object reads all its fields', async (t) => {
  t.strictSame(unread({ a: 1, b: { c: 1 } }, { type: 'object', additionalProperties: true }), [])
  t.strictSame(unread({ a: 1 }, { type: 'object', additionalProperties: false }), ['a'])
})

void t.test('at most 100 unread fields of a body are listed', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const list = async (count: number) => {
    const body = {
      cloud_provider_id: 'account',
      ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))
    }
    const id = (await b.call('POST', '/workgroups', body)).headers['x-request-id']
    return (await b.controlResult('GET', `/requests?request_id=${id as string}`)).requests[0]
  }
  const all = await list(100)
  t.equal(all.unread.length, 100)
  t.notHas(all, { unread_omitted: true })
  const some = await list(5000)
  t.strictSame(some.unread, all.unread)
  t.equal(some.unread_omitted, true)
})

void t.test('each request lists the fields and parameters that its operation does not read', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const workgroup = await b.createWorkgroup()
  const workspace = await b.createActive(workgroup)
  const url = `/workgroups/${workgroup}/workspaces/${workspace.workspace_id}`
  await b.control('DELETE', '/requests')
  await b.call('PUT', url, {
    workspace_name: 'a',
    addons: [{ addons_id: 'a', enable: true, colour: 1 }],
    agent_config: { x: 1 },
    name: 'b'
  })
  await b.call('POST', `${url}/pause`, { force: true })
  await b.call('POST', `${url}/backups/schedule`, { schedule: '0 3 * * *', time: '12:00' })
  await b.call('POST', `${url}/backups/schedule`, { id: 'x' })
  await b.call('POST', `${url}/backups/schedule`, {
    repeat: 'daily',
    time: '12:00',
    timezone: 'UTC',
    workspace_id: workspace.workspace_id,
    pause: true
  })
  await b.call('POST', `${url}/backups/schedule?operation=other`, { colour: 1, schedule: 'x' })
  await b.call('POST', `${url}/dbuser`, { username: 'a', password: 'b', role: 'c' })
  await b.call('POST', '/workgruops', { a: 1 })
  await b.call('GET', '/workgroups?limit=3&operation=3')
  await b.call('POST', `${url}/backups/schedule?operation=set_backup_schedule&now=1`, { schedule: '', later: 1 })
  const { requests } = await b.controlResult('GET', '/requests')
  t.match(
    (requests as { operation: string; unread: string[] }[]).map(({ operation, unread }) => [operation, unread]),
    [
      ['updateWorkspace', ['addons.0.colour', 'agent_config.x', 'name']],
      ['pauseWorkspace', ['force']],
      ['setBackupSchedule', ['time']],
      ['deleteWorkspaceSchedule', []],
      ['updateWorkspaceSchedule', ['pause']],
      [null, []],
      ['createDatabaseUser', ['role']],
      [null, []],
      ['listWorkgroups', ['?limit', '?operation']],
      ['setBackupSchedule', ['?now', 'later']]
    ]
  )
})
