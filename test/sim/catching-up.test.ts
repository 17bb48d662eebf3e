import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { sandboxStore } from '../../src/sandboxes/store.js'
import { Engine } from '../../src/sim/engine.js'
import { defineEvent, NOTHING } from '../../src/sim/events.js'
import { Random } from '../../src/sim/random.js'
import type { SimulatedSandbox } from '../../src/sim/sandbox.js'
import { replaceMethod } from '../helper.js'

const START = 1_000_000

/**
 * A sandbox whose clock runs, with an event every millisecond from {@link START} on. Each takes a slice.
 * @param cost milliseconds that an event takes
 */
function open(t: Test, count: number, cost: (event: number) => number) {
  const db = openDatabase(':memory:')
  t.teardown(() => db.close())
  const machine = { wall: 0 }
  replaceMethod(t, Date, 'now', () => machine.wall)
  replaceMethod(t, db.commits, 'isTimeUp', () => true)
  const random = { seed: 'a', draws: 0 }
  const sandbox: SimulatedSandbox = {
    key: sandboxStore(db).insert({ id: 'a', random }, 0).key,
    clock: { mode: 'real', base: START + 100, anchor: 0, rate: 1 },
    ids: new Random(random),
    random,
    nextDue: Infinity,
    newestChange: -Infinity,
    shown: -Infinity,
    behind: 0
  }
  const engine = new Engine(
    db,
    { speed: 'instant', durations: new Map() },
    (sandbox, now, requestId) => ({ sandbox, now, requestId }),
    (sandbox, clock) => Object.assign(sandbox, { clock, shown: -Infinity, behind: 0 })
  )
  const ran: number[] = []
  const tick = { kind: 'tick', resource: 'x', payload: {}, requestId: 'request' }
  engine.onEvent(defineEvent('tick', NOTHING), (tx) => {
    ran.push(tx.now - START)
    machine.wall += cost(ran.length)
    if (ran.length < count) engine.schedule(tx, { ...tick, due: tx.now + 1 })
  })
  engine.schedule({ sandbox, now: START, requestId: 'request' }, { ...tick, due: START })
  return {
    engine,
    sandbox,
    machine,
    ran,
    /** Catches up. @returns the time reached, and how often it yielded */
    settle: () => {
      const slices = engine.settle(sandbox, engine.now(sandbox))
      for (let pauses = 0; ; pauses++) {
        const { done, value } = slices.next()
        if (done === true) return [value - START, pauses]
      }
    }
  }
}

void t.test('a running clock that falls further behind for ten slices is set back', async (t) => {
  const { sandbox, machine, ran, settle } = open(t, Infinity, () => 2)
  t.strictSame(settle(), [9, 9])
  t.strictSame(ran, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  t.strictSame(sandbox.clock, { mode: 'real', base: START + 9, anchor: 20, rate: 1 })
  t.equal(sandbox.behind, 100 - 9)

  machine.wall += 50
  t.strictSame(settle(), [19, 9])
  t.strictSame(sandbox.clock, { mode: 'real', base: START + 19, anchor: 90, rate: 1 })
  t.equal(sandbox.behind, 100 - 9 + 59 - 19, 'it adds up')
})

void t.test('a running clock that does not fall further behind catches up, in any number of slices', async (t) => {
  const { sandbox, ran, settle } = open(t, 30, (event) => (event === 1 ? 0 : 1))
  const { clock } = sandbox
  t.strictSame(settle(), [100, 30])
  t.equal(ran.length, 30)
  t.equal(sandbox.clock, clock)
  t.equal(sandbox.behind, 0)
})
