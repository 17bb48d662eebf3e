import t, { type Test } from 'tap'
import { EventHub } from '../../src/journal/event-hub.js'
import type { Slices } from '../../src/lib/scheduler.js'
import type { Origin } from '../../src/resources/control-plane.js'
import { MANY } from '../../src/sandboxes/store.js'
import { breakCommits } from '../broken-disk.js'
import { buildMock, doInOneSlice, replaceMethod, untilRemoved } from '../helper.js'
import { at, openSandbox, START } from '../sandbox.js'
import { holdWall } from '../wall.js'

const NONE = { rw_workspaces: null, ro_workspaces: null, manual_backups: null, automatic_backups: null }

type Stage = Awaited<ReturnType<typeof open>>

/** A sandbox, with somebody who listens. */
async function open(t: Test) {
  doInOneSlice(t)
  const b = await openSandbox(await buildMock(t))
  const { sandbox } = b
  const { plane } = b.mock
  /** What listeners have been told. */
  const told: string[] = []
  ;(sandbox.eventHub = new EventHub()).listen(
    { send: () => undefined, end: () => undefined },
    ({ kind }) => {
      told.push(kind)
      return {}
    },
    undefined
  )
  return {
    ...b,
    plane,
    /** The author of changes with this RequestID. */
    by: (id = 'x'): Origin => ({ sandbox, id }),
    /** Sets a quota, which stands for whatever is changed. */
    set: (maximum: number, key = sandbox.key) =>
      plane.storesOf({ ...sandbox, key }).quotas.set('rw_workspaces', maximum),
    quotas: () => plane.storesOf(sandbox).quotas.list(),
    told
  }
}

/** Lets each look at the time find that it is up. */
function hurry(t: Test): void {
  let now = 0
  replaceMethod(t, performance, 'now', () => (now += 100))
}

/** Steps, each in a slice of its own. */
const inSlices = (...steps: (() => void)[]) =>
  function* (): Slices<string> {
    for (const step of steps) {
      step()
      yield
    }
    return 'done'
  }

const nothing = () => undefined
const fails = () => {
  throw new Error('no')
}

void t.test('each slice of a change is kept even if a later one fails', async (t) => {
  const { plane, sandbox, by, set, quotas, told } = await open(t)
  const work = plane.writeInSlices(
    by(),
    inSlices(
      () => set(1),
      () => set(2),
      () => {
        set(3)
        fails()
      }
    )
  )
  await t.rejects(work, { message: 'no' })
  t.match(quotas(), { rw_workspaces: 2 })
  t.strictSame(told, ['state', 'state'])
  const changes = sandbox.journal.find('x')!.notes.flatMap((note) => note.changes)
  const maxima = changes.map((change) => plane.describeChange(change).after?.maximum)
  t.strictSame(maxima, [1, 2])
})

void t.test('a trial that takes more than a slice starts over with the same ids, and is reported once', async (t) => {
  const { plane, sandbox, by, set, quotas, told } = await open(t)
  const ids: string[] = []
  const trial = plane.tryInSlices(by('trial'), function* (): Slices<number> {
    ids.push(sandbox.ids.uuid())
    for (let i = 1; i < 5; i++) {
      set(i)
      yield
      t.strictSame(told, [], 'nothing is told on the way')
    }
    return ids.length
  })
  t.equal(await trial, 2)
  t.equal(ids[0], ids[1])
  t.match(quotas(), { rw_workspaces: 4 })
  t.strictSame(told, ['state'])
  t.match(sandbox.journal.find('trial'), { notes: [{ changes: { length: 4 } }], omitted: 0 })

  const short = plane.tryInSlices(by(), function* (): Slices<number> {
    ids.push(sandbox.ids.uuid())
    return ids.length
  })
  t.equal(await short, 3, 'what fits into one is made once')
  t.equal(new Set(ids).size, 2)
  t.strictSame(told, ['state', 'state'])
})

void t.test('a failed trial leaves nothing, however much it has changed', async (t) => {
  const b = await open(t)
  const { plane, sandbox, by, set, quotas, told } = b
  const steps = Array.from({ length: 250 }, (_, i) => () => set(i))
  const { clock } = sandbox
  let begun = 0
  for (const trial of [
    inSlices(...steps, fails),
    inSlices(() => plane.engine.setClock(sandbox, { ...clock, base: START + 5000 }), fails),
    function* (): Slices<string> {
      set(1)
      begun++
      return fails()
    }
  ]) {
    await t.rejects(plane.tryInSlices(by(), trial), { message: 'no' })
    t.strictSame(quotas(), NONE)
    t.strictSame(sandbox.clock, clock)
    t.strictSame(told, [])
    t.equal(sandbox.journal.find('x'), undefined)
    t.notOk(plane.isHeld(sandbox))
  }
  t.equal(begun, 1, 'what fails at once is not tried again')
})

