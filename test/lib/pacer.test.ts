import t from 'tap'
import { Pacer } from '../../src/lib/pacer.js'
import { until } from '../helper.js'

void t.test('pieces run one at a time, in order, and the event loop comes round between them', async (t) => {
  const pacer = new Pacer(() => 0)
  const did: string[] = []
  let rounds = 0
  const count = () => {
    rounds++
    if (did.length < 3) setImmediate(count)
  }
  setImmediate(count)
  const seen: number[] = []
  const piece = (name: string) => () => {
    did.push(name)
    seen.push(rounds)
  }
  t.equal(pacer.isBusy, false)
  pacer.add(() => {
    piece('a')()
    pacer.add(piece('c'))
  })
  pacer.add(piece('b'))
  t.equal(pacer.isBusy, true)
  await until(() => did.length === 3)
  t.strictSame(did, ['a', 'b', 'c'])
  t.ok(seen[1]! - seen[0]! > 15 && seen[2]! - seen[1]! > 15, seen.join())
  t.equal(pacer.isBusy, true, 'others have their say after the last one, too')
  await until(() => !pacer.isBusy)
})

void t.test('if each look takes long, the next piece need not wait for many', async (t) => {
  let now = 0
  const pacer = new Pacer(() => now)
  const looks = { before: 0 }
  let isDone = false
  const look = () => {
    now += 5
    looks.before++
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  pacer.add(() => {
    isDone = true
  })
  await until(() => isDone)
  t.ok(looks.before >= 10 && looks.before < 30, `${looks.before}`)
})

void t.test('after a piece that was not its own it lets others have their say, too', async (t) => {
  const pacer = new Pacer(() => 0)
  pacer.rest()
  t.equal(pacer.isBusy, true)
  await until(() => !pacer.isBusy)
})
