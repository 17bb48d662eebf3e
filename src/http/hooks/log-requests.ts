import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { machineTime } from '../../lib/time.js'
import { traceIdOf } from '../../lib/trace.js'
import { operationIdOf } from '../operation.js'
import { type OnRequest, pathOf } from '../request-context.js'

/**
 * Logs one line per request when its reply has left, or is known not to be sent; without credentials. Probes would bury
 * all others, so only level `debug` has them. Fastify's own hook for that would cost each request much more. Sets
 * `logUnsent`.
 */
export function logRequests(logger: Logger): OnRequest {
  return (request, reply, done) => {
    const begin = machineTime()
    const end = () => log(request, reply, machineTime() - begin)
    reply.raw.once('finish', end)
    request.logUnsent = end
    done()
  }

  function log(request: FastifyRequest, reply: FastifyReply, time: number): void {
    const path = pathOf(request)
    const operationId = operationIdOf(request)
    logger[request.route.config.isProbe === true ? 'debug' : 'info'](
      {
        RequestID: request.id,
        trace_id: traceIdOf(request.headers['traceparent']),
        operationId,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(time * 10) / 10,
        sandbox: sandboxOf(request),
        fault: request.fault?.id
      },
      // The path of an operation is a third of the line, so it is not written twice.
      `${request.method} ${operationId ?? path} ${reply.statusCode}`
    )
  }
}

/** The first digits are enough to tell sandboxes apart, and keep the line short. */
function sandboxOf(request: FastifyRequest): string | undefined {
  // Undefined for a request that ended before it reached a sandbox.
  return request.caller?.name ?? request.enteredSandbox?.id.slice(0, 12)
}
