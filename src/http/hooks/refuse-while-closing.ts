import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../interface/errors.js'
import type { OnRequest } from '../request-context.js'

/** Refuses requests that arrive during shutdown. Fastify would do that too, but not in the envelope. */
export function refuseWhileClosing(app: FastifyInstance): OnRequest {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  return (_request, reply, done) => {
    if (isClosing) {
      void reply.header('connection', 'close')
      throw new ServiceError('unavailable', 'The server is shutting down.')
    }
    done()
  }
}
