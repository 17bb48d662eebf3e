import t from 'tap'
import { RequestQueue } from '../../src/http/request-queue.js'
import { Scheduler } from '../../src/lib/scheduler.js'
import { replaceMethod, until } from '../helper.js'

void t.test('requests continue in the next turn, fairly between sandboxes, or in a later one', async (t) => {
  let now = 0
  replaceMethod(t, performance, 'now', () => now)
  const queue = new RequestQueue(new Scheduler(() => now))
  const went: string[] = []
  const add = (flow: string, name: string, milliseconds: number) => {
    queue.add(flow, () => {
      went.push(name)
      now += milliseconds
    })
  }
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
  let now = 0
  replaceMethod(t, performance, 'now', () => now)
  const scheduler = new Scheduler(() => now)
  const queue = new RequestQueue(scheduler)
  const went: string[] = []
  scheduler.rest()
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    queue.add({ name }, () => {
      went.push(name)
      now += 12
    })
  const counts: number[] = []
  while (went.length < 5) {
    await new Promise(setImmediate)
    counts.push(went.length)
  }
  t.strictSame(went, ['a', 'b', 'c', 'd', 'e'])
  t.strictSame([...new Set(counts)], [2, 4, 5])
})

void t.test('light sandboxes do not wait for long work that is added after the turn they were left in', async (t) => {
  let now = 0
  replaceMethod(t, performance, 'now', () => now)
  const scheduler = new Scheduler(() => now)
  const queue = new RequestQueue(scheduler)
  const went: string[] = []
  for (const name of ['a', 'b'])
    queue.add({ name }, () => {
      went.push(name)
      now += 30
    })
  scheduler.add(() => went.push('long work'))
  await until(() => went.length === 3)
  t.strictSame(went, ['a', 'b', 'long work'])
})

void t.test('long work waits while the event loop catches up, and short work continues', async (t) => {
  const scheduler = new Scheduler(() => 0)
  const queue = new RequestQueue(scheduler)
  const went: string[] = []
  scheduler.rest()
  queue.add({}, () => went.push('long'), true)
  await new Promise(setImmediate)
  t.strictSame(went, [])
  await until(() => went.length === 1)

  const other = new RequestQueue(scheduler)
  scheduler.rest()
  other.add({}, () => went.push('short'))
  await new Promise(setImmediate)
  t.strictSame(went, ['long', 'short'])
})
