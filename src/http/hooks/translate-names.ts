import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Gateway } from '../../profile/gateway.js'
import { failure } from '../error-handler.js'
import { gatewayReply } from '../gateway-error.js'
import { isControl } from '../operation.js'
import type { WireNames } from '../wire-names.js'

/**
 * Translates requests and replies of the interface from and to the names on the wire. The hooks that are added to `app`
 * before see the names inside, so the journal has those. A reply of the profile's gateway is in its own words.
 * @param addFields adds further fields to an envelope
 */
export function translateNames(
  app: FastifyInstance,
  names: WireNames,
  gateway: Gateway = new Map(),
  addFields = (envelope: object): unknown => envelope
): void {
  // Earlier refusals describe the client's input in the client's own names.
  const translated = new WeakSet<FastifyRequest>()

  app.addHook('preValidation', (request, _reply, done) => {
    if (isOfInterface(request)) {
      request.body = names.fromWire(request.body)
      translated.add(request)
    }
    done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload === '' || !isOfInterface(request) || gatewayReply(gateway, request)) {
      done()
      return
    }
    const { failure: error, route } = request
    const { config, schema } = route
    const { [reply.statusCode]: described } = (schema?.response ?? {}) as Readonly<Record<number, object>>
    const told = error !== undefined && translated.has(request) ? names.error(error, inputOf(request)) : error
    const sent: unknown =
      told === undefined ? JSON.parse(payload) : addFields(failure(told, request.id, config.errorResult))
    done(
      null,
      JSON.stringify(
        names.toWire(sent, reply.statusCode, described, told === undefined ? config.operationId : undefined)
      )
    )
  })
}

/** What a message can quote. */
const inputOf = ({ params, body }: FastifyRequest) => [params, body]

/**
 * Whether a request is for an operation of the interface, or for nothing that there is. A stub counts if it is refused:
 * its own reply is in the words of the profile.
 */
function isOfInterface({ route: { url, config }, url: path, failure: error }: FastifyRequest): boolean {
  return url === undefined
    ? error !== undefined && !isControl(path)
    : (config.operationId !== undefined || (config.stub !== undefined && error !== undefined)) && !isControl(url)
}
