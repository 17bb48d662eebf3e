import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { FIRED_LIMIT } from '../../src/sim/engine.js'
import { CALLS } from '../../src/test-control/calls.js'
import { buildMock, matchError, matchSuccess, pluck, replaceMethod, type Reply } from '../helper.js'
import { type Fields, messageOf, oneOf, type Values } from '../messages.js'
import { at, NONE, openSandbox, seconds, type TestSandbox, testsIn, workspaceIn } from '../sandbox.js'
import { holdWall } from '../wall.js'

const mock = await buildMock(t, { timelineEntries: 100_000 })
const open = () => openSandbox(mock)
const testIn = testsIn(mock)

/** The clock, what is due, and what has happened. */
const everything = async ({ controlResult, events, timeline }: TestSandbox) => ({
  clock: await controlResult('GET', '/clock'),
  events: await events(),
  timeline: await timeline()
})

/** Three workspaces, created at 0, 10 and 20 s, with creations that end 100 s later. */
async function three(b: TestSandbox): Promise<{ path: string; ids: string[]; requests: string[] }> {
  await b.setRules({ transition: 'workspace.create', after: 'PT100S' })
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const [ids, requests]: [string[], string[]] = [[], []]
  for (let i = 0; i < 3; i++) {
    if (i > 0) await b.advance('PT10S')
    const { body } = await b.call('POST', path, {})
    ids.push(body.Result.workspace_id as string)
    requests.push(body.RequestID as string)
  }
  return { path, ids, requests }
}

void t.test('a new sandbox shows the time of the wall clock', async (t) => {
  const wall = holdWall(t)
  const read = async () => mock.call('GET', '/clock', { key: 'new to the clock', prefix: '/_mock' })
  matchSuccess(t, await read(), 'Done.', {
    mode: 'real',
    now: at(0),
    rate: 1
  })
  wall.now += 1234
  t.equal((await read()).body.Result.now, at(1.234))
})

testIn('PUT sets mode, time and rate separately; omitted ones stay', async (t, b) => {
  const put = async (body: object) => (await b.controlResult('PUT', '/clock', body)).clock
  matchSuccess(
    t,
    await b.control('PUT', '/clock', { now: '2026-01-01T02:00:00+01:00' }),
    `It is ${at(3600)}; events run: 0.`,
    { clock: { mode: 'frozen', now: at(3600), rate: 1 }, fired: [] }
  )
  t.strictSame(await put({ rate: 2.5 }), { mode: 'frozen', now: at(3600), rate: 2.5 })
  t.strictSame(await put({ mode: 'poll' }), { mode: 'poll', now: at(3600), rate: 2.5 })
  t.strictSame(await put({}), { mode: 'poll', now: at(3600), rate: 2.5 })
  const back = await put({ mode: 'frozen', now: at(0), rate: 1 })
  t.strictSame(back, { mode: 'frozen', now: at(0), rate: 1 }, 'back is possible while nothing has happened')
})

testIn('PUT of a later time runs everything due until then, in order, each event at its own time', async (t, b) => {
  const { ids, requests } = await three(b)
  const reply = await b.control('PUT', '/clock', { now: at(110) })
  matchSuccess(t, reply, `It is ${at(110)}; events run: 2.`, {
    clock: { mode: 'frozen', now: at(110), rate: 1 },
    fired: [0, 1].map((i) => ({
      at: at(100 + 10 * i),
      event: 'workspace.create',
      resource_id: ids[i],
      request_id: requests[i]
    }))
  })
  t.strictSame(pluck((await b.timeline()).slice(3), 'at', 'resource_id', 'from', 'to'), [
    [at(100), ids[0], 'Creating', 'Active'],
    [at(110), ids[1], 'Creating', 'Active']
  ])
})

