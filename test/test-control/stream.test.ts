import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { EventStream, WAITING_LIMIT } from '../../src/http/test-control/event-stream.js'
import { LISTENER_LIMIT } from '../../src/http/test-control/plugin.js'
import { check } from '../../src/interface/check.js'
import { EventHub } from '../../src/journal/event-hub.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { type Mock, type Options, startMock } from '../../src/node/index.js'
import { StateEventSchema } from '../../src/test-control/stream/schemas.js'
import { CHANGE_LIMIT } from '../../src/test-control/stream/views.js'
import {
  type Body,
  buildMock,
  holdConnection,
  matchError,
  pluck,
  portOf,
  sendJson,
  testInOneSlice,
  until
} from '../helper.js'
import { headOf } from '../raw-http.js'

interface Event {
  readonly id: string
  readonly event: string
  readonly data: Body
}

async function* eventsOf(body: NonNullable<Response['body']>): AsyncGenerator<Event, undefined> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${text}${chunk}`.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      if (block.startsWith(':')) continue
      const [id, event, data] = block.split('\n').map((line) => line.slice(line.indexOf(': ') + 2)) as [
        string,
        string,
        string
      ]
      const told: Body = JSON.parse(data)
      if (event === 'state') check(StateEventSchema, told)
      yield { id, event, data: told }
    }
  }
  return undefined
}

const SEED = {
  clock: { mode: 'frozen' as const, now: '2027-01-01T00:00:00Z' },
  workgroups: [{ id: 'g', name: 'Group', workspaces: [{ id: 'w', database: 'd' }], databases: [{ id: 'd' }] }]
}

/** A server, and a sandbox with one workspace in it. */
async function open(t: Test, options: Partial<Options> = {}) {
  const mock = await startMock(options)
  t.teardown(() => mock.close())
  const box = mock.sandbox('k')
  await box.seed(SEED)
  const call = async (method: string, path: string, body?: unknown): Promise<Body> =>
    (await sendJson(method, mock.url + path, { 'x-api-key': 'k' }, body)).json()
  return { mock, box, call }
}

/** `next()` returns the next event; undefined if there are no more. */
async function listen(mock: Mock, after?: string, key = 'k') {
  const abort = new AbortController()
  const reply = await fetch(`${mock.url}/_mock/stream`, {
    headers: { 'x-api-key': key, ...(after === undefined ? {} : { 'last-event-id': after }) },
    signal: abort.signal
  })
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`)
  const events = eventsOf(reply.body!)
  return {
    headers: reply.headers,
    next: async () => (await events.next()).value,
    leave: () => abort.abort()
  }
}

const PAUSE = '/controller/v4/v2/workgroups/g/workspaces/w/pause'

testInOneSlice('a stream begins with resync, and reports each write with its changes and its request', async (t) => {
  const { mock, box, call } = await open(t)
  const events = await listen(mock)
  t.match(events.headers.get('content-type'), /^text\/event-stream/)
  t.equal(events.headers.get('cache-control'), 'no-store')
  t.match(await events.next(), { event: 'resync', data: {} })
  const { RequestID } = await call('POST', PAUSE)
  const state = (await events.next())!
  t.equal(state.event, 'state')
  const w = { workspace_id: 'w', workgroup_id: 'g', database_id: 'd', name: /./, is_rw: true }
  t.match(state.data, {
    complete: true,
    changed: { workspaces: [{ ...w, status: 'Pausing', host: 'w.workspaces.svc.test' }] },
    timeline: [
      { at: state.data.at, resource_id: 'w', from: 'Active', to: 'Pausing', reason: null, request_id: RequestID }
    ]
  })
  t.strictSame([...state.data.tables].sort(), ['due_events', 'timeline', 'workspaces'])
  const told = (await events.next())!
  t.equal(told.event, 'request')
  t.match(told.data, { request_id: RequestID, operation: 'pauseWorkspace', path: PAUSE, status: 200 })
  t.notOk('body' in told.data || 'query' in told.data, 'in short')
  await box.clock.advance({ by: 'PT1S' })
  t.match(await events.next(), {
    event: 'state',
    data: { timeline: [{ from: 'Pausing', to: 'Stopped', request_id: RequestID }] }
  })
  t.match(await events.next(), { event: 'clock', data: { mode: 'frozen', now: '2027-01-01T00:00:01.000Z', rate: 1 } })
  events.leave()
})

