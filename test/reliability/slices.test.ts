import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { exportState } from '../../src/documents/export.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { sandboxInside } from '../../src/node/inside.js'
import { SandboxStores } from '../../src/resources/tx.js'
import { type Body, buildMock, type BuiltMock, matchError, pluck, replaceMethod, type Reply, until } from '../helper.js'
import { logLines } from '../log-lines.js'
import { at, type Calls, callsOf, openSandbox, type TestSandbox } from '../sandbox.js'
import { copyDatabase } from './disk.js'

// Long work runs in slices, between which other sandboxes are served. Here each reading of the machine's time is some
// milliseconds later, so that a slice has few events on any machine.

const STEP = 7

function hurry(t: Test): void {
  let now = 0
  replaceMethod(t, performance, 'now', () => (now += STEP))
}

/** Counts the calls of a function of a store until a test ends. */
function countCalls(t: Test, store: 'workspaces' | 'allowList', name: string): { readonly count: number } {
  const calls = { count: 0 }
  const inherited = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(SandboxStores.prototype), store)!
  Object.defineProperty(SandboxStores.prototype, store, {
    configurable: true,
    get(this: SandboxStores) {
      const bound = inherited.get!.call(this) as Record<string, () => unknown>
      const counted = () => {
        calls.count++
        return bound[name]!()
      }
      return Object.create(bound, { [name]: { value: counted } }) as unknown
    }
  })
  t.teardown(() => void Reflect.deleteProperty(SandboxStores.prototype, store))
  return calls
}

/** A sandbox with a workspace that is backed up every minute, and one with contents that is being deleted. */
async function busy(mock: BuiltMock, key?: string): Promise<TestSandbox> {
  const b = await openSandbox(mock, { key })
  await b.control('PUT', '/state', {
    clock: { mode: 'frozen', now: at(0) },
    workgroups: [
      {
        id: 'g',
        databases: [{ id: 'd' }, { id: 'e' }],
        workspaces: [
          {
            id: 'w',
            database: 'd',
            auto_stop_minutes: 35,
            backup_schedule: { schedule: '* * * * *', max_backup_files: 3 }
          },
          {
            id: 'leaving',
            database: 'e',
            status: 'Terminating',
            backups: [
              { id: 'b1', is_automatic: true },
              { id: 'b2', is_automatic: true }
            ],
            restore_jobs: [{ id: 'j' }],
            users: [{ id: 'u', username: 'somebody', password: 'Secret-12345' }],
            schedules: [{ id: 's', repeat: 'daily', time: '12:00', timezone: 'Europe/Berlin' }],
            backup_schedule: { schedule: '0 3 * * *' }
          }
        ]
      }
    ],
    transitions: [
      { transition: 'workspace.pause', outcome: 'fail', times: 3 },
      { transition: 'backup.run', after: 'PT10S' }
    ]
  })
  return b
}

const stateOf = ({ mock, sandbox }: TestSandbox) => exportState(mock.plane, sandbox)

/** Waits until a sandbox is being moved. */
async function underWay({ mock, sandbox }: TestSandbox): Promise<void> {
  await until(() => mock.plane.isHeld(sandbox))
}

/** Notes the order in which promises are settled. */
function inOrder(order: string[], named: Record<string, Promise<unknown>>): Promise<unknown> {
  return Promise.all(Object.entries(named).map(([name, promise]) => promise.then(() => order.push(name))))
}

void t.test('a large workgroup is read and updated in slices, between which others are served', async (t) => {
  const mock = await buildMock(t, { transitions: 'instant' })
  const [b, other] = [await openSandbox(mock, { key: 'large' }), await openSandbox(mock)]
  const workspaces = Array.from({ length: 2500 }, (_, n) => ({ id: `w${n}`, database: 'd', is_rw: n === 0 }))
  const databases = ['d', ...Array.from({ length: 250 }, (_, n) => `d${n}`)]
  const state = { workgroups: [{ id: 'g', name: 'old', databases: databases.map((id) => ({ id })), workspaces }] }
  t.equal((await b.control('PUT', '/state', state)).status, 200)
  hurry(t)
  for (const [method, name, body] of [
    ['GET', 'old'],
    ['PUT', 'new', { workgroup_name: 'new' }]
  ] as const) {
    const order: string[] = []
    await inOrder(order, {
      large: b.call(method, '/workgroups/g', body).then((reply) => {
        t.equal(reply.status, 200)
        t.equal(reply.body.Result.name, name)
        t.equal(reply.body.Result.workspaces.length, 2500)
        t.strictSame(pluck(reply.body.Result.svc_databases, 'database_id'), databases)
      }),
      'other read': other.call('GET', '/workgroups'),
      'other write': other.call('POST', '/workgroups', { cloud_provider_id: 'x' })
    })
    t.equal(order.at(-1), 'large', method)
  }
})

