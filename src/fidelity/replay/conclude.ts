import type { Aspect } from '../../interface/assumption.js'
import { isObject, isOfType } from '../../lib/json.js'
import { CONDITIONS, PRE_PAUSE } from '../../resources/workspaces/views.js'
import type { Call } from '../api.js'
import type { Comparison, StatePair } from '../comparison.js'
import type { Exchange } from '../exchange.js'
import type { LooseFact } from '../fact-book.js'
import { TRANSPORT_HEADERS } from '../headers.js'
import { errorMessageOf, errorTypeOf, meaningOf, saysTooMany } from '../meaning.js'
import type { OwnReply } from '../twin.js'
import { OF_RESIZE, type Session } from './session.js'
import { BEGUN_BY, isSameState, noteStates } from './states.js'

/** Notes on what the mock and the service agree in a reply, after all repairs. */
export function conclude(
  session: Session,
  exchange: Exchange,
  call: Call | undefined,
  ours: OwnReply,
  comparison?: Comparison
): void {
  noteStatus(session, exchange, call, ours)
  noteHeaders(session, exchange, call, ours)
  if (comparison === undefined) return
  if (ours.status < 400 && exchange.status! < 400) noteFields(session, exchange, call!)
  const { facts, states, onlyOurs, onlyTheirs } = comparison
  const isVague = session.isVague(call!.params)
  // Consequences of a different state are no differences of their own.
  const isElsewhere = states.some(({ kind, state, word }) => !isSameState(session, kind, state, word))
  const isExplained = ({ aspect, field, ours: own, theirs }: LooseFact) =>
    (isVague && OF_DATA.includes(aspect)) ||
    (isElsewhere && (aspect === 'message' || field === 'condition_type')) ||
    (field === 'condition_type' && [own, theirs].every(isOfPause))
  for (const fact of facts) if (fact.agrees || !isExplained(fact)) session.facts.add(fact)
  const isCertain = ({ kind, state, word }: StatePair) => !isVague || isSameState(session, kind, state, word)
  noteStates(session, exchange, call!, states.filter(isCertain))
  const { operation } = call!
  // No reply shows the exact times at which backups appear and disappear.
  if (operation === 'listBackups' || isVague) return
  for (const { schema, item } of onlyOurs)
    session.note(exchange, { aspect: 'order', operation, schema }, false, item, undefined)
  for (const { schema, item } of onlyTheirs)
    session.note(exchange, { aspect: 'order', operation, schema }, false, undefined, item)
}

/** Whether a reply may have had a body, which was too large to keep, or not saved by a browser. */
export const isReplyUnknown = ({ isBodyOmitted, body, status }: Exchange) =>
  isBodyOmitted === true && body === undefined && status !== null && status !== 204

/** Whether a condition is one of a pause. No reply shows exactly when the first of the two ends. */
const isOfPause = (condition: unknown) => condition === PRE_PAUSE.condition || condition === CONDITIONS.Pausing

/** Aspects that differ if a resource does. */
const OF_DATA: readonly Aspect[] = ['value', 'word', 'message', 'order']

function noteStatus(session: Session, exchange: Exchange, call: Call | undefined, ours: OwnReply): void {
  const status = exchange.status!
  const operation = call?.operation
  const type = errorTypeOf(session.profile, exchange.body)
  const [isOurs, isTheirs] = [ours.status < 400, status < 400]
  const quota = call && quotaOf(session, call, exchange)
  const isHit = exchange.method === 'POST' && quota !== undefined && saysTooMany(session.profile, exchange)
  if (ours.condition === 'quotaExceeded' || isHit) {
    const key = { aspect: 'quota', operation, subject: quota } as const
    if (isOurs !== isTheirs) {
      session.note(exchange, key, false, ours.status, status)
      return
    }
    session.note(exchange, key, true)
  }
  const peculiarity = call && peculiarityOf(session, exchange, call, ours)
  const condition = ours.condition ?? (isTheirs || peculiarity !== undefined ? undefined : meaningOf(exchange))
  const key = { operation, condition, subject: peculiarity }
  const transition = call && askedFor(session, call, exchange)
  // The states in which a transition may begin are part of its assumption.
  if (isOurs !== isTheirs && condition === 'notAllowed' && transition !== undefined)
    session.note(exchange, { aspect: 'transition', subject: transition, operation }, false, ours.status, status)
  else session.note(exchange, { aspect: 'status', ...key }, ours.status === status, ours.status, status)
  if (isOurs || isTheirs || isReplyUnknown(exchange)) return
  if (call !== undefined && ours.condition !== undefined)
    session.refusals.push({ exchange, call, condition: ours.condition, isAsOurs: isSaidAlike(session, exchange, ours) })
  const own = errorTypeOf(session.profile, ours.body)
  if (own !== undefined && type !== undefined)
    session.note(exchange, { aspect: 'error type', ...key }, own === type, own, type)
}

