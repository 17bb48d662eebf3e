import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDamaged, isOverLimit, isUnwritable } from '../db/database.js'
import { databaseFull, invalidBody, ServiceError } from '../lib/errors.js'
import { fieldErrorsOf } from '../lib/validation.js'

/** What the journal and the log have as the status of a request that the client has broken off. No reply has it. */
const BROKEN_OFF = 499

/** Answers any error in the envelope; what is not the client's fault is logged and told in a constant text. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' && !request.raw.complete) {
    request.isBrokenOff = true
    void reply.code(BROKEN_OFF).send('')
    // Node does not tell that such a reply is over, and Fastify waits for it to run the hooks that come last.
    if (reply.raw.listenerCount('error') > 0) reply.raw.emit('error', error)
    return
  }
  const known = toServiceError(error as FastifyError, request.body)
  request.failure = known
  if (known.status >= 500) request.log.error({ RequestID: request.id, err: error }, known.message)
  // What Fastify itself refuses, before any hook, has no more than its own fields.
  const { config } = (request as Partial<FastifyRequest>).route ?? request.routeOptions
  void reply.code(known.status).send(failure(known, request.id, config.errorResult))
}

/** The envelope of an error. */
export function failure(error: Pick<ServiceError, 'details' | 'message'>, requestId: string, withResult = false) {
  return {
    Error: true,
    ErrorDetails: error.details,
    Message: error.message,
    RequestID: requestId,
    ...(withResult ? { Result: error.message } : {})
  }
}

/**
 * What Fastify hangs the errors of a validator on; toServiceError() puts them into words. Fastify's own would be an
 * error with a stack, which is a tenth of all that an invalid request costs.
 */
export function validationError(): ServiceError {
  return new ServiceError('invalidBody', 'The request is not valid.')
}

function toServiceError(
  error: FastifyError | (ServiceError & Pick<FastifyError, 'validation'>),
  body: unknown
): ServiceError {
  if (error.validation !== undefined) return invalidBody(fieldErrorsOf(error.validation, body))
  if (error instanceof ServiceError) return error
  if (isOverLimit(error)) return databaseFull()
  if (isUnwritable(error)) {
    return new ServiceError(
      'unavailable',
      'The database cannot be written for now, so nothing was changed. Is the disk full or read-only?'
    )
  }
  if (isDamaged(error)) return new ServiceError('unavailable', 'The database is damaged; see the log of the server.')
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('bodyTooLarge', 'The body is larger than the server accepts (option --body-limit).')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('unsupportedMediaType', 'The body must be JSON: send Content-Type: application/json.')
    default:
      // What else Fastify refuses (a wrong Content-Length, a malformed URL) is the request's fault too.
      return error.name === 'FastifyError' && error.statusCode !== undefined && error.statusCode < 500
        ? new ServiceError('invalidBody', `The request is not valid: ${error.message}.`)
        : new ServiceError('internal', 'An unexpected error occurred; see the log of the server.')
  }
}

/**
 * Answers what is not even HTTP, and requests that are too slow or have too many headers, before the connection is
 * closed.
 */
export function handleClientError(requestId: () => string): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return answer

  function answer(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    // What came before it on the connection is answered first, unless its own body is what is broken.
    const { _httpMessage: reply } = socket as Socket & { _httpMessage?: ServerResponse | null }
    if (reply?.req.complete === true) {
      reply.once('close', () => {
        setImmediate(answer, error, socket)
      })
      return
    }
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
    const id = requestId()
    const refused = new ServiceError('invalidBody', `The request is not valid HTTP: ${STATUS_CODES[status] ?? ''}.`)
    const body = JSON.stringify(failure(refused, id))
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
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
