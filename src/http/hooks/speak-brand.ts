import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Brand } from '../brand.js'
import { failure } from '../error-handler.js'

/**
 * Lets all routes that are added to `api` after this call speak a brand's names. Call it before anything else that
 * looks at
 * their bodies or replaces their replies.
 */
export function speakBrand(api: FastifyInstance, brand: Brand): void {
  // What is refused earlier speaks of what the client has sent, in the client's words.
  const translated = new WeakSet<FastifyRequest>()

  api.addHook('preValidation', (request, _reply, done) => {
    request.body = brand.fromWire(request.body)
    translated.add(request)
    done()
  })

  // The journal is written by an earlier hook, so it has the neutral reply.
  api.addHook('onSend', (request, _reply, payload, done) => {
    const {
      failure: error,
      route: { config }
    } = request
    if (typeof payload !== 'string' || payload === '' || (error !== undefined && !translated.has(request))) {
      done()
    } else if (error !== undefined) {
      const own = [request.params, request.body]
      done(null, JSON.stringify(failure(brand.error(error, own), request.id, config.errorResult)))
    } else {
      done(null, JSON.stringify(brand.toWire(JSON.parse(payload), config.operationId)))
    }
  })
}