testInOneSlice('a stream reports creations and deletions, and a replacement as a reset', async (t) => {
  const { mock, box, call } = await open(t)
  const events = await listen(mock)
  await events.next()
  await call('POST', '/controller/v4/v2/workgroups', { cloud_provider_id: 'a', name: 'New', colour: 'red' })
  const made = (await events.next())!.data.changed.workgroups[0]
  t.match(made, { name: 'New', platform: 'aws', region: 'us-east-1' })
  t.match(await events.next(), { event: 'request', data: { operation: 'createWorkgroup', unread: ['colour'] } })
  await call('DELETE', `/controller/v4/v2/workgroups/${made.workgroup_id}`)
  t.strictSame((await events.next())!.data.removed, { workgroups: [made.workgroup_id], databases: [], workspaces: [] })
  await events.next()
  await call('POST', '/controller/v4/v2/workgroups/g/workspaces', { svc_database_id: 'd', is_rw: false })
  t.match((await events.next())!.data.changed.workspaces, [{ database_id: 'd', is_rw: false }])
  await events.next()
  await box.reset()
  t.match(await events.next(), { event: 'reset', data: {} })
  await box.requests.clear()
  t.match(await events.next(), { event: 'reset' }, 'the journal was emptied')
  await box.coverage.clear()
  t.match(await events.next(), { event: 'reset' }, 'the coverage, too')
  await box.snapshot.save('s')
  t.match(await events.next(), { event: 'state', data: { complete: true, tables: [] } })
  events.leave()
})

testInOneSlice('a refused write reports only its request and the events before it', async (t) => {
  for (const journalRequests of [1000, 0]) {
    const { mock, box, call } = await open(t, { journalRequests })
    await call('POST', PAUSE)
    const events = await listen(mock)
    await events.next()
    await box.clock.set({ mode: 'real', rate: 1_000_000 })
    t.strictSame([(await events.next())!.event, (await events.next())!.event], ['state', 'clock'])
    await sleep(20)
    t.equal((await call('POST', '/controller/v4/v2/workgroups/g/workspaces/w/refresh')).Error, true)
    const state = await events.next()
    t.equal(state?.event, 'state')
    if (journalRequests > 0) {
      t.match(state, { data: { timeline: [{ to: 'Stopped' }] } })
      t.match(await events.next(), { event: 'request', data: { status: 400 } })
      await call('POST', '/controller/v4/v2/workgroups/g/workspaces/w/refresh')
      t.match(await events.next(), { event: 'request', data: { status: 400 } })
    }
    events.leave()
  }
})

testInOneSlice('a returning listener gets the events it has missed, or resync if they are unknown', async (t) => {
  const { mock, call } = await open(t)
  const first = await listen(mock)
  await first.next()
  await call('POST', PAUSE)
  const seen = (await first.next())!
  first.leave()
  await call('GET', '/controller/v4/v2/workgroups')
  const again = await listen(mock, seen.id)
  t.match(await again.next(), { event: 'request', data: { operation: 'pauseWorkspace' } })
  t.match(await again.next(), { event: 'request', data: { operation: 'listWorkgroups' } })
  again.leave()
  const [run, count] = seen.id.split('-') as [string, string]
  for (const after of [
    'nonsense',
    `x${seen.id}`,
    `${seen.id}x`,
    `${run}-${Number(count) + 9}`,
    `${Number(run) + 1}-1`
  ]) {
    const unknown = await listen(mock, after)
    t.match(await unknown.next(), { event: 'resync' }, after)
    unknown.leave()
  }
})

