// The calls of the control API that HTTP answers in a way of its own: sleeping, recordings, events and metrics.
import { Readable } from 'node:stream'
import { success } from '../../interface/envelope.js'
import { ServiceError } from '../../interface/errors.js'
import { EventHub } from '../../journal/event-hub.js'
import { readClock } from '../../test-control/clock/clock.js'
import { sleepUntil } from '../../test-control/clock/sleepers.js'
import { Metrics, OPEN_METRICS } from '../../test-control/metrics.js'
import { toEventView } from '../../test-control/stream/views.js'
import { Waits } from '../waits.js'
import { EventStream } from './event-stream.js'
import { addOwnCall, type ControlRoutes, sendBare } from './route.js'

const sleepRoutes: ControlRoutes = (app, { plane }, done) => {
  const waits = new Waits(app)

  addOwnCall(app, plane, 'sleep', async (call, request, reply) => {
    await waits.during(request, (connection) =>
      sleepUntil(plane, call, call.body as Parameters<typeof sleepUntil>[2], connection).finally(() => {
        // A server that stops waits until its connections are closed.
        if (connection.aborted) void reply.header('connection', 'close')
      })
    )
    const clock = readClock(plane, call.sandbox)
    return reply.send(success(request, `It is ${clock.now}.`, clock))
  })

  done()
}

/** Those who may read recordings at a time: each has a copy of a sandbox in memory. */
const MOST_READERS = 4

/** Sends texts as they are made, as fast as the reader takes them, and no further when it has left. */
const recordingRoutes: ControlRoutes = (app, { plane }, done) => {
  let readers = 0

  for (const [name, read] of [
    ['readRecording', 'piecesFromMemory'],
    ['readSteps', 'stepsFromMemory']
  ] as const)
    addOwnCall(app, plane, name, async ({ sandbox }, { method }, reply) => {
      const memory = await import('../../recording/from-memory.js')
      memory.assertRemembers(sandbox)
      if (readers >= MOST_READERS)
        throw new ServiceError('unavailable', `${MOST_READERS} others are reading recordings; try again in a moment.`)
      const pieces = method === 'HEAD' ? [] : memory[read](plane, sandbox, () => content.destroyed)
      const content: Readable = Readable.from(pieces, { objectMode: false }).once('close', () => {
        readers--
      })
      readers++
      return sendBare(reply, 'application/x-ndjson', content)
    })

  done()
}

/** Maximum number of listeners per sandbox. */
export const LISTENER_LIMIT = 64

const streamRoutes: ControlRoutes = (app, { plane }, done) => {
  const streams = new Set<EventStream>()
  // The server waits for its connections when it closes, and these would not end by themselves.
  app.addHook('preClose', (closed) => {
    for (const stream of streams) stream.end()
    closed()
  })
  app.addHook('onSend', (_request, reply, _payload, sent) => {
    // A stream closes its connection when it ends, and no proxy may buffer it.
    if (reply.statusCode === 200)
      void reply.headers({ connection: 'close', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    sent()
  })

  addOwnCall(app, plane, 'streamEvents', ({ sandbox }, { headers, raw: { socket } }, reply) => {
    const hub = (sandbox.eventHub ??= new EventHub(plane.journals))
    if (hub.size >= LISTENER_LIMIT)
      throw new ServiceError('quotaExceeded', `There are ${LISTENER_LIMIT} listeners already; close one of them first.`)
    const after = headers['last-event-id']
    const stream = new EventStream(
      hub,
      (event) => toEventView(plane, sandbox, event),
      typeof after === 'string' ? after : undefined
    )
    streams.add(stream)
    stream.once('close', () => streams.delete(stream))
    // A listener that half-closes the connection has left.
    socket.once('end', () => stream.destroy())
    return sendBare(reply, 'text/event-stream', stream)
  })

  done()
}

const metricsRoutes: ControlRoutes = (app, { plane }, done) => {
  let metrics: Metrics | undefined

  addOwnCall(app, plane, 'readMetrics', async (_call, _request, reply) => {
    metrics ??= new Metrics(plane)
    return reply.type(OPEN_METRICS).send(metrics.read())
  })

  app.addHook('onClose', (_, closed) => {
    metrics?.close()
    closed()
  })

  done()
}

/** What HTTP answers in a way of its own. */
export const OWN_ROUTES = [sleepRoutes, recordingRoutes, streamRoutes, metricsRoutes]
