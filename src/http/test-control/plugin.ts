import type { FastifyPluginAsync, FastifyPluginCallback } from 'fastify'
import { success } from '../../interface/envelope.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { wallTime } from '../../sim/clock.js'
import type { ReadCache } from '../read-cache.js'
import { clockRoutes } from './clock.js'
import { coverageRoutes } from './coverage.js'
import { faultRoutes } from './faults.js'
import { metricsRoutes } from './metrics.js'
import { overviewRoutes } from './overview.js'
import { profileRoutes } from './profile.js'
import { recordingRoutes } from './recording.js'
import { reportRoutes } from './report.js'
import { requestRoutes } from './requests.js'
import { sandboxRoutes } from './sandboxes.js'
import { simulationRoutes } from './simulation.js'
import { streamRoutes } from './stream.js'
import { workspaceControlRoutes } from './workspaces.js'

/** How long a successful write probe counts, in milliseconds. */
const WRITABLE_FOR = 1000

/** Whether the server is ready, including for writes. Open to everybody. */
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

/**
 * The control API: everything under `/_mock` besides the mirrored interface. It acts on the sandbox of the credential.
 */
export const controlRoutes: FastifyPluginAsync<{ plane: ControlPlane; reads: ReadCache }> = async (
  app,
  { plane, reads }
) => {
  // The functions behind the routes check their input, because programs call them too; see check().
  app.setValidatorCompiler(() => () => true)

  await app.register(clockRoutes, { plane, reads })
  await app.register(simulationRoutes, { plane, reads })
  await app.register(profileRoutes, { plane, reads })
  await app.register(requestRoutes, { plane, reads })
  await app.register(reportRoutes, { plane, reads })
  await app.register(recordingRoutes, { plane, reads })
  await app.register(coverageRoutes, { plane, reads })
  await app.register(faultRoutes, { plane, reads })
  await app.register(workspaceControlRoutes, { plane, reads })
  await app.register(sandboxRoutes, { plane, reads })
  await app.register(overviewRoutes, { plane, reads })
  await app.register(streamRoutes, { plane, reads })
  await app.register(metricsRoutes, { plane, reads })
}
