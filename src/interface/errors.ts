import { BareError } from '../lib/call-site.js'
import type { AssumptionId } from './assumption-id.js'

/** The error types of the interface (`middleware.Error`; assumed). */
export const ERROR_TYPES = [
  'Internal-Error',
  'Bad-Request',
  'Not-Found',
  'Forbidden',
  'Unauthorized',
  'API-Disabled',
  'Quota-Exceed',
  'Unknown'
] as const
export type ErrorType = (typeof ERROR_TYPES)[number]

/** The error catalogue: each condition with the id of its assumption, its HTTP status and Type. */
export const ERRORS = {
  invalidBody: { id: 'P-049', status: 400, type: 'Bad-Request', when: 'malformed JSON, or a missing or invalid field' },
  notAllowed: {
    id: 'P-050',
    status: 400,
    type: 'Bad-Request',
    when: 'the state or a constraint forbids the operation, or an id in the body does not exist'
  },
  unauthorized: { id: 'P-051', status: 401, type: 'Unauthorized', when: 'a missing or unknown credential' },
  forbidden: {
    id: 'P-052',
    status: 403,
    type: 'Forbidden',
    when:
      'an API key where only a session is accepted; a caller that the control API refuses; with `--auth off`, ' +
      'a page of another origin or a foreign host name'
  },
  quotaExceeded: {
    id: 'P-053',
    status: 403,
    type: 'Quota-Exceed',
    when: 'a quota or another limit of the sandbox or the server is reached'
  },
  notFound: {
    id: 'P-054',
    status: 404,
    type: 'Not-Found',
    when: 'an id in the path does not exist, or not under that parent; an unknown route'
  },
  methodNotAllowed: {
    id: 'P-055',
    status: 405,
    type: 'Bad-Request',
    when: 'a known path with a wrong method; `Allow` lists the right ones'
  },
  bodyTooLarge: {
    id: 'P-056',
    status: 413,
    type: 'Bad-Request',
    when: 'a body over the limit, or too large in memory once parsed'
  },
  unsupportedMediaType: {
    id: 'P-057',
    status: 415,
    type: 'Bad-Request',
    when: 'a body of a media type other than JSON, compressed, or with a charset other than UTF-8'
  },
  internal: {
    id: 'P-058',
    status: 500,
    type: 'Internal-Error',
    when: 'anything unexpected; the log has the stack, the reply a constant text'
  },
  databaseFull: {
    id: 'P-059',
    status: 507,
    type: 'Quota-Exceed',
    when: 'the database has reached `--max-database-bytes`; reads and deletions still work'
  },
  unavailable: {
    id: 'P-060',
    status: 503,
    type: 'Internal-Error',
    when:
      'the server is shutting down, the database cannot be written or is damaged, a sandbox has too much to catch up ' +
      'with, or bodies or replies of others take up the memory'
  }
} as const satisfies Record<string, { id: AssumptionId; status: number; type: ErrorType; when: string }>

export type Condition = keyof typeof ERRORS

/** The error statuses of operations. A 405 is about the method, so no operation has it. */
export const ERROR_STATUSES = [...new Set(Object.values(ERRORS).map(({ status }) => status))].filter(
  (status) => status !== 405
)

/** One entry of `ErrorDetails` (`middleware.Error`). */
export interface ErrorDetail {
  /** Dotted path of the invalid field; empty if the error concerns no field. */
  readonly FieldName: string
  readonly Reason: string
  readonly Type: ErrorType
}

/** An invalid field: its dotted path, and a reason that completes a sentence starting with the path. */
export interface FieldError {
  readonly field: string
  readonly reason: string
}

/** An error that is reported to the client, in the envelope. */
export class ServiceError extends BareError {
  override readonly name = 'ServiceError'
  readonly details: readonly ErrorDetail[]

  /**
   * @param errors the invalid fields; none if the message says it all
   * @param guardId id of the guard that refused, such as `workspace.pause in Resizing`; undefined if none did
   */
  constructor(
    readonly condition: Condition,
    message: string,
    errors: readonly FieldError[] = [],
    readonly guardId?: string,
    readonly status: number = ERRORS[condition].status
  ) {
    super(message)
    // An expected error needs no stack, and capturing one costs more than the rest of the reply.
    if (condition === 'internal') Error.captureStackTrace(this, ServiceError)
    const Type = ERRORS[condition].type
    this.details =
      errors.length === 0
        ? [{ FieldName: '', Reason: message, Type }]
        : errors.map(({ field, reason }) => ({ FieldName: field, Reason: reason, Type }))
  }
}

/** A refusal as the profile words it. Only the condition stays. */
export class RestatedError extends ServiceError {
  constructor(
    { condition, guardId }: ServiceError,
    status: number,
    message: string,
    override readonly details: readonly ErrorDetail[]
  ) {
    super(condition, message, [], guardId, status)
  }
}

/** The path names something that does not exist, or not under that parent. */
export function notFound(what: string, id: string): ServiceError {
  return new ServiceError('notFound', `There is no ${what} ${id}.`)
}

/** Returns a record that a store has looked up. @throws {ServiceError} `notFound` if it is undefined */
export function found<T>(record: T | undefined, what: string, id: string): T {
  if (record === undefined) throw notFound(what, id)
  return record
}

/** A constraint forbids the operation because of one field of the body. */
export function fieldNotAllowed(field: string, reason: string): ServiceError {
  return new ServiceError('notAllowed', `${field} ${reason}.`, [{ field, reason }])
}

export function databaseFull(): ServiceError {
  return new ServiceError(
    'databaseFull',
    'The database has reached --max-database-bytes, so this cannot be stored. Delete something, remove ' +
      'sandboxes, or raise the limit.'
  )
}

/** Maximum number of field errors in a message, and in `ErrorDetails`: a short body can have very many. */
const NAMED_ERRORS = 20
const LISTED_ERRORS = 1000

/** The body is invalid in one or more fields. */
export function invalidBody(errors: readonly FieldError[]): ServiceError {
  const named = errors
    .slice(0, NAMED_ERRORS)
    .map(({ field, reason }) => `${field === '' ? 'the body' : field} ${reason}`)
  const left = errors.length - named.length
  // If there are very many, not all of them are collected.
  const rest = left === 0 ? [] : [`${errors.length > LISTED_ERRORS ? 'at least ' : ''}${left} more`]
  return new ServiceError(
    'invalidBody',
    `The request is not valid: ${[...named, ...rest].join('; ')}.`,
    errors.slice(0, LISTED_ERRORS)
  )
}
