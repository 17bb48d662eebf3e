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
