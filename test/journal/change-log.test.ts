import t from 'tap'
import { Budget } from '../../src/journal/budget.js'
import { ChangeLog } from '../../src/journal/change-log.js'

const step = (id: string, length = 10) => ({
  id,
  fired: undefined,
  at: 0,
  changes: [[0, 'x'.repeat(length)] as const],
  draws: undefined,
  clock: undefined
})

const ids = (log: ChangeLog) => log.list().map(({ id }) => id)

void t.test('a change log is bounded by bytes, and a step that is too large leaves nothing', async (t) => {
  const log = new ChangeLog({ steps: 100, bytes: 1000 })
  for (let i = 0; i < 50; i++) log.add(step(`${i}`))
  t.ok(log.bytes <= 1000)
  t.ok(log.size > 1)
  t.equal(ids(log).at(-1), '49')
  log.add(step('large', 2000))
  t.strictSame([log.size, log.bytes], [0, 0])
})

void t.test('a change log counts in its shared budget until it is cleared', async (t) => {
  const budget = new Budget(1000)
  const [a, b] = [1, 2].map(() => new ChangeLog({ steps: 100, bytes: 100_000 }, budget)) as [ChangeLog, ChangeLog]
  a.add(step('a'))
  for (let i = 0; i < 20; i++) b.add(step(`${i}`))
  t.equal(a.size, 0, 'the one unused for longest gives up first')
  t.equal(budget.bytes, b.bytes)
  b.clear(-Infinity)
  t.strictSame([b.size, b.bytes, budget.bytes], [0, 0, 0])
})