testIn('PUT refuses a time before the newest change, and a time between that and now is possible', async (t, b) => {
  await three(b)
  await b.advance('PT30S')
  const before = await everything(b)
  const refused = await b.control('PUT', '/clock', { now: '2026-01-01T00:00:19.999Z', mode: 'poll', rate: 7 })
  matchError(t, refused, 'notAllowed', { now: 'beforeChange' }, { values: { time: at(20) } })
  t.strictSame(await everything(b), before)
  t.equal((await b.controlResult('PUT', '/clock', { now: at(20) })).clock.now, at(20))
  t.strictSame((await everything(b)).events, before.events)
})

testIn('PUT and advance name every invalid field, and change nothing', async (t, b) => {
  await three(b)
  const before = await everything(b)
  const workspace_id = NONE
  const states = ['Creating', 'Active', 'Pausing', 'Stopped', 'Idle', 'Resuming', 'Resizing', 'Restoring']
  const moves: [body: object, fields: Fields][] = [
    [{}, { '': 'oneWay' }],
    [{ max: 'PT1S' }, { '': 'oneWay' }],
    [{ by: 'PT1S', to: at(50) }, { '': 'oneWay' }],
    [{ by: 'PT1S', until: 'idle' }, { '': 'oneWay' }],
    [{ by: 'PT1S', to: at(50), until: 'idle' }, { '': 'oneWay' }],
    [{ by: '1M' }, { by: 'duration' }],
    [{ by: '-PT1H' }, { by: 'duration' }],
    [{ to: '2026-02-30T00:00:00Z' }, { to: 'clockTime' }],
    [{ to: '10000-01-01T00:00:00Z' }, { to: 'clockTime' }],
    [{ until: 'idle', max: 'soon' }, { max: 'duration' }],
    ...['Idle', 5, null, []].map((until): [object, Fields] => [{ until }, { until: 'until' }]),
    [{ until: { status: 'Active' } }, { 'until.workspace_id': 'workspaceId' }],
    [
      { until: { workspace_id, status: 'Actve' } },
      { 'until.status': oneOf(...states, 'Terminating', 'Failed', 'gone') }
    ],
    [{ until: { workspace_id, status: 'Active', x: 1 } }, { 'until.x': 'unknown' }]
  ]
  matchError(t, await b.control('PUT', '/clock', { now: 'tomorrow' }), 'invalidBody', { now: 'clockTime' })
  for (const [body, fields] of moves)
    matchError(t, await b.control('POST', '/clock/advance', body), 'invalidBody', fields)
  t.strictSame(await everything(b), before)
})

testIn('advance by a duration, months by the calendar', async (t, b) => {
  for (const [by, now] of [
    ['PT1.5S', '2026-01-01T00:00:01.500Z'],
    ['P1M', '2026-02-01T00:00:01.500Z'],
    ['P27D', '2026-02-28T00:00:01.500Z'],
    ['PT0S', '2026-02-28T00:00:01.500Z'],
    ['P2Y1D', '2028-02-29T00:00:01.500Z'],
    ['P1Y', '2029-02-28T00:00:01.500Z']
  ]) {
    matchSuccess(t, await b.control('POST', '/clock/advance', { by }), `It is ${now}; events run: 0.`, {
      clock: { mode: 'frozen', now, rate: 1 },
      fired: []
    })
  }
})

testIn('each of several simultaneous settings returns its own time', async (t, b) => {
  const set = await Promise.all(
    [5, 6, 7].map((hour) => b.control('PUT', '/clock', { now: at(3600 * hour), rate: hour }))
  )
  t.strictSame(
    set.map(({ body }) => body.Result.clock),
    [5, 6, 7].map((hour) => ({ mode: 'frozen', now: at(3600 * hour), rate: hour }))
  )
})

testIn('advance can move to the present, but not to the past', async (t, b) => {
  await b.control('POST', '/clock/advance', { to: at(100) })
  t.equal(await b.now(), at(100))
  t.equal((await b.control('POST', '/clock/advance', { to: at(100) })).status, 200)
  const refused = await b.control('POST', '/clock/advance', { to: '2026-01-01T00:01:39.999Z' })
  matchError(t, refused, 'notAllowed', { to: 'past' }, { values: { now: at(100) } })
  t.equal(await b.now(), at(100))
})

