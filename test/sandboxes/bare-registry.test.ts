import type { Test } from 'tap'
import t from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { ChangeLog } from '../../src/journal/change-log.js'
import { EventHub } from '../../src/journal/event-hub.js'
import { Journal } from '../../src/journal/journal.js'
import { machineTime } from '../../src/lib/time.js'
import type { SandboxLimits } from '../../src/sandboxes/capacity.js'
import { LOADED, REST } from '../../src/sandboxes/loaded.js'
import { type Filling, SandboxRegistry } from '../../src/sandboxes/registry.js'
import type { Sandbox } from '../../src/sandboxes/sandbox.js'
import { MANY } from '../../src/sandboxes/store.js'
import { seedSource } from '../../src/sim/random.js'
import { pluck, replaceMethod, until } from '../helper.js'
import { START } from '../sandbox.js'
import { holdWall } from '../wall.js'

// The registry by itself, without a server or resources.

const filled = (rows: number, steps: number, step: (sandbox: Sandbox) => void): Filling => ({
  rows: () => rows,
  fill: function* (sandbox) {
    for (let i = 0; i < steps; i++) {
      step(sandbox)
      yield
    }
  }
})
const EMPTY = filled(0, 1, () => undefined)

function open(t: Test, limits: Partial<SandboxLimits> = {}) {
  const wall = holdWall(t)
  const db = openDatabase(':memory:', [], machineTime)
  t.teardown(() => db.close())
  /** Ids of the sandboxes for which memory was made. */
  const made: string[] = []
  /** The registry of another run of the server, for the same database. */
  const restart = (run = 1) =>
    new SandboxRegistry(db, { count: 1000, idle: Infinity, kept: [], ...limits }, seedSource(1, run), EMPTY, (id) => {
      made.push(id)
      const journal = new Journal({ requests: 10, bytes: 1_000_000 })
      return { journal, changes: new ChangeLog({ steps: 0, bytes: 0 }), recorder: undefined }
    })
  const rows = db.prepare<[], { count: number }>('SELECT count(*) AS count FROM sandboxes')
  const registry = restart()
  return {
    db,
    registry,
    restart,
    wall,
    made,
    /** Number of rows of sandboxes, those that are hidden included. */
    rows: () => rows.get()!.count,
    /** Stores a sandbox that is not in memory yet, and loads it. */
    load: (id: string) => {
      registry.store.insert({ id, random: { seed: id, draws: 0 } })
      registry.find(id)
    },
    /** Waits until what was queued to be written is. */
    settle: async () => {
      for (let i = 0; i < 3; i++) await db.write(() => undefined)
    }
  }
}

/** A registry in which fewer sandboxes stay in memory. */
function openFew(t: Test, always: number) {
  const usual = { ...LOADED }
  Object.assign(LOADED, { always, atMost: 8 })
  t.teardown(() => Object.assign(LOADED, usual))
  return open(t)
}

/** Lets somebody listen to a sandbox. */
function listen(sandbox: Sandbox): void {
  sandbox.eventHub = new EventHub()
  sandbox.eventHub.listen({ send: () => undefined, end: () => undefined }, () => ({}), undefined)
}

void t.test('a small sandbox is filled at once, and a large one as a draft, in slices', async (t) => {
  let now = 0
  replaceMethod(t, performance, 'now', () => now)
  const { registry, rows, made } = open(t)
  const seen: string[] = []
  const filling = (size: number) =>
    filled(size, 10, ({ id }) => {
      now += 100
      seen.push(id)
    })
  await registry.create('small', { filling: filling(MANY) })
  t.strictSame(seen, Array(10).fill('small'))
  seen.length = 0
  const large = registry.create('large', { filling: filling(MANY + 1), expires: 9e12 })
  await registry.create('other')
  t.ok(seen.length < 10, `${seen.length} steps`)
  const sandbox = await large
  t.equal(seen.length, 10)
  t.ok(seen.every((id) => id !== 'large'))
  t.equal(sandbox.id, 'large')
  t.equal(registry.find('large'), sandbox)
  t.match(registry.store.find('large'), { key: sandbox.key, expires: 9e12 })
  t.strictSame([registry.store.count(), rows()], [3, 3])
  t.strictSame(made, ['small', 'large', 'other'], 'recordings are named after the sandbox, not after its draft')
})

void t.test('a sandbox that cannot be filled leaves nothing, and can be created again', async (t) => {
  const { registry, rows } = open(t)
  for (const size of [MANY, MANY + 1]) {
    let steps = 0
    const broken = filled(size, 5, () => {
      if (++steps === 3) throw new Error('no')
    })
    await t.rejects(registry.create('a', { filling: broken }), { message: 'no' })
    t.equal(registry.find('a'), undefined)
    await until(() => rows() === 0)
    t.equal(registry.store.count(), 0)
  }
  t.ok(await registry.create('a'))
})

void t.test('a draft of an earlier server run is removed', async (t) => {
  const { db, registry, restart, rows, settle } = open(t)
  await registry.create('kept')
  await db.write(() => db.atomic(() => registry.store.insertDraft({ random: { seed: 'draft', draws: 0 } })))
  restart()
  await settle()
  t.equal(rows(), 1)
})

