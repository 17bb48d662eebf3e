import { type Condition, ERRORS } from '../../interface/errors.js'
import { isObject } from '../../lib/json.js'
import type { Refusal } from '../../profile/gateway.js'
import { hasKey, mayHaveCredential } from '../credentials.js'
import type { Exchange } from '../exchange.js'
import { TRANSPORT_HEADERS } from '../transport-headers.js'
import type { Draft } from './draft.js'
import { same, times } from './draft.js'
import { differencesIn, type Evidence, isOk, isRefused } from './evidence.js'

/** Refusals of credentials, which only differ if a gateway answers. */
const OF_CREDENTIALS: readonly Refusal[] = ['wrong_credential', 'key_as_bearer']

/** Conditions of the mock that a gateway can answer instead. */
const CONDITIONS: Readonly<Record<string, Refusal>> = {
  notFound: 'unknown_path',
  methodNotAllowed: 'unknown_method',
  unauthorized: 'missing_credential'
}

const CONDITION_OF = Object.fromEntries([
  ...Object.entries(CONDITIONS).map(([condition, refusal]) => [refusal, condition]),
  ...OF_CREDENTIALS.map((refusal) => [refusal, 'unauthorized'])
]) as Partial<Record<Refusal, Condition>>

/** What is answered before the service, where that is no error of the mock. */
export function learnGateway(evidence: Evidence, draft: Draft): void {
  const differing = new Set<Refusal>()
  for (const aspect of ['status', 'error type', 'header'] as const)
    for (const { key } of differencesIn(evidence, aspect)) {
      const refusal = CONDITIONS[key.condition ?? '']
      // Ids that do not exist are up to the service.
      if (refusal !== undefined && (refusal === 'missing_credential' || key.operation === undefined))
        differing.add(refusal)
    }
  const missing = new Set(differencesIn(evidence, 'header').map(({ key }) => key.subject))
  for (const refusal of Object.values(CONDITIONS))
    if (Object.keys(ownHeaders(evidence, repliesFor(evidence, refusal))).some((name) => missing.has(name)))
      differing.add(refusal)
  // A comparison leaves out requests whose credential was refused.
  for (const refusal of OF_CREDENTIALS)
    if (repliesFor(evidence, refusal).some((exchange) => isOfGateway(exchange, refusal))) differing.add(refusal)
  for (const refusal of differing) {
    const refused = repliesFor(evidence, refusal)
    const headers = ownHeaders(evidence, refused)
    const hasOwn = Object.keys(headers).length > 0
    const replies = refused
      .filter((exchange) => hasOwn || isOfGateway(exchange, refusal))
      .map((exchange) => replyOf(exchange, headers))
    const [first] = replies
    if (first === undefined) continue
    const alike = replies.filter((reply) => same(reply, first))
    const place = ['gateway', refusal]
    draft.set(place, first, `Seen ${times(alike.length, 'time')}.`)
    if (refused.some(({ body, isBodyOmitted }) => isBodyOmitted === true && body === undefined))
      draft.doubt(place, 'The recording leaves the body out, for a reason that it gives.')
    if (alike.length < replies.length)
      draft.doubt(place, `${times(replies.length - alike.length, 'other reply', 'other replies')} differed.`)
  }
}

function repliesFor({ calls, foreign, api, conformance }: Evidence, refusal: Refusal): readonly Exchange[] {
  if (refusal === 'wrong_credential' || refusal === 'key_as_bearer') {
    const isWrong = ({ status, requestHeaders }: Exchange) =>
      status === 401 && mayHaveCredential(requestHeaders) && hasKey(requestHeaders) === (refusal === 'wrong_credential')
    const accepted = calls.filter(({ exchange }) => isOk(exchange) && hasKey(exchange.requestHeaders))
    const takesKeys = new Set(accepted.map(({ call }) => call.operation))
    return calls.flatMap(({ call, exchange }) => (isWrong(exchange) && takesKeys.has(call.operation) ? [exchange] : []))
  }
  if (refusal === 'missing_credential')
    return calls.map(({ exchange }) => exchange).filter((exchange) => isRefused(exchange) && lacksCredential(exchange))
  const methods = new Set(
    Object.values((conformance.document as { paths: Readonly<Record<string, object>> }).paths).flatMap((path) =>
      Object.keys(path)
    )
  )
  const hasPath = (exchange: Exchange) =>
    [...methods].some((method) => api.recognise({ ...exchange, method: method.toUpperCase() }) !== undefined)
  return foreign.filter(
    (exchange) =>
      isRefused(exchange) && !lacksCredential(exchange) && hasPath(exchange) === (refusal === 'unknown_method')
  )
}

/** Whether a request certainly had no credential. */
const lacksCredential = ({ requestHeaders }: Exchange) =>
  Object.keys(requestHeaders).length > 0 && !('x-api-key' in requestHeaders) && !('authorization' in requestHeaders)

/** Whether a reply is not that of the service itself, which has an envelope and the expected status. */
const isOfGateway = ({ status, body }: Exchange, refusal: Refusal) =>
  status !== ERRORS[CONDITION_OF[refusal]!].status ||
  !isObject(body) ||
  !['RequestID', 'ErrorDetails'].some((field) => field in body)

/** What the mock has by itself. */
const BUILT_IN_HEADERS = /^(?:allow|content-type|x-request-id|access-control-.*)$/

/** Headers that all of some replies have, with one value, and no success has. */
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

/** A reply as a profile writes it out. */
function replyOf({ status, headers, body }: Exchange, own: Readonly<Record<string, string>>): object {
  const id = headers['x-request-id'] ?? (isObject(body) ? body['RequestID'] : undefined)
  const type = headers['content-type']
  const text =
    typeof id === 'string' && id.length > 3 ? JSON.stringify(body ?? null).replaceAll(id, '{{request_id}}') : undefined
  const shown = { ...(type === undefined || /json|^text\/plain/.test(type) ? {} : { 'content-type': type }), ...own }
  return {
    status: status!,
    ...(Object.keys(shown).length === 0 ? {} : { headers: shown }),
    ...(body === undefined || status === 204 ? {} : { body: text === undefined ? body : (JSON.parse(text) as unknown) })
  }
}
