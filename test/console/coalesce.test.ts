import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { Coalesced } from '../../src/console/model/coalesce.js'

void t.test('after a slow run, the next one begins within 2 seconds', async (t) => {
  let now = 0
  const timers: { run: () => void; delay: number }[] = []
  t.intercept(performance, 'now', { value: () => now })
  t.intercept(globalThis, 'setTimeout', { value: (run: () => void, delay: number) => timers.push({ run, delay }) })
  const job = new Coalesced(async () => {
    now += 30_000
  })
  job.request()
  job.request()
  t.equal(timers.length, 1, 'one run for both requests')
  timers[0]!.run()
  await setImmediate()
  job.request()
  t.match(timers[1], { delay: 2000 })
})
