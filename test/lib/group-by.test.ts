import t from 'tap'
import { groupBy } from '../../src/lib/group-by.js'

void t.test('items are grouped by key, groups and items in the order in which they come', async (t) => {
  const groups = groupBy([5, 2, 3, 4, 1], (n) => (n % 2 === 0 ? 'even' : 'odd'))
  t.strictSame(
    [...groups],
    [
      ['odd', [5, 3, 1]],
      ['even', [2, 4]]
    ]
  )
  t.equal(groupBy([], String).size, 0)
})
