import { success } from '../../interface/envelope.js'
import { type SleepSetting, sleepUntil } from '../../test-control/clock/sleep.js'
import { Connections } from './connections.js'
import { addOwnCall, type ControlRoutes } from './route.js'

export const sleepRoutes: ControlRoutes = (app, { plane }, done) => {
  const connections = new Connections(app)

  addOwnCall(app, plane, 'sleep', async (call, request, reply) => {
    const connection = connections.signalOf(request.raw.socket)
    const clock = await sleepUntil(plane, call, call.body as SleepSetting, connection).finally(() => {
      // A server that stops waits until its connections are closed.
      if (connection.aborted) void reply.header('connection', 'close')
    })
    return reply.send(success(request, `It is ${clock.now}.`, clock))
  })

  done()
}