testIn('advance until a workspace has a state, or is gone, stops exactly then', async (t, b) => {
  const { ids, path } = await three(b)
  const until = (workspace_id: string | undefined, status: string, max?: string) =>
    b.control('POST', '/clock/advance', { until: { workspace_id, status }, max })
  const reply = await until(ids[1], 'Active')
  t.match(reply.body.Result, { clock: { now: at(110) }, fired: [{ resource_id: ids[0] }, { resource_id: ids[1] }] })
  t.equal(reply.body.Result.fired.length, 2)
  t.strictSame((await until(ids[1], 'Active')).body.Result, {
    clock: { mode: 'frozen', now: at(110), rate: 1 },
    fired: []
  })
  t.equal((await until(ids[2], 'Active', 'PT10S')).body.Result.clock.now, at(120), 'exactly at the limit is in time')
  await b.call('DELETE', `${path}/${ids[0]}`)
  t.equal((await until(ids[0], 'gone')).body.Result.clock.now, at(121))
})

testIn('until a workspace is gone is met if it is gone already, even one that a document made', async (t, b) => {
  const workspaces = [{ id: 'writer', status: 'Terminating' }]
  await b.controlResult('PUT', '/state', { clock: { mode: 'frozen' }, workgroups: [{ workspaces }] })
  const until = { workspace_id: 'writer', status: 'gone' }
  t.equal((await b.controlResult('POST', '/clock/advance', { until })).fired.length, 1)
  t.strictSame((await b.controlResult('POST', '/clock/advance', { until })).fired, [])
})

testIn('advance until idle stops after the last transition; an auto-stop does not count', async (t, b) => {
  const { path } = await three(b)
  await b.result('POST', path, { auto_stop_minutes: 1 })
  const moved = await b.controlResult('POST', '/clock/advance', { until: 'idle' })
  t.equal(moved.clock.now, at(120))
  t.equal(moved.fired.length, 4)
  t.match(await b.events(), [{ event: 'workspace.auto-stop', due: at(180) }])
  t.strictSame((await b.controlResult('POST', '/clock/advance', { until: 'idle' })).fired, [])
})

testIn('an until that is not met says why, and changes nothing', async (t, b) => {
  const { ids, path } = await three(b)
  const { id: held } = await workspaceIn(b, 'Resuming')
  const { workspace_id: idle } = await b.createActive(path.split('/')[2]!)
  const before = await everything(b)
  const day = at(86_420)
  const due = `workspace.create of ${ids[2]} (due ${at(120)})`
  const cases: [body: object, key: 'notIdle' | 'notReached', values: Values][] = [
    [
      { until: { workspace_id: ids[2], status: 'Active' }, max: 'PT99.999S' },
      'notReached',
      {
        id: ids[2]!,
        status: 'Active',
        time: '2026-01-01T00:01:59.999Z',
        is: 'Creating',
        why: `its workspace.create is due ${at(120)}`
      }
    ],
    [
      { until: { workspace_id: held, status: 'Active' } },
      'notReached',
      { id: held, status: 'Active', time: day, is: 'Resuming', why: 'its workspace.resume is held' }
    ],
    [
      { until: { workspace_id: idle, status: 'Stopped' } },
      'notReached',
      { id: idle, status: 'Stopped', time: day, is: 'Active', why: 'nothing is due for it' }
    ],
    [
      { until: { workspace_id: ids[0], status: 'Idle' }, max: 'P2D' },
      'notReached',
      { id: ids[0]!, status: 'Idle', time: at(172_820), is: 'Active', why: 'nothing is due for it' }
    ],
    [{ until: 'idle' }, 'notIdle', { time: day, events: `workspace.resume of ${held} (held)` }],
    [
      { until: 'idle', max: 'PT95S' },
      'notIdle',
      { time: at(115), events: `${due}, workspace.resume of ${held} (held)` }
    ]
  ]
  for (const [body, key, values] of cases) {
    matchError(t, await b.control('POST', '/clock/advance', body), 'notAllowed', key, { values })
    t.strictSame(await everything(b), before)
  }
  const { id: backup } = await b.controlResult('POST', `/workspaces/${idle}/backups`)
  for (const id of [NONE, backup as string]) {
    const until = { workspace_id: id, status: 'Active' }
    const reply = await b.control('POST', '/clock/advance', { until })
    matchError(t, reply, 'notAllowed', { 'until.workspace_id': 'notWorkspace' }, { values: { id } })
  }
  t.equal((await b.call('GET', `${path}/${ids[0]}`)).body.Result.status, 'Creating')
})

