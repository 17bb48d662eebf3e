import t from 'tap'
import { workgroupText } from '../../src/resources/workgroups/views.js'
import { type Body, buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

const mock = await buildMock(t)

/** A workgroup with some databases, each with a workspace but the last, and how often making its text rests. */
async function textOf(count: number, isTimeUp: boolean) {
  const { controlResult, sandbox } = await openSandbox(mock)
  const names = Array.from({ length: count }, (_, i) => `${i}`)
  await controlResult('PUT', '/state', {
    workgroups: [
      {
        id: 'g',
        databases: names.map((id) => ({ id })),
        workspaces: names.slice(0, -1).map((id) => ({ id, database: id }))
      }
    ]
  })
  const { workgroups, databases, workspaces } = mock.plane.storesOf(sandbox)
  const contents = [
    sandbox,
    workgroups.find('g')!,
    databases.list(),
    [...workspaces.pages()].flat(),
    { ...mock.plane.view, now: 0 }
  ] as const
  const steps = workgroupText(...contents, () => isTimeUp)
  for (let rests = 0; ; rests++) {
    const { done, value } = steps.next()
    if (done === true) return { group: JSON.parse(value), rests }
  }
}

void t.test('the text of a workgroup is complete, with any number of pieces', async (t) => {
  for (const [count, isTimeUp, expectedRests] of [
    [0, true, 0],
    [1, true, 0],
    [2, true, 0],
    // After the 100th database.
    [100, true, 1],
    // After the 100th of each.
    [120, true, 2],
    [120, false, 0]
  ] as const) {
    const { group, rests } = await textOf(count, isTimeUp)
    const workspaces = (group.workspaces as Body[]).map(({ workspace_id }) => workspace_id as string)
    const databases = (group.svc_databases as Body[]).map(({ database_id }) => database_id as string)
    const names = Array.from({ length: count }, (_, i) => `${i}`)
    t.strictSame([databases, workspaces], [names, names.slice(0, -1)])
    t.match(group, { name: 'g', workgroup_id: 'g' })
    const used = (group.svc_databases as Body[]).flatMap(
      ({ folder_statistics }) => folder_statistics.workspaces as Body[]
    )
    t.strictSame(
      used,
      names.slice(0, -1).map((workspace_id) => ({ workspace_id, size: 0 }))
    )
    t.equal(rests, expectedRests, `${count} databases, if the time is ${isTimeUp ? '' : 'not '}up`)
  }
})
