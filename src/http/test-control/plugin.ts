import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyPluginCallback } from 'fastify'
import { success } from '../../interface/envelope.js'
import { ServiceError } from '../../interface/errors.js'
import { EventHub } from '../../journal/event-hub.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { callNamed, CALLS } from '../../test-control/calls.js'
import { readClock } from '../../test-control/clock/clock.js'
import { sleepUntil } from '../../test-control/clock/sleepers.js'
import { isPerformed } from '../../test-control/control-call.js'
import { Metrics, OPEN_METRICS } from '../../test-control/metrics.js'
import { toEventView } from '../../test-control/stream/views.js'
import type { ReadCache } from '../read-cache.js'
import { Waits } from '../waits.js'
import { EventStream } from './event-stream.js'
import { addCall, addRoute, sendBare } from './route.js'

/** Answers whether the server is ready, also for writes. Open to everybody. */
export const readinessRoute: FastifyPluginCallback<{ plane: ControlPlane }> = (app, { plane }, done) => {
  // The process only listens once the database is open and migrated, so any reply means that clients can start.
  app.get('/ready', { config: { isProbe: true }, schema: { hide: true } }, async (request, reply) => {
    await plane.probe()
    return reply.send(success(request, 'The server is ready.'))
  })
  done()
}

/** The control API: everything under `/_mock`. It acts on the sandbox of the credential. */
export const controlRoutes: FastifyPluginCallback<{ plane: ControlPlane; reads: ReadCache }> = (
  app,
  { plane, reads },
  done
) => {
  // Calls check their input themselves, because programs make them too.
  app.setValidatorCompiler(() => () => true)
  for (const call of CALLS.filter(isPerformed)) addCall(app, plane, reads, call)
  for (const addRoutes of [addSleep, addRecordings, addStream, addMetrics]) addRoutes(app, plane)
  done()
}

// The calls that HTTP answers in a way of its own.

function addSleep(app: FastifyInstance, plane: ControlPlane): void {
  const waits = new Waits(app)

  addRoute(app, plane, callNamed('sleep'), async (call, request, reply) => {
    await waits.during(request, (connection) =>
      sleepUntil(plane, call, call.body as Parameters<typeof sleepUntil>[2], connection)
    )
    const clock = readClock(plane, call.sandbox)
    return reply.send(success(request, `It is ${clock.now}.`, clock))
  })
}

/** Maximum number of recordings that are read at a time: each takes a copy of a sandbox in memory. */
const MOST_READERS = 4

/** Sends recordings as they are made, at the pace of the reader, and stops when it leaves. */
function addRecordings(app: FastifyInstance, plane: ControlPlane): void {
  let readers = 0

  for (const [name, read] of [
    ['readRecording', 'piecesFromMemory'],
    ['readSteps', 'stepsFromMemory']
  ] as const)
    addRoute(app, plane, callNamed(name), async ({ sandbox }, { method }, reply) => {
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
}

/** Maximum number of listeners per sandbox. */
export const LISTENER_LIMIT = 64

function addStream(app: FastifyInstance, plane: ControlPlane): void {
  const streams = new Set<EventStream>()
  // A closing server waits for its connections, and these would not end by themselves.
  app.addHook('preClose', (closed) => {
    for (const stream of streams) stream.end()
    closed()
  })

  addRoute(app, plane, callNamed('streamEvents'), ({ sandbox }, { headers, raw: { socket } }, reply) => {
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
    // A stream closes its connection when it ends, and no proxy may buffer it.
    void reply.headers({ connection: 'close', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    return sendBare(reply, 'text/event-stream', stream)
  })
}

function addMetrics(app: FastifyInstance, plane: ControlPlane): void {
  let metrics: Metrics | undefined

  addRoute(app, plane, callNamed('readMetrics'), async (_call, _request, reply) => {
    metrics ??= new Metrics(plane)
    return reply.type(OPEN_METRICS).send(metrics.read())
  })

  app.addHook('onClose', (_, closed) => {
    metrics?.close()
    closed()
  })
}
