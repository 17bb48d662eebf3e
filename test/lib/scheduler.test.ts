import t from 'tap'
import { Scheduler } from '../../src/lib/scheduler.js'
import { until } from '../helper.js'

void t.test('pieces run one at a time, in order, and the event loop turns between them', async (t) => {
  const scheduler = new Scheduler(() => 0)
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
  t.equal(scheduler.isBusy, false)
  scheduler.add(() => {
    piece('a')()
    scheduler.add(piece('c'))
  })
  scheduler.add(piece('b'))
  t.equal(scheduler.isBusy, true)
  await until(() => did.length === 3)
  t.strictSame(did, ['a', 'b', 'c'])
  t.ok(seen[1]! - seen[0]! > 15 && seen[2]! - seen[1]! > 15, seen.join())
  t.equal(scheduler.isBusy, true, 'the event loop catches up after the last one, too')
  await until(() => !scheduler.isBusy)
})

void t.test('sliced work runs for 15 ms at a time, and takes turns with other work', async (t) => {
  let now = 1000
  const scheduler = new Scheduler(() => now)
  const did: string[] = []
  const work = function* (name: string) {
    for (let i = 0; i < 6; i++) {
      did.push(name)
      now += 5
      yield
    }
    return name
  }
  t.strictSame(await Promise.all([scheduler.run(work('a')), scheduler.run(work('b'))]), ['a', 'b'])
  t.equal(did.join(''), 'aaabbbaaabbb')
  const failing = function* () {
    yield
    throw new Error('no luck')
  }
  await t.rejects(scheduler.run(failing()), { message: 'no luck' })
})
