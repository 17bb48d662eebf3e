import t, { type Test } from 'tap'
import type { SimulatedSandbox } from '../../src/sim/sandbox.js'
import { timelineStore } from '../../src/sim/timeline.js'
import { openStores } from '../sandboxes/stores.js'

function open(t: Test, limit: number) {
  const { db, add } = openStores(t)
  const timeline = timelineStore(db, limit)
  const at = (key: number) => ({ key, newestChange: -Infinity }) as SimulatedSandbox
  return {
    db,
    timeline,
    first: at(add('a')),
    second: at(add('b')),
    /** Adds changes that are named by consecutive numbers. */
    note: (sandbox: SimulatedSandbox, from: number, to = from) => {
      for (let now = from; now <= to; now++) {
        const entry = { resource: 'r', transition: 't', attribute: 'status', from: null, reason: null }
        timeline.add({ sandbox, now, requestId: 'q' }, { ...entry, to: String(now) })
      }
    },
    names: (sandbox: SimulatedSandbox) => timeline.list(sandbox.key).map(({ to }) => Number(to))
  }
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

void t.test('a timeline keeps its limit, and drops an eighth of the oldest at once', async (t) => {
  const { timeline, first, second, note, names } = open(t, 16)
  note(second, 1)
  note(first, 1, 16)
  t.strictSame(names(first), range(1, 16))
  note(first, 17)
  t.strictSame(names(first), range(3, 17))
  note(first, 18)
  t.strictSame(names(first), range(3, 18))
  note(first, 19)
  t.strictSame(names(first), range(5, 19))
  t.equal(timeline.count(first.key), 15)
  t.strictSame(names(second), [1], 'another sandbox is not affected')
})

void t.test('the number of entries deleted at once is limited', async (t) => {
  const { db, timeline, first, note, names } = open(t, 16)
  db.prepare<[number]>(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       INSERT INTO timeline (sandbox, at, resource, transition, attribute, to_state, request_id)
         SELECT ?, 0, 'r', 't', 'status', i, 'q' FROM n`
  ).run(first.key)
  note(first, 5000)
  t.strictSame(names(first), [...range(1001, 2500), 5000])
  timeline.forget(first.key)
  t.equal(timeline.count(first.key), 1501)
})

void t.test('a forgotten count is read again', async (t) => {
  const { db, timeline, first, note, names } = open(t, 8)
  note(first, 1, 8)
  db.prepare('DELETE FROM timeline').run()
  timeline.forget(first.key)
  note(first, 9, 16)
  t.strictSame(names(first), range(9, 16))
  note(first, 17)
  t.strictSame(names(first), range(10, 17))
})
