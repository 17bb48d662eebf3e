import t from 'tap'
import { heapSize } from '../../src/journal/budget.js'

void t.test('counting stops as soon as there is more than enough', async (t) => {
  t.ok(heapSize(['x'], heapSize([true])) > heapSize([true]))
  t.ok(heapSize({ a: 'x' }, heapSize({ a: true })) > heapSize({ a: true }))
  const one = heapSize('x'.repeat(1000))
  t.ok(heapSize(['x'.repeat(1000), 'x'.repeat(1000)], 500) < 2 * one, 'the other text is not counted')
  t.ok(heapSize(Array(1000).fill('x'.repeat(1000)), 500) < 10 * one)
  const trap = {
    a: 1,
    get b() {
      t.fail('nobody looks at the second field')
      return 1
    }
  }
  t.ok(heapSize(trap, 10) > 10)
})
