import t from 'tap'
import { rowsOf, sizeOf } from '../../src/documents/size.js'
import { type Body, buildMock, doInOneSlice, matchError, matchSuccess, pluck } from '../helper.js'
import { andMore, type Fields, messageOf } from '../messages.js'
import { at, openSandbox, testsIn, workspaceIn } from '../sandbox.js'

const few = await buildMock(t, { maxResources: 10, maxSnapshots: 2, timelineEntries: 20 })
const usual = await buildMock(t)
const [testFew, testUsual] = [testsIn(few), testsIn(usual)]
const FULL = { has: 10, more: 'one', limit: 10 }

testFew('resources beyond --max-resources are refused, and deletions make room', async (t, b) => {
  const group = await b.createWorkgroup()
  const path = `/workgroups/${group}`
  // Three users and a workgroup are there, a workspace brings its database along.
  const { workspace_id: id } = await b.createActive(group)
  const workspace = `${path}/workspaces/${id as string}`
  await b.result('POST', `${path}/allow_list`, { cidr: '10.0.0.1' })
  await b.result('POST', `${workspace}/dbuser`, { username: 'a', password: 'b' })
  await b.result('POST', `${workspace}/backups/schedule`, { schedule: '0 3 * * *' })
  matchError(t, await b.call('POST', `${path}/workspaces`, {}), 'quotaExceeded', 'noRoom', {
    values: { has: 9, more: 2, limit: 10 }
  })
  const { id: backup } = await b.controlResult('POST', `/workspaces/${id as string}/backups`, {})
  await b.advance('PT10S')

  const full: [string, object][] = [
    ['/workgroups', { cloud_provider_id: 'x' }],
    [`${path}/allow_list`, { cidr: '10.0.0.2' }],
    [`${workspace}/dbuser`, { username: 'b', password: 'b' }],
    [
      `${workspace}/backups/schedule?operation=update_workspace_schedule`,
      { workspace_id: id, repeat: 'daily', time: '03:00', timezone: 'UTC' }
    ],
    [`${workspace}/backups/restore`, { backup_id: backup }]
  ]
  for (const [url, body] of full) {
    const reply = await b.call('POST', url, body)
    matchError(t, reply, 'quotaExceeded', 'noRoom', { values: FULL, result: url.endsWith('/allow_list') })
  }
  t.equal((await b.control('POST', `/workspaces/${id as string}/backups`, {})).status, 403)
  const replaced = await b.call('POST', `${workspace}/backups/schedule`, { schedule: '0 4 * * *' })
  t.equal(replaced.status, 200, 'what takes the place of another needs no room')

  await b.call('DELETE', `${workspace}/dbuser`, { username: 'a' })
  await b.result('POST', `${path}/allow_list`, { cidr: '10.0.0.2' })
  t.equal((await b.call('POST', `${path}/allow_list`, { cidr: '10.0.0.3' })).status, 403)
  await b.call('DELETE', workspace)
  await b.advance('PT1M')
  const added = await b.call('POST', `${path}/allow_list`, { cidr: '10.0.0.3' })
  t.equal(added.status, 200, 'what goes with a workspace makes room, too')
})

testFew('an automatic backup without room is skipped, and the timeline says so', async (t, b) => {
  const { id, url } = await workspaceIn(b, 'Active')
  await b.result('POST', `${url}/backups/schedule`, {
    schedule: '* * * * *',
    max_backup_files: 1000
  })
  await b.advance('PT10M')
  const state = await b.controlResult('GET', '/state')
  t.equal(state.workgroups[0].workspaces[0].backups.length, 3)
  t.match((await b.timeline(id)).at(-1), {
    attribute: 'firing',
    to: 'skipped',
    reason: messageOf('quotaExceeded', 'noRoom', FULL)
  })
})

testFew('a timeline keeps the newest --timeline-entries', async (t, b) => {
  const { id, url } = await workspaceIn(b, 'Active')
  for (let i = 0; i < 20; i++) {
    await b.call('POST', `${url}/${i % 2 === 0 ? 'pause' : 'resume'}`)
    await b.advance('PT10S')
    t.ok((await b.timeline()).length <= 20)
  }
  const entries = await b.timeline()
  t.ok(entries.length > 16)
  t.match(entries.at(-1), { to: 'Active' })
  const newest = await b.controlResult('GET', `/timeline?workspace_id=${id}&limit=3`)
  t.strictSame(newest, entries.slice(-3))
  t.strictSame(await b.controlResult('GET', '/timeline?limit=3'), entries.slice(-3))
  const deleted = b.sandbox.journal
    .records()
    .flatMap(({ notes }) => notes.flatMap(({ changes }) => changes.map((change) => few.plane.describeChange(change))))
  const dropped = deleted.filter(({ table, change }) => table === 'timeline' && change === 'delete')
  t.strictSame(dropped, [], 'that they go is no change of a request')
})

