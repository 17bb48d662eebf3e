import type { Profile } from '../../profile/profile.js'
import type { Exchange } from '../exchange.js'
import { isObject } from '../openapi/json.js'
import { withBuiltInNames } from './field-names.js'

/** Longest time that a reply may ask to wait, in milliseconds. */
const MOST_RETRY_MS = 60_000

/** Characters of a service's message that are told. */
const MOST_TOLD = 300

/** Whether an operation was done. */
export const isSuccess = ({ status }: Pick<Exchange, 'status'>) => status !== null && status < 300

/** What an operation has returned; undefined: an error, or nothing. */
export function resultOf(exchange: Exchange, { names }: Pick<Profile, 'names'>): unknown {
  if (!isSuccess(exchange)) return undefined
  const body = withBuiltInNames(exchange.body, names.fields)
  return isObject(body) && 'Result' in body ? body['Result'] : body
}

/** How long a reply asks to wait before the same call, in milliseconds. */
export function retryAfterOf({ status, headers }: Exchange): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const seconds = Number(headers['retry-after'] ?? 1)
  return Math.min(Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 1000, MOST_RETRY_MS)
}

/** What a service says in an error. */
export function messageIn(body: unknown): string {
  if (typeof body === 'string') return body.slice(0, MOST_TOLD)
  const { Message: message, message: other = '' } = (body ?? {}) as { Message?: unknown; message?: unknown }
  return String(message ?? other).slice(0, MOST_TOLD)
}
