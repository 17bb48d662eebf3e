import t from 'tap'
import { Recency } from '../../src/lib/recency.js'

void t.test('what was not used for longest is found, whatever is used or taken out meanwhile', async (t) => {
  const recency = new Recency<{ name: string }>()
  t.equal(recency.oldest, undefined)
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name })) as [
    { name: string },
    { name: string },
    { name: string },
    { name: string }
  ]
  for (const item of [a, b, c, d]) recency.touch(item)
  recency.touch(a)
  recency.touch(a)
  recency.remove(c)
  recency.remove(c)
  t.notOk(recency.has(c))
  t.ok(recency.has(a))
  const order: string[] = []
  for (let oldest = recency.oldest; oldest !== undefined; oldest = recency.oldest) {
    order.push(oldest.name)
    recency.remove(oldest)
  }
  t.strictSame(order, ['b', 'd', 'a'])
  recency.touch(c)
  recency.touch(d)
  recency.remove(d)
  t.equal(recency.oldest, c)
})