testIn('an until idle that is not met names at most 20 transitions', async (t, b) => {
  const workspaces = Array(21).fill({ status: 'Creating' })
  await b.controlResult('PUT', '/state', { clock: { mode: 'frozen' }, workgroups: [{ workspaces }] })
  const { Message } = (await b.control('POST', '/clock/advance', { until: 'idle', max: 'PT1S' })).body
  t.equal((Message as string).split(' (due').length - 1, 20, Message)
})

testIn('a move lists its first events, and counts the others', async (t, b) => {
  await b.createActive(await b.createWorkgroup(), { auto_stop_minutes: 1 })
  // Two events each minute and a second, for ever.
  await b.setRules({ transition: 'workspace.pause', outcome: 'fail' })
  const { body } = await b.control('POST', '/clock/advance', { to: at(61 * (FIRED_LIMIT / 2 + 3)) })
  t.equal(body.Result.fired.length, FIRED_LIMIT)
  t.equal(body.Result.omitted, 6)
  t.match(body.Message, ` ${FIRED_LIMIT + 6}.`)
})

testIn('a clock may come close to the last timestamp, but not to it', async (t, b) => {
  const isRefused = async (by: string) => {
    matchError(t, await b.control('POST', '/clock/advance', { by }), 'notAllowed', { by: 'beyond' })
  }
  for (const by of ['P7973Y11M30DT23H59M59.999S', 'P9000Y', 'P99999999D']) await isRefused(by)
  await b.advance('P7973Y11M30DT23H59M59.998S')
  t.equal(await b.now(), '9999-12-31T23:59:59.998Z')
  await isRefused('PT0.001S')
})

testIn('an until may take a day by default, and ends at once if it is met already', async (t, b) => {
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  await b.setRules({ transition: 'workspace.create', after: 'P1D', times: 1 })
  const { workspace_id: id } = await b.result('POST', path, {})
  await b.setRules({ transition: 'workspace.create', after: 'P1DT0.001S' })
  const { workspace_id: later } = await b.result('POST', path, {})
  const until = (workspace_id: string, status: string) =>
    b.control('POST', '/clock/advance', { until: { workspace_id, status } })
  t.equal((await until(id as string, 'Creating')).body.Result.clock.now, at(0))
  t.equal((await until(later as string, 'Active')).status, 400)
  t.equal((await until(id as string, 'Active')).body.Result.clock.now, at(86_400))
  t.equal((await until(later as string, 'Active')).body.Result.clock.now, '2026-01-02T00:00:00.001Z')
})

testIn('a move with too many events is refused; without until, those that ran are kept', async (t, b) => {
  const { workspace_id: id } = await b.createActive(await b.createWorkgroup())
  replaceMethod(t, mock.plane.engine, 'moveClock', function* () {
    yield
    return { fired: [], count: 0, last: undefined, limited: true }
  })
  const until = { workspace_id: id, status: 'Stopped' }
  matchError(t, await b.control('POST', '/clock/advance', { until }), 'notAllowed', 'tooManyEventsBefore')
  const values = { now: at(0) }
  matchError(t, await b.control('POST', '/clock/advance', { by: 'PT1S' }), 'notAllowed', 'tooManyEvents', { values })
})