void t.test('trials of several sandboxes run one after another', async (t) => {
  const a = await open(t)
  const b = await openSandbox(a.mock)
  const log: string[] = []
  const trial = (name: string) =>
    inSlices(
      () => log.push(`${name} begins`),
      ...Array<() => void>(5).fill(nothing),
      () => log.push(`${name} ends`)
    )
  await Promise.all([
    a.plane.tryInSlices(a.by(), trial('a')),
    a.plane.tryInSlices({ sandbox: b.sandbox, id: 'y' }, trial('b'))
  ])
  const end = log.findIndex((what) => what.endsWith('ends'))
  const second = log[end] === 'a ends' ? 'b' : 'a'
  t.ok(log.lastIndexOf(`${second} begins`) > end)
  t.equal(log.at(-1), `${second} ends`)
})

void t.test('a trial leaves everything unchanged, whichever of its commits fails', async (t) => {
  const disk = breakCommits(t)
  const b = await open(t)
  const { mock, plane, sandbox, by, set, quotas, told } = b
  set(7)
  hurry(t)
  const trial = (id: string) =>
    plane.tryInSlices(by(id), inSlices(...[1, 2, 3, 4].map((maximum) => () => set(maximum))))
  let passes = 0
  for (; ; passes++) {
    disk.failAt = disk.commits + passes
    const outcome = await trial('trial').catch((error: unknown) => error)
    disk.failAt = Infinity
    t.notOk(plane.isHeld(sandbox))
    if (outcome === 'done') break
    t.match(outcome, { code: 'SQLITE_IOERR' })
    t.match(quotas(), { rw_workspaces: 7 }, `commit ${passes}`)
    t.strictSame(told, [])
    t.equal(sandbox.journal.find('trial'), undefined)
    plane.sandboxes.store.dropAllDrafts()
    plane.sandboxes.sweep()
    await untilRemoved(mock)
    t.match(quotas(), { rw_workspaces: 7 })
    t.match(plane.sandboxes.store.find(sandbox.id), { key: sandbox.key })
  }
  t.ok(passes > 5)
  t.match(quotas(), { rw_workspaces: 4 })
})

/** Fills a sandbox with a quota, in two steps. */
function filling({ set }: Stage, maximum: number) {
  return function* ({ key }: { readonly key: number }): Slices<void> {
    yield
    set(maximum, key)
  }
}

void t.test('after a failed commit, the clock still runs', async (t) => {
  const disk = breakCommits(t)
  const b = await open(t)
  const { plane, sandbox, by, set, quotas } = b
  holdWall(t, at(1000))
  await b.controlResult('PUT', '/clock', { mode: 'real', now: at(0) })
  disk.fail = true
  const refused = plane.write(by(), () => set(5))
  await t.rejects(refused, { code: 'SQLITE_IOERR' })
  disk.fail = false
  t.strictSame(quotas(), NONE)
  t.equal(plane.engine.now(sandbox), START)
})

void t.test('a sandbox is not taken for an unused one because its first write failed', async (t) => {
  const disk = breakCommits(t)
  const { plane, call } = await buildMock(t)
  const create = () => call('POST', '/workgroups', { key: 'new', body: { cloud_provider_id: 'x' } })
  await call('GET', '/workgroups', { key: 'new' })
  disk.fail = true
  t.equal((await create()).status, 503)
  disk.fail = false
  t.equal((await create()).status, 200)
  t.equal(plane.sandboxes.store.longestEmpty(Infinity, '[]'), undefined, 'another one would replace it')
})

void t.test("a refused change does not set the clock back if the machine's clock goes back", async (t) => {
  const wall = holdWall(t, at(1000))
  const b = await open(t)
  const { plane, sandbox, by } = b
  await b.controlResult('PUT', '/clock', { mode: 'real', now: at(0) })
  wall.now += 9000
  t.equal(plane.engine.now(sandbox), START + 9000)
  const refused = plane.write(by(), () => {
    wall.now -= 5000
    fails()
  })
  await t.rejects(refused, { message: 'no' })
  t.equal(plane.engine.now(sandbox), START + 9000)
})

