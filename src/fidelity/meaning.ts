import { type Condition, ERRORS } from '../interface/errors.js'
import { isObject, listOf, objectOf, valueAt } from '../lib/json.js'
import type { Profile } from '../profile/profile.js'
import { MEMBERS } from '../profile/replies.js'
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

/** Whether a reply shows that the service has the path: it does what is asked, or what is asked is wrong. */
export const isKnownPath = (exchange: Exchange): boolean =>
  exchange.status !== null && (exchange.status < 400 || meaningOf(exchange) === 'notAllowed')

/** Whether the service says that something does not exist: by a usual status, by type, or by the profile's status. */
export function saysUnknown(profile: Profile, exchange: Exchange, call: Call): boolean {
  const { status, body } = exchange
  if (status === null || status < 400) return false
  return (
    meaningOf(exchange) === 'notFound' ||
    errorTypeOf(profile, body) === ERRORS.notFound.type ||
    profile.edge.refusals?.('notFound', call.operation)?.status === status
  )
}

/** The names of the members in an envelope, in order. */
export const membersOf = ({ names }: Profile, body: unknown): string[] =>
  Object.keys(objectOf(body))
    .map(names.fields.fromWire)
    .filter((name) => MEMBERS.some((member) => member === name))

/** A member of an envelope, or another field, by its built-in name. */
export const memberOf = ({ names }: Profile, body: unknown, member: string): unknown =>
  objectOf(body)[names.fields.toWire(member)]

/** The type of an error, which a profile can have elsewhere than in the first of the details. */
export function errorTypeOf(profile: Profile, body: unknown): unknown {
  const place = placeOf('{{type}}', profile.document.replies?.error)
  return place === undefined
    ? memberOf(profile, listOf(memberOf(profile, body, 'ErrorDetails'))[0], 'Type')
    : valueAt(body, place)
}

/** The place of the message in errors, if a profile has its own form of them. */
export const messagePlaceIn = ({ document }: Profile) => placeOf('{{message}}', document.replies?.error)

/** The message of an error, which a profile can have elsewhere, too. */
export function errorMessageOf(profile: Profile, body: unknown): unknown {
  const place = messagePlaceIn(profile)
  return place === undefined ? memberOf(profile, body, 'Message') : valueAt(body, place)
}

function placeOf(placeholder: string, template: unknown): readonly string[] | undefined {
  if (template === placeholder) return []
  for (const [name, part] of Object.entries(objectOf(template))) {
    const place = placeOf(placeholder, part)
    if (place !== undefined) return [name, ...place]
  }
  return undefined
}

/** Words of messages about quotas. */
const OF_QUOTAS = /quota|limit|maximum|exceed|no more than|at most|too many/i

/** Whether a refusal of a creation says that too many exist, by its type or in words that are not about a field. */
export function saysTooMany(profile: Profile, { status, body }: Exchange): boolean {
  if (status === null || status < 400 || status === 429 || !isObject(body)) return false
  const type = errorTypeOf(profile, body)
  if (profile.names.values.fromWire(String(type)) === ERRORS.quotaExceeded.type) return true
  if (status === 400 || status === 422) return false
  const details = listOf(memberOf(profile, body, 'ErrorDetails'))
  const isOfField = details.some((detail) => Boolean(memberOf(profile, detail, 'FieldName')))
  return !isOfField && [type, errorMessageOf(profile, body)].some((text) => OF_QUOTAS.test(String(text)))
}
