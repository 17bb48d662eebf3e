import type { Metrics } from '../../test-control/metrics/metrics.js'
import { addControl, type ControlRoutes } from './route.js'

export const metricsRoutes: ControlRoutes = (app, { plane }, done) => {
  let metrics: Metrics | undefined

  addControl(
    app,
    'GET',
    '/metrics',
    {
      operationId: 'readMetrics',
      tag: 'Watching',
      summary: 'Read the metrics of the server',
      isAcrossSandboxes: true,
      isProbe: true,
      bareType: 'application/openmetrics-text',
      description: 'OpenMetrics text (application/openmetrics-text), for Prometheus and the like.'
    },
    async () => {
      const { Metrics } = await import('../../test-control/metrics/metrics.js')
      metrics ??= new Metrics(plane)
      return { message: 'The metrics.', document: { type: metrics.type, content: await metrics.read() } }
    }
  )

  app.addHook('onClose', (_, closed) => {
    metrics?.close()
    closed()
  })

  done()
}
