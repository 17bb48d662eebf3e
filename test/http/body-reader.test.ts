import { PassThrough } from 'node:stream'
import t from 'tap'
import { readBody } from '../../src/http/body-reader.js'

interface Given {
  /** Its length according to its header. */
  readonly announced?: number
  readonly limit?: number
  readonly refusal?: Error
}

/** Begins to read a body. The result says for how much room was asked, and with what the reading has ended. */
function open({ announced = NaN, limit = 1000, refusal }: Given = {}) {
  const payload = new PassThrough()
  const before = listenersOf(payload)
  const asked: number[] = []
  const ends: (string | undefined)[] = []
  readBody(
    payload,
    announced,
    limit,
    (bytes) => {
      asked.push(bytes)
      return refusal
    },
    (error, bytes) =>
      ends.push(error === null ? bytes?.toString('latin1') : ((error as { code?: string }).code ?? error.message))
  )
  const send = (text: string) => payload.emit('data', Buffer.from(text))
  /** Whether it listens no more. */
  const isOver = () => listenersOf(payload) === before
  return { payload, asked, ends, send, isOver }
}

const listenersOf = (payload: PassThrough) => ['data', 'end', 'error'].map((name) => payload.listenerCount(name)).join()

void t.test('a buffer grows to twice its size, or to what is needed, and never beyond the limit', async (t) => {
  const bytewise = open({ limit: 100 })
  for (let i = 0; i < 100; i++) bytewise.send('x')
  t.strictSame(bytewise.asked, [1, 2, 4, 8, 16, 32, 64, 100])
  bytewise.payload.emit('end')
  t.strictSame(bytewise.ends, ['x'.repeat(100)])

  const chunks = open()
  for (const text of ['a', 'b'.repeat(500), 'c'.repeat(400), 'd'.repeat(99)]) chunks.send(text)
  t.strictSame(chunks.asked, [1, 501, 1000])
  chunks.payload.emit('end')
  t.strictSame(chunks.ends, [`a${'b'.repeat(500)}${'c'.repeat(400)}${'d'.repeat(99)}`])
})

void t.test('a body ends once, and nobody listens after that', async (t) => {
  const broken = new Error('broken')
  for (const [given, action, end] of [
    [{}, ({ payload }) => payload.emit('end'), ''],
    [{ announced: 0 }, ({ payload }) => payload.emit('end'), ''],
    [{ announced: 3 }, ({ payload }) => payload.emit('end'), 'FST_ERR_CTP_INVALID_CONTENT_LENGTH'],
    [{}, ({ payload }) => payload.emit('error', broken), 'broken'],
    [{ limit: 2 }, ({ send }) => send('abc'), 'FST_ERR_CTP_BODY_TOO_LARGE'],
    [{ refusal: new Error('no room') }, ({ send }) => send('a'), 'no room']
  ] as [Given, (body: ReturnType<typeof open>) => void, string][]) {
    const body = open(given)
    t.notOk(body.isOver())
    action(body)
    t.strictSame(body.ends, [end])
    t.ok(body.isOver(), end)
  }
})
