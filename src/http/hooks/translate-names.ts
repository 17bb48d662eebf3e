import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isObject } from '../../lib/json.js'
import type { Gateway } from '../../profile/gateway.js'
import type { Ids } from '../../profile/ids.js'
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
  { gateway = new Map(), ids }: { readonly gateway?: Gateway | undefined; readonly ids?: Ids | undefined } = {},
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
    if (typeof payload !== 'string' || payload === '' || !isOfInterface(request) || gatewayReply(gateway, request)) {
      done()
      return
    }
    const { failure: error, route } = request
    const { config, schema } = route
    const { [reply.statusCode]: described } = (schema?.response ?? {}) as Readonly<Record<number, object>>
    const told = error !== undefined && translated.has(request) ? names.error(error, inputOf(request)) : error
    const own = told === undefined ? payload : JSON.stringify(addFields(failure(told, request.id, config.errorResult)))
    const sent: unknown = JSON.parse(withIds(own, written.get(request)))
    done(
      null,
      JSON.stringify(
        names.toWire(sent, reply.statusCode, described, told === undefined ? config.operationId : undefined)
      )
    )
  })

  /** Replaces the ids of a path, and those of a body of the control API. The interface's own bodies have names, too. */
  function readIds(request: FastifyRequest, { fromWire }: Ids): void {
    const read = new Map<string, string>()
    const inside = (text: string) => {
      const id = fromWire(text)
      if (id !== undefined) read.set(id, text)
      return id ?? text
    }
    request.params = inTexts(request.params, inside)
    request.query = inTexts(request.query, inside)
    if (isControl(request.route.url ?? '')) request.body = inTexts(request.body, inside)
    if (read.size > 0) written.set(request, read)
  }
}

/** A value with its texts replaced, however deep they are. */
function inTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((item) => inTexts(item, replace))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inTexts(item, replace)]))
}

/** A reply with the ids of its request as the client has written them. */
function withIds(text: string, ids: ReadonlyMap<string, string> = new Map()): string {
  let whole = text
  for (const [id, own] of ids) whole = whole.replaceAll(id, own)
  return whole
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