testInOneSlice('without a journal, a stream reports only that something has changed', async (t) => {
  const { mock, call } = await open(t, { journalRequests: 0 })
  const events = await listen(mock)
  await events.next()
  await call('POST', PAUSE)
  t.match(await events.next(), { event: 'state', data: { complete: false, tables: [], changed: { workspaces: [] } } })
  events.leave()
})

testInOneSlice('a stream covers its own sandbox, and has no HEAD', async (t) => {
  const { mock, call } = await open(t)
  const other = await listen(mock, undefined, 'other')
  await other.next()
  await call('POST', PAUSE)
  await mock.sandbox('other').clock.set({ mode: 'frozen' })
  t.match(await other.next(), { event: 'state', data: { tables: ['sandboxes'] } })
  other.leave()
  t.equal((await fetch(`${mock.url}/_mock/stream`, { method: 'HEAD', headers: { 'x-api-key': 'k' } })).status, 405)
})

testInOneSlice('a stream ends with its sandbox and with the server', async (t) => {
  const { mock, box } = await open(t)
  const events = await listen(mock)
  await events.next()
  await box.remove()
  t.equal(await events.next(), undefined)
  const last = await listen(mock)
  await last.next()
  await mock.close()
  t.equal(await last.next(), undefined)
})

testInOneSlice('the number of listeners is limited', async (t) => {
  const { mock } = await open(t)
  const all = await Promise.all(Array.from({ length: LISTENER_LIMIT }, () => listen(mock)))
  const reply = await fetch(`${mock.url}/_mock/stream`, { headers: { 'x-api-key': 'k' } })
  const refused = { status: reply.status, body: await reply.json(), headers: Object.fromEntries(reply.headers) }
  matchError(t, refused, 'quotaExceeded', 'listeners', { values: { limit: LISTENER_LIMIT } })
  for (const events of all) events.leave()
})

testInOneSlice('a slow listener gets resync, and is disconnected if it reads nothing', async (t) => {
  holdConnection(t)
  const eventHub = new EventHub()
  const toView = () => ({ text: 'x'.repeat(10_000) })
  const stream = new EventStream(eventHub, toView, undefined, null, 20)
  for (let i = 0; i < 1000; i++) eventHub.tell({ kind: 'clock' })
  t.ok(stream.readableLength < WAITING_LIMIT + 20_000, 'what waits is bounded')
  const other = new EventStream(eventHub, toView, undefined, null, 1_000_000)
  for (let i = 0; i < 1000; i++) eventHub.tell({ kind: 'clock' })
  await once(stream, 'close')
  t.equal(eventHub.size, 1)
  let text = ''
  for await (const chunk of other) {
    text += String(chunk)
    if (text.endsWith('event: resync\ndata: {}\n\n') && text.length > 100_000) break
  }
  t.equal(eventHub.size, 0)
})

testInOneSlice('comments keep a quiet stream open', async (t) => {
  holdConnection(t)
  const stream = new EventStream(new EventHub(), () => ({}), undefined, null, 5)
  let lives = 0
  for await (const chunk of stream) {
    lives += String(chunk).split(': still here').length - 1
    if (lives > 2) break
  }
  t.ok(lives > 2)
})

testInOneSlice('a stream ends when its sandbox expires', async (t) => {
  holdConnection(t)
  const stream = new EventStream(new EventHub(), () => ({}), undefined, Date.now() + 5)
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  t.match(text, /resync/)
})

testInOneSlice('the host of a workspace may name the region of its workgroup', async (t) => {
  const { mock, call } = await open(t, { workspaceHostTemplate: '{workspace_id}.{region}.test' })
  const events = await listen(mock)
  await events.next()
  await call('POST', PAUSE)
  t.match((await events.next())!.data, { changed: { workspaces: [{ host: /^w\.[a-z0-9-]+\.test$/ }] } })
  events.leave()
})

