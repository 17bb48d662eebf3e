import t from 'tap'
import { detailOf } from '../../src/explore/detail.js'
import type { Run } from '../../src/explore/run.js'

/** A run that repeats one call, with a fault each time. */
function endless(count: number): Run {
  const point = { operation: 'listWorkgroups', resource: '', occurrence: 1 }
  const seen = Array.from({ length: count }, (_, index) => ({
    id: `request-${index}`,
    point,
    isRead: true,
    isRepeat: false
  }))
  return { seen, hits: [seen], requests: [], changing: new Set(), sandbox: { key: 'one' } } as unknown as Run
}

void t.test('a report shows the first 200 requests of a client that never gives up', async (t) => {
  const run = endless(100_000)
  const { requests } = detailOf({ run } as never, run, { difference: {} as never }, undefined)
  t.equal(requests.length, 200)
  t.equal(requests[0]!.id, 'request-0')
})
