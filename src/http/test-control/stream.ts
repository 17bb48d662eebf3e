import { Type } from '@sinclair/typebox'
import { ServiceError } from '../../lib/errors.js'
import { addControl, type ControlRoutes } from './route.js'
import { presentNotice } from '../../test-control/stream/views.js'
import { EventStream } from './event-stream.js'

/** How many may listen to one sandbox. */
export const LISTENER_LIMIT = 64

const DESCRIPTION = `Server-sent events, one for each thing that happens. The data of each is one line of JSON:

- \`state\`: a write holds. \`changed\` and \`removed\` say which workgroups, databases and workspaces are other now, \`timeline\` which states have
  changed, \`tables\` what else. Without \`complete\`, there was too much to tell, or the journal is off.
- \`request\`: a request of the interface was answered.
- \`clock\`: the clock was set or moved; it is what \`GET /_mock/clock\` shows.
- \`reset\`: the sandbox is something else as a whole, or its journal was emptied.
- \`resync\`: the listener has missed something, and has to read everything anew. A stream begins with it, unless Last-Event-ID says where
  to go on.`

export const streamRoutes: ControlRoutes = (app, { world }, done) => {
  const streams = new Set<EventStream>()
  // The server waits for its connections when it closes, and these would not end by themselves.
  app.addHook('preClose', (closed) => {
    for (const stream of streams) stream.end()
    closed()
  })
  app.addHook('onSend', (_request, reply, _payload, sent) => {
    // A stream takes its connection with it when it ends, and no proxy may hold it back.
    if (reply.statusCode === 200) void reply.headers({ connection: 'close', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    sent()
  })

  addControl(app, 'GET', '/stream', {
    operationId: 'streamEvents', tag: 'Watching', summary: 'Hear what happens, as it happens', description: DESCRIPTION, streamType: 'text/event-stream',
    headers: Type.Object({ 'last-event-id': Type.Optional(Type.String({ description: 'Id of the last event that was seen; the stream goes on behind it.' })) })
  }, ({ sandbox, headers, raw: { socket } }) => {
    if (sandbox.feed.size >= LISTENER_LIMIT) throw new ServiceError('quotaExceeded', `There are ${LISTENER_LIMIT} listeners already; let one of them go first.`)
    const after = headers['last-event-id']
    const stream = new EventStream(sandbox.feed, (notice) => presentNotice(world, sandbox, notice), typeof after === 'string' ? after : undefined)
    streams.add(stream)
    stream.once('close', () => streams.delete(stream))
    // A listener that ends its side has left.
    socket.once('end', () => stream.destroy())
    return { message: '', document: { type: 'text/event-stream; charset=utf-8', content: stream } }
  })

  done()
}
