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

void t.test('the report lets others go first between its parts, if its time is up', async (t) => {
  const { mock, sandbox, createWorkgroup, createActive } = await openSandbox(await buildMock(t))
  await createActive(await createWorkgroup())
  const report = readReport(mock.plane, sandbox)
  t.notOk(report instanceof Promise, 'a short one is there at once')
  for (const isTimeUp of [true, false]) {
    let slices = 0
    const read = <T>(_sandbox: unknown, work: (isTimeUp: () => boolean) => Slices<T>): T => {
      const { count, value } = run(work(() => isTimeUp))
      slices = count
      return value
    }
    t.strictSame(readReport({ ...mock.plane, read }, sandbox), report)
    if (isTimeUp) t.ok(slices > 4, `${slices} slices`)
    else t.equal(slices, 0)
  }
})

void t.test('the overview lets others go first after a page of workspaces, if its time is up', async (t) => {
  const { mock, sandbox, createWorkgroup, createActive } = await openSandbox(await buildMock(t))
  await createActive(await createWorkgroup())
  const whole = run(readOverview(mock.plane, sandbox, () => false))
  t.equal(whole.count, 0)
  const sliced = run(readOverview(mock.plane, sandbox, () => true))
  t.ok(sliced.count > 0)
  t.strictSame(sliced.value, whole.value)
})
