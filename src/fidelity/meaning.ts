import { type Condition, ERRORS } from '../interface/errors.js'
import { isObject, listOf, objectOf } from '../lib/json.js'
import type { Profile } from '../profile/profile.js'
import type { Call } from './api.js'
import type { Exchange } from './exchange.js'

/** The most likely condition behind each status of a service. */
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

/** The most likely condition of a refusal, by its status alone. */
export const meaningOf = ({ status }: Exchange): Condition | undefined => MEANINGS[status ?? 0]

/** Whether the service says that something does not exist: by a usual status, by type, or by the profile's status. */
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
  const [first] = listOf(objectOf(body)['ErrorDetails'])
  return objectOf(first)['Type']
}

/** Words of messages about quotas. */
const OF_QUOTAS = /quota|limit|maximum|exceed|no more than|at most|too many/i

/** Whether a refusal of a creation says that too many exist, by its type or in words that are not about a field. */
export function saysTooMany({ names }: Profile, { status, body }: Exchange): boolean {
  if (status === null || status < 400 || status === 429 || !isObject(body)) return false
  const type = errorTypeOf(body)
  if (names.values.fromWire(String(type)) === ERRORS.quotaExceeded.type) return true
  if (status === 400 || status === 422) return false
  const isOfField = listOf(body['ErrorDetails']).some((detail) => Boolean(objectOf(detail)['FieldName']))
  return !isOfField && [type, body['Message']].some((text) => OF_QUOTAS.test(String(text)))
}
