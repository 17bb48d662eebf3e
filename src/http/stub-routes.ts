import type { FastifyPluginCallback } from 'fastify'
import { fillPath } from '../profile/path-template.js'
import type { Stub } from '../profile/stubs.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { ToWire } from './error-handler.js'
import { injectFaults } from './hooks/inject-faults.js'
import { valuesOf } from './placeholders.js'
import { sendReply } from './profile-reply.js'
import type { OnRequest } from './request-context.js'

/**
 * The stubs of a profile. They need a credential and enter the sandbox as operations do, but are none: nothing is
 * validated or counted, and only errors are translated.
 */
export const stubRoutes: FastifyPluginCallback<{
  plane: ControlPlane
  stubs: readonly Stub[]
  /** Refuses what is beyond a limit; undefined if there are none. */
  limit: OnRequest | undefined
  toWire: ToWire
}> = (app, { plane, stubs, limit, toWire }, done) => {
  if (limit !== undefined) app.addHook('onRequest', limit)
  injectFaults(app, plane, toWire)
  for (const stub of stubs) {
    app.route({
      method: stub.method,
      url: fillPath(stub.path.text, (_, name) => `:${name}`),
      // A full database is no reason to refuse it.
      config: { access: 'either', stub: stub.name, isRead: true },
      schema: { hide: true },
      handler: (request, reply) => {
        void reply.header('x-mock-stub', stub.name)
        sendReply(reply, stub, valuesOf(plane, request))
      }
    })
  }
  done()
}
