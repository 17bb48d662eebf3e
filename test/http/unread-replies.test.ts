import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { handleErrors } from '../../src/http/error-handler.js'
import { type Bounds, boundUnreadReplies } from '../../src/http/hooks/bound-unread-replies.js'
import { createPipelineServer } from '../../src/http/pipelines.js'
import { pluck, portOf, until } from '../helper.js'

/** More bytes than the kernel buffers of an unread reply. */
const LARGE = 12 * 2 ** 20

/** A server that answers `/N` with N bytes. `begun` has the URLs of the requests that it handles. */
async function serve(t: Test, bounds: Partial<Bounds>, mostWaiting?: number) {
  const app = Fastify({
    genReqId: () => 'id',
    serverFactory: (handle, settings) => createPipelineServer(handle, settings, mostWaiting)
  })
  const begun: string[] = []
  app.addHook('onSend', boundUnreadReplies(app, bounds))
  app.setErrorHandler(handleErrors({ error: () => undefined, warn: () => undefined }))
  app.route({
    method: ['GET', 'POST'],
    url: '/:length',
    handler: async ({ url }) => {
      begun.push(url)
      return 'x'.repeat(Number(/\d+/.exec(url)![0]))
    }
  })
  const port = await portOf(app)
  t.teardown(() => app.close())
  t.teardown(() => app.server.closeAllConnections())

  /** A connection that sends requests, and reads nothing until it is resumed. */
  const open = (requests: readonly string[]) => {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .pause()
    socket.write(
      requests
        .map(
          (request) =>
            `${request} HTTP/1.1\r\nHost: x\r\n${request.startsWith('POST') ? 'Content-Length: 0\r\n' : ''}\r\n`
        )
        .join('')
    )
    t.teardown(() => socket.destroy())
    return socket
  }
  return { app, begun, open }
}

/** Reads until this many replies have arrived. */
async function read(socket: Socket, count: number): Promise<{ status: number; length: number }[]> {
  const replies: { status: number; length: number }[] = []
  let head = Buffer.alloc(0)
  let left = 0
  for await (const chunk of socket.resume() as AsyncIterable<Buffer>) {
    for (let rest = chunk; rest.length > 0;) {
      const body = Math.min(left, rest.length)
      left -= body
      head = Buffer.concat([head, rest.subarray(body)])
      rest = Buffer.alloc(0)
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) continue
      left = Number(/content-length: (\d+)/i.exec(head.toString('latin1', 0, end))![1])
      replies.push({ status: Number(head.toString('latin1', 9, 12)), length: left })
      rest = head.subarray(end + 4)
      head = Buffer.alloc(0)
    }
    if (replies.length === count && left === 0) break
  }
  return replies
}

const closed = (socket: Socket) =>
  new Promise((resolve) => {
    if (socket.closed) resolve(undefined)
    else socket.resume().once('close', resolve)
  })

void t.test('the requests of a connection are answered one at a time, in order', async (t) => {
  const { begun, open } = await serve(t, {})
  const lengths = [LARGE, ...Array.from({ length: 300 }, (_, i) => 10 + i), LARGE, 5]
  const socket = open(lengths.map((length) => `GET /${length}`))
  await until(() => begun.length > 0)
  const other = open(['GET /7'])
  t.strictSame(await read(other, 1), [{ status: 200, length: 7 }], 'others are served')
  t.strictSame(begun, [`/${LARGE}`, '/7'], 'requests behind an unread reply are not handled')
  t.strictSame(pluck(await read(socket, lengths.length), 'length'), lengths)
})

void t.test('pipelined requests are answered one per turn, and no more are read until all are answered', async (t) => {
  const { app, begun, open } = await serve(t, {})
  let [waiting, most, seen, mostInTurn, isOver] = [0, 0, 0, 0, false]
  app.server.on('request', (_request, reply) => {
    most = Math.max(most, ++waiting)
    reply.once('finish', () => waiting--)
  })
  const watch = () => {
    mostInTurn = Math.max(mostInTurn, begun.length - seen)
    seen = begun.length
    if (!isOver) setImmediate(watch)
  }
  watch()
  const count = 6000
  t.equal((await read(open(Array<string>(count).fill('GET /1')), count)).length, count)
  isOver = true
  t.ok(most <= (2 * 65_536) / 28, `at most ${most} of ${count} were there at once`)
  t.ok(mostInTurn <= 2, `at most ${mostInTurn} in a turn of the event loop`)
})

void t.test('if too many requests wait, the connection that has made no progress for longest is closed', async (t) => {
  const { begun, open } = await serve(t, {}, 200)
  const ahead = Array<string>(49).fill('GET /2')
  const slow = open([`GET /${LARGE}`, ...ahead, `GET /${LARGE}`, ...ahead])
  await until(() => begun.length === 1)
  const stalled = open([`GET /${LARGE}`, ...ahead, ...ahead])
  await until(() => begun.length === 2)
  slow.resume()
  await until(() => begun.length === 52)
  slow.pause()
  t.equal((await read(open([`GET /${LARGE}`, ...ahead, ...ahead]), 99)).length, 99, 'the last connection is served')
  await closed(stalled)
  t.notOk(slow.closed)
})

void t.test('pipelined bodies are read when it is their turn', async (t) => {
  const { open } = await serve(t, {})
  const socket = open([`GET /${LARGE}`, 'POST /3', 'POST /4', 'GET /5'])
  t.strictSame(pluck(await read(socket, 4), 'length'), [LARGE, 3, 4, 5])
})

void t.test('a reply larger than the limit leaves alone', async (t) => {
  const { open } = await serve(t, { bytes: 100_000 })
  for (let i = 0; i < 2; i++) t.match(await read(open(['GET /200000']), 1), [{ status: 200, length: 200_000 }])
})

void t.test('a client that gives up while its reply waits takes no room', async (t) => {
  const { begun, open } = await serve(t, { bytes: LARGE })
  const first = open([`GET /${LARGE}`])
  await until(() => begun.length === 1)
  for (let i = 0; i < 5; i++) {
    const socket = open([`GET /${LARGE}`])
    await until(() => begun.length === 2 + i)
    socket.resetAndDestroy()
    await closed(socket)
  }
  const [, replies] = await Promise.all([read(first, 1), read(open([`GET /${LARGE}`]), 1)])
  t.match(replies, [{ status: 200, length: LARGE }])
})

void t.test('a client that stops reading is disconnected, and one that is idle or slow is not', async (t) => {
  const { app, begun, open } = await serve(t, { patience: 300 })
  const gone = new Set<number | undefined>()
  app.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket
    socket.once('close', () => gone.add(remotePort))
  })
  const [idle, stalled] = [open([]), open([`GET /${LARGE}`, 'GET /1'])] as const
  const slow = open([`GET /${5 * LARGE}`])
  await until(() => begun.length === 2)
  let length = 0
  slow
    .on('data', (chunk) => {
      length += chunk.length
      if (gone.size > 0) return
      slow.pause()
      setTimeout(() => slow.resume(), 1)
    })
    .resume()
  await until(() => gone.size > 0 && length > 5 * LARGE)
  t.strictSame([...gone], [stalled.localPort])
  t.notOk(idle.closed)
  t.notOk(begun.includes('/1'), 'further requests of that client are not handled')
})

void t.test('while others wait, patience is short', async (t) => {
  const { begun, open } = await serve(t, { patience: 3000, bytes: LARGE })
  open([`GET /${LARGE}`])
  await until(() => begun.length === 1)
  t.match(await read(open([`GET /${LARGE}`]), 1), [{ status: 200, length: LARGE }])
})