testIn(
  'real: the clock follows the wall clock at its rate, and reads and writes run due events first',
  async (t, b) => {
    const { ids, path } = await three(b)
    const wall = holdWall(t)
    await b.control('PUT', '/clock', { mode: 'real', rate: 10 })
    wall.now += 7_999
    t.equal(await b.now(), '2026-01-01T00:01:39.990Z')
    t.equal((await b.result('GET', `${path}/${ids[0]}`)).status, 'Creating')
    wall.now += 1
    t.match(await b.result('GET', `${path}/${ids[0]}`), { status: 'Active', last_modified_time: seconds(at(100)) })
    wall.now += 5_000
    t.match(await b.result('PUT', `${path}/${ids[1]}`, { workspace_name: 'x' }), {
      status: 'Active',
      last_modified_time: seconds(at(150))
    })
    t.strictSame(pluck((await b.timeline()).slice(3), 'at'), [at(100), at(110), at(120)], 'each at its own time')
    await b.control('PUT', '/clock', { rate: 0.5 })
    wall.now += 2_000
    t.equal(await b.now(), at(151), 'a new rate counts from now on')
    await b.control('PUT', '/clock', { mode: 'frozen' })
    wall.now += 60_000
    t.equal(await b.now(), at(151))
    await b.control('PUT', '/clock', { mode: 'real' })
    await b.advance('PT1H')
    wall.now += 2_000
    t.equal(await b.now(), at(3752), 'it continues from where an advance has moved it')
  }
)

testIn('real: HEAD runs due events, and replies like GET without the body', async (t, b) => {
  const { ids, path } = await three(b)
  const wall = holdWall(t)
  await b.control('PUT', '/clock', { mode: 'real', rate: 1 })
  wall.now += 80_000
  const head = await b.call('HEAD', `${path}/${ids[0]}`)
  t.strictSame([head.status, b.mock.plane.storesOf(b.sandbox).workspaces.find(ids[0]!)?.status], [200, 'Active'])
  const get = await b.call('GET', `${path}/${ids[0]}`)
  t.equal(get.body.Result.status, 'Active')
  t.equal(Number(head.headers['content-length']), Number(get.headers['content-length']))
})

void t.test('real: at any rate, nothing is written before an earlier change', async (t) => {
  const b = await openSandbox(await buildMock(t, { transitions: 'realistic' }))
  const { url } = await workspaceIn(b, 'Active')
  await b.result('POST', `${url}/backups/schedule`, { schedule: '0 * * * *' })
  // Every look at the wall clock finds it 17 ms later: half an hour of the sandbox, in every other of which a backup is
  // due.
  const wall = holdWall(t, at(0), 17)
  await b.control('PUT', '/clock', { mode: 'real', rate: 100_000 })
  for (let i = 0; i < 40; i++) {
    await b.call('POST', `${url}/${i % 2 === 0 ? 'pause' : 'resume'}`)
    wall.now += i
  }
  await b.control('PUT', '/clock', { mode: 'frozen' })
  const timeline = await b.timeline()
  const times = timeline.map(({ at }) => at as string)
  t.strictSame(times, [...times].sort())
  const transitions = timeline.map(({ transition }) => transition as string)
  for (const name of ['workspace.pause', 'workspace.resume', 'backup.run'])
    t.ok(transitions.filter((transition) => transition === name).length > 1, `${name} has happened`)
})

testIn(
  'real: a wall clock that is put back neither puts the clock back nor stops it, and what is under way ends ' +
    'in its time',
  async (t, b) => {
    const wall = holdWall(t)
    await b.control('PUT', '/clock', { mode: 'real' })
    const { id, url } = await workspaceIn(b, 'Active')
    wall.now += 60_000
    t.equal(await b.now(), at(60))
    wall.now -= 3_600_000
    t.equal(await b.now(), at(60))
    await b.result('POST', `${url}/pause`)
    t.equal((await b.call('POST', `${url}/pause`)).status, 200, 'a write that changes nothing does not put it back')
    t.equal((await b.call('POST', `${url}/resume`)).status, 400, 'nor does one that is refused put it back')
    wall.now += 1000
    t.equal(await b.now(), at(61))
    t.equal((await b.result('GET', url)).status, 'Stopped')
    t.equal((await b.timeline(id)).at(-1).at, at(61))
    await b.control('PUT', '/clock', { now: at(61.5) })
    t.equal(await b.now(), at(61.5), 'it can still be set')
  }
)