void t.test('events before a change are not reported if the commit fails', async (t) => {
  const disk = breakCommits(t)
  const b = await open(t)
  const { plane, sandbox, by, told } = b
  await b.result('POST', `/workgroups/${await b.createWorkgroup()}/workspaces`, {})
  plane.engine.setClock(sandbox, { ...sandbox.clock, base: START + 2000 })
  told.length = 0
  for (const code of ['SQLITE_FULL', 'SQLITE_CORRUPT']) {
    Object.assign(disk, { fail: true, code })
    await t.rejects(plane.write(by(), nothing), { code })
    t.strictSame(told, [], code)
  }
})

void t.test("a small replacement keeps the sandbox's key, and a large one is built beside it", async (t) => {
  const wall = holdWall(t, at(1000))
  const b = await open(t)
  const { plane, sandbox, by, set, quotas, told } = b
  for (const rows of [MANY / 2, MANY + 1]) {
    const { key, orgId } = sandbox
    told.length = 0
    set(rows)
    const work = plane.replace(by('replacement'), filling(b, rows + 1), { by: 'import', rows })
    t.equal(plane.isHeld(sandbox), rows > MANY)
    await work
    t.equal(sandbox.key !== key, rows > MANY, `${rows} rows`)
    t.match(quotas(), { rw_workspaces: rows + 1 })
    t.strictSame(told, ['reset'], 'once')
    t.strictSame(sandbox.journal.find('replacement'), undefined, 'not row by row')
    t.notOk(plane.isHeld(sandbox))
    t.match(plane.sandboxes.store.find(sandbox.id), { key: sandbox.key, orgId })
    t.equal(plane.engine.now(sandbox), rows > MANY ? wall.now : START, 'it has the clock of a new one')
    t.equal(sandbox.nextDue, Infinity)
    await untilRemoved(b.mock)
  }
  t.equal(plane.sandboxes.store.count(), 1)
})

void t.test('a removed sandbox is not replaced', async (t) => {
  const b = await open(t)
  await b.plane.sandboxes.remove(b.sandbox)
  for (const rows of [1, MANY + 1])
    await t.rejects(b.plane.replace(b.by(), filling(b, 7), { by: 'import', rows }), {
      name: 'ServiceError',
      condition: 'notAllowed'
    })
})

void t.test('a failed large replacement leaves everything unchanged, and no draft', async (t) => {
  const b = await open(t)
  const { plane, sandbox, by, set, quotas, told } = b
  const { store } = plane.sandboxes
  set(5)
  const { key } = sandbox
  for (const failing of [1, 3]) {
    let step = 0
    const broken = plane.replace(
      by(),
      function* () {
        for (;;) {
          if (++step === failing) fails()
          yield
        }
      },
      { by: 'import', rows: MANY + 1 }
    )
    await t.rejects(broken, { message: 'no' })
    t.equal(step, failing)
    t.equal(sandbox.key, key)
    t.match(quotas(), { rw_workspaces: 5 })
    t.strictSame(told, [])
    await plane.probe()
    await untilRemoved(b.mock)
    store.dropAllDrafts()
    t.notOk(store.hasRemoved())
  }
  await plane.write(by('after'), () => set(6))
  t.match(sandbox.journal.find('after'), { notes: [{ changes: { length: 1 } }] }, 'the next change is recorded')
})

void t.test('a write stores the ids that it has drawn and the time that it has shown', async (t) => {
  const b = await open(t)
  const { plane, sandbox, by } = b
  const stored = () => plane.sandboxes.store.find(sandbox.id)!
  await plane.write(by(), () => sandbox.ids.uuid())
  t.strictSame(stored().random, sandbox.random)
  await t.rejects(
    plane.write(by(), () => {
      sandbox.ids.uuid()
      fails()
    })
  )
  t.strictSame(stored().random, sandbox.random, 'also if it is refused')
  const random = { seed: 'c'.repeat(24), draws: 7 }
  await plane.write(by(), () => {
    plane.sandboxes.setIdentity(sandbox, { orgId: 'o', orgName: 'O', random: { ...random } })
    for (let i = 0; i < 3; i++) sandbox.ids.uuid()
  })
  t.strictSame(stored().random, { ...random, draws: 10 })

  const wall = holdWall(t, at(1000))
  await b.controlResult('PUT', '/clock', { mode: 'real', now: at(0) })
  wall.now += 5000
  await plane.write(by(), nothing)
  t.equal(stored().use.shown, START + 5000)
})
