import { type Condition, ERRORS } from '../../interface/errors.js'
import { valueAt } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import type { Refusal } from '../../profile/gateway.js'
import { METHODS } from '../../profile/routes.js'
import { type Exchange, isOk, isRefused } from '../exchange.js'
import { hasKey, mayHaveCredential, TRANSPORT_HEADERS } from '../headers.js'
import { isKnownPath, memberOf, messagePlaceIn } from '../meaning.js'
import { type Draft, same, seenTimes } from './draft.js'
import type { Evidence } from './evidence.js'
import { bodyTemplate } from './stubs.js'

/** Replies of a gateway, each with the mock's condition in its place. */
const REFUSALS = {
  unknown_path: 'notFound',
  unknown_method: 'methodNotAllowed',
  missing_credential: 'unauthorized',
  wrong_credential: 'unauthorized',
  key_as_bearer: 'unauthorized'
} as const satisfies Partial<Record<Refusal, Condition>>
type Learned = keyof typeof REFUSALS

/** Learns the replies of a gateway in front of the service, if the mock answers otherwise. */
export function learnGateway(evidence: Evidence, draft: Draft): void {
  for (const refusal of Object.keys(REFUSALS) as Learned[]) {
    const refused = repliesFor(evidence, refusal)
    const headers = ownHeaders(evidence, refused)
    const hasOwn = Object.keys(headers).length > 0
    const replies = refused
      .filter((exchange) => hasOwn || isOfGateway(evidence, exchange, refusal))
      .map((exchange) => replyOf(evidence, exchange, headers))
    const [first] = replies
    // The service itself may answer such requests, too.
    if (first === undefined || replies.length < refused.length) continue
    const alike = replies.filter((reply) => same(reply, first))
    const place = ['gateway', refusal]
    draft.set(place, first, seenTimes(alike.length))
    if (refused.some(({ body, isBodyOmitted }) => isBodyOmitted === true && body === undefined))
      draft.flag(place, 'The body was not recorded; the exchange says why.')
    if (alike.length < replies.length)
      draft.flag(place, `${quantity(replies.length - alike.length, 'other reply')} differed.`)
  }
}

function repliesFor({ calls, foreign, api }: Evidence, refusal: Learned): readonly Exchange[] {
  if (refusal === 'wrong_credential' || refusal === 'key_as_bearer') {
    const isWrong = ({ status, requestHeaders }: Exchange) =>
      status === 401 && mayHaveCredential(requestHeaders) && hasKey(requestHeaders) === (refusal === 'wrong_credential')
    const accepted = calls.filter(({ exchange }) => isOk(exchange) && hasKey(exchange.requestHeaders))
    const takesKeys = new Set(accepted.map(({ call }) => call.operation))
    return calls.flatMap(({ call, exchange }) => (isWrong(exchange) && takesKeys.has(call.operation) ? [exchange] : []))
  }
  if (refusal === 'missing_credential')
    return calls.map(({ exchange }) => exchange).filter((exchange) => isRefused(exchange) && lacksCredential(exchange))
  const hasPath = (exchange: Exchange) => METHODS.some((method) => api.recognise({ ...exchange, method }) !== undefined)
  return foreign.filter(
    (exchange) =>
      isRefused(exchange) &&
      !isKnownPath(exchange) &&
      !lacksCredential(exchange) &&
      hasPath(exchange) === (refusal === 'unknown_method')
  )
}

/** Whether the exchange shows headers, but no credential among them. */
const lacksCredential = ({ requestHeaders }: Exchange) =>
  Object.keys(requestHeaders).length > 0 && !('x-api-key' in requestHeaders) && !('authorization' in requestHeaders)

/** Whether a reply is not the service's own, which has the expected status, and an envelope if others have one. */
function isOfGateway({ profile }: Evidence, { status, headers, body }: Exchange, refusal: Learned): boolean {
  // JSON that was not recorded may have one.
  const isMissing = body === undefined && /json/.test(headers['content-type'] ?? '')
  const hasEnvelope =
    isMissing || ['RequestID', 'ErrorDetails'].some((one) => memberOf(profile, body, one) !== undefined)
  const isOther = status !== ERRORS[REFUSALS[refusal]].status
  if (profile.edge.replies?.isBare === true) {
    const place = messagePlaceIn(profile)
    const isOtherForm = place !== undefined && !isMissing && valueAt(body, place) === undefined
    return isOther || (isOtherForm && REFUSALS[refusal] === 'unauthorized')
  }
  // The service may refuse a path of its own that the mock does not have.
  return !hasEnvelope || (isOther && refusal !== 'unknown_path' && refusal !== 'unknown_method')
}

const BUILT_IN_HEADERS = /^(?:allow|content-type|x-request-id|access-control-.*)$/

/** Headers that all refusals have with the same value, and no success has. */
function ownHeaders({ calls }: Evidence, [first, ...others]: readonly Exchange[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(first?.headers ?? {}).filter(
      ([name, value]) =>
        !TRANSPORT_HEADERS.includes(name) &&
        !BUILT_IN_HEADERS.test(name) &&
        /^(?!.*(?:\*{3}|\{\{))[\t\x20-\x7e]*$/.test(value) &&
        others.every(({ headers }) => headers[name] === value) &&
        !calls.some(({ exchange }) => isOk(exchange) && name in exchange.headers)
    )
  )
}

function replyOf({ profile }: Evidence, exchange: Exchange, own: Readonly<Record<string, string>>): object {
  const { status, headers } = exchange
  const type = headers['content-type']
  const shown = { ...(type === undefined || /json|^text\/plain/.test(type) ? {} : { 'content-type': type }), ...own }
  const body = bodyTemplate(profile, exchange)
  return {
    status: status!,
    ...(Object.keys(shown).length === 0 ? {} : { headers: shown }),
    ...(body === undefined ? {} : { body })
  }
}
