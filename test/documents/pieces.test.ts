import t from 'tap'
import { exportInSlices, exportState } from '../../src/documents/export.js'
import { parseAhead, readAhead } from '../../src/documents/stored.js'
import { finish, type Slices } from '../../src/lib/scheduler.js'
import { buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

const mock = await buildMock(t)

/** How often slices yield until they are done. */
function yieldsOf(slices: Slices<unknown>): number {
  let yields = 0
  while (slices.next().done !== true) yields++
  return yields
}

void t.test('an export rests only when its time is up, but then it soon does', async (t) => {
  const { controlResult, sandbox } = await openSandbox(mock)
  await controlResult('PUT', '/state', { workgroups: [{ workspaces: Array(450).fill({}) }] })
  const yieldsIf = (isTimeUp: boolean) => yieldsOf(exportInSlices(mock.plane, sandbox, () => isTimeUp))
  t.equal(yieldsIf(false), 0)
  const pages = 1
  // Allow lists, databases, backups, restore jobs, schedules and users.
  const lists = 6
  // After the 200th and the 400th workspace.
  const steps = 2
  // Before the events, and before the timeline.
  const rest = 2
  t.equal(yieldsIf(true), pages + lists + steps + rest)
  t.strictSame(
    finish(exportInSlices(mock.plane, sandbox, () => true)),
    exportState(mock.plane, sandbox),
    'and comes to the same'
  )
})

/** A stored document that is as long as a text. */
const documentOf = (length: number) => {
  const [begin, end] = ['{"org":{"name":"', '"}}']
  return `${begin}${'x'.repeat(length - begin.length - end.length)}${end}`
}
const LONG = 65_536

void t.test('a short stored document is there at once, and a long one when it is its turn', async (t) => {
  const { plane } = mock
  for (const length of [100, LONG, LONG + 1, 4 * LONG]) {
    const text = documentOf(length)
    const parsed = parseAhead(plane.scheduler, text)
    t.equal(parsed instanceof Promise, length > LONG, `${length} characters`)
    t.strictSame(await parsed, JSON.parse(text))
  }
})

void t.test('a long document that is read ahead of a write is what is there when the write asks', async (t) => {
  const { plane } = mock
  const { sandbox } = await openSandbox(mock)
  const [one, other] = [documentOf(2 * LONG), documentOf(LONG + 1)]
  const keys = await plane.write({ sandbox, id: 'x' }, () => [one, other].map((text) => plane.documents.save(text)))
  const [first, ...later] = keys
  let key: number | null = first!
  const reading = readAhead(plane, () => key, { format: 1 })
  t.ok(reading instanceof Promise)
  const { document, again } = await reading
  t.strictSame(document, JSON.parse(one))
  t.equal(again(), document, 'the same need not be read again')
  key = later[0]!
  t.strictSame(again(), JSON.parse(other))
  key = null
  t.strictSame(again(), { format: 1 })
  const otherwise = { clock: { rate: 3 } }
  t.equal((await readAhead(plane, () => null, otherwise)).document, otherwise, 'if there is none from the start')
})
