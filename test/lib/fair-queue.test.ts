import t from 'tap'
import { FairQueue } from '../../src/lib/scheduler.js'

/** A fair queue with a clock that stands still until it is moved. */
function openQueue() {
  const clock = { now: 0 }
  return { clock, queue: new FairQueue<string>(() => clock.now) }
}

void t.test('who has used little time comes before those who have used much, and these have a turn of five', (t) => {
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

void t.test('heavy flows have their turn even if only one item is taken at a time', (t) => {
  const { queue } = openQueue()
  const heavy = {}
  queue.charge(heavy, 60)
  queue.add(heavy, 'h')
  const taken: string[] = []
  for (let i = 0; i < 5; i++) {
    queue.add({}, 'l')
    taken.push(queue.take().next().value as string)
  }
  t.ok(taken.includes('h'), taken.join())
  t.end()
})

void t.test('of those who have used much, the one that has used least comes first', (t) => {
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

void t.test('what a flow has used is forgiven as time passes, and a flow of nobody is light', (t) => {
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
  t.equal(queue.isLight(flow), false, 'and not twice')
  t.end()
})

void t.test('only light flows may be asked for', (t) => {
  const { queue } = openQueue()
  const [heavy, light] = [{}, {}]
  queue.charge(heavy, 60)
  queue.add(heavy, 'h')
  queue.add(light, 'l1')
  queue.add(light, 'l2')
  t.strictSame([...queue.takeLight((item) => item !== 'l2')], ['l1'])
  t.strictSame([queue.first(light), queue.last(heavy)], ['l2', 'h'])
  t.strictSame(queue.clear(), ['h', 'l2'])
  t.end()
})

void t.test('of the light flows, those that have used little for a while come before new ones and others', (t) => {
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
  t.equal(
    queue.hasLight((item) => item === 'none'),
    false
  )
  t.strictSame([...queue.takeLight()], ['calm', 'quiet', 'new', 'busy'])
  t.end()
})

void t.test('a flow has used nothing that is known at first, and is light below 50 ms', (t) => {
  const { queue } = openQueue()
  for (const [used, isLight] of [
    [0, true],
    [24, true],
    [25, false]
  ] as const) {
    const flow = {}
    queue.charge(flow, used)
    t.equal(queue.isLight(flow), isLight, `${used} ms`)
  }
  t.equal(queue.isLight({}), true)
  for (const nobody of [null, undefined, 'a']) {
    queue.charge(nobody, 1000)
    t.equal(queue.isLight(nobody), true)
  }
  t.end()
})

void t.test('flows that have used the same come in order of arrival, and so do all that used 5 ms or less', (t) => {
  const { clock, queue } = openQueue()
  for (const name of ['a', 'b', 'c']) queue.add({}, name)
  t.strictSame([...queue.takeLight()], ['a', 'b', 'c'])
  const [first, second] = [{}, {}]
  for (const flow of [first, second]) queue.charge(flow, 0)
  clock.now = 10_000
  queue.charge(first, 5)
  queue.add(first, 'first')
  queue.add(second, 'second')
  t.strictSame([...queue.takeLight()], ['first', 'second'])
  t.end()
})

void t.test('a flow of which nothing is queued has neither a first nor a last item', (t) => {
  const { queue } = openQueue()
  const flow = {}
  queue.charge(flow, 60)
  t.strictSame([queue.first(flow), queue.last(flow), queue.isEmpty], [undefined, undefined, true])
  queue.add(flow, 'b')
  queue.add(flow, 'a', true)
  t.strictSame([queue.first(flow), queue.last(flow), queue.isEmpty], ['a', 'b', false])
  t.equal(queue.hasLight(), false)
  t.strictSame(queue.clear(), ['a', 'b'])
  t.strictSame([queue.first(flow), queue.isEmpty, queue.clear()], [undefined, true, []])
  t.end()
})