testIn('poll: each read of a workspace in a transient state shows the next state', async (t, b) => {
  const { ids, path } = await three(b)
  await b.control('PUT', '/clock', { mode: 'poll' })
  t.equal((await b.result('GET', `${path}/${ids[1]}`)).status, 'Active')
  t.equal(await b.now(), at(110), 'exactly then; what was due before has been run, too')
  t.strictSame(pluck((await b.timeline()).slice(3), 'resource_id'), [ids[0], ids[1]])
  t.equal((await b.result('GET', `${path}/${ids[1]}`)).status, 'Active')
  t.equal(await b.now(), at(110), 'a read of an Active one moves nothing')
  t.equal((await b.call('DELETE', `${path}/${ids[1]}`)).status, 200)
  t.equal((await b.call('GET', `${path}/${ids[1]}`)).status, 404)
  t.equal(await b.now(), at(111))
  t.equal(await b.result('POST', `${path}/${ids[0]}/refresh`), null)
  t.equal((await b.result('GET', `${path}/${ids[0]}`)).refresh_status, 'Refreshed')
  t.equal(await b.now(), at(112))
})

testIn(
  'poll: nothing else moves the clock: other reads, writes, an auto-stop to come, a held transition, a read ' +
    'that finds nothing',
  async (t, b) => {
    const { ids, path } = await three(b)
    const [, , workgroup] = path.split('/')
    const { workspace_id: idle, database_id } = await b.createActive(workgroup!, { auto_stop_minutes: 1 })
    const { url: held } = await workspaceIn(b, 'Pausing')
    const elsewhere = await b.createWorkgroup()
    await b.control('PUT', '/clock', { mode: 'poll' })
    const before = { ...(await everything(b)) }
    await b.result('GET', '/workgroups')
    await b.result('GET', `/workgroups/${workgroup}`)
    await b.result('GET', `/workgroups/${workgroup}/databases/${database_id}`)
    await b.result('PUT', `${path}/${ids[0]}`, { workspace_name: 'x' })
    t.equal((await b.result('GET', `${path}/${idle}`)).status, 'Active')
    t.equal((await b.result('GET', held)).status, 'Pausing')
    t.equal((await b.call('GET', `/workgroups/${elsewhere}/workspaces/${ids[0]}`)).status, 404)
    t.equal((await b.call('GET', `${path}/${NONE}`)).status, 404)
    t.strictSame(await everything(b), before)
  }
)

