import { Metrics, OPEN_METRICS } from '../../test-control/metrics.js'
import { addOwnCall, type ControlRoutes } from './route.js'

export const metricsRoutes: ControlRoutes = (app, { plane }, done) => {
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
