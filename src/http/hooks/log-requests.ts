import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Logger } from 'pino'
import { operationIdOf } from '../operation.js'
import { pathOf } from '../request-context.js'

/** Logs one line a request, without any credential. */
export function logRequests(logger: Logger) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const path = pathOf(request)
    logger.info(
      {
        RequestID: request.id,
        operationId: operationIdOf(request),
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        sandbox: sandboxOf(request),
        fault: request.fault?.id
      },
      `${request.method} ${path} ${reply.statusCode}`
    )
    done()
  }
}

/** The first digits tell sandboxes apart well enough, and keep the line short. */
function sandboxOf(request: FastifyRequest): string | undefined {
  // A request that ended before it reached a sandbox has none.
  return request.caller?.name ?? request.enteredSandbox?.id.slice(0, 12)
}
