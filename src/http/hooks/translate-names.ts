import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inTexts } from '../../lib/json.js'
import type { Gateway } from '../../profile/gateway.js'
import type { Ids } from '../../profile/ids.js'
import { failure, gatewayReply } from '../error-handler.js'
import { isControl } from '../operation.js'
import type { WireNames } from '../wire-names.js'
import { REPLAYED } from './heed-idempotency-keys.js'

/**
 * Translates requests and replies of the interface from and to the names on the wire. Hooks added earlier see the names
 * inside, so the journal has those. Replies of the profile's gateway and earlier replies stay as they are.
 * @param addFields adds the profile's fields to an envelope
 */
export function translateNames(
  app: FastifyInstance,
  names: WireNames,
  { gateway = new Map(), ids }: { readonly gateway?: Gateway | undefined; readonly ids?: Ids | undefined },
  addFields = (envelope: object): unknown => envelope
): void {
  // Earlier refusals describe the client's input in the client's own names.
  const translated = new WeakSet<FastifyRequest>()
  const written = new WeakMap<FastifyRequest, ReadonlyMap<string, string>>()

  app.addHook('preValidation', (request, _reply, done) => {
    if (ids !== undefined && request.route.config.stub === undefined) readIds(request, ids)
    if (isOfInterface(request)) {
      request.body = names.fromWire(request.body)
      translated.add(request)
    }
    done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const isWritten = gatewayReply(gateway, request) !== undefined || reply.hasHeader(REPLAYED)
    if (typeof payload !== 'string' || payload === '' || isWritten || !isOfInterface(request)) {
      done()
      return
    }
    const { failure: error, route } = request
    const { config, schema } = route
    const { [reply.statusCode]: described } = (schema?.response ?? {}) as Readonly<Record<number, object>>
    // A message can quote the parameters and the body.
    const input = [request.params, request.body]
    const shown = error !== undefined && translated.has(request) ? names.error(error, input) : error
    const own =
      shown === undefined ? payload : JSON.stringify(addFields(failure(shown, request.id, config.errorResult)))
    const sent: unknown = JSON.parse(withIds(own, written.get(request)))
    const operationId = shown === undefined ? config.operationId : undefined
    done(null, JSON.stringify(names.toWire(sent, reply.statusCode, described, operationId)))
  })

  /** Replaces the ids in the path and query, and in bodies of the control API; `fromWire` does it for other bodies. */
  function readIds(request: FastifyRequest, { fromWire }: Ids): void {
    const read = new Map<string, string>()
    const inside = (text: string) => {
      const id = fromWire(text)
      if (id !== undefined) read.set(id, text)
      return id ?? text
    }
    request.params = inTexts(request.params, inside)
    request.query = inTexts(request.query, inside)
    if (isControl(request.route.url!)) request.body = inTexts(request.body, inside)
    if (read.size > 0) written.set(request, read)
  }
}

/** A reply with the ids as the client wrote them. */
function withIds(text: string, ids: ReadonlyMap<string, string> = new Map()): string {
  let whole = text
  // Its own form can contain the id.
  for (const [id, own] of ids) whole = whole.replaceAll(own, () => id).replaceAll(id, () => own)
  return whole
}

/**
 * Whether a request is for an operation of the interface, or for an unknown path. A stub counts only if it is refused:
 * its own reply is in the words of the profile.
 */
function isOfInterface({ route: { url, config }, url: path, failure: error }: FastifyRequest): boolean {
  return url === undefined
    ? error !== undefined && !isControl(path)
    : (config.operationId !== undefined || (config.stub !== undefined && error !== undefined)) && !isControl(url)
}
