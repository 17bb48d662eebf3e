import t, { type Test } from 'tap'
import { checkOptions, embeddedDefaults } from '../../src/options.js'
import type { Tx } from '../../src/resources/tx.js'
import { EVENT_LIMIT } from '../../src/sim/engine.js'
import { defineEvent, NOTHING } from '../../src/sim/events.js'
import { allowsChange, DELETED, type Transition } from '../../src/sim/state-machine.js'
import { openControlPlane } from '../../src/test-control/open-control-plane.js'
import { pluck, replaceMethod } from '../helper.js'
import { messageOf } from '../messages.js'

const START = 1_000_000
const CHANGE: Transition = {
  id: 'P-998',
  durationId: 'P-999',
  name: 'thing.change',
  trigger: 'a test',
  from: ['Old', 'Older'],
  noopFrom: ['New'],
  during: 'Changing',
  to: ['New'],
  failsTo: 'Broken',
  duration: { instant: 0, fast: 2000, realistic: 60_000 }
}
/** A row of the timeline. */
const CHANGED = { resource: 'x', transition: 'x', attribute: 'status', from: null, to: 'x', reason: null }

/** A frozen sandbox whose events only record that they ran. */
async function open(t: Test) {
  const plane = openControlPlane(checkOptions({}, embeddedDefaults()))
  t.teardown(() => plane.close())
  const sandbox = await plane.sandboxes.open('a sandbox')
  /** Every event that was handled: its resource, and what the clock showed. */
  const seen: [resource: string, now: number][] = []
  plane.engine.onEvent(defineEvent('note', NOTHING), ({ now }, { resource }) => {
    seen.push([resource, now])
  })
  /** Makes a change as a request does. */
  const write = <T>(change: (tx: Tx) => T) => plane.write({ sandbox, id: 'request' }, change)
  await write(() => plane.engine.setClock(sandbox, { mode: 'frozen', base: START, anchor: 0, rate: 1 }))
  return {
    plane,
    sandbox,
    seen,
    write,
    schedule: (tx: Tx, resource: string, due: number, kind = 'note') =>
      plane.engine.schedule(tx, { kind, resource, due, payload: {}, requestId: tx.requestId }),
    /** Moves the clock as a request does. */
    move: (to: number) => plane.writeInSlices({ sandbox, id: 'request' }, () => plane.engine.moveClock(sandbox, to)),
    pending: () => plane.engine.dueEvents.list(sandbox.key).map(({ resource, due }) => `${resource} ${due ?? 'held'}`)
  }
}

void t.test('an event whose handler throws is undone alone, and tried again', async (t) => {
  const { plane, sandbox, write, schedule, seen, pending } = await open(t)
  let isBroken = true
  plane.engine.onEvent(defineEvent('fragile', NOTHING), (tx, { resource }) => {
    plane.timeline.add(tx, { ...CHANGED, resource })
    schedule(tx, 'child', tx.now + 1)
    if (isBroken) throw new Error('broken')
  })
  plane.engine.onEvent(defineEvent('sound', NOTHING), (tx, { resource }) =>
    plane.timeline.add(tx, { ...CHANGED, resource })
  )
  await write((tx) => {
    schedule(tx, 'first', START + 10, 'sound')
    schedule(tx, 'second', START + 20, 'fragile')
    schedule(tx, 'third', START + 30)
  })
  plane.engine.setClock(sandbox, { ...sandbox.clock, base: START + 100 })
  let changed = 0
  await t.rejects(
    write(() => changed++),
    { message: 'broken' }
  )
  t.equal(changed, 0)
  const ran = pluck(plane.timeline.list(sandbox.key), 'resource', 'at')
  t.strictSame(ran, [['first', START + 10]], 'what ran before it holds')
  t.strictSame(pending(), [`second ${START + 20}`, `third ${START + 30}`], 'only the event itself is still due')
  t.strictSame([sandbox.nextDue, sandbox.newestChange], [START + 20, START + 10], 'memory agrees with the rows')

  isBroken = false
  await write(() => changed++)
  t.equal(changed, 1)
  t.strictSame(pluck(plane.timeline.list(sandbox.key), 'resource', 'at'), [
    ['first', START + 10],
    ['second', START + 20]
  ])
  t.strictSame(seen, [
    ['child', START + 21],
    ['third', START + 30]
  ])
  t.equal(sandbox.nextDue, Infinity)
})

void t.test('frequent reads do not stop a slow clock', async (t) => {
  const { plane, sandbox } = await open(t)
  let wall = 0
  replaceMethod(t, Date, 'now', () => wall)
  plane.engine.setClock(sandbox, { mode: 'real', base: START, anchor: 0, rate: 0.25 })
  const shown = Array.from({ length: 9 }, () => {
    const time = plane.engine.now(sandbox) - START
    wall++
    return time
  })
  t.strictSame(shown, [0, 0, 0, 0, 1, 1, 1, 1, 2])
})

void t.test('allowsChange() accepts only the beginnings and the ends of a transition', async (t) => {
  const states = [null, 'Old', 'Older', 'Changing', 'New', 'Broken', DELETED, 'unknown']
  const allowed = (transition: Transition) =>
    states.flatMap((from) =>
      states.flatMap((to) =>
        to !== null && allowsChange(transition, from, to) ? [`${from ?? 'nothing'} > ${to}`] : []
      )
    )
  t.strictSame(allowed(CHANGE), ['Old > Changing', 'Older > Changing', 'Changing > New', 'Changing > Broken'])
  t.strictSame(allowed({ ...CHANGE, from: [] }), ['nothing > Changing', 'Changing > New', 'Changing > Broken'])
  t.strictSame(allowed({ ...CHANGE, to: [] }), [
    'Old > Changing',
    'Older > Changing',
    'Changing > Broken',
    `Changing > ${DELETED}`
  ])
})

void t.test(
  'if more events are due than may run at once, those that ran are kept, and a write fails until it is repeated',
  async (t) => {
    const { plane, sandbox, write, move, schedule } = await open(t)
    let runs = 0
    plane.engine.onEvent(defineEvent('chain', NOTHING), (tx) => {
      if (++runs <= 3 * EVENT_LIMIT) schedule(tx, 'chain', tx.now + 1, 'chain')
    })
    await write((tx) => schedule(tx, 'chain', START + 1, 'chain'))
    const { count, limited } = await move(START + EVENT_LIMIT)
    t.strictSame([count, limited], [EVENT_LIMIT, false], 'exactly as many are not too many')
    t.match(await move(START + 10 * EVENT_LIMIT), { count: EVENT_LIMIT, limited: true })
    t.equal(sandbox.clock.base, START + 2 * EVENT_LIMIT, 'the clock stands at the last event')
    plane.engine.setClock(sandbox, { ...sandbox.clock, base: START + 10 * EVENT_LIMIT })
    const refused = write(() => undefined)
    await t.rejects(refused, { condition: 'unavailable', message: messageOf('unavailable', 'behind') })
    t.equal(runs, 3 * EVENT_LIMIT)
    t.equal(await write(() => 'done'), 'done')
    t.equal(runs, 3 * EVENT_LIMIT + 1)
  }
)
