import t from 'tap'
import type { Slices } from '../../src/lib/scheduler.js'
import { readOverview } from '../../src/test-control/overview/overview.js'
import { readReport } from '../../src/test-control/report/report.js'
import { buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

/** Runs all slices. @returns how many there were before the last one, and the result */
function run<T>(slices: Slices<T>): { count: number; value: T } {
  for (let count = 0; ; count++) {
    const { done, value } = slices.next()
    if (done === true) return { count, value }
  }
}

const READS = { report: readReport, overview: readOverview }

for (const [name, read] of Object.entries(READS)) {
  void t.test(`when its time is up, the ${name} lets others go first`, async (t) => {
    const { mock, sandbox, createWorkgroup, createActive } = await openSandbox(await buildMock(t))
    await createActive(await createWorkgroup())
    const whole = run<object>(read(mock.plane, sandbox, () => false))
    t.equal(whole.count, 0)
    const sliced = run<object>(read(mock.plane, sandbox, () => true))
    t.ok(sliced.count > 0)
    t.strictSame(sliced.value, whole.value)
  })
}
