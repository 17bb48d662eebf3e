import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { until } from '../helper.js'

/** A database whose writes take a given time. */
function openTimed(t: Test) {
  const clock = { now: 1000 }
  const did: string[] = []
  const db = openDatabase(':memory:', [], () => clock.now)
  t.teardown(() => db.close())
  const write = (name: string, milliseconds: number, flow?: unknown, place?: 'turn' | 'slice' | 'rest') =>
    db.write(
      () => {
        did.push(name)
        clock.now += milliseconds
      },
      flow,
      place
    )
  return {
    db,
    clock,
    did,
    write,
    /** Makes the event loop catch up with other work, so that long work waits. */
    makeBusy: async () => {
      await write('long', 15)
      did.length = 0
    },
    rested: () => until(() => !db.scheduler.isBusy)
  }
}

/** @returns a function that says whether something is done */
function watch(promise: Promise<unknown>): () => boolean {
  let isDone = false
  void promise.then(() => (isDone = true))
  return () => isDone
}

/** Number of turns of the event loop until something is done. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  const isOver = watch(done)
  let turns = 0
  while (!isOver()) {
    await new Promise(setImmediate)
    turns++
  }
  return turns
}

/** The names of the writes in each turn of the event loop. */
async function perTurn(did: string[], writes: Promise<unknown>[]): Promise<string[]> {
  const seen: string[] = []
  let told = did.length
  const isOver = watch(Promise.all(writes))
  while (!isOver()) {
    await new Promise(setImmediate)
    if (did.length > told) seen.push(did.slice(told).join(' '))
    told = did.length
  }
  return seen
}

/** More turns than a write takes that need not wait. */
const MANY = 10

void t.test('a write is committed at once, but after long work only when others had their turn', async (t) => {
  const { write, rested } = openTimed(t)
  t.equal(await turnsUntil(write('a', 1)), 1)
  t.equal(await turnsUntil(write('b', 14)), 1)
  t.equal(await turnsUntil(write('long', 15)), 1)
  t.ok((await turnsUntil(write('c', 1))) > MANY)
  await rested()
  t.equal(await turnsUntil(write('d', 1)), 1)
})

void t.test('after long work, only flows known to be light need not wait', async (t) => {
  const { db, write, makeBusy, rested } = openTimed(t)
  const heavy = {}
  await write('much', 60, heavy)
  await rested()
  for (const [flow, waits] of [
    [{}, false],
    [undefined, true],
    [heavy, true]
  ] as const) {
    await makeBusy()
    t.equal(db.scheduler.isBusy, true)
    t.equal((await turnsUntil(write('x', 1, flow))) > MANY, waits)
    await rested()
  }
})

void t.test('short writes of one turn share a transaction until 15 ms are used up', async (t) => {
  const { did, write, makeBusy, rested } = openTimed(t)
  const writeAll = (lengths: readonly number[]) =>
    lengths.map((milliseconds, index) => write(String(index), milliseconds, {}))
  t.strictSame(await perTurn(did, writeAll([10, 10, 1, 1])), ['0 1', '2 3'])
  await rested()
  t.strictSame(await perTurn(did, writeAll([5, 11, 11, 1])), ['0 1', '2 3'])
  await rested()
  t.equal(await turnsUntil(Promise.all(writeAll([5, 11, 11, 1]))), 2, 'the rest comes next')
  await rested()
  await makeBusy()
  t.strictSame(await perTurn(did, writeAll([1, 14, 11, 3])), ['0 1', '2 3'], 'even after long work')
})

void t.test('sliced work that waits for its flow lets others go first', async (t) => {
  const { did, write } = openTimed(t)
  const flow = {}
  const [turn, slice] = [write('turn', 1, flow), write('slice', 1, flow, 'slice')]
  t.equal(await turnsUntil(turn), 1)
  t.strictSame(did, ['turn'])
  t.ok((await turnsUntil(slice)) > MANY)
})

void t.test('flows take turns, each in order of arrival, and the rest is left for the next transaction', async (t) => {
  const { write, did } = openTimed(t)
  const writes = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => write(name, 12, name[0]))
  t.strictSame(await perTurn(did, writes), ['a1 b1', 'c1 a2', 'a3'])
})

void t.test('short writes precede slices, of which at least one runs, and no flow is overtaken', async (t) => {
  const { db, write, did } = openTimed(t)
  const goOn = async (flow: string, times: number) => {
    for (let i = 1; i <= times; i++) await write(`${flow}${i}`, 40, flow, i === 1 ? 'slice' : 'rest')
  }
  const writes = [
    goOn('A', 2),
    goOn('B', 2),
    write('a', 1, 'A'),
    write('c', 1, 'C'),
    write('d', 40, 'D'),
    write('e', 1, 'E')
  ]
  const held = ['A', 'C', 'nobody'].map((flow) => db.commits.isHeld(flow))
  t.strictSame(held, [true, false, false])
  const waiting = ['A', 'nobody'].map((flow) => db.commits.isWaiting(flow))
  t.strictSame(waiting, [true, false])
  t.strictSame(await perTurn(did, writes), ['c d A1', 'e', 'B1', 'A2', 'a', 'B2'])
  t.strictSame([db.commits.isHeld('A'), db.commits.isWaiting('A')], [false, false])
})

void t.test('when SQLite gives the whole transaction up, each writer hears why', async (t) => {
  const { db } = openTimed(t)
  db.prepare('CREATE TABLE scratch (value INTEGER PRIMARY KEY) STRICT').run()
  const insert = db.prepare('INSERT OR ROLLBACK INTO scratch VALUES (1)')
  const add = () => db.write(() => db.atomic(() => insert.run()))
  const outcomes = await Promise.allSettled([add(), add(), add()])
  t.match(
    outcomes,
    Array.from({ length: 3 }, () => ({ status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } }))
  )
  await add()
  t.strictSame(db.prepare('SELECT value FROM scratch').pluck().all(), [1], 'and the next transaction works')
})
