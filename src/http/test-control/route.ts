import type { Readable } from 'node:stream'
import type { TObject, TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { success } from '../../interface/envelope.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import {
  BareReply,
  bodyOf,
  type CallContext,
  checkInput,
  type ControlCall,
  messageOf,
  perform
} from '../../test-control/control-call.js'
import { requireToken } from '../../test-control/sandboxes/all.js'
import { operation, OPTIONAL_BODY, OTHER_TYPES, SOLE_TYPE } from '../operation.js'
import type { ReadCache } from '../read-cache.js'

/** Answers a call whose input has been checked. */
type Answer = (context: CallContext, request: FastifyRequest, reply: FastifyReply) => unknown

/** Adds the route of a call that replies in the envelope, or with a text of its own. */
export function addCall(app: FastifyInstance, plane: ControlPlane, reads: ReadCache, call: ControlCall): void {
  const { needsToken = false, inSlices } = call
  addRoute(app, plane, call, async (context, request, reply) => {
    if (needsToken) requireToken(plane)
    if (inSlices !== undefined) {
      const answered = reads.answerInSlices(request, reply, function* (isTimeUp) {
        const result = yield* inSlices(context, isTimeUp)
        return { message: messageOf(call, result), text: JSON.stringify(result) }
      })
      // The reply may still wait in a hook. If the handler returned undefined, Fastify would send that instead.
      return answered ?? reply
    }
    const result = await perform(call, context)
    if (result instanceof BareReply) return sendBare(reply, call.otherType!, result.content)
    return reply.send(success(request, messageOf(call, result), result))
  })
}

/** Replies without the envelope. */
export function sendBare(reply: FastifyReply, type: string, content: string | Readable): FastifyReply {
  return reply.type(`${type}; charset=utf-8`).send(content)
}

/** Adds the route of a call. @param answer answers it in a way of its own */
export function addRoute(app: FastifyInstance, plane: ControlPlane, call: ControlCall, answer: Answer): void {
  const { query, body, result, headers, bodyLimit, streamType, bareType = streamType, otherType } = call
  const { isBodyOptional = false, isAcrossSandboxes = false, followsProfile = false } = call
  const { name: operationId, tag, summary, needsToken = false, params } = call
  const description = needsToken ? 'The server must have a --control-token.' : call.description
  const under = (schema: TSchema) => (followsProfile ? plane.profile.schema(schema) : schema)
  const { config, schema } = operation({
    operationId,
    tag,
    summary,
    ...(description !== undefined && { description }),
    ...(params !== undefined && { params }),
    ...(body !== undefined && { body: under(body) }),
    ...(result !== undefined && { result: under(result) })
  })
  app.route({
    method: call.method,
    url: call.path,
    // A stream would never end for a HEAD request.
    exposeHeadRoute: streamType === undefined,
    config: {
      ...config,
      ...(isAcrossSandboxes && { access: undefined }),
      isControl: true,
      isRead: call.isRead ?? false,
      isWaiting: call.isWaiting ?? false,
      isProbe: call.isProbe ?? false
    },
    ...(bodyLimit !== undefined && { bodyLimit }),
    schema: {
      ...schema,
      ...(isAcrossSandboxes && { security: [] }),
      ...(query !== undefined && { querystring: query }),
      ...(isBodyOptional && { [OPTIONAL_BODY]: true }),
      ...(headers !== undefined && { headers }),
      ...(otherType !== undefined && { [OTHER_TYPES]: [otherType] }),
      ...(bareType !== undefined && { [SOLE_TYPE]: bareType })
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const context = {
        plane,
        id: request.id,
        ...(!isAcrossSandboxes && { sandbox: request.sandbox }),
        params: request.params as Record<string, string>,
        query: query === undefined ? request.query : withNumbers(query as TObject, request.query as object),
        body: bodyOf(call, request.body)
      } as CallContext
      checkInput(call, context)
      return answer(context, request, reply)
    }
  })
}

/** Turns the texts of a query into the numbers that its schema wants. The schema refuses any other text. */
function withNumbers({ properties }: TObject, query: object): object {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]: [string, unknown]) => {
      const isNumber = properties[name]?.['type'] === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value)
      return [name, isNumber ? Number(value) : value]
    })
  )
}
