import t from 'tap'
import { whenReady } from '../../src/lib/when-ready.js'

void t.test('a value is used at once, that of a promise when it is there', async (t) => {
  const used: number[] = []
  const use = (value: number) => used.push(value)
  t.equal(whenReady(7, use), 1)
  t.strictSame(used, [7])
  const later = whenReady(Promise.resolve(8), use)
  t.strictSame(used, [7])
  t.equal(await later, 2)
  t.strictSame(used, [7, 8])
})
