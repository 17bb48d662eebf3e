import t from 'tap'
import { faultRecords } from '../../src/sandboxes/fault-rule.js'
import { MOST_FAULT_RULES } from '../../src/sandboxes/fault-schemas.js'
import { type Body, buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

const FAILS = { effect: { status: 503 } }

void t.test('a sandbox has so many faults and no more, until one is removed', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const { faults, write } = b.mock.plane
  await write({ sandbox: b.sandbox, id: 'set-up' }, ({ sandbox }) => {
    const rules = Array.from({ length: MOST_FAULT_RULES - 1 }, () => ({ ...FAILS, operation: 'getMetadata' as const }))
    faults.replace(sandbox, faultRecords(rules))
  })
  const add = async () => (await b.control('POST', '/faults', FAILS)).status
  t.strictSame([await add(), await add()], [200, 403])
  t.equal((await b.control('DELETE', '/faults/fault-1')).status, 200)
  t.strictSame([await add(), await add()], [200, 403])
  t.strictSame(await b.controlResult('DELETE', '/faults'), { removed: MOST_FAULT_RULES })
})

void t.test('there are no more snapshots than there may be, even if they are saved at once', async (t) => {
  const b = await openSandbox(await buildMock(t, { maxSnapshots: 2 }))
  const save = async (name: string) => (await b.control('PUT', `/snapshots/${name}`)).status
  const names = async () => ((await b.controlResult('GET', '/snapshots')) as Body[]).map(({ name }) => name as string)
  t.equal(await save('a'), 200)
  t.strictSame((await Promise.all(['b', 'c', 'd'].map(save))).sort(), [200, 403, 403])
  t.equal((await names()).length, 2)
  t.strictSame(await Promise.all([save('a'), save('a')]), [200, 200], 'one may take the place of another')
  t.equal(await save('e'), 403)
  await b.control('DELETE', '/snapshots/a')
  t.equal(await save('e'), 200)
})
