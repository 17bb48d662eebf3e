import t from 'tap'
import { Lanes } from '../../src/db/lanes.js'

/** Lanes with a clock that stands still until it is moved. */
function openLanes() {
  const clock = { now: 0 }
  return { clock, lanes: new Lanes<string>(() => clock.now) }
}

void t.test('who has used little time comes before those who have used much, and these have a turn of five', (t) => {
  const { lanes } = openLanes()
  const [heavy, light] = [{}, {}]
  lanes.charge(heavy, 60)
  lanes.charge(light, 20)
  for (let i = 1; i <= 3; i++) lanes.add(heavy, `h${i}`)
  for (let i = 1; i <= 8; i++) lanes.add(light, `l${i}`)
  t.strictSame([...lanes.take()], ['l1', 'l2', 'l3', 'l4', 'h1', 'l5', 'l6', 'l7', 'l8', 'h2', 'h3'])
  t.ok(lanes.isEmpty)
  t.end()
})

void t.test('heavy lanes have their turn even if only one item is taken at a time', (t) => {
  const { lanes } = openLanes()
  const heavy = {}
  lanes.charge(heavy, 60)
  lanes.add(heavy, 'h')
  const taken: string[] = []
  for (let i = 0; i < 5; i++) {
    lanes.add({}, 'l')
    taken.push(lanes.take().next().value as string)
  }
  t.ok(taken.includes('h'), taken.join())
  t.end()
})

void t.test('of those who have used much, the one that has used least comes first', (t) => {
  const { lanes } = openLanes()
  for (const [name, used] of [
    ['a', 300],
    ['b', 100],
    ['c', 200]
  ] as const) {
    const lane = {}
    lanes.charge(lane, used)
    lanes.add(lane, name)
  }
  t.strictSame([...lanes.take()], ['b', 'c', 'a'])
  t.end()
})

void t.test('what a lane has used is forgiven as time passes, and a lane of nobody is light', (t) => {
  const { clock, lanes } = openLanes()
  const lane = {}
  lanes.charge(lane, 75)
  lanes.charge(undefined, 1000)
  t.strictSame([lanes.isLight(lane), lanes.isLight(undefined)], [false, true])
  clock.now = 990
  t.equal(lanes.isLight(lane), false)
  clock.now = 1010
  t.equal(lanes.isLight(lane), true)
  lanes.charge(lane, 1)
  t.equal(lanes.isLight(lane), false, 'and not twice')
  t.end()
})

void t.test('only light lanes may be asked for', (t) => {
  const { lanes } = openLanes()
  const [heavy, light] = [{}, {}]
  lanes.charge(heavy, 60)
  lanes.add(heavy, 'h')
  lanes.add(light, 'l1')
  lanes.add(light, 'l2')
  t.strictSame([...lanes.takeLight((item) => item !== 'l2')], ['l1'])
  t.strictSame([lanes.first(light), lanes.last(heavy)], ['l2', 'h'])
  t.strictSame(lanes.clear(), ['h', 'l2'])
  t.end()
})

void t.test('of the light lanes, those that have used little for a while come before new ones and others', (t) => {
  const { clock, lanes } = openLanes()
  const [quiet, calm, busy] = [{}, {}, {}]
  for (const lane of [quiet, calm, busy]) lanes.charge(lane, 1)
  clock.now = 10_000
  lanes.charge(calm, 4)
  lanes.charge(busy, 30)
  t.equal(lanes.hasLight(), false)
  const queue = [
    ['busy', busy],
    ['new', {}],
    ['calm', calm],
    ['quiet', quiet]
  ] as const
  for (const [name, lane] of queue) lanes.add(lane, name)
  t.equal(lanes.hasLight(), true)
  t.equal(
    lanes.hasLight((item) => item === 'none'),
    false
  )
  t.strictSame([...lanes.takeLight()], ['calm', 'quiet', 'new', 'busy'])
  t.end()
})

void t.test('a lane has used nothing that is known at first, and is light below 50 ms', (t) => {
  const { lanes } = openLanes()
  for (const [used, isLight] of [
    [0, true],
    [24, true],
    [25, false]
  ] as const) {
    const lane = {}
    lanes.charge(lane, used)
    t.equal(lanes.isLight(lane), isLight, `${used} ms`)
  }
  t.equal(lanes.isLight({}), true)
  for (const nobody of [null, undefined, 'a']) {
    lanes.charge(nobody, 1000)
    t.equal(lanes.isLight(nobody), true)
  }
  t.end()
})

void t.test('lanes that have used the same come in order of arrival, and so do all that used 5 ms or less', (t) => {
  const { clock, lanes } = openLanes()
  for (const name of ['a', 'b', 'c']) lanes.add({}, name)
  t.strictSame([...lanes.takeLight()], ['a', 'b', 'c'])
  const [first, second] = [{}, {}]
  for (const lane of [first, second]) lanes.charge(lane, 0)
  clock.now = 10_000
  lanes.charge(first, 5)
  lanes.add(first, 'first')
  lanes.add(second, 'second')
  t.strictSame([...lanes.takeLight()], ['first', 'second'])
  t.end()
})

void t.test('a lane of which nothing is queued has neither a first nor a last item', (t) => {
  const { lanes } = openLanes()
  const lane = {}
  lanes.charge(lane, 60)
  t.strictSame([lanes.first(lane), lanes.last(lane), lanes.isEmpty], [undefined, undefined, true])
  lanes.add(lane, 'b')
  lanes.add(lane, 'a', true)
  t.strictSame([lanes.first(lane), lanes.last(lane), lanes.isEmpty], ['a', 'b', false])
  t.equal(lanes.hasLight(), false)
  t.strictSame(lanes.clear(), ['a', 'b'])
  t.strictSame([lanes.first(lane), lanes.isEmpty, lanes.clear()], [undefined, true, []])
  t.end()
})
