import t from 'tap'
import { detailOf } from '../../src/explore/detail.js'
import type { Ran } from '../../src/explore/run.js'

/** A run whose requests are the same call, with a fault each time. */
function endless(count: number): Ran {
  const point = { operation: 'listWorkgroups', resource: '', occurrence: 1 }
  const met = Array.from({ length: count }, (_, index) => ({
    id: `request-${index}`,
    point,
    isRead: true,
    isRepeat: false
  }))
  return { met, hits: [met], requests: [], changing: new Set(), sandbox: { key: 'one' } } as unknown as Ran
}

void t.test('a client that never gives up is reported by its first requests', (t) => {
  const ran = endless(100_000)
  const { requests } = detailOf({ ran } as never, ran, { difference: {} as never }, undefined)
  t.equal(requests.length, 200)
  t.equal(requests[0]!.id, 'request-0')
  t.end()
})
