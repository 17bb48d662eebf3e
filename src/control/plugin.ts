import type { FastifyPluginCallback } from 'fastify'
import { success } from '../http/schemas.js'

/** What the mock offers besides the interface that it mirrors: everything under `/_mock`. */
export const controlRoutes: FastifyPluginCallback = (app, _options, done) => {
  // The process listens only once the database is open and migrated, so whoever gets an answer here can begin.
  app.get('/ready', { schema: { hide: true } }, (request, reply) => {
    void reply.send(success(request, 'The server is ready.'))
  })
  done()
}