void t.test('a purge removes 100 sandboxes per transaction, but none that is kept or has listeners', async (t) => {
  const { db, registry, wall, rows } = open(t, { kept: ['kept'] })
  listen(await registry.create('listened'))
  await registry.create('kept')
  const idle = await Promise.all(Array.from({ length: 150 }, (_, i) => registry.create(`${i}`)))
  idle[0]!.journal.note({ id: 'x', fired: undefined, changes: [[0, '']] })
  wall.now += 1000
  const counts: number[] = []
  const { write } = db
  db.write = (run, lane, place) =>
    write(
      () => {
        const result = run()
        counts.push(registry.store.count())
        return result
      },
      lane,
      place
    )
  t.equal(await registry.purge(1000), 150)
  t.equal(counts[0], 52)
  t.ok(idle.every(({ isRemoved }) => isRemoved))
  t.strictSame(idle[0]!.journal.records(), [])
  t.strictSame(pluck(registry.store.list(0, 1000), 'id'), ['listened', 'kept'])
  await until(() => rows() === 2)
  t.equal(await registry.purge(1000), 0, 'to be listened to is to be used')
})

void t.test('sandboxes in use stay in memory, up to a maximum number', async (t) => {
  const { registry, settle } = openFew(t, 5)
  for (let i = 1; i <= 8; i++) {
    await registry.create(`${i}`)
    await settle()
    t.equal(registry.loaded.size, i)
  }
  for (let i = 9; i <= 20; i++) {
    await registry.create(`${i}`)
    await settle()
    t.ok(registry.loaded.size <= 8, `${registry.loaded.size} of ${i}`)
    t.ok(registry.loaded.peek(`${i}`))
  }
  t.equal(registry.store.count(), 20)
})

void t.test('a few sandboxes stay in memory, however long unused', async (t) => {
  const { registry, wall, settle, load } = openFew(t, 5)
  for (let i = 1; i <= 5; i++) {
    load(`${i}`)
    wall.now += REST
    await settle()
    t.equal(registry.loaded.size, i)
  }
})

void t.test('unloading a sandbox stores its last use, its time, and its RequestIDs', async (t) => {
  const { registry, restart, wall, settle, load } = openFew(t, 1)
  const sandbox = await registry.create('a')
  wall.now += 10
  registry.find('a')
  sandbox.shown = START + 20
  const ids = [sandbox.requestIds.uuid(), sandbox.requestIds.uuid()]
  wall.now += REST
  load('b')
  await settle()
  t.equal(registry.loaded.peek('a'), undefined)
  t.match(registry.store.find('a')?.use, { last: START + 10, shown: START + 20, requests: { draws: 2 } })
  t.notOk(ids.includes(restart().find('a')!.requestIds.uuid()), 'the stream goes on')
  t.equal(restart(2).find('a')!.requestRandom.draws, 0, 'another run has another stream')
})

void t.test('unused sandboxes are unloaded, except recent ones and those with listeners', async (t) => {
  const { registry, wall, settle, load } = openFew(t, 5)
  for (let i = 1; i <= 8; i++) await registry.create(`${i}`)
  listen(registry.loaded.peek('2')!)
  wall.now += REST - 1
  load('early')
  await settle()
  t.ok(registry.loaded.peek('3'))
  wall.now += 1
  for (let i = 0; i < 5; i++) {
    registry.find('8')
    load(`late ${i}`)
    await settle()
  }
  t.equal(registry.loaded.peek('3'), undefined)
  t.ok(registry.loaded.peek('8'), 'it was used')
  t.ok(registry.loaded.peek('2'), 'somebody listens')
  t.ok(registry.loaded.size >= 5)
})

/** A sandbox that is about to be unloaded, because another was loaded. */
async function openUnloading(t: Test) {
  const bare = openFew(t, 1)
  const sandbox = await bare.registry.create('a')
  sandbox.journal.note({ id: 'x', fired: undefined, changes: [[0, '']] })
  sandbox.coverage.countFault('x')
  bare.wall.now += REST
  bare.load('b')
  return { ...bare, sandbox }
}

void t.test('a sandbox that is used while it is being unloaded stays, with its records', async (t) => {
  const { registry, settle, sandbox } = await openUnloading(t)
  t.equal(registry.find('a'), sandbox)
  await settle()
  t.equal(registry.loaded.peek('a'), sandbox)
  t.equal(sandbox.journal.records().length, 1)
})

void t.test('an unloaded sandbox that a request still holds stays the same object', async (t) => {
  const { registry, settle, sandbox } = await openUnloading(t)
  await settle()
  t.equal(registry.loaded.peek('a'), undefined)
  t.strictSame([sandbox.journal.records(), sandbox.coverage.of('faults').size], [[], 0], 'without what it has recorded')
  t.equal(registry.find('a'), sandbox)
  t.equal(registry.loaded.peek('a'), sandbox)
})

void t.test('a sandbox that is removed while it is being unloaded, or later, does not return', async (t) => {
  for (const isUnloaded of [false, true]) {
    const { registry, settle, sandbox } = await openUnloading(t)
    if (isUnloaded) await settle()
    t.equal(registry.loaded.peek('a'), isUnloaded ? undefined : sandbox)
    await registry.remove(sandbox)
    await settle()
    const next = await registry.open('a')
    t.not(next, sandbox)
    await t.rejects(registry.remove(sandbox), { name: 'ServiceError', condition: 'notAllowed' })
    t.equal(next.isRemoved, false)
  }
})

void t.test('a sandbox whose use cannot be stored stays in memory, and is unloaded later', async (t) => {
  const { db, registry, wall, settle, load } = openFew(t, 1)
  const sandbox = await registry.create('a')
  wall.now += REST
  const { write } = db
  db.write = () => Promise.reject(new Error('the disk is full'))
  load('b')
  await new Promise(setImmediate)
  db.write = write
  await settle()
  t.equal(registry.loaded.peek('a'), sandbox)
  for (let i = 0; i < 3; i++) {
    wall.now += REST
    load(`c${i}`)
    await settle()
  }
  t.equal(registry.loaded.peek('a'), undefined)
})
