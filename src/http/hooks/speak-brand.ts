import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Brand } from '../brand.js'
import { failure } from '../error-handler.js'

/**
 * Translates all routes that are added to `api` after this call to a brand's names. Call it before anything that reads
 * their bodies or replaces their replies.
 */
export function speakBrand(api: FastifyInstance, brand: Brand): void {
  // Earlier refusals describe the client's input in the client's own names.
  const translated = new WeakSet<FastifyRequest>()

  api.addHook('preValidation', (request, _reply, done) => {
    request.body = brand.fromWire(request.body)
    translated.add(request)
    done()
  })

  // An earlier hook writes the journal, so the journal has the neutral reply.
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
