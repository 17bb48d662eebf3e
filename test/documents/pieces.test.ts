import t from 'tap'
import { parseAhead, readAhead } from '../../src/documents/stored.js'
import { buildMock } from '../helper.js'
import { openSandbox } from '../sandbox.js'

const mock = await buildMock(t)

/** A stored document that is as long as a text. */
const documentOf = (length: number) => {
  const [begin, end] = ['{"org":{"name":"', '"}}']
  return `${begin}${'x'.repeat(length - begin.length - end.length)}${end}`
}
const LONG = 65_536

void t.test('a short stored document is parsed at once, and a long one in turn', async (t) => {
  const { plane } = mock
  for (const length of [100, LONG, LONG + 1, 4 * LONG]) {
    const text = documentOf(length)
    const parsed = parseAhead(plane.scheduler, text)
    t.equal(parsed instanceof Promise, length > LONG, `${length} characters`)
    t.strictSame(await parsed, JSON.parse(text))
  }
})

void t.test('a document read ahead is the current one at the time of the write', async (t) => {
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
