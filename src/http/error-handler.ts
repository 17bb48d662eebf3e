import { maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type Condition, type ErrorType, invalidBody, RestatedError, ServiceError } from '../interface/errors.js'
import { fieldErrorsOf } from '../interface/validation.js'
import { mask } from '../lib/secrets.js'
import { inNextTurn } from '../lib/time.js'
import type { Edge } from '../profile/edge.js'
import type { Gateway, Refusal } from '../profile/gateway.js'
import type { Refusals } from '../profile/refusals.js'
import type { ProfileReply } from '../profile/reply.js'
import { storageRefusal } from '../sandboxes/storage-refusal.js'
import { isControl, operationIdOf } from './operation.js'
import { sendReply } from './profile-reply.js'

/** Status in the journal and the log for a request that the client has aborted. No reply has it. */
const ABORTED = 499

/** Translates an envelope that no hook sees. */
export type ToWire = (reply: object, status: number) => unknown

/** Refuses a request before it reaches the service. A profile can define the reply. */
export class GatewayError extends ServiceError {
  /** @param status replaces that of the condition */
  constructor(
    readonly refusal: Refusal,
    condition: Condition,
    message: string,
    status?: number
  ) {
    super(condition, message, [], undefined, status)
  }
}

/** The profile's own reply to a request that its gateway refuses; undefined if it has none. */
export function gatewayReply(gateway: Gateway, { url, failure }: FastifyRequest): ProfileReply | undefined {
  return failure instanceof GatewayError && !isControl(url) ? gateway.get(failure.refusal) : undefined
}

/**
 * Answers any error in the envelope, unless the profile's gateway has another reply. Server errors are logged, and
 * unexpected ones get a constant text.
 */
export function handleErrors(
  logger: Pick<Logger, 'error' | 'warn'>,
  { gateway, refusals }: Pick<Edge, 'gateway' | 'refusals'> = {},
  toWire: ToWire = (reply) => reply
) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' && !request.raw.complete) {
      request.isAborted = true
      void reply.code(ABORTED).send('')
      return
    }
    const known = toServiceError(error as FastifyError)
    request.failure = known
    const own = gateway === undefined ? undefined : gatewayReply(gateway, request)
    if (own === undefined && refusals !== undefined) request.failure = restate(known, request, reply, refusals)
    const shown = request.failure
    // If Fastify itself refuses a request before any hook, only its own fields are set.
    const { config } = (request as Partial<FastifyRequest>).route ?? request.routeOptions
    if (known.status >= 500) {
      // A deliberate refusal has no cause to show, and a wait that ends is not worth a line.
      const isRefusal = error === known && known.condition !== 'internal'
      if (!isRefusal) logger.error({ RequestID: request.id, err: error }, known.message)
      else if (config.isWaiting !== true) logger.warn({ RequestID: request.id }, known.message)
    }
    if (own !== undefined) {
      sendReply(reply, own, { request_id: request.id })
      return
    }
    void reply.code(shown.status).send(toWire(failure(shown, request.id, config.errorResult), shown.status))
  }
}

/**
 * Rewords an error by the profile, and adds headers. Errors of the control API and of the gateway stay the same, except
 * those about credentials, which are a condition of the service.
 */
function restate(error: ServiceError, request: FastifyRequest, reply: FastifyReply, refusals: Refusals): ServiceError {
  const isOfGateway = error instanceof GatewayError && error.condition !== 'unauthorized'
  if (isOfGateway || isControl(request.url)) return error
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
  // It may be a type of the profile's own.
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

export function failure(error: Pick<ServiceError, 'details' | 'message'>, requestId: string, withResult = false) {
  return {
    RequestID: requestId,
    Error: true,
    Message: error.message,
    ErrorDetails: error.details,
    Result: withResult ? error.message : null
  }
}

function toServiceError(error: FastifyError): ServiceError {
  if (error.validation !== undefined) return invalidBody(fieldErrorsOf(error.validation))
  if (error instanceof ServiceError) return error
  const refusal = storageRefusal(error)
  if (refusal !== undefined) return refusal
  if (error.code === 'EMFILE' || error.code === 'ENFILE') {
    return new ServiceError('unavailable', 'No file descriptors are left. Close connections, or raise the limit.')
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('bodyTooLarge', 'The body is larger than the server accepts (option --body-limit).')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('unsupportedMediaType', 'The body must be JSON: send Content-Type: application/json.')
    default:
      // Other refusals by Fastify (a wrong Content-Length, a malformed URL) are client errors too.
      return error.name === 'FastifyError' && error.statusCode !== undefined && error.statusCode < 500
        ? new ServiceError('invalidBody', `The request is not valid: ${error.message}.`)
        : new ServiceError('internal', 'An unexpected error occurred; see the log of the server.')
  }
}

/** An error of Node's HTTP parser, with its reason. */
type HttpError = NodeJS.ErrnoException & { readonly reason?: string }

function statusAndMessage({ code, reason = 'Bad Request' }: HttpError): [status: number, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return [431, `The request line and the headers are larger than ${maxHeaderSize} bytes.`]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request did not arrive in time.']
  return [400, `The request is not valid HTTP: ${reason}.`]
}

/** Answers input that is not HTTP, slow requests and requests with long headers, then closes the connection. */
export function handleClientError(
  requestId: () => string,
  toWire: ToWire = (reply) => reply
): (error: HttpError, socket: Socket) => void {
  return answer

  function answer(error: HttpError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    // Earlier requests on the connection are answered first, unless the error is in the body of one.
    const { _httpMessage: reply } = socket as Socket & { _httpMessage?: ServerResponse | null }
    if (reply?.req.complete === true) {
      reply.once('close', () => {
        inNextTurn(answer, error, socket)
      })
      return
    }
    const [status, message] = statusAndMessage(error)
    const id = requestId()
    const body = JSON.stringify(toWire(failure(new ServiceError('invalidBody', message), id), status))
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]!}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${id}`,
        'Connection: close',
        '',
        body
      ].join('\r\n')
    )
  }
}
