import t from 'tap'
import { finish } from '../../src/lib/scheduler.js'
import { storedFaults } from '../../src/sandboxes/fault-rule.js'
import { openStores, withKey } from './stores.js'

void t.test('the rows of a removed sandbox go a few at a time, and none of another', async (t) => {
  const { sandboxes, add, count } = openStores(t)
  add('kept', 5)
  sandboxes.remove(add('removed', 700))
  t.equal(sandboxes.count(), 1)
  t.equal(sandboxes.find('removed'), undefined)
  for (const left of [405, 105, 5]) {
    t.ok(sandboxes.hasRemoved())
    sandboxes.sweep()
    t.equal(count('quotas'), left)
  }
  t.notOk(sandboxes.hasRemoved())
  t.equal(count('sandboxes'), 1)
  sandboxes.sweep()
  t.equal(count('quotas'), 5)
})

void t.test('snapshots are large: each goes by itself', async (t) => {
  const { sandboxes, snapshots, documents, add, count } = openStores(t)
  const key = add('a', 10)
  for (let i = 0; i < 3; i++) snapshots.save(key, { name: `${i}`, createdAt: '' }, documents.save('{}'))
  sandboxes.remove(key)
  for (const left of [2, 1, 0]) {
    sandboxes.sweep()
    t.strictSame([count('snapshots'), count('documents'), count('quotas')], [left, left, 10])
  }
  sandboxes.sweep()
  t.strictSame([count('quotas'), count('sandboxes')], [0, 0])
})

void t.test('small sandboxes go at once, and several together, but not very many', async (t) => {
  const { sandboxes, faults, add, count } = openStores(t)
  const key = add('a', 5)
  faults.replace(withKey(key), storedFaults([{ effect: { status: 500 } }, { effect: { status: 500 } }]))
  sandboxes.remove(key)
  sandboxes.sweep()
  t.strictSame([count('quotas'), count('faults'), count('sandboxes')], [0, 0, 0])

  for (let i = 0; i < 40; i++) sandboxes.remove(add(`${i}`))
  sandboxes.sweep()
  t.equal(count('sandboxes'), 25)
  for (let i = 0; i < 2; i++) sandboxes.sweep()
  t.equal(count('sandboxes'), 0)
})

void t.test('a replacement is large by what there is and what there will be together', async (t) => {
  const { sandboxes, add } = openStores(t)
  const [some, none] = [add('some', 600), add('none')]
  t.strictSame([sandboxes.isLarge(some, 400), sandboxes.isLarge(some, 401)], [false, true])
  t.strictSame([sandboxes.isLarge(none, 1000), sandboxes.isLarge(none, 1001)], [false, true])
})

void t.test('a draft shows nowhere until it is published under the name of its sandbox', async (t) => {
  const { sandboxes, add, count } = openStores(t)
  const draft = add('draft', 3, { expires: 1 })
  sandboxes.markDraft(draft)
  t.strictSame(
    [sandboxes.count(), sandboxes.list(0, 10), sandboxes.expired(5, 10), sandboxes.longestIdle(5, '[]')],
    [0, [], [], undefined]
  )
  t.notOk(sandboxes.hasRemoved())
  sandboxes.sweep()
  t.equal(count('quotas'), 3)
  sandboxes.publish(draft, 'a')
  t.equal(sandboxes.find('a')?.key, draft)
  t.equal(sandboxes.count(), 1)
  t.match(sandboxes.longestIdle(5, '[]'), { key: draft })
})

void t.test('a draft that failed is swept, and so are all that an earlier run has left', async (t) => {
  const { sandboxes, add, count } = openStores(t)
  add('kept')
  const drafts = [add('1'), add('2'), add('3')]
  for (const draft of drafts) sandboxes.markDraft(draft)
  sandboxes.dropDraft(drafts[1]!)
  t.ok(sandboxes.hasRemoved())
  sandboxes.sweep()
  t.equal(count('sandboxes'), 3)
  sandboxes.dropAllDrafts()
  sandboxes.sweep()
  t.equal(count('sandboxes'), 1)
  t.ok(sandboxes.find('kept'))
})

