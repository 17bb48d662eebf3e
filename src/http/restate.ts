import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorType, RestatedError, type ServiceError } from '../interface/errors.js'
import { mask } from '../lib/mask.js'
import type { Refusals } from '../profile/refusals.js'
import { GatewayError } from './gateway-error.js'
import { isControl, operationIdOf } from './operation.js'

/**
 * An error as the profile answers it. What its gateway answers, and the control API, are not up to the service.
 * @param reply gets the headers that the profile has for it
 */
export function restate(
  error: ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
  refusals: Refusals
): ServiceError {
  if (error instanceof GatewayError || isControl(request.url)) return error
  const answer = refusals(error.condition, operationIdOf(request))
  if (answer === undefined) return error
  const { status = error.status, message, headers, isBare } = answer
  const values = {
    message: error.message,
    request_id: request.id,
    path: request.params,
    get body() {
      return mask(request.body)
    }
  }
  for (const [name, value] of headers) void reply.header(name, value(values))
  // The profile's own types are texts that only its clients know.
  const type = answer.type as ErrorType | undefined
  return new RestatedError(
    error,
    status,
    message?.(values) ?? error.message,
    isBare
      ? [{ FieldName: '', Reason: '', Type: type ?? error.details[0]!.Type }]
      : error.details.map((detail) => ({ ...detail, ...(type !== undefined && { Type: type }) }))
  )
}
