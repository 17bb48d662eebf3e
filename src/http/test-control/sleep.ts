import { success } from '../../interface/envelope.js'
import { readClock } from '../../test-control/clock/clock.js'
import { sleepUntil } from '../../test-control/clock/sleepers.js'
import { Connections } from './connections.js'
import { addOwnCall, type ControlRoutes } from './route.js'

export const sleepRoutes: ControlRoutes = (app, { plane }, done) => {
  const connections = new Connections(app)

  addOwnCall(app, plane, 'sleep', async (call, request, reply) => {
    const connection = connections.signalOf(request.raw.socket)
    await sleepUntil(plane, call, call.body as Parameters<typeof sleepUntil>[2], connection).finally(() => {
      // A server that stops waits until its connections are closed.
      if (connection.aborted) void reply.header('connection', 'close')
    })
    const clock = readClock(plane, call.sandbox)
    return reply.send(success(request, `It is ${clock.now}.`, clock))
  })

  done()
}