void t.test(
  'while a clock is moved, other sandboxes are served, and requests of its own wait for the end, in order',
  async (t) => {
    const mock = await buildMock(t)
    const [moved, other] = [await busy(mock), await openSandbox(mock)]
    const handle = sandboxInside(mock.plane, '', moved.key)
    hurry(t)
    for (const move of [
      () => moved.control('POST', '/clock/advance', { by: 'PT1H' }),
      () => moved.control('POST', '/clock/advance', { until: { workspace_id: 'w', status: 'Stopped' }, max: 'PT9H' }),
      async () =>
        moved.control('PUT', '/clock', { now: new Date(Date.parse(await moved.now()) + 3_600_000).toISOString() })
    ]) {
      const order: string[] = []
      const moving = move()
      await underWay(moved)
      await inOrder(order, {
        move: moving.then(({ status }) => {
          t.equal(status, 200)
        }),
        write: moved.call('PUT', '/workgroups/g', { workgroup_name: 'later' }),
        read: moved.call('GET', '/workgroups/g/workspaces/w'),
        node: handle.state.read(),
        'other read': other.call('GET', '/workgroups'),
        'other write': other.call('POST', '/workgroups', { cloud_provider_id: 'x' })
      })
      t.strictSame(order.slice(0, 2).sort(), ['other read', 'other write'])
      t.equal(order[2], 'move')
      t.equal(mock.plane.isHeld(moved.sandbox), false)
    }
  }
)

void t.test('a read that arrives before a move and continues after its start waits for its end', async (t) => {
  const mock = await buildMock(t)
  const moved = await busy(mock)
  hurry(t)
  const [read, move] = await Promise.all([
    moved.call('GET', '/workgroups/g/workspaces/w'),
    moved.control('POST', '/clock/advance', { by: 'PT20M' })
  ])
  t.equal(move.status, 200)
  t.ok(
    [at(0), (await moved.call('GET', '/workgroups/g/workspaces/w')).body.Result.last_modified_time].includes(
      read.body.Result.last_modified_time
    )
  )
})

void t.test('a move in slices has the same result, events, journal and coverage as one at once', async (t) => {
  const once: unknown[] = []
  for (const isSliced of [false, true]) {
    const mock = await buildMock(t, { seed: 5 })
    const b = await busy(mock, 'same')
    if (isSliced) hurry(t)
    const advance = (body: object) => b.controlResult('POST', '/clock/advance', body)
    const seen = [
      await advance({ by: 'PT15M' }),
      await advance({ until: { workspace_id: 'w', status: 'Stopped' } }),
      stateOf(b),
      await b.controlResult('GET', '/coverage'),
      await b.controlResult('GET', '/clock')
    ]
    const { events, changes } = await b.controlResult('GET', `/requests/${seen[0].fired[0].request_id}`)
    seen.push(events, changes)
    once.push(
      JSON.parse(
        JSON.stringify(seen)
          .replaceAll(/"(?:id|request_id|backup|auth_id|seed|password_hash)":"[^"]*"/g, '"id":"?"')
          .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '?')
      )
    )
  }
  t.strictSame(once[1], once[0])
})

void t.test('a move with until that fails after many slices leaves everything, records too, as it is', async (t) => {
  const mock = await buildMock(t)
  const b = await busy(mock)
  const { RequestID: id } = (await b.call('POST', '/workgroups/g/workspaces/w/refresh')).body
  const events = async () => (await b.controlResult('GET', `/requests/${id}`)).events as Body[]
  const [before, state] = [await events(), stateOf(b)]
  hurry(t)
  const until = { workspace_id: 'w', status: 'Failed' }
  t.equal((await b.control('POST', '/clock/advance', { until, max: 'PT10M' })).status, 400)
  t.strictSame(await events(), before)
  t.strictSame({ ...stateOf(b), random: 0 }, { ...state, random: 0 })
  await b.controlResult('POST', '/clock/advance', { by: 'PT1S' })
  t.match(await events(), [{ event: 'workspace.refresh', state: 'fired' }])
  t.equal((await events()).length, 1)
})

