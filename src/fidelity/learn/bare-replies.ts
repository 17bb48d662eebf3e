import { MESSAGES } from '../../interface/messages.js'
import { isObject, type Json } from '../../lib/json.js'
import type { Profile } from '../../profile/profile.js'
import { Api } from '../api.js'
import { isId } from '../bindings.js'
import type { Exchange } from '../exchange.js'
import { type Draft, times } from './draft.js'
import { type Evidence, isOk, isRefused } from './evidence.js'

/** Whether replies have no envelope, and what errors are then. A comparison has to know it before it begins. */
export function learnBareReplies(exchanges: readonly Exchange[], profile: Profile, draft: Draft): void {
  const api = new Api(profile)
  const { toWire } = profile.names.fields
  const replies = exchanges.filter((exchange) => {
    const call = api.recognise(exchange)
    // Others never have an envelope.
    return call !== undefined && call.operation in MESSAGES && exchange.body !== undefined
  })
  const hasMember = ({ body }: Exchange) =>
    isObject(body) && ['RequestID', 'Error'].some((name) => toWire(name) in body)
  const successes = replies.filter(isOk)
  if (successes.length > 1 && !successes.some(hasMember))
    draft.set(['replies', 'envelope'], 'none', `Seen ${times(successes.length, 'time')}.`)
  const errors = replies.filter((exchange) => isRefused(exchange) && isObject(exchange.body))
  if (errors.length > 1 && !errors.some(hasMember)) {
    const place = ['replies', 'error']
    const unclear: string[] = []
    draft.set(
      place,
      templateOf(errors, (body) => body, [], unclear),
      `Seen ${times(errors.length, 'time')}.`
    )
    for (const field of unclear) draft.doubt(place, `What ${field} says is not known.`)
  }
}

/** What errors have at a place, with placeholders for what differs. @param unclear gets places that it cannot say */
function templateOf(
  errors: readonly Exchange[],
  at: (body: unknown) => unknown,
  path: readonly string[],
  unclear: string[]
): unknown {
  const values = errors.map(({ body }) => at(body))
  const [first] = values
  if (values.every(isObject)) {
    const names = Object.keys(first as Json).filter((name) => values.every((value) => name in value))
    return Object.fromEntries(
      names.map((name) => [name, templateOf(errors, (body) => (at(body) as Json)[name], [...path, name], unclear)])
    )
  }
  const isEvery = (test: (value: unknown, exchange: Exchange) => boolean) =>
    values.every((value, index) => test(value, errors[index]!))
  if (isEvery((value, { status }) => value === status)) return '{{status}}'
  if (isEvery((value, { headers }) => typeof value === 'string' && (isId(value) || value === headers['x-request-id'])))
    return '{{request_id}}'
  if (isEvery((value) => value === first)) return first
  if (isEvery((value) => typeof value === 'string'))
    return values.some((value) => String(value).includes(' ')) ? '{{message}}' : '{{type}}'
  unclear.push(path.join('.'))
  return null
}

/** The field of an object that has a list, instead of the list itself. */
export function learnListKeys({ calls, api, profile }: Evidence, draft: Draft): void {
  if (profile.edge.replies?.isBare !== true) return
  for (const { call, exchange } of calls) {
    const { operation } = call
    const isList = api.resolve(api.replySchema(operation))?.schema.type === 'array'
    const [key, ...others] = isObject(exchange.body) ? Object.keys(exchange.body) : []
    if (!isList || !isOk(exchange) || key === undefined || others.length > 0) continue
    if (Array.isArray((exchange.body as Json)[key])) draft.set(['replies', 'under', operation], key)
  }
}
