import t from 'tap'
import { type Body, buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

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
  const unlisted = [...b.sandbox.coverage.of('transitions').keys()].filter((name) => !listed.includes(name))
  t.strictSame(unlisted, [])
})