testFew('a refused write disturbs neither the count of timeline entries nor that of resources', async (t, b) => {
  // In several slices, it would be tried on other rows.
  doInOneSlice(t)
  const group = await b.createWorkgroup()
  const { workspace_id: id } = await b.createActive(group)
  const workspace = `/workgroups/${group}/workspaces/${id as string}`
  await b.result('POST', `${workspace}/backups/schedule`, { schedule: '* * * * *', max_backup_files: 1000 })
  const before = await b.timeline()
  // An hour of backups fills both.
  const never = { until: { workspace_id: id, status: 'Stopped' }, max: 'PT1H' }
  t.equal((await b.control('POST', '/clock/advance', never)).status, 400)
  await b.result('POST', `${workspace}/pause`)
  t.equal((await b.timeline()).length, before.length + 1)
  await b.result('POST', `/workgroups/${group}/allow_list`, { cidr: '10.0.0.1' })
})

testFew('a document that is too large is refused before any other check, with its size', async (t, b) => {
  const before = await b.controlResult('GET', '/state')
  const cases: [document: object, fields: Fields][] = [
    [
      { workgroups: [{ workspaces: [{}, {}, {}, { unknown: true }] }] },
      { '': ['tooManyResources', { has: 12, limit: 10 }] }
    ],
    [{ events: Array(41).fill(0) }, { events: ['tooManyEvents', { has: 41, limit: 40 }] }],
    [{ timeline: Array(21).fill(0) }, { timeline: ['tooManyRows', { has: 21, limit: 20 }] }]
  ]
  for (const [document, fields] of cases)
    for (const url of ['/state', '/seed']) matchError(t, await b.control('PUT', url, document), 'invalidBody', fields)
  t.strictSame(await b.controlResult('GET', '/state'), before)
  for (const nothing of [null, 5, 'x', [1], { workgroups: 5 }, { workgroups: [null, 7, { workspaces: 'x' }] }])
    t.equal((await b.control('PUT', '/state', nothing)).status, 400)
})

void t.test('the size of a document is the number of rows that it creates', async (t) => {
  const document = {
    workgroups: [
      {
        id: 'g',
        allow_list: { entries: [{ cidr: '10.0.0.0/8' }] },
        databases: [{ id: 'd' }],
        workspaces: [
          {
            id: 'w',
            database: 'd',
            backups: [{}, {}],
            restore_jobs: [{}],
            backup_schedule: { schedule: '0 3 * * *' },
            users: [{ username: 'a', password_hash: 'x' }],
            schedules: [{ repeat: 'daily', time: '03:00', timezone: 'UTC' } as const]
          },
          {}
        ]
      }
    ]
  }
  t.strictSame(sizeOf(document), { resources: 3 + 1 + 1 + 1 + 1 + 6 + 2, events: 0, timeline: 0 })
  t.equal(sizeOf({ org_users: Array(4e9) }).resources, 4e9, 'a list is counted by its length, however long it is')
  t.equal(rowsOf({ org_users: [], events: [1, 2], timeline: [1, 2, 3, 4] } as never), 6)
  const b = await openSandbox(usual)
  await b.control('PUT', '/state', document)
  t.equal(usual.plane.resources.count(b.sandbox.key), 15)
  const exported = await b.controlResult('GET', '/state')
  t.equal(rowsOf(exported), 15 + (exported.events as Body[]).length)
})

