import type { Condition } from '../../interface/errors.js'
import { groupBy } from '../../lib/group-by.js'
import { objectOf } from '../../lib/json.js'
import type { Profile } from '../../profile/profile.js'
import { isOk } from '../exchange.js'
import { errorMessageOf, memberOf } from '../meaning.js'
import type { Called } from '../sights.js'
import { type Draft, seenTimes } from './draft.js'
import { differencesIn, type Evidence } from './evidence.js'

/** Shorter values may occur in texts by chance. */
const SHORTEST = 4

/** Learns `Message` of successes, with placeholders for values of the request. */
export function learnMessages(evidence: Evidence, draft: Draft): void {
  const { profile } = evidence
  for (const { key, agreements, differences } of differencesIn(evidence, 'message')) {
    // Messages that rarely differ depend on a list or a state.
    if (key.operation === undefined || differences <= agreements) continue
    const seen = evidence.calls.flatMap((one) => {
      const text = memberOf(profile, one.exchange.body, 'Message')
      return one.call.operation === key.operation && isOk(one.exchange) && typeof text === 'string'
        ? [templateOf(profile, one, text)]
        : []
    })
    const [template, ...others] = new Set(seen)
    if (template === undefined) continue
    if (others.length === 0) draft.set(['messages', key.operation], template, seenTimes(seen.length))
    else {
      const shown = [template, ...others].slice(0, 3).map((one) => `“${one}”`)
      draft.flag(['messages'], `${key.operation} has several messages, such as ${shown.join(' and ')}.`)
    }
  }
}

/** Conditions with one message. That of the others depends on a field or a state, which no profile can express. */
const WITH_ONE_MESSAGE: readonly Condition[] = ['notFound', 'forbidden', 'quotaExceeded']

/** Learns `Message` of refusals, if a condition, or a condition of one operation, always has the same. */
export function learnRefusalMessages({ refusals, profile }: Evidence, draft: Draft): void {
  const texts = refusals.flatMap(({ exchange, call, ...refusal }) => {
    const text = errorMessageOf(profile, exchange.body)
    if (typeof text !== 'string' || text === '' || !WITH_ONE_MESSAGE.includes(refusal.condition)) return []
    return [{ ...refusal, operation: call.operation, template: templateOf(profile, { exchange, call }, text) }]
  })
  for (const [condition, seen] of groupBy(texts, (one) => one.condition)) {
    if (seen.every(({ isAsOurs }) => isAsOurs)) continue
    const [template, ...others] = new Set(seen.map((one) => one.template))
    const set = (place: readonly string[], text: string) => {
      const count = seen.filter((one) => one.template === text).length
      // A single refusal may be an exception.
      if (count > 1) draft.set([...place, 'message'], text, seenTimes(count))
    }
    if (others.length === 0) set(['errors', condition], template!)
    else
      for (const [operation, refused] of groupBy(seen, (one) => one.operation)) {
        const templates = new Set(refused.map((one) => one.template))
        if (templates.size === 1) set(['errors', condition, 'operations', operation], refused[0]!.template)
      }
  }
}

/** A text with placeholders for parameters of the path, fields of the body, and the RequestID. */
function templateOf(profile: Profile, { exchange, call }: Called, text: string): string {
  const { body, requestBody } = exchange
  const { fromWire: toInner } = profile.names.fields
  const given = [
    ...Object.entries(call.params).map(([name, value]) => [`path.${name}`, value] as const),
    ...Object.entries(objectOf(requestBody)).map(([name, value]) => [`body.${toInner(name)}`, value] as const),
    ['request_id', memberOf(profile, body, 'RequestID')] as const
  ]
  const known = new Map<string, string>()
  for (const [name, value] of given)
    if (typeof value === 'string' && value.length >= SHORTEST && /^[\w.-]+$/.test(name) && !known.has(value))
      known.set(value, `{{${name}}}`)
  if (known.size === 0) return text
  const longest = [...known.keys()].sort((a, b) => b.length - a.length)
  const values = longest.map((value) => value.replaceAll(/[^\w\s]/g, String.raw`\$&`))
  // A value can be a part of another one, or of a word.
  return text.replaceAll(new RegExp(`(?<![\\w-])(?:${values.join('|')})(?![\\w-])`, 'g'), (value) => known.get(value)!)
}
