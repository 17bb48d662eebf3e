import t from 'tap'
import { Coverage } from '../../src/journal/coverage.js'
import { type Body, buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

const countsOf = (coverage: Coverage) =>
  (['statuses', 'errors', 'guards', 'faults', 'transitions'] as const).map((kind) =>
    Object.fromEntries(coverage.of(kind))
  )

void t.test('a reply counts by its operation, condition and guard', async (t) => {
  const coverage = new Coverage()
  coverage.countReply(undefined, 404, undefined, undefined)
  t.strictSame(countsOf(coverage), [{}, {}, {}, {}, {}])
  coverage.countReply(undefined, 404, 'notFound', undefined)
  coverage.countReply('a', 200, undefined, undefined)
  coverage.countReply('a', 400, 'notAllowed', 'b in c')
  coverage.countReply('a', 200, undefined, undefined)
  t.strictSame(countsOf(coverage), [
    { 'a 200': 2, 'a 400': 1 },
    { notFound: 1, notAllowed: 1 },
    { 'b in c': 1 },
    {},
    {}
  ])
})

void t.test('the firing of a schedule is not a transition', async (t) => {
  const coverage = new Coverage()
  coverage.countTransition('a', 'firing', null, 'x')
  coverage.countTransition('a', 'status', null, 'x')
  coverage.countTransition('a', 'status', 'x', 'y')
  t.strictSame(Object.fromEntries(coverage.of('transitions')), { 'a: (none) → x': 1, 'a: x → y': 1 })
  coverage.countFault('a')
  coverage.countReply('a', 400, 'notAllowed', 'b')
  coverage.clear()
  t.strictSame(countsOf(coverage), [{}, {}, {}, {}, {}], 'nothing is left when it was cleared')
})

void t.test('only transitions that the coverage lists are counted', async (t) => {
  const b = await openSandbox(await buildMock(t))
  const workgroup = await b.createWorkgroup()
  const { workspace_id: id } = await b.createActive(workgroup)
  const path = `/workgroups/${workgroup}/workspaces/${id}`
  await b.result('POST', `${path}/backups/schedule`, { schedule: '0 3 * * *' })
  await b.advance('P1D')
  await b.result('POST', `${path}/pause`)
  await b.advance('P1D')
  t.ok((await b.timeline()).some(({ to }) => to === 'skipped'))
  const { transitions } = await b.controlResult('GET', '/coverage')
  const listed = (transitions as Body[]).map(({ name }) => name as string)
  t.strictSame(
    [...b.sandbox.coverage.of('transitions').keys()].filter((name) => !listed.includes(name)),
    []
  )
})
