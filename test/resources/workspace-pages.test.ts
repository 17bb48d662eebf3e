import t from 'tap'
import { type Body, buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

const mock = await buildMock(t)

// The id of the first is before all letters.
const GROUPS = ['0', 'm', 'a']

const idsOf = (workspaces: Body[]) => workspaces.map(({ workspace_id: id }) => id as string)

// A statement reads at most 1,000 workspaces.
for (const count of [0, 3, 1000, 2300]) {
  void t.test(`each of ${count} workspaces is listed once, in order of creation, with every field`, async (t) => {
    const { result, controlResult } = await openSandbox(mock)
    const ids = GROUPS.map((group, index) => {
      const { length } = Array.from({ length: count }).filter((_, place) => place % GROUPS.length === index)
      return Array.from({ length }, (_, place) => `${group}-${place}`)
    })
    const workgroups = GROUPS.map((id, index) => ({ id, workspaces: ids[index]!.map((own) => ({ id: own })) }))
    await controlResult('PUT', '/state', { workgroups })
    const listed = (await result('GET', '/workgroups')) as { workspaces: Body[] }[]
    const listedIds = listed.map(({ workspaces }) => idsOf(workspaces))
    t.strictSame(listedIds, ids)
    const { workspaces } = await controlResult('GET', '/overview')
    t.strictSame(idsOf(workspaces as Body[]), ids.flat())
    for (const [index, [first]] of listed.map((group) => group.workspaces).entries())
      if (first !== undefined)
        t.strictSame(first, await result('GET', `/workgroups/${GROUPS[index]}/workspaces/${first.workspace_id}`))
  })
}
