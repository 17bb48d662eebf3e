import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Logger } from 'pino'
import { operationIdOf } from '../operation.js'
import { pathOf } from '../request-context.js'

/** Logs one line per request, without credentials. */
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

/** The first digits are enough to tell sandboxes apart, and keep the line short. */
function sandboxOf(request: FastifyRequest): string | undefined {
  // Undefined for a request that ended before it reached a sandbox.
  return request.caller?.name ?? request.enteredSandbox?.id.slice(0, 12)
}
