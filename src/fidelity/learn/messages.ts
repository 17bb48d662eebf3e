import type { Condition } from '../../interface/errors.js'
import { groupBy } from '../../lib/group-by.js'
import { isObject } from '../../lib/json.js'
import type { Called } from '../sights.js'
import { type Draft, times } from './draft.js'
import { differencesIn, type Evidence, isOk } from './evidence.js'

/** Shorter values occur in texts by chance. */
const SHORTEST = 4

/** The texts of `Message` when an operation succeeds, with placeholders for what they repeat. */
export function learnMessages(evidence: Evidence, draft: Draft): void {
  const { calls, profile } = evidence
  const message = profile.names.fields.toWire('Message')
  // What differs seldom says something else of a list, or of a state.
  const differing = new Set(
    differencesIn(evidence, 'message')
      .filter(({ agreements, differences }) => differences > agreements)
      .map(({ key }) => key.operation)
  )
  const successes = calls.filter(({ call, exchange }) => differing.has(call.operation) && isOk(exchange))
  for (const [operation, own] of groupBy(successes, ({ call }) => call.operation)) {
    const seen = own.flatMap((called) => {
      const { body } = called.exchange
      const text = isObject(body) ? body[message] : undefined
      return typeof text === 'string' ? [{ called, text }] : []
    })
    const place = ['messages', operation]
    const templates = new Set(seen.map(({ called, text }) => templateOf(called, text)))
    const [template] = templates
    if (template === undefined || draft.get(place) === template) continue
    if (templates.size === 1) draft.set(place, template, `Seen ${times(seen.length, 'time')}.`)
    else {
      const shown = [...templates].slice(0, 3).map((one) => `“${one}”`)
      draft.doubt(['messages'], `${operation} has several messages, such as ${shown.join(' and ')}.`)
    }
  }
}

/**
 * Conditions whose refusals may be said in the same words each time, but for what they repeat of the request. What is
 * said of an invalid field or of a state depends on that, and no profile can say how.
 */
const SAID_ALIKE: readonly Condition[] = ['notFound', 'forbidden', 'quotaExceeded']

/** The texts of `Message` when a request is refused, where a condition, or one of its operations, has only one. */
export function learnRefusalMessages({ refusals, profile }: Evidence, draft: Draft): void {
  const message = profile.names.fields.toWire('Message')
  const texts = refusals.flatMap(({ exchange, call, ...refusal }) => {
    const text = isObject(exchange.body) ? exchange.body[message] : undefined
    if (typeof text !== 'string' || text === '' || !SAID_ALIKE.includes(refusal.condition)) return []
    return [{ ...refusal, operation: call.operation, template: templateOf({ exchange, call }, text) }]
  })
  for (const [condition, seen] of groupBy(texts, (one) => one.condition)) {
    if (seen.every(({ isAsOurs }) => isAsOurs)) continue
    const [template, ...others] = new Set(seen.map((one) => one.template))
    const number = (wanted: string) => seen.filter((one) => one.template === wanted).length
    // One refusal says nothing of others.
    const set = (place: readonly string[], text: string) => {
      if (number(text) > 1) draft.set([...place, 'message'], text, `Seen ${times(number(text), 'time')}.`)
    }
    if (others.length === 0) set(['errors', condition], template!)
    else
      for (const [operation, own] of groupBy(seen, (one) => one.operation)) {
        const templates = new Set(own.map((one) => one.template))
        if (templates.size === 1) set(['errors', condition, 'operations', operation], own[0]!.template)
      }
  }
}

/** A text with placeholders for the ids in the path, the texts in the body, and the RequestID. */
function templateOf({ exchange, call }: Called, text: string): string {
  const { body, requestBody } = exchange
  const id = isObject(body) ? body['RequestID'] : undefined
  const known: [string, unknown][] = [
    ...Object.entries(call.params).map(([name, value]): [string, unknown] => [`path.${name}`, value]),
    ...(isObject(requestBody) ? Object.entries(requestBody) : []).map(([name, value]): [string, unknown] => [
      `body.${name}`,
      value
    ]),
    ['request_id', id]
  ]
  let template = text
  for (const [name, value] of known)
    if (typeof value === 'string' && value.length >= SHORTEST && /^[\w.-]+$/.test(name))
      template = template.replaceAll(value, () => `{{${name}}}`)
  return template
}
