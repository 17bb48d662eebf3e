import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inTexts } from '../../lib/json.js'
import type { Gateway } from '../../profile/gateway.js'
import { type Ids, isIdField } from '../../profile/ids.js'
import { failure, gatewayReply } from '../error-handler.js'
import { isControl } from '../operation.js'
import type { WireNames } from '../wire-names.js'
import { REPLAYED } from './heed-idempotency-keys.js'

interface Translated {
  readonly gateway?: Gateway | undefined
  readonly ids?: Ids | undefined
  /** Returns the built-in name of a field of the body. */
  readonly fieldOf: (name: string) => string
}

/** Ids inside, with the texts by which a request has them. */
type Written = ReadonlyMap<string, string>
const NONE_WRITTEN = { inUrl: new Map<string, string>(), inBody: new Map<string, string>() }

/**
 * Translates requests and replies of the interface from and to the names on the wire. Hooks added earlier see the names
 * inside, so the journal has those. Replies of the profile's gateway and earlier replies stay as they are.
 * @param addFields adds the profile's fields to an envelope
 */
export function translateNames(
  app: FastifyInstance,
  names: WireNames,
  { gateway = new Map(), ids, fieldOf }: Translated,
  addFields = (envelope: object): unknown => envelope
): void {
  // Earlier refusals describe the client's input in the client's own names.
  const translated = new WeakSet<FastifyRequest>()
  const written = new WeakMap<FastifyRequest, { readonly inUrl: Written; readonly inBody: Written }>()

  app.addHook('preValidation', (request, _reply, done) => {
    const idOf = ids !== undefined && request.route.config.stub === undefined ? readIds(request, ids) : undefined
    if (isOfInterface(request)) {
      request.body = names.fromWire(request.body, idOf)
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
    const { inUrl, inBody } = written.get(request) ?? NONE_WRITTEN
    // Other replies have the ids of the body in the forms of their own fields.
    const sent: unknown = JSON.parse(withIds(own, error === undefined ? inUrl : new Map([...inBody, ...inUrl])))
    const operationId = shown === undefined ? config.operationId : undefined
    done(null, JSON.stringify(names.toWire(sent, reply.statusCode, described, operationId)))
  })

  /** Replaces the ids in the path and query, and in bodies of the control API. @returns reads those of other bodies */
  function readIds(request: FastifyRequest, { fromWire }: Ids) {
    const [inUrl, inBody] = [new Map<string, string>(), new Map<string, string>()]
    written.set(request, { inUrl, inBody })
    const idOf = (text: string, read: Map<string, string>) => {
      const id = fromWire(text)
      if (id !== undefined) read.set(id, text)
      return id
    }
    const inside = (text: string) => idOf(text, inUrl) ?? text
    const { moves } = request.route.config
    request.params = inTexts(request.params, inside)
    request.query = inTexts(request.query, inside)
    if (isControl(request.route.url!)) request.body = inTexts(request.body, inside)
    // A parameter of the path can be in a field with any name.
    const moved = [...(moves?.from.values() ?? [])].map(({ source, name }) => (source === 'body' ? fieldOf(name) : ''))
    return (field: string, text: string) => (isIdField(field) || moved.includes(field) ? idOf(text, inBody) : undefined)
  }
}

/** A reply with the ids as the client wrote them. */
function withIds(text: string, ids: Written): string {
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
