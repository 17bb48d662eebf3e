import { ServiceError } from '../../interface/errors.js'
import { EventHub } from '../../journal/event-hub.js'
import { toEventView } from '../../test-control/stream/views.js'
import { EventStream } from './event-stream.js'
import { addOwnCall, type ControlRoutes, sendBare } from './route.js'

/** Maximum number of listeners per sandbox. */
export const LISTENER_LIMIT = 64

export const streamRoutes: ControlRoutes = (app, { plane }, done) => {
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
