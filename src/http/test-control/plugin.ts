import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyPluginCallback } from 'fastify'
import { success } from '../../interface/envelope.js'
import { ServiceError } from '../../interface/errors.js'
import { EventHub } from '../../journal/event-hub.js'
import { wallTime } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { CALLS } from '../../test-control/calls.js'
import { readClock } from '../../test-control/clock/clock.js'
import { sleepUntil } from '../../test-control/clock/sleepers.js'
import { Metrics, OPEN_METRICS } from '../../test-control/metrics.js'
import { toEventView } from '../../test-control/stream/views.js'
import type { ReadCache } from '../read-cache.js'
import { Waits } from '../waits.js'
import { EventStream } from './event-stream.js'
import { addCall, addOwnCall, type ControlRoutes, sendBare } from './route.js'

/** How long a write probe counts, in milliseconds. */
const WRITABLE_FOR = 1000

/** Answers whether the server is ready, also for writes. Open to everybody. */
export const readinessRoute: FastifyPluginCallback<{ plane: ControlPlane }> = (app, { plane }, done) => {
  let check: { readonly at: number; readonly done: Promise<void> } | undefined
  // The process only listens once the database is open and migrated, so any reply means that clients can start.
  app.get('/ready', { config: { isProbe: true }, schema: { hide: true } }, async (request, reply) => {
    const at = wallTime()
    if (check === undefined || Math.abs(at - check.at) >= WRITABLE_FOR) check = { at, done: plane.probe() }
    const mine = check
    try {
      await mine.done
    } catch (error) {
      // The next request tries again.
      if (check === mine) check = undefined
      throw error
    }
    return reply.send(success(request, 'The server is ready.'))
  })
  done()
}

/** The control API: everything under `/_mock`. It acts on the sandbox of the credential. */
export const controlRoutes: FastifyPluginAsync<{ plane: ControlPlane; reads: ReadCache }> = async (
  app,
  { plane, reads }
) => {
  // Calls check their input themselves, because programs make them too.
  app.setValidatorCompiler(() => () => true)
  for (const call of CALLS.filter(({ run, inSlices }) => (run ?? inSlices) !== undefined))
    addCall(app, plane, reads, call)
  for (const routes of [sleepRoutes, recordingRoutes, streamRoutes, metricsRoutes])
    await app.register(routes, { plane, reads })
}

// The calls that HTTP answers in a way of its own.

const sleepRoutes: ControlRoutes = (app, { plane }, done) => {
  const waits = new Waits(app)

  addOwnCall(app, plane, 'sleep', async (call, request, reply) => {
    await waits.during(request, (connection) =>
      sleepUntil(plane, call, call.body as Parameters<typeof sleepUntil>[2], connection)
    )
    const clock = readClock(plane, call.sandbox)
    return reply.send(success(request, `It is ${clock.now}.`, clock))
  })

  done()
}

/** Maximum number of recordings that are read at a time: each takes a copy of a sandbox in memory. */
const MOST_READERS = 4

/** Sends recordings as they are made, at the pace of the reader, and stops when it leaves. */
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
  // A closing server waits for its connections, and these would not end by themselves.
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
      typeof after === 'string' ? after : undefined,
      sandbox.expires
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