testInOneSlice("reads of the overview and of a workspace's belongings leave no trace", async (t) => {
  const { app, plane, call } = await buildMock(t)
  const read = async (url: string): Promise<Body> =>
    (await app.inject({ url: `/_mock${url}`, headers: { 'x-api-key': 'test' } })).json().Result
  const seed = { ...SEED, clock: { mode: 'poll' as const, now: '2027-01-01T00:00:00Z' } }
  await call('PUT', '/state', { prefix: '/_mock', body: seed })
  await call('POST', '/workgroups/g/workspaces/w/pause')
  const overview = await read('/overview')
  t.match(overview, { base_path: '/', workspaces: [{ workspace_id: 'w', status: 'Pausing' }] })
  t.match(await read('/workspaces/w'), { backups: [], restore_jobs: [], backup_schedule: null, schedules: [] })
  t.match(await read('/overview'), { workspaces: [{ status: 'Pausing' }] }, 'the clock was not moved')
  t.strictSame(pluck((await read('/requests')).requests, 'operation'), ['pauseWorkspace'])
  t.equal(plane.sandboxes.find(sandboxIdOf('test'))!.coverage.of('statuses').size, 1)
  matchError(t, await call('GET', '/workspaces/none', { prefix: '/_mock' }), 'notFound', 'resource', {
    values: { what: 'workspace', id: 'none' }
  })
})

void t.test('a listener that half-closes its connection has left', async (t) => {
  const { app, plane } = await buildMock(t)
  const socket = connect({ host: '127.0.0.1', port: await portOf(app), allowHalfOpen: true })
  t.teardown(() => socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  socket.write(headOf('GET', '/_mock/stream', 'ears'))
  await until(() => text.includes('event: resync'))
  for (const header of [
    'content-type: text/event-stream; charset=utf-8',
    'cache-control: no-store',
    'x-accel-buffering: no',
    'connection: close'
  ])
    t.ok(text.toLowerCase().includes(`\r\n${header}\r\n`), header)
  const eventHub = plane.sandboxes.find(sandboxIdOf('ears'))!.eventHub!
  t.equal(eventHub.size, 1)
  socket.end()
  await until(() => eventHub.size === 0)
})

void t.test('when the server closes, it ends streams, and cuts off those with unread events', async (t) => {
  const eventHub = new EventHub()
  const open = () => new EventStream(eventHub, () => ({}), undefined, null, 1_000_000)
  const [unread, read] = [open(), open()]
  t.equal(eventHub.size, 2)
  read.resume()
  await until(() => read.readableLength === 0)
  const ended = once(read, 'end')
  unread.end()
  read.end()
  t.ok(unread.destroyed)
  t.equal(eventHub.size, 0)
  await ended
  unread.end()
  t.equal(eventHub.size, 0)
})

const NONE = { workgroups: [], databases: [], workspaces: [] }

testInOneSlice(
  'of one move, a stream reports each row once, and the new timeline, or only that it was large',
  async (t) => {
    const { mock, box } = await open(t, { timelineEntries: 3 })
    await box.seed({
      ...SEED,
      workgroups: [{ id: 'g', workspaces: [{ id: 'w', auto_stop_minutes: 1 }] }],
      transitions: [{ transition: 'workspace.pause', outcome: 'fail' }]
    })
    const events = await listen(mock)
    await events.next()
    await box.clock.advance({ by: 'PT10M' })
    const { data } = (await events.next())!
    t.match(data, { complete: true, changed: { workspaces: [{ workspace_id: 'w', status: 'Active' }] } })
    t.equal(data.changed.workspaces.length, 1)
    const moments = pluck(data.timeline, 'at')
    t.ok(moments.length > 10 && new Set(moments).size === moments.length, 'those that it dropped are not new')
    await events.next()
    const workspaces = Array.from({ length: CHANGE_LIMIT }, () => ({ status: 'Creating' as const }))
    await box.state.replace({ clock: SEED.clock, workgroups: [{ id: 'g', workspaces }] })
    t.match(await events.next(), { event: 'reset' })
    const { clock } = await box.clock.advance({ until: 'idle' })
    t.strictSame((await events.next())!.data, {
      at: clock.now,
      complete: false,
      tables: [],
      changed: NONE,
      removed: NONE,
      timeline: []
    })
    events.leave()
  }
)