/** Whether both refuse a request in the same words. */
function isSaidAlike({ profile, bindings }: Session, { body }: Exchange, ours: OwnReply): boolean {
  const [own, theirs] = [ours.body, body].map((one) => errorMessageOf(profile, one))
  return typeof own !== 'string' || bindings.toTheirs(own) === theirs
}

/** The quota that a creation counts for. */
function quotaOf(session: Session, { operation }: Call, { requestBody }: Exchange): string | undefined {
  if (operation === 'createWorkspace')
    return session.fieldOf(requestBody, 'is_rw') === false ? 'ro_workspaces' : 'rw_workspaces'
  return /Backup/.test(operation) ? 'automatic_backups' : undefined
}

/** The transition that a request asks for. */
function askedFor(session: Session, { operation }: Call, { requestBody }: Exchange): string | undefined {
  const [only, ...others] = BEGUN_BY[operation] ?? []
  if (operation === 'createWorkspace') return undefined
  if (others.length === 0) return only?.name
  if (OF_RESIZE.some((field) => session.fieldOf(requestBody, field) !== undefined)) return 'workspace.resize'
  const pause = session.fieldOf(requestBody, 'pause')
  return pause === undefined ? undefined : pause === true ? 'workspace.pause' : 'workspace.resume'
}

function noteHeaders(session: Session, exchange: Exchange, call: Call | undefined, ours: OwnReply): void {
  const { headers } = exchange
  if (Object.keys(headers).length === 0) return
  // Without any of these, not all headers were recorded, so a missing one proves nothing.
  const isWhole = TRANSPORT_HEADERS.some((name) => name in headers)
  for (const name of new Set([...Object.keys(ours.headers), ...Object.keys(headers)])) {
    if (TRANSPORT_HEADERS.includes(name) || (name === 'content-type' && exchange.status === 204)) continue
    const [own, theirs] = [ours.headers[name], headers[name]]
    if (theirs === undefined && !isWhole) continue
    const agrees =
      name === 'content-type' ? mediaType(own) === mediaType(theirs) : (own === undefined) === (theirs === undefined)
    session.note(exchange, { aspect: 'header', subject: name, operation: call?.operation }, agrees, own, theirs)
  }
}

const mediaType = (header: string | undefined) => header?.split(';')[0]!.trim().toLowerCase()

/** Notes the fields of a request that the mock has, too. Call it only if both accept the request. */
function noteFields(session: Session, exchange: Exchange, { operation }: Call): void {
  const schema = session.api.nameOf(session.api.requestSchema(operation))
  if (schema === undefined) return
  for (const field of session.sentFields(exchange, operation))
    session.note(exchange, { aspect: 'field', operation, schema, field }, true)
}

/** The peculiarity of a body that determines the status, if any. */
function peculiarityOf(
  { api }: Session,
  { requestBody }: Exchange,
  { operation }: Call,
  ours: OwnReply
): 'type' | 'unknown field' | undefined {
  const declared = api.requestSchema(operation)?.fields
  if (declared === undefined || !isObject(requestBody)) return undefined
  const fields = Object.entries(requestBody)
  const hasOtherType = ([field, value]: [string, unknown]) => {
    const type = declared.get(field)?.schema().type
    return type !== undefined && !isOfType(value, type)
  }
  if (ours.condition === 'invalidBody') return fields.some(hasOtherType) ? 'type' : undefined
  const isAccepted = ours.status < 400
  return isAccepted && fields.some(([field]) => !declared.has(field)) ? 'unknown field' : undefined
}
