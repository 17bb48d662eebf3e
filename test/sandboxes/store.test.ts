import t from 'tap'
import { openStores } from './stores.js'

void t.test('the rows of a removed sandbox are deleted a few at a time', async (t) => {
  const { sandboxes, add, count } = openStores(t)
  add('kept', 5)
  sandboxes.remove(add('removed', 700))
  for (const left of [405, 105, 5, 5]) {
    sandboxes.sweep()
    t.equal(count('quotas'), left)
  }
  t.strictSame([sandboxes.hasRemoved(), count('sandboxes')], [false, 1])
})

void t.test('snapshots are large, so each is deleted separately', async (t) => {
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

void t.test('a draft is invisible until it is published under an id', async (t) => {
  const { sandboxes, count } = openStores(t)
  const { key: draft } = sandboxes.insertDraft({ random: { seed: 'draft', draws: 0 }, expires: 1 })
  const now = Date.now()
  t.strictSame(
    [sandboxes.count(), sandboxes.list(0, 10), sandboxes.expired(5, 10), sandboxes.longestIdle(now, '[]')],
    [0, [], [], undefined]
  )
  t.notOk(sandboxes.hasRemoved())
  sandboxes.sweep()
  t.equal(count('sandboxes'), 1)
  sandboxes.publish(draft, 'a')
  t.equal(sandboxes.find('a')?.key, draft)
  t.equal(sandboxes.count(), 1)
  t.match(sandboxes.longestIdle(now, '[]'), { key: draft })
})

void t.test('the search for an idle sandbox begins behind all removed ones', async (t) => {
  const { db, sandboxes, add } = openStores(t)
  sandboxes.remove(add('removed'))
  add('idle')
  t.equal(db.prepare('SELECT id FROM sandboxes ORDER BY last_used LIMIT 1').pluck().get(), 'idle')
})

void t.test('old and new rows together make a replacement large', async (t) => {
  const { sandboxes, add } = openStores(t)
  const [some, none] = [add('some', 600), add('none')]
  t.strictSame([sandboxes.isLarge(some, 400), sandboxes.isLarge(some, 401)], [false, true])
  t.strictSame([sandboxes.isLarge(none, 1000), sandboxes.isLarge(none, 1001)], [false, true])
})
