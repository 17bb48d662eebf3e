import type { Readable } from 'node:stream'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { check } from '../../interface/check.js'
import { success } from '../../interface/envelope.js'
import { closed } from '../../lib/closed.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { operation, OPTIONAL_BODY, OTHER_TYPES, SOLE_TYPE } from '../operation.js'
import type { ReadCache } from '../read-cache.js'

/** A plugin with the routes of one area of the control API. */
export type ControlRoutes = FastifyPluginCallback<{ plane: ControlPlane; reads: ReadCache }>

/** The reply of a control operation. */
interface Answer {
  readonly message: string
  readonly result?: unknown
  /** Sent instead of the envelope. */
  readonly document?: { readonly type: string; readonly content: string | Readable }
}

interface ControlOperation {
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** For the OpenAPI document only; the function behind the route checks the body. */
  readonly body?: TSchema
  /** Whether it changes nothing although its method is not GET. */
  readonly isRead?: boolean
  /** Whether it answers when something has happened, or never. */
  readonly isWaiting?: boolean
  /** Whether it concerns all sandboxes, and therefore needs no credential. */
  readonly isAcrossSandboxes?: boolean
  /** Whether programs call it again and again, to watch the server. */
  readonly isProbe?: boolean
  /** Whether the body may be omitted. */
  readonly isBodyOptional?: boolean
  /** Names and meanings of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: TSchema
  /** Payload of the reply. */
  readonly result?: TSchema
  /** Another media type that the reply may have instead of the envelope. */
  readonly otherType?: string
  /** The only media type of its success, for a reply that does not end by itself. */
  readonly streamType?: string
  /** The only media type of its success, for a reply without the envelope. */
  readonly bareType?: string
  /** Names and meanings of headers that it reads. */
  readonly headers?: TSchema
  /** Maximum size of the body in bytes; that of the interface if absent. */
  readonly bodyLimit?: number
}

/** A request to the control API. The functions behind it check its contents, because programs may call them too. */
export type ControlRequest = FastifyRequest<{
  Params: Record<string, string>
  Querystring: Record<string, string | undefined>
}>

/** Schema for calls without a query or a body. */
const NOTHING = closed({})

/** Adds a route of the control API, which replies in the envelope. @param answer returns the reply, or sends it */
export function addControl(
  app: FastifyInstance,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  spec: ControlOperation,
  answer: (request: ControlRequest, reply: FastifyReply) => Answer | FastifyReply | Promise<Answer | FastifyReply>
): void {
  const {
    query,
    bodyLimit,
    isBodyOptional = false,
    isRead = false,
    isWaiting = false,
    isAcrossSandboxes = false,
    isProbe = false,
    otherType,
    streamType,
    bareType,
    headers,
    ...rest
  } = spec
  const { config, schema } = operation(rest)
  app.route({
    method,
    url,
    // A stream would never end for a HEAD request.
    exposeHeadRoute: streamType === undefined,
    config: {
      ...config,
      ...(isAcrossSandboxes ? { access: undefined } : {}),
      isControl: true,
      isRead,
      isWaiting,
      isProbe
    },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    schema: {
      ...schema,
      ...(isAcrossSandboxes ? { security: [] } : {}),
      ...(query === undefined ? {} : { querystring: query }),
      ...(isBodyOptional ? { [OPTIONAL_BODY]: true } : {}),
      ...(headers === undefined ? {} : { headers }),
      ...(otherType === undefined ? {} : { [OTHER_TYPES]: [otherType] }),
      ...(streamType === undefined && bareType === undefined ? {} : { [SOLE_TYPE]: streamType ?? bareType })
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      if (query === undefined) check(NOTHING, request.query)
      if (spec.body === undefined) check(NOTHING, request.body ?? {})
      const answered = await answer(request as ControlRequest, reply)
      if (!('message' in answered)) return answered
      const { message, result, document } = answered
      if (document !== undefined) return reply.type(document.type).send(document.content)
      return reply.send(success(request, message, result))
    }
  })
}
