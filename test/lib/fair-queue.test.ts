import t from 'tap'
import { FairQueue } from '../../src/lib/scheduler.js'

function openQueue() {
  const clock = { now: 0 }
  return { clock, queue: new FairQueue<string>(() => clock.now) }
}

void t.test('light flows come before heavy ones, which get every fifth turn', (t) => {
  const { queue } = openQueue()
  const [heavy, light] = [{}, {}]
  queue.charge(heavy, 60)
  queue.charge(light, 20)
  for (let i = 1; i <= 3; i++) queue.add(heavy, `h${i}`)
  for (let i = 1; i <= 8; i++) queue.add(light, `l${i}`)
  t.strictSame([...queue.take()], ['l1', 'l2', 'l3', 'l4', 'h1', 'l5', 'l6', 'l7', 'l8', 'h2', 'h3'])
  t.ok(queue.isEmpty)
  t.end()
})

void t.test('of the heavy flows, the one that has used the least time comes first', (t) => {
  const { queue } = openQueue()
  for (const [name, used] of [
    ['a', 300],
    ['b', 100],
    ['c', 200]
  ] as const) {
    const flow = {}
    queue.charge(flow, used)
    queue.add(flow, name)
  }
  t.strictSame([...queue.take()], ['b', 'c', 'a'])
  t.end()
})

void t.test('used time is forgiven as time passes, and an undefined flow is light', (t) => {
  const { clock, queue } = openQueue()
  const flow = {}
  queue.charge(flow, 75)
  queue.charge(undefined, 1000)
  t.strictSame([queue.isLight(flow), queue.isLight(undefined)], [false, true])
  clock.now = 990
  t.equal(queue.isLight(flow), false)
  clock.now = 1010
  t.equal(queue.isLight(flow), true)
  queue.charge(flow, 1)
  t.equal(queue.isLight(flow), false, 'but only once')
  t.end()
})

void t.test('of the light flows, those that have long used little come before new ones and others', (t) => {
  const { clock, queue } = openQueue()
  const [quiet, calm, busy] = [{}, {}, {}]
  for (const flow of [quiet, calm, busy]) queue.charge(flow, 1)
  clock.now = 10_000
  queue.charge(calm, 4)
  queue.charge(busy, 30)
  t.equal(queue.hasLight(), false)
  const flows = [
    ['busy', busy],
    ['new', {}],
    ['calm', calm],
    ['quiet', quiet]
  ] as const
  for (const [name, flow] of flows) queue.add(flow, name)
  t.equal(queue.hasLight(), true)
  const hasNone = queue.hasLight((item) => item === 'none')
  t.equal(hasNone, false)
  t.strictSame([...queue.takeLight()], ['calm', 'quiet', 'new', 'busy'])
  t.end()
})