testIn('events run in the order in which they are listed, and a refusal names them: held ones last', async (t, b) => {
  const { ids, requests, path } = await three(b)
  await b.setRules(
    { transition: 'workspace.create', outcome: 'hold', times: 1 },
    { transition: 'workspace.create', after: 'PT1S' }
  )
  const [held, soon, next] = [
    await b.call('POST', path, {}),
    await b.call('POST', path, {}),
    await b.call('POST', path, {})
  ]
  const event = 'workspace.create'
  const dueAt = (seconds: number, { body }: Reply) => ({
    due: at(seconds),
    held: false,
    event,
    resource_id: body.Result.workspace_id as string,
    request_id: body.RequestID as string
  })
  const due = [
    dueAt(21, soon),
    dueAt(21, next),
    ...ids.map((id, i) => ({ ...dueAt(100 + 10 * i, soon), resource_id: id, request_id: requests[i] }))
  ]
  const last = { ...dueAt(0, held), due: null, held: true }
  matchSuccess(t, await b.control('GET', '/events'), 'Done.', [...due, last])
  const { Message } = (await b.control('POST', '/clock/advance', { until: 'idle', max: 'PT0.5S' })).body
  const named = [...(Message as string).matchAll(/ of (\S+) \(/g)].map(([, id]) => id)
  t.strictSame(named, pluck([...due, last], 'resource_id'))
  t.strictSame(
    await b.advance('PT5M'),
    due.map(({ due, held: _, ...fired }) => ({ at: due, ...fired }))
  )
})

testIn('the timeline has every change with its request; a workspace can be selected', async (t, b) => {
  const { ids, requests, path } = await three(b)
  await b.advance('P1D')
  const paused = await mock.call('POST', `${path}/${ids[1]}/pause`, {
    key: b.key,
    headers: { 'x-request-id': 'my-own.id' }
  })
  t.equal(paused.body.RequestID, 'my-own.id')
  await b.advance('PT1S')
  const row = (when: string, transition: string, from: string | null, to: string, request_id: string | undefined) => ({
    at: when,
    resource_id: ids[1],
    transition,
    attribute: 'status',
    from,
    to,
    reason: null,
    request_id
  })
  matchSuccess(t, await b.control('GET', `/timeline?workspace_id=${ids[1]}`), 'Done.', [
    row(at(10), 'workspace.create', null, 'Creating', requests[1]),
    row(at(110), 'workspace.create', 'Creating', 'Active', requests[1]),
    row(at(86_420), 'workspace.pause', 'Active', 'Pausing', 'my-own.id'),
    row(at(86_421), 'workspace.pause', 'Pausing', 'Stopped', 'my-own.id')
  ])
  const all = await b.timeline()
  t.equal(all.length, 8)
  t.strictSame(pluck(all, 'at'), all.map(({ at }) => at as string).sort())
  t.strictSame(await b.timeline(NONE), [])
})

void t.test('the control API needs a credential, and affects only its sandbox', async (t) => {
  const [b, other] = [await open(), await open()]
  await three(b)
  await other.advance('P10D')
  t.equal(await b.now(), at(20))
  t.strictSame([await other.events(), await other.timeline()], [[], []])
  for (const { method, path } of CALLS.filter(({ isAcrossSandboxes = false }) => !isAcrossSandboxes)) {
    const options = { key: null, prefix: '/_mock', body: method === 'GET' ? undefined : {} }
    t.equal((await mock.call(method, path.replaceAll(/:\w+/g, 'x'), options)).status, 401, `${method} ${path}`)
  }
})

void t.test('mock.sandbox() sends the token, and refuses keys that fit no header, and unknown fields', async (t) => {
  const guarded = await startMock({ controlToken: 'token' })
  t.teardown(() => guarded.close())
  const { key, headers, clock } = guarded.sandbox()
  t.strictSame(headers, { 'x-api-key': key, 'x-mock-token': 'token' })
  t.equal((await fetch(`${guarded.url}/_mock/clock`, { headers })).status, 200)
  for (const bad of ['', ' pad', 'snow\u2603'])
    t.throws(() => guarded.sandbox(bad), { name: 'OptionError', message: /visible ASCII/ })
  await t.rejects(clock.set({ mod: 'frozen' } as never), {
    name: 'ServiceError',
    message: messageOf('invalidBody', { mod: 'unknown' })
  })
})

testIn('advance until idle includes events due when the last transition ends', async (t, b) => {
  const workgroup = await b.createWorkgroup()
  const path = `/workgroups/${workgroup}/workspaces`
  const { workspace_id: refreshed } = await b.createActive(workgroup)
  await b.setRules({ transition: 'workspace.refresh', after: 'PT1M' })
  await b.result('POST', `${path}/${refreshed}/refresh`)
  const { workspace_id: unused } = await b.createActive(workgroup, { auto_stop_minutes: 1 })
  const { clock, fired } = await b.controlResult('POST', '/clock/advance', { until: 'idle' })
  t.strictSame(pluck(fired, 'event'), ['workspace.refresh', 'workspace.auto-stop', 'workspace.pause'])
  t.equal(clock.now, at(61))
  t.equal((await b.result('GET', `${path}/${unused}`)).status, 'Stopped')
  t.strictSame(await b.events(), [])
})
