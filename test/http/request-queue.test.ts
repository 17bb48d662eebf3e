import t, { type Test } from 'tap'
import { RequestQueue } from '../../src/http/request-queue.js'
import { Scheduler } from '../../src/lib/scheduler.js'
import { replaceMethod, until } from '../helper.js'

/** A queue, whose requests take some milliseconds of a clock that stands still otherwise. */
function open(t: Test) {
  let now = 0
  replaceMethod(t, performance, 'now', () => now)
  const scheduler = new Scheduler(() => now)
  const queue = new RequestQueue(scheduler)
  const went: string[] = []
  const add = (flow: unknown, name: string, milliseconds: number, isLong?: boolean) => {
    const goOn = () => {
      went.push(name)
      now += milliseconds
    }
    queue.add(flow, goOn, isLong)
  }
  return { scheduler, went, add }
}

void t.test('requests continue in the next turn, fairly between sandboxes, or in a later one', async (t) => {
  const { went, add } = open(t)
  for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name, 12)
  add('b', 'b1', 1)
  t.strictSame(went, [])
  await new Promise(setImmediate)
  t.strictSame(went, ['a1', 'b1', 'a2'])
  add('c', 'c1', 1)
  await until(() => went.length === 6)
  t.strictSame(went, ['a1', 'b1', 'a2', 'a3', 'c1', 'a4'])
  add('a', 'a5', 0)
  await new Promise(setImmediate)
  t.equal(went.at(-1), 'a5')
})

void t.test('light sandboxes do not wait for long work, but let others in between', async (t) => {
  const { scheduler, went, add } = open(t)
  scheduler.rest()
  for (const name of ['a', 'b', 'c', 'd', 'e']) add({ name }, name, 12)
  const counts: number[] = []
  while (went.length < 5) {
    await new Promise(setImmediate)
    counts.push(went.length)
  }
  t.strictSame(went, ['a', 'b', 'c', 'd', 'e'])
  t.strictSame([...new Set(counts)], [2, 4, 5])
})

void t.test('light sandboxes do not wait for long work that is added after the turn they were left in', async (t) => {
  const { scheduler, went, add } = open(t)
  for (const name of ['a', 'b']) add({ name }, name, 30)
  scheduler.add(() => went.push('long work'))
  await until(() => went.length === 3)
  t.strictSame(went, ['a', 'b', 'long work'])
})

void t.test('long work waits while the event loop catches up, and short work continues', async (t) => {
  for (const isLong of [true, false]) {
    const { scheduler, went, add } = open(t)
    scheduler.rest()
    add({}, 'work', 0, isLong)
    await new Promise(setImmediate)
    t.strictSame(went, isLong ? [] : ['work'])
    await until(() => went.length === 1)
  }
})
