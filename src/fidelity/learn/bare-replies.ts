import { MESSAGES } from '../../interface/messages.js'
import { isObject, listOf } from '../../lib/json.js'
import type { Profile } from '../../profile/profile.js'
import { isId } from '../bindings.js'
import { type Exchange, isOk, isRefused } from '../exchange.js'
import type { Called } from '../sights.js'
import { type Draft, same, seenTimes } from './draft.js'
import type { Evidence } from './evidence.js'

/**
 * Learns whether replies lack an envelope, other names of its members, and the form of errors without one. Comparing
 * needs to know this beforehand.
 */
export function learnBareReplies(calls: readonly Called[], profile: Profile, draft: Draft): void {
  const { toWire } = profile.names.fields
  const replies = calls.flatMap(({ call, exchange }) =>
    // Other operations never have an envelope.
    call.operation in MESSAGES && exchange.body !== undefined ? [exchange] : []
  )
  const renamed = renamedMembers(replies, toWire)
  for (const [member, name] of renamed) draft.set(['names', 'fields', member], name, seenTimes(replies.length))
  const hasEnvelope = ({ body }: Exchange) =>
    isObject(body) && ['RequestID', 'Error'].some((name) => (renamed.get(name) ?? toWire(name)) in body)
  const successes = replies.filter(isOk)
  const isBare = successes.length > 1 && !successes.some(hasEnvelope)
  if (isBare) draft.set(['replies', 'envelope'], 'none', seenTimes(successes.length))
  // A gateway checks credentials.
  const errors = replies.filter((one) => isRefused(one) && one.status !== 401 && isObject(one.body))
  const [status, ...others] = new Set(errors.map((one) => one.status))
  const place = ['replies', 'error']
  if (errors.length < 2 || errors.some(hasEnvelope) || (!isBare && others.length === 0)) return
  const unclear: string[] = []
  const bodies = errors.map(({ body }) => body)
  const template = templateOf(errors, bodies, [], unclear)
  if (same(template, {})) draft.flag(place, 'Errors have several forms.')
  else draft.set(place, template, seenTimes(errors.length))
  if (others.length === 0) draft.flag(place, `All had the status ${status}, so others may have other texts.`)
  for (const field of unclear) draft.flag(place, `Nothing explains the value of ${field}.`)
}

/** Whether a value in a reply can be that of a member of the envelope. */
const MEMBER_VALUES: Readonly<Record<string, (value: unknown, isError: boolean) => boolean>> = {
  Error: (value, isError) => value === isError,
  RequestID: (value) => typeof value === 'string' && isId(value),
  ErrorDetails: (value, isError) => (isError ? listOf(value).some(isObject) : listOf(value).length === 0),
  Message: (value) => typeof value === 'string',
  Result: (value, isError) => !isError || value === undefined || value === null || typeof value === 'string'
}

/** Other names of the members of the envelope, if a flag says whether a reply is an error. */
function renamedMembers(replies: readonly Exchange[], toWire: (member: string) => string): ReadonlyMap<string, string> {
  const bodies = replies.flatMap((exchange) =>
    isObject(exchange.body) && (isOk(exchange) || isRefused(exchange))
      ? [{ body: exchange.body, isError: isRefused(exchange) }]
      : []
  )
  const left = new Set(bodies.flatMap(({ body }) => Object.keys(body)))
  const missing = Object.keys(MEMBER_VALUES).filter((member) => !left.delete(toWire(member)))
  const renamed = new Map<string, string>()
  for (const member of missing) {
    const fits = MEMBER_VALUES[member]!
    const [name, ...others] = [...left].filter((field) => bodies.every((one) => fits(one.body[field], one.isError)))
    if (name === undefined || others.length > 0) continue
    renamed.set(member, name)
    left.delete(name)
  }
  const isBoth = [true, false].every((kind) => bodies.some(({ isError }) => isError === kind))
  return isBoth && (renamed.has('Error') || !missing.includes('Error')) ? renamed : new Map()
}

/**
 * A template for one part of all errors, with placeholders where they differ.
 * @param values the part in each of the errors
 * @param unclear receives the paths of parts that nothing explains
 */
function templateOf(
  errors: readonly Exchange[],
  values: readonly unknown[],
  path: readonly string[],
  unclear: string[]
): unknown {
  if (values.every(isObject)) {
    const names = Object.keys(values[0]!).filter((name) => values.every((value) => name in value))
    return Object.fromEntries(
      names.map((name) => {
        const inner = values.map((value) => value[name])
        return [name, templateOf(errors, inner, [...path, name], unclear)]
      })
    )
  }
  if (values.every((value, index) => value === errors[index]!.status)) return '{{status}}'
  const areTexts = values.every((value) => typeof value === 'string')
  if (areTexts && values.every((value, index) => isId(value) || value === errors[index]!.headers['x-request-id']))
    return '{{request_id}}'
  if (values.every((value) => value === values[0])) return values[0]
  if (areTexts) return values.some((value) => value.includes(' ')) ? '{{message}}' : '{{type}}'
  unclear.push(path.join('.'))
  return null
}

/** Learns which lists are inside an object, and in which of its fields. */
export function learnListKeys({ calls, api, profile }: Evidence, draft: Draft): void {
  if (profile.edge.replies?.isBare !== true) return
  for (const { call, exchange } of calls) {
    const isList = api.replySchema(call.operation)?.type === 'array'
    if (!isList || !isOk(exchange) || !isObject(exchange.body)) continue
    const fields = Object.entries(exchange.body)
    if (fields.length === 1 && Array.isArray(fields[0]![1]))
      draft.set(['replies', 'under', call.operation], fields[0]![0])
  }
}
