import { Type } from '@sinclair/typebox'
import { ServiceError } from '../../interface/errors.js'
import { toEventView } from '../../test-control/stream/views.js'
import { EventStream } from './event-stream.js'
import { addControl, type ControlRoutes } from './route.js'

/** Maximum number of listeners per sandbox. */
export const LISTENER_LIMIT = 64

const DESCRIPTION = `Server-sent events. The data of each is one line of JSON:

- \`state\`: a write was committed. \`changed\` and \`removed\` list workgroups, databases and workspaces,
  \`timeline\` state changes, \`tables\` all changed tables. Without \`complete\`, there were too many
  changes, or the journal is off.
- \`request\`: a request of the interface was answered.
- \`clock\`: the clock was set or moved; as in \`GET /_mock/clock\`.
- \`reset\`: the sandbox was replaced as a whole, or its journal was cleared.
- \`resync\`: the listener has missed something, and must read everything again. A stream starts with it, unless it
  continues after Last-Event-ID.`

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

  addControl(
    app,
    'GET',
    '/stream',
    {
      operationId: 'streamEvents',
      tag: 'Watching',
      summary: 'Stream events as they happen',
      description: DESCRIPTION,
      streamType: 'text/event-stream',
      isWaiting: true,
      headers: Type.Object({
        'last-event-id': Type.Optional(
          Type.String({ description: 'Id of the last event received; the stream continues after it.' })
        )
      })
    },
    ({ sandbox, headers, raw: { socket } }) => {
      if (sandbox.eventHub.size >= LISTENER_LIMIT)
        throw new ServiceError(
          'quotaExceeded',
          `There are ${LISTENER_LIMIT} listeners already; close one of them first.`
        )
      const after = headers['last-event-id']
      const stream = new EventStream(
        sandbox.eventHub,
        (event) => toEventView(plane, sandbox, event),
        typeof after === 'string' ? after : undefined
      )
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      // A listener that half-closes the connection has left.
      socket.once('end', () => stream.destroy())
      return { message: '', document: { type: 'text/event-stream; charset=utf-8', content: stream } }
    }
  )

  done()
}
