import type { Metrics } from '../../test-control/metrics/metrics.js'
import { addOwnCall, type ControlRoutes } from './route.js'

export const metricsRoutes: ControlRoutes = (app, { plane }, done) => {
  let metrics: Metrics | undefined

  addOwnCall(app, plane, 'readMetrics', async (_call, _request, reply) => {
    const { Metrics } = await import('../../test-control/metrics/metrics.js')
    metrics ??= new Metrics(plane)
    return reply.type(metrics.type).send(await metrics.read())
  })

  app.addHook('onClose', (_, closed) => {
    metrics?.close()
    closed()
  })

  done()
}
