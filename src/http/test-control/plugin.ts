import type { FastifyPluginAsync, FastifyPluginCallback } from 'fastify'
import { success } from '../../interface/envelope.js'
import { wallTime } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { CALLS } from '../../test-control/calls.js'
import type { ReadCache } from '../read-cache.js'
import { OWN_ROUTES } from './own-routes.js'
import { addCall } from './route.js'

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
  // Calls check their input themselves, because programs make them too.
  app.setValidatorCompiler(() => () => true)
  for (const call of CALLS.filter((one) => one.says !== undefined)) addCall(app, plane, reads, call)
  for (const routes of OWN_ROUTES) await app.register(routes, { plane, reads })
}
