import { hash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Idempotency } from '../../profile/idempotency.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Tx } from '../../resources/tx.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { GatewayError } from '../error-handler.js'
import { declareErrors } from '../operation.js'

/** A request with a new key. */
interface Pending {
  readonly key: string
  readonly fingerprint: string
}

const HEADER = 'idempotency-key'
/** The header of a reply that was kept. */
export const REPLAYED = 'x-mock-replayed'
const LONGEST = 255
/** The status of a reply that is still to come, kept in one commit with the change. */
const NO_REPLY = 0

/**
 * Implements `Idempotency-Key` of draft-ietf-httpapi-idempotency-key-header-07. Keeps a reply before faults change it,
 * so that a retry after a lost reply gets it.
 * @param app gets the hook that keeps replies; call this after names are translated
 * @returns adds the hook that answers retries to the routes of the interface, which must use the control plane that it
 *   returns; call it after faults are injected
 */
export function heedIdempotencyKeys(
  app: FastifyInstance,
  plane: ControlPlane,
  { keep, isRequired }: Idempotency
): (api: FastifyInstance) => ControlPlane {
  const pending = new WeakMap<FastifyRequest, Pending>()
  const underWay = new WeakMap<Sandbox, Set<string>>()

  app.addHook('onSend', (request, reply, payload, done) => {
    const own = pending.get(request)
    if (own === undefined) {
      done()
      return
    }
    const { sandbox } = request
    pending.delete(request)
    const end = () => {
      underWay.get(sandbox)?.delete(own.key)
      done()
    }
    // After a failure of the server, the change may not have been made: a retry makes it.
    if (reply.statusCode >= 500) {
      end()
      return
    }
    plane.write(request, (tx) => keepReply(tx, own, reply.statusCode, payload as string)).then(end, end)
  })

  function keepReply({ now, idempotentReplies: replies }: Tx, own: Pending, status: number, body: string): void {
    replies.forget(now - keep)
    replies.keep({ ...own, status, body, at: now })
  }

  /** Describes the header in the OpenAPI document, and the statuses with which a key is refused. */
  function describe(schema: { response?: unknown; headers?: unknown }): void {
    if (plane.profile.edge.gateway?.has('idempotency_key') !== true)
      declareErrors(schema, [400, 409, 422], 'The Idempotency-Key is refused.')
    const key = Type.String({ maxLength: LONGEST, description: 'The same in a retry, so that it has no effect.' })
    schema.headers = Type.Object({ 'Idempotency-Key': isRequired ? key : Type.Optional(key) })
  }

  return (api) => {
    api.addHook('onRoute', ({ method, schema, config }) => {
      if (config?.operationId !== undefined && [method].flat().some(isRepeatable)) describe(schema!)
    })
    api.addHook('preHandler', (request, reply, done) => {
      if (!isRepeatable(request.method)) {
        done()
        return
      }
      const { sandbox } = request
      const key = keyOf(request)
      if (key === undefined) {
        if (isRequired) throw refused(400, 'The header Idempotency-Key is required.')
        done()
        return
      }
      const fingerprint = hash('sha256', JSON.stringify([request.method, request.url, request.body]))
      const own = underWay.get(sandbox) ?? new Set()
      underWay.set(sandbox, own)
      if (own.has(key)) throw refused(409, 'A request with this Idempotency-Key is under way. Try again later.')
      const known = plane.storesOf(sandbox).idempotentReplies.find(key)
      if (known !== undefined && known.at > plane.now(sandbox) - keep) {
        if (known.fingerprint !== fingerprint)
          throw refused(422, 'The Idempotency-Key was used for another request. Use a new one for each.')
        if (known.status === NO_REPLY)
          throw refused(409, 'This request was carried out, but its reply is lost, because the server stopped.')
        void reply.code(known.status).header(REPLAYED, 'true')
        if (known.body !== '') void reply.type('application/json; charset=utf-8')
        void reply.send(known.body)
        return
      }
      own.add(key)
      pending.set(request, { key, fingerprint })
      done()
    })
    return Object.assign(Object.create(plane) as ControlPlane, {
      write: ((origin, change) =>
        plane.write(origin, (tx) => {
          const result = change(tx)
          const own = pending.get(origin as FastifyRequest)
          if (own !== undefined) keepReply(tx, own, NO_REPLY, '')
          return result
        })) satisfies ControlPlane['write']
    })
  }
}

const isRepeatable = (method: string) => method === 'POST' || method === 'PATCH'

/** The key of a request, which may have the quotation marks of a structured field. @throws {GatewayError} */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const text = headers[HEADER]
  if (text === undefined) return undefined
  const key = /^"?([^"]*)"?$/.exec(String(text).trim())?.[1] ?? ''
  if (key === '' || key.length > LONGEST)
    throw refused(400, `The Idempotency-Key must have 1 to ${LONGEST} characters, in quotation marks or without.`)
  return key
}

const refused = (status: number, message: string) => new GatewayError('idempotency_key', 'notAllowed', message, status)