void t.test('a move with until that took many slices survives a restart, even if it failed', async (t) => {
  hurry(t)
  for (const [max, status] of [
    ['P1D', 200],
    ['PT10M', 400]
  ] as const) {
    const path = join(t.testdir(), 'a.db')
    const mock = await buildMock(t, { db: path })
    const b = await busy(mock, 'kept')
    const until = { workspace_id: 'w', status: 'Stopped' }
    t.equal((await b.control('POST', '/clock/advance', { until, max })).status, status)
    const state = stateOf(b)
    mock.plane.close()
    const again = await buildMock(t, { db: path })
    const sandbox = again.plane.sandboxes.find(sandboxIdOf('kept'))!
    t.equal(again.plane.isHeld(sandbox), false)
    t.strictSame(exportState(again.plane, sandbox), state, max)
    again.plane.close()
  }
})

/** Starts a long move of the clock, and does something to the server on the way. */
async function breakOff<T>(t: Test, b: TestSandbox, body: object, act: () => T): Promise<{ reply: Reply; acted: T }> {
  const slow = { reply: undefined as Reply | undefined, acted: undefined as T | undefined }
  await t.test('broken off', async (t) => {
    hurry(t)
    const moving = b.control('POST', '/clock/advance', body)
    for (let i = 0; i < 500; i++) await new Promise(setImmediate)
    slow.acted = act()
    slow.reply = await moving
  })
  return slow as { reply: Reply; acted: T }
}

const UNTIL = { until: { workspace_id: 'w', status: 'Resizing' }, max: 'P10D' }

void t.test('a crash during a move with until leaves the sandbox unchanged', async (t) => {
  const directory = t.testdir()
  const [path, copy] = [join(directory, 'a.db'), join(directory, 'copy.db')]
  const mock = await buildMock(t, { db: path })
  const b = await busy(mock, 'crashed')
  const before = stateOf(b)
  await breakOff(t, b, { until: UNTIL.until, max: 'PT3H' }, () => copyDatabase(path, copy))
  const again = await buildMock(t, { db: copy })
  const sandbox = again.plane.sandboxes.find(sandboxIdOf('crashed'))!
  t.equal(again.plane.isHeld(sandbox), false)
  t.equal((await again.call('GET', '/clock', { key: 'crashed', prefix: '/_mock' })).status, 200)
  t.strictSame({ ...exportState(again.plane, sandbox), random: 0 }, { ...before, random: 0 })
})

void t.test('a crash during a move leaves an earlier moment of it, from which it can be repeated', async (t) => {
  const directory = t.testdir()
  const [path, copy] = [join(directory, 'a.db'), join(directory, 'copy.db')]
  const mock = await buildMock(t, { db: path })
  const b = await busy(mock, 'crashed')
  const before = stateOf(b)
  await b.controlResult('PUT', '/state', before)
  await breakOff(t, b, { to: at(7200) }, () => copyDatabase(path, copy))
  const again = await buildMock(t, { db: copy })
  const [crashed, twin] = ['crashed', 'twin'].map((key) => callsOf(again, key)) as [Calls, Calls]
  const { now } = await crashed.controlResult('GET', '/clock')
  t.ok(now > at(0) && now < at(7200), now as string)
  await twin.controlResult('PUT', '/state', before)
  for (const to of [now, at(7200)]) {
    await twin.controlResult('POST', '/clock/advance', { to })
    if (to !== now) await crashed.controlResult('POST', '/clock/advance', { to })
    t.strictSame(await crashed.controlResult('GET', '/state'), await twin.controlResult('GET', '/state'), to as string)
  }
})

void t.test(
  'a server that closes ends a move with an error: events that ran are kept, a move with until is undone',
  async (t) => {
    for (const body of [UNTIL, { by: 'P10D' }]) {
      const path = join(t.testdir(), 'a.db')
      const mock = await buildMock(t, { db: path })
      const b = await busy(mock, 'closing')
      const before = stateOf(b)
      const { reply, acted } = await breakOff(t, b, body, () => {
        const waiting = b.call('GET', '/workgroups')
        mock.plane.stop()
        return waiting
      })
      matchError(t, reply, 'unavailable', 'closing')
      t.equal((await acted).status, 200, 'a read that waited is answered')
      mock.plane.close()
      const again = await buildMock(t, { db: path })
      const { controlResult, result } = callsOf(again, 'closing')
      const after = await controlResult('GET', '/state')
      if (body === UNTIL) t.strictSame({ ...after, random: 0 }, { ...before, random: 0 })
      else t.ok(after.timeline.length > before.timeline!.length)
      await controlResult('POST', '/reset')
      t.match(await controlResult('GET', '/state'), { workgroups: [], events: [], timeline: [] }, 'it can be reset')
      await result('POST', '/workgroups', { cloud_provider_id: 'x' })
      t.equal((await result('GET', '/workgroups')).length, 1)
      again.plane.close()
    }
  }
)

