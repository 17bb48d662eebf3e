import t from 'tap'
import { toWorkgroupView, workgroupText } from '../../src/resources/workgroups/views.js'
import { buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

const mock = await buildMock(t)

/** The text of a workgroup with some databases, each with a workspace but the last, and how often making it rests. */
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
    if (done === true) return { text: value, expected: JSON.stringify(toWorkgroupView(...contents)), rests }
  }
}

void t.test('the text of a workgroup is that of its view, however many pieces it is made of', async (t) => {
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
    const { text, expected, rests } = await textOf(count, isTimeUp)
    t.equal(text, expected, `${count} databases`)
    t.equal(rests, expectedRests, `${count} databases, if the time is ${isTimeUp ? '' : 'not '}up`)
  }
})
