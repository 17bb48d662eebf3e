import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { mask } from '../../lib/secrets.js'
import { machineTime } from '../../lib/time.js'
import { operationIdOf } from '../operation.js'
import { type OnRequest, pathOf, traceOf } from '../request-context.js'

/**
 * Logs one line per request, without credentials, when its reply has left or will not be sent. Probes would bury all
 * others, so they are at level `debug`. Fastify's own hook for this would cost each request much more.
 */
export function logRequests(logger: Logger): OnRequest {
  return (request, reply, done) => {
    const begin = machineTime()
    request.logReply = () => log(request, reply, machineTime() - begin)
    done()
  }

  function log(request: FastifyRequest, reply: FastifyReply, time: number): void {
    const path = mask(pathOf(request))
    const operationId = operationIdOf(request)
    logger[request.route.config.isProbe === true ? 'debug' : 'info'](
      {
        RequestID: request.id,
        trace_id: traceOf(request),
        operationId,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(time * 10) / 10,
        // The first digits are enough to tell sandboxes apart.
        sandbox: request.caller?.name ?? request.enteredSandbox?.id.slice(0, 12),
        fault: request.fault?.id
      },
      // The path of an operation is a third of the line, so it is not written twice.
      `${request.method} ${operationId ?? path} ${reply.statusCode}`
    )
  }
}
