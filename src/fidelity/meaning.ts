import { type Condition, ERRORS } from '../interface/errors.js'
import { isObject } from '../lib/json.js'
import type { Profile } from '../profile/profile.js'
import type { Call } from './api.js'
import type { Exchange } from './exchange.js'

/** The conditions that a status of the service can stand for. */
const MEANINGS: Readonly<Record<number, Condition>> = {
  400: 'notAllowed',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'methodNotAllowed',
  409: 'notAllowed',
  410: 'notFound',
  413: 'bodyTooLarge',
  415: 'unsupportedMediaType',
  422: 'notAllowed'
}

/** What a refusal most likely means, by its status alone; undefined if the status says nothing. */
export const meaningOf = ({ status }: Exchange): Condition | undefined => MEANINGS[status ?? 0]

/** Whether the service says that something does not exist: by its status, its type, or as the profile has it. */
export function saysUnknown(profile: Profile, exchange: Exchange, call: Call): boolean {
  const { status, body } = exchange
  if (status === null || status < 400) return false
  return (
    meaningOf(exchange) === 'notFound' ||
    errorTypeOf(body) === ERRORS.notFound.type ||
    profile.edge.refusals?.('notFound', call.operation)?.status === status
  )
}

/** `Type` of the first error. */
export function errorTypeOf(body: unknown): unknown {
  const details = isObject(body) ? body['ErrorDetails'] : undefined
  const [first] = Array.isArray(details) ? (details as unknown[]) : []
  return isObject(first) ? first['Type'] : undefined
}

/** What a refusal says that is about how many there may be. */
const OF_QUOTAS = /quota|limit|maximum|exceed|no more than|at most|too many/i

/**
 * Whether a refusal of a creation says that there are too many already: by its type, or in words. What is said of a
 * field, or of too many requests, is about something else.
 */
export function saysTooMany({ names }: Profile, { status, body }: Exchange): boolean {
  if (status === null || status < 400 || status === 429 || !isObject(body)) return false
  const type = errorTypeOf(body)
  if (names.values.fromWire(String(type)) === ERRORS.quotaExceeded.type) return true
  if (status === 400 || status === 422) return false
  const details = Array.isArray(body['ErrorDetails']) ? (body['ErrorDetails'] as unknown[]) : []
  const isOfField = details.some((detail) => isObject(detail) && Boolean(detail['FieldName']))
  return !isOfField && [type, body['Message']].some((text) => OF_QUOTAS.test(String(text)))
}
