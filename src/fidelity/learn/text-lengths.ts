import { isObject } from '../../lib/json.js'
import { type Draft, times } from './draft.js'
import { type Evidence, isOk, isRefused, refusedByBoth } from './evidence.js'

/** How long a text may be, where one was refused that the mock accepts, and a shorter one was not. */
export function learnTextLengths(evidence: Evidence, draft: Draft): void {
  const { calls, api, profile } = evidence
  const byBoth = refusedByBoth(evidence)
  const { toWire, fromWire } = profile.names.fields
  const all = new Map<string, { accepted: number[]; refused: number[] }>()
  for (const { call, exchange } of calls) {
    const { name } = api.resolve(api.requestSchema(call.operation)) ?? {}
    if (name === undefined || !isObject(exchange.requestBody)) continue
    const blamed = isRefused(exchange) && !byBoth.has(exchange.number) ? blamedFields(exchange.body, toWire) : []
    for (const [wire, value] of Object.entries(exchange.requestBody)) {
      if (typeof value !== 'string' || !(isOk(exchange) || blamed.includes(wire))) continue
      const key = `${name} ${fromWire(wire)}`
      const lengths = all.get(key) ?? { accepted: [], refused: [] }
      all.set(key, lengths)
      lengths[isOk(exchange) ? 'accepted' : 'refused'].push(value.length)
    }
  }
  for (const [key, { accepted, refused }] of all) {
    const [name, field] = key.split(' ') as [string, string]
    const longest = accepted.sort(ascending).at(-1)
    // Shorter ones were refused for something else.
    const least = refused.sort(ascending).find((length) => longest !== undefined && length > longest)
    if (longest === undefined || least === undefined || least > LONGEST) continue
    const seen = `One of ${times(least, 'character')} was refused, and one of ${longest} was not.`
    if (least === longest + 1) draft.set(['requests', name, field, 'max_length'], longest, seen)
    else draft.doubt(['requests'], `${field} of ${name} has a limit. ${seen}`)
  }
}

const ascending = (a: number, b: number) => a - b

/** What the mock accepts. */
const LONGEST = 256

/** The fields that a refusal names. */
function blamedFields(body: unknown, toWire: (name: string) => string): string[] {
  const details = isObject(body) ? body[toWire('ErrorDetails')] : undefined
  if (!Array.isArray(details)) return []
  return details.flatMap((detail: unknown) =>
    isObject(detail) && typeof detail[toWire('FieldName')] === 'string' ? [detail[toWire('FieldName')] as string] : []
  )
}