void t.test('a copy has the rows of a sandbox in their order, and can change places with it and back', async (t) => {
  const { db, sandboxes, add } = openStores(t)
  const list = db.prepare('SELECT name FROM quotas WHERE sandbox = ? ORDER BY rowid').pluck()
  const quotasOf = (key: number) => list.all(key)
  const old = add('a', 4, { expires: 99 })
  const copy = add('copy', 0)
  const use = { last: 7, shown: 8, requests: { seed: 'requests', draws: 9 } }
  sandboxes.saveUse(old, use)
  sandboxes.markDraft(copy)
  finish(sandboxes.copyRows(old, copy))
  t.strictSame(quotasOf(copy), quotasOf(old))
  sandboxes.swap(old, copy, 'a')
  t.match(sandboxes.find('a'), {
    key: copy,
    ownSeed: 'seed of a',
    random: { seed: 'seed of copy' },
    expires: 99,
    use: { last: 7, requests: use.requests }
  })
  sandboxes.swap(copy, old, 'a')
  t.match(sandboxes.find('a'), { key: old, expires: 99 })
  sandboxes.dropAllDrafts()
  sandboxes.sweep()
  t.equal(sandboxes.count(), 1)
  t.strictSame([quotasOf(old).length, quotasOf(copy).length], [4, 0])
})

void t.test('what is stored of the use of a sandbox is read as it was', async (t) => {
  const { sandboxes, add } = openStores(t)
  const key = add('a')
  const useOf = () => sandboxes.find('a')!.use
  t.strictSame(useOf(), { last: 0, shown: -Infinity, requests: undefined })
  const use = { last: 5, shown: 7, requests: { seed: 'b', draws: 3 } }
  sandboxes.saveUse(key, use)
  t.strictSame(useOf(), use)
  sandboxes.saveProgress(key, 4, 9)
  t.strictSame([useOf().shown, sandboxes.find('a')?.random.draws], [9, 4])
  sandboxes.saveProgress(key, 4, -Infinity)
  t.equal(useOf().shown, -Infinity)
  sandboxes.saveUse(key, { last: 6, shown: 1, requests: undefined })
  t.strictSame(useOf(), { last: 6, shown: 1, requests: undefined })
  sandboxes.saveClock(key, { mode: 'frozen', base: 1, anchor: 2, rate: 3 })
  t.match(sandboxes.find('a'), { clock: { mode: 'frozen', base: 1, anchor: 2, rate: 3 }, use: { shown: -Infinity } })
  t.equal(sandboxes.find('b'), undefined)
  t.strictSame([sandboxes.baseline(key), sandboxes.baseline(99)], [null, null])
})

void t.test('the first to go are those that expired first, or were not used for longest', async (t) => {
  const { sandboxes, add } = openStores(t)
  for (const [id, expires, last] of [
    ['a', 30, 10],
    ['b', 20, 30],
    ['c', null, 20]
  ] as const)
    sandboxes.saveUse(add(id, 0, { expires }), { last, shown: -Infinity, requests: undefined })
  const expired = (wall: number, limit: number) => sandboxes.expired(wall, limit).map(({ id }) => id)
  t.strictSame([expired(19, 9), expired(20, 9), expired(99, 9), expired(99, 1)], [[], ['b'], ['b', 'a'], ['b']])
  const idle = (by: number, ...kept: string[]) => sandboxes.longestIdle(by, JSON.stringify(kept))?.id
  t.strictSame([idle(9), idle(10), idle(99), idle(99, 'a'), idle(99, 'a', 'c')], [undefined, 'a', 'a', 'c', 'b'])
  t.strictSame(
    sandboxes.list(1, 1).map(({ id, lastUsed, workgroups }) => [id, lastUsed, workgroups]),
    [['b', 30, 0]]
  )
})