testUsual('a valid document with 140,000 entries too many is refused with a message', async (t, b) => {
  const entries = Array.from({ length: 140_000 }, (_, i) => ({ cidr: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}` }))
  const refused = await b.control('PUT', '/state', { workgroups: [{ allow_list: { entries } }] })
  matchError(t, refused, 'invalidBody', { '': 'tooManyResources' }, { values: { has: 140_004, limit: 20_000 } })
  const large = await buildMock(t, { maxResources: 1_000_000 })
  const state = { workgroups: [{ allow_list: { entries } }] }
  const imported = await large.call('PUT', '/state', { prefix: '/_mock', body: state })
  t.equal(imported.status, 200, 'with a higher limit it is what the sandbox is')
  const { workgroups } = (await large.call('GET', '/state', { prefix: '/_mock' })).body.Result
  t.equal(workgroups[0].allow_list.entries.length, 140_000)
})

testFew('a stored document that is larger than the limit allows now is refused', async (t, b) => {
  const key = b.sandbox.key
  const save = (name: string, state: object) =>
    few.plane.write({ sandbox: b.sandbox, id: 'x' }, () =>
      few.plane.snapshots.save(key, { name, createdAt: at(0) }, few.plane.documents.save(JSON.stringify(state)))
    )
  await save('large', { workgroups: [{ workspaces: [{}, {}, {}, {}] }] })
  const options = { values: { count: 12, limit: 10 } }
  matchError(t, await b.control('POST', '/snapshots/large/restore'), 'quotaExceeded', 'tooLarge', options)
  matchError(t, await b.control('POST', '/sandboxes', { from: 'large' }), 'quotaExceeded', 'tooLarge', options)
  const timeline = Array.from({ length: 25 }, (_, i) => ({
    at: at(i),
    resource_id: 'w',
    transition: 'x',
    attribute: 'status',
    from: null,
    to: `${i}`,
    reason: null
  }))
  await save('old', { timeline })
  await b.control('POST', '/snapshots/old/restore')
  t.strictSame(pluck(await b.timeline(), 'to'), pluck(timeline.slice(5), 'to'), 'the oldest are left out')
})

testFew('beyond --max-snapshots, a snapshot can only replace another', async (t, b) => {
  for (const name of ['a', 'b', 'a'])
    matchSuccess(t, await b.control('PUT', `/snapshots/${name}`), 'The snapshot was saved.', {
      name,
      created_at: at(0)
    })
  matchError(t, await b.control('PUT', '/snapshots/c'), 'quotaExceeded', 'snapshots', { values: { limit: 2 } })
  await b.control('DELETE', '/snapshots/a')
  const saved = await Promise.all(['c', 'd', 'e'].map((name) => b.control('PUT', `/snapshots/${name}`)))
  t.strictSame(saved.map(({ status }) => status).sort(), [200, 403, 403], 'even if they are saved at once')
})

testUsual('at most 1,000 errors of a document are collected', async (t, b) => {
  const same = Array.from({ length: 3000 }, () => ({ id: 'x', cidr: '10.0.0.1' }))
  const { status, body } = await b.control('PUT', '/state', { workgroups: [{ allow_list: { entries: same } }] })
  t.equal(status, 400)
  t.equal(body.ErrorDetails.length, 1000)
  t.ok((body.Message as string).endsWith(andMore(980)))
})

testUsual('thousands of cron lines that never fire are reported without a long search', async (t, b) => {
  const workspaces = Array.from({ length: 1200 }, (_, i) => ({
    backup_schedule: { schedule: `${i % 60} ${Math.floor(i / 60)} 31 2,4,6,9,11 *` }
  }))
  const refused = await b.control('PUT', '/state', { workgroups: [{ workspaces }] })
  t.equal(refused.status, 400)
  t.equal(refused.body.ErrorDetails.length, 10, 'it takes a search to know of each, so the first few are told')
})

testUsual('exports and imports accept values as deep as the interface does', async (t, b) => {
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  // A body may be 1,000 levels deep: three are around the settings of the add-on.
  const deep = `${'{"a":'.repeat(996)}{}${'}'.repeat(996)}`
  await b.result('POST', path, `{"addons":[{"addons_id":"x","enable":true,"enable_configuration":${deep}}]}`)
  const exported = await b.controlResult('GET', '/state')
  t.equal((await b.control('PUT', '/state', exported)).status, 200)
  const again = await b.controlResult('GET', '/state')
  t.strictSame(JSON.stringify(again), JSON.stringify(exported))
})

testUsual('there are at most 1,000 faults and 1,000 transition rules', async (t, b) => {
  const faults = (count: number) => ({ faults: Array(count).fill({ effect: { status: 503 }, workspace_id: 'none' }) })
  const refused = await b.control('PUT', '/state', faults(1001))
  matchError(t, refused, 'invalidBody', { faults: 'maxItems' }, { values: { limit: 1000 } })
  await b.control('PUT', '/state', faults(1000))
  const add = () => b.control('POST', '/faults', { effect: { status: 503 } })
  matchError(t, await add(), 'quotaExceeded', 'faults')
  await b.control('DELETE', '/faults/fault-1')
  t.equal((await add()).status, 200)
  const rules = (count: number) => ({ rules: Array(count).fill({ transition: 'workspace.pause', times: 2 }) })
  t.equal((await b.control('PUT', '/transitions', rules(1001))).status, 400)
  t.equal((await b.control('PUT', '/transitions', rules(1000))).status, 200)
})

void t.test('every list in a body or a document has a maximum length', async (t) => {
  const document: Body = (await usual.app.inject({ url: '/openapi.json' })).json()
  const endless: string[] = []
  const look = (schema: unknown, path: string, seen: ReadonlySet<string>): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { $ref, type, maxItems } = schema as { $ref?: string; type?: unknown; maxItems?: number }
    if ($ref !== undefined) {
      const name = decodeURIComponent($ref.split('/').at(-1)!)
      if (!seen.has(name)) look(document.components.schemas[name], `${path} ${name}`, new Set([...seen, name]))
      return
    }
    if (type === 'array' && maxItems === undefined) endless.push(path)
    for (const [key, value] of Object.entries(schema)) look(value, `${path}.${key}`, seen)
  }
  for (const [path, methods] of Object.entries(document.paths as Record<string, Body>))
    for (const [method, { requestBody }] of Object.entries(methods as Record<string, Body>))
      look(requestBody?.content, `${method} ${path}`, new Set())
  t.strictSame(endless, [])
})
