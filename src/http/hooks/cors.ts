import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { OnRequest } from '../request-context.js'
import { ensureRequestId } from './enter-sandbox.js'

const METHODS = 'GET, POST, PUT, PATCH, DELETE'

/** Lets pages of these origins read replies, including refusals. Call it before any hook that may refuse a request. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  const { default: cors } = await import('@fastify/cors')
  await app.register(cors, { origin: [...origins], exposedHeaders: ['X-Request-Id'], preflight: false })
}

/** Answers preflight requests of browsers. (The plugin would answer any OPTIONS request, even for unknown paths.) */
export function answerPreflights(plane: Pick<ControlPlane, 'requestIds'>): OnRequest {
  return (request, reply, done) => {
    if (!isPreflight(request)) {
      done()
      return
    }
    ensureRequestId(plane, request, reply)
    void reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': request.headers['access-control-request-headers'] ?? ''
      })
      .send()
  }
}

function isPreflight({ headers, method }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}