void t.test('a sandbox catches up in slices before a read, between which others are served', async (t) => {
  const mock = await buildMock(t)
  const [late, other] = [await busy(mock), await openSandbox(mock)]
  late.sandbox.clock = { ...late.sandbox.clock, base: Date.parse(at(3600)) }
  hurry(t)
  const order: string[] = []
  await inOrder(order, {
    late: late.call('GET', '/workgroups/g'),
    other: new Promise(setImmediate).then(() => other.call('GET', '/workgroups'))
  })
  t.strictSame(order, ['other', 'late'])
  t.ok((await late.timeline()).length > 100)
})

void t.test('a clock that cannot catch up continues from the last event, reports that, and logs it once', async (t) => {
  const { lines, logger } = logLines('warn')
  const mock = await buildMock(t, {}, logger)
  const b = await busy(mock)
  let wall = Date.parse(at(0))
  replaceMethod(t, Date, 'now', () => (wall += 10))
  await b.control('PUT', '/clock', { mode: 'real', rate: 1_000_000 })
  hurry(t)
  for (let i = 0; i < 3; i++) t.equal((await b.call('GET', '/workgroups')).status, 200)
  const clock = await b.controlResult('GET', '/clock')
  t.equal(clock.rate, 1_000_000)
  t.ok(clock.behind_ms > 0)
  t.match(lines, [{ level: 40, sandbox: b.sandbox.id.slice(0, 12), msg: /its clock continues from the last event/ }])
  t.equal(lines.length, 1)
  const set = await b.control('PUT', '/clock', { mode: 'frozen' })
  t.equal('behind_ms' in set.body.Result.clock, false, 'a clock that has been set is not behind')
})

void t.test(
  'a long list is read in slices, without writes between them, and once for all concurrent requests',
  async (t) => {
    const mock = await buildMock(t)
    const b = await openSandbox(mock)
    const workspaces = Array.from({ length: 2500 }, (_, i) => ({ id: `w${i}` }))
    await b.control('PUT', '/state', { workgroups: [{ id: 'g', name: 'old', workspaces }, { id: 'h' }] })
    const expected = (await b.call('GET', '/workgroups')).body.Result
    t.strictSame(
      (expected as { workspaces: { workspace_id: string }[] }[]).map((group) =>
        group.workspaces.map(({ workspace_id: id }) => id)
      ),
      [workspaces.map(({ id }) => id), []]
    )
    const other = await openSandbox(mock)
    await b.call('PUT', '/workgroups/g', { workgroup_name: 'old' })
    hurry(t)
    const order: string[] = []
    const reads = countCalls(t, 'workspaces', 'pages')
    const list = async () => {
      const { status, body } = await b.call('GET', '/workgroups')
      t.equal(status, 200)
      t.ok(JSON.stringify(body.Result) === JSON.stringify(expected), 'it is unchanged')
    }
    const lists = [list(), list()]
    await until(() => reads.count > 0)
    await inOrder(order, {
      first: lists[0]!,
      second: lists[1]!,
      one: b.call('GET', '/workgroups/h').then(({ body }) => {
        t.strictSame(body.Result, expected[1])
      }),
      write: b.call('PUT', '/workgroups/g', { workgroup_name: 'new' }),
      other: other.call('POST', '/workgroups', { cloud_provider_id: 'x' })
    })
    t.equal(order[0], 'other')
    t.equal(reads.count, 1)
    t.equal((await b.call('GET', '/workgroups')).body.Result[0].name, 'new')
  }
)

void t.test(
  'an export of a large sandbox is made once for all concurrent requests, and only a few long reads run at once',
  async (t) => {
    const mock = await buildMock(t)
    const sandboxes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const b = await openSandbox(mock)
        await b.control('PUT', '/state', { workgroups: [{ workspaces: Array(800).fill({}) }] })
        return b
      })
    )
    hurry(t)
    let [underWay, most] = [0, 0]
    const exports = countCalls(t, 'allowList', 'listAll')
    const texts = await Promise.all(
      sandboxes.flatMap((b) =>
        [1, 2, 3].map(async () => {
          most = Math.max(most, ++underWay)
          const { body } = await b.control('GET', '/state')
          underWay--
          return JSON.stringify(body.Result)
        })
      )
    )
    t.equal(most, 24)
    t.equal(new Set(texts).size, 8)
    t.ok(exports.count < 24, `made ${exports.count} times for 24 who asked`)
    for (const [index, b] of sandboxes.entries()) t.equal(texts[index * 3], JSON.stringify(stateOf(b)))
  }
)
