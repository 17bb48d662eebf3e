import type { Test } from 'tap'
import t from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { SLICE_MS, type Slices } from '../../src/lib/scheduler.js'
import { machineTime } from '../../src/lib/time.js'
import { LongReads } from '../../src/sandboxes/long-reads.js'
import type { Sandbox } from '../../src/sandboxes/sandbox.js'
import { replaceMethod } from '../helper.js'

/** A clock of the machine that only the reads move. */
function open(t: Test) {
  const clock = { now: 0 }
  replaceMethod(t, performance, 'now', () => clock.now)
  const db = openDatabase(':memory:', [], machineTime)
  t.teardown(() => db.close())
  const log: string[] = []
  const note = (what: string) => () => log.push(what)
  /** A read that takes so many slices, and then ends. */
  const reading = (name: string, slices: number) =>
    function* (isTimeUp: () => boolean): Slices<string> {
      log.push(`${name} begins`)
      for (let i = 1; i < slices; i++) {
        clock.now += SLICE_MS
        if (isTimeUp()) yield
      }
      log.push(`${name} ends`)
      return name
    }
  return { clock, db, reads: new LongReads(db), log, note, reading }
}

const newSandbox = () => ({ isRemoved: false, longReads: 0 }) as Partial<Sandbox> as Sandbox

void t.test('a read that fits into a slice runs at once', async (t) => {
  const { clock, reads } = open(t)
  clock.now = 1000
  const sandbox = newSandbox()
  const result = reads.read(sandbox, function* (isTimeUp) {
    clock.now += SLICE_MS - 1
    if (isTimeUp()) yield
    return 5
  })
  t.equal(result, 5)
  t.notOk(sandbox.longReads > 0)
})

void t.test('a read waits for earlier writes in its sandbox, and sees their changes', async (t) => {
  const { clock, db, reads } = open(t)
  const sandbox = newSandbox()
  let [value, begun] = [1, 0]
  const write = db.write(() => (value = 2), sandbox)
  const read = reads.read(sandbox, function* (isTimeUp) {
    begun++
    const seen = value
    for (let i = 0; i < 3; i++) {
      clock.now += SLICE_MS
      if (isTimeUp()) yield
    }
    return seen
  })
  t.notOk(sandbox.longReads > 0, 'it has to wait')
  await write
  t.equal(await read, 2)
  t.equal(begun, 2)
  t.notOk(sandbox.longReads > 0)
})

void t.test('at most four long reads run at a time; others wait, and start over', async (t) => {
  const { reads, log, reading } = open(t)
  for (let round = 0; round < 2; round++) {
    log.length = 0
    const sandboxes = Array.from({ length: 6 }, newSandbox)
    const all = sandboxes.map(async (sandbox, index) => reads.read(sandbox, reading(`${index}`, 5)))
    const areReading = sandboxes.map((sandbox) => sandbox.longReads > 0)
    t.strictSame(areReading, [true, true, true, true, false, false])
    t.strictSame(await Promise.all(all), ['0', '1', '2', '3', '4', '5'])
    const begins = (name: string) => log.filter((what) => what === `${name} begins`).length
    t.strictSame(['0', '1', '2', '3', '4', '5'].map(begins), [1, 1, 1, 1, 2, 2])
    t.ok(log.lastIndexOf('4 begins') > log.findIndex((what) => what.endsWith('ends')))
    t.notOk(sandboxes.some((sandbox) => sandbox.longReads > 0))
  }
})

void t.test('a read that fails, or whose sandbox is removed, blocks no other', async (t) => {
  const { clock, db, reads, reading } = open(t)
  const failing = newSandbox()
  const read = reads.read(failing, function* (isTimeUp): Slices<void> {
    clock.now += SLICE_MS
    if (isTimeUp()) yield
    throw new Error('no')
  })
  await t.rejects(Promise.resolve(read), { message: 'no' })

  const removed = newSandbox()
  const broken = reads.read(removed, reading('broken', 3))
  removed.isRemoved = true
  await t.rejects(Promise.resolve(broken), { name: 'ServiceError', condition: 'notAllowed' })

  const early = newSandbox()
  const removal = db.write(() => (early.isRemoved = true), early)
  const waiting = reads.read(early, reading('waiting', 3))
  await removal
  await t.rejects(Promise.resolve(waiting), { name: 'ServiceError', condition: 'notAllowed' })
  for (const sandbox of [failing, removed, early]) t.notOk(sandbox.longReads > 0)
  // There is room for as many as before.
  const all = Array.from({ length: 4 }, newSandbox)
  const four = all.map(async (sandbox) => reads.read(sandbox, reading('one of four', 3)))
  t.ok(all.every((sandbox) => sandbox.longReads > 0))
  await Promise.all(four)
})
