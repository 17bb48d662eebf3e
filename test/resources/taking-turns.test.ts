import t from 'tap'
import { TakingTurns } from '../../src/resources/database-users/taking-turns.js'

void t.test('few jobs run at once, and whoever has many lets others in between', async (t) => {
  const turns = new TakingTurns(2)
  const [many, other, last] = [{ name: 'many' }, { name: 'other' }, { name: 'last' }]
  const begun: string[] = []
  const ends: (() => void)[] = []
  const job = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.push(() => resolve(name))
    })
  const results = [
    ...[1, 2, 3, 4, 5].map((i) => turns.run(many, job(`many ${i}`))),
    turns.run(other, job('other 1')),
    turns.run(other, job('other 2')),
    turns.run(last, job('last'))
  ]
  t.strictSame(begun, ['many 1', 'many 2'])
  for (let ended = 0; ended < results.length; ended++) {
    ends[ended]!()
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    t.equal(begun.length, Math.min(results.length, ended + 3), 'never more than two')
  }
  t.strictSame(begun, ['many 1', 'many 2', 'many 3', 'other 1', 'last', 'many 4', 'other 2', 'many 5'])
  t.strictSame(await Promise.all(results), [
    'many 1',
    'many 2',
    'many 3',
    'many 4',
    'many 5',
    'other 1',
    'other 2',
    'last'
  ])
})

void t.test('a job that fails gives its turn to the next', async (t) => {
  const turns = new TakingTurns(1)
  const failed = turns.run(turns, async () => {
    throw new Error('no luck')
  })
  const next = turns.run(turns, async () => 'done')
  await t.rejects(failed, { message: 'no luck' })
  t.equal(await next, 'done')
})
