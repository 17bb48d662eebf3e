import type { Test } from 'tap'
import t from 'tap'
import { Budget, textSize } from '../../src/journal/budget.js'
import { EventHub, KEPT_EVENTS, LINGER } from '../../src/journal/event-hub.js'
import { holdWall } from '../wall.js'

const KEPT_BYTES = 1024 * 1024

const idOf = (text: string) => /^id: (.*)$/m.exec(text)![1]!
const kindsOf = (texts: readonly string[]) => texts.map((text) => /^event: (.*)$/m.exec(text)![1]!)

/** A hub, and a clock of the machine that goes on whenever somebody listens. */
function open(t: Test, budget = new Budget()) {
  const wall = holdWall(t)
  const hub = new EventHub(budget)
  const data = { text: '' }
  const listen = (after?: string) => {
    wall.now++
    const heard: string[] = []
    const listener = {
      send: (text: string) => heard.push(text),
      end: () => heard.push('id: \nevent: end')
    }
    hub.listen(listener, () => data, after)
    const leave = () => hub.leave(listener)
    return { heard, leave }
  }
  const tell = (times = 1) => {
    for (let i = 0; i < times; i++) hub.tell({ kind: 'clock' })
  }
  return { wall, budget, hub, data, listen, tell }
}

const sizeOf = (texts: readonly string[]) => texts.reduce((bytes, text) => bytes + textSize(text), 0)

void t.test('the newest events are kept, up to a number, and count as memory', async (t) => {
  const { hub, budget, listen, tell } = open(t)
  const { heard } = listen()
  tell(KEPT_EVENTS)
  t.equal(listen(idOf(heard[0]!)).heard.length, KEPT_EVENTS)
  t.equal(hub.bytes, sizeOf(heard.slice(1)))
  tell(2)
  t.strictSame(kindsOf(listen(idOf(heard[1]!)).heard), ['resync'])
  t.equal(listen(idOf(heard[2]!)).heard.length, KEPT_EVENTS)
  t.equal(hub.bytes, sizeOf(heard.slice(3)))
  t.equal(budget.bytes, hub.bytes)
})

void t.test('events are kept up to a number of bytes', async (t) => {
  const { hub, data, listen, tell } = open(t)
  const { heard } = listen()
  tell()
  data.text = 'x'.repeat(KEPT_BYTES - 2 * hub.bytes)
  tell()
  t.equal(hub.bytes, KEPT_BYTES)
  t.equal(listen(idOf(heard[0]!)).heard.length, 2, 'just as many')
  data.text = ''
  tell()
  t.strictSame(kindsOf(listen(idOf(heard[0]!)).heard), ['resync'])
  t.equal(listen(idOf(heard[1]!)).heard.length, 2)
  data.text = 'x'.repeat(KEPT_BYTES)
  tell()
  t.strictSame(kindsOf(listen(idOf(heard[3]!)).heard), ['resync'], 'one that is larger is not kept itself')
})

void t.test('hubs share a budget, and drop the oldest events first', async (t) => {
  const { hub, budget, listen, tell } = open(t, new Budget(2000))
  const { heard } = listen()
  tell(100)
  t.ok(budget.bytes <= 2000)
  t.equal(budget.bytes, hub.bytes)
  t.strictSame(kindsOf(listen(idOf(heard[1]!)).heard), ['resync'])
  t.strictSame(listen(idOf(heard[95]!)).heard, heard.slice(96))
})

void t.test('a hub is on while somebody listens, and for a minute after the last has left', async (t) => {
  const { wall, hub, budget, listen, tell } = open(t)
  const [first, second] = [listen(), listen()]
  wall.now += 10 * LINGER
  tell()
  t.equal(first.heard.length, 2)
  first.leave()
  wall.now += 10 * LINGER
  tell()
  t.equal(second.heard.length, 3)
  second.leave()
  wall.now += LINGER
  second.leave()
  tell()
  t.equal(hub.isOn, true, 'somebody may come back')
  wall.now += 1
  tell()
  t.equal(hub.isOn, false, 'to leave twice changes nothing')
  t.strictSame([hub.bytes, budget.bytes], [0, 0])
  const again = listen(idOf(second.heard.at(-1)!))
  t.strictSame(kindsOf(again.heard), ['resync'], 'what came before the pause is not known')
  tell(KEPT_EVENTS + 1)
  t.equal(hub.bytes, sizeOf(again.heard.slice(2)))
})
