import { groupBy } from '../../lib/group-by.js'
import { isObject, type Json } from '../../lib/json.js'
import type { FieldDocument, FieldType } from '../../profile/fields.js'
import { RELATED, STORED_KINDS } from '../../profile/stored-kinds.js'
import { SHOWN_RESOURCES } from '../../resources/tables.js'
import { comparableOf } from '../comparables.js'
import { type Exchange, isOk } from '../exchange.js'
import type { Called, Sight } from '../sights.js'
import type { Evidence } from './evidence.js'

/** A text field with more values is not an enumeration. */
const MOST_VALUES = 8
/** How often each value of an enumeration must be seen. */
const ENOUGH = 3

/**
 * Finds the rule of a field that only the service has.
 * @param wire its name in replies
 * @param holders the objects that have it
 * @param isOptional whether some objects lack it
 * @returns the rule that explains all values, or the reason why there is none, and the values without a request for one
 */
export function ruleFor(
  evidence: Evidence,
  schema: string,
  wire: string,
  holders: readonly Sight[],
  isOptional: boolean
) {
  const { api, calls, profile, sights } = evidence
  const { toWire, fromWire } = profile.names.fields
  const { kind, parents = [] } = SHOWN_RESOURCES.get(schema) ?? {}
  const requests: readonly string[] = kind === undefined ? [] : STORED_KINDS[kind]
  const valueOf = ({ value }: Sight) => value[wire]
  const unset = createdWithout().map(valueOf)
  return { rule: rule(), unset }

  function rule(): FieldDocument | string {
    const values = [...new Map(holders.map(valueOf).map((value) => [JSON.stringify(value), value])).values()]
    const filled = values.filter((value) => value !== null)
    const usualDefault = mostCommon(unset)
    const types = [...new Set(filled.map(typeOf))]
    const areNumbers = types.every((one) => one === 'integer' || one === 'number')
    const type = types.length < 2 ? types[0] : areNumbers ? 'number' : undefined
    const objects = new Set(holders.map(idOf)).size
    const isOften = filled.length <= MOST_VALUES && holders.length >= ENOUGH * filled.length
    // If each object has a value of its own, that is more like a name.
    const isListed = type === 'string' && isOften && objects > filled.length
    const typed = {
      ...(type === undefined ? {} : { type }),
      ...(isListed ? { enum: filled } : {}),
      ...(values.includes(null) ? { nullable: true } : {})
    }
    const setBy = settersOf()
    if (setBy.length > 0 && type !== undefined)
      return { ...typed, ...(isOptional || unset.length === 0 ? {} : { default: usualDefault }), set_by: setBy }
    if (isOptional) return 'only some objects have it'
    if (values.length === 1) return objects > 1 ? { const: values[0] } : 'only one object has it, which may be chance'
    // Fields that are empty, or always the same, may agree by chance.
    const telling = values.filter((value) => !['null', '""', '[]'].includes(JSON.stringify(value)))
    const source = telling.length > 1 ? mirrored() : undefined
    if (source !== undefined) return { from: source }
    if (type === undefined) return `it has values of ${types.length} types`
    if (unset.length === 0) return 'it varies, and no creation shows its initial value'
    return { ...typed, default: usualDefault }
  }

  /** Identifies a resource. */
  function idOf({ value, exchange }: Sight): string {
    return JSON.stringify(value[toWire(comparableOf(schema).identity ?? '')] ?? exchange.number)
  }

  /** The field of the same object, or of a parent, that always has the same value. */
  function mirrored(): string | undefined {
    const related = parents.map((parent) => [`${parent}.`, RELATED[parent]] as const)
    for (const [beginning, of] of [['', schema] as const, ...related]) {
      const shown = shownOf(of)
      const pairs = holders.flatMap((sight) => {
        const from = shown.get(sight)
        return from === undefined ? [] : [{ from, value: valueOf(sight) }]
      })
      if (new Set(pairs.map(({ value }) => value)).size < 2) continue
      const isAdded = (name: string) => Object.hasOwn(profile.document.fields?.[of] ?? {}, fromWire(name))
      const isOther = (name: string) => api.hasField(of, name) && !isAdded(name) && (of !== schema || name !== wire)
      const fields = Object.keys(pairs[0]!.from).filter(isOther)
      const field = fields.find((name) => pairs.every(({ from, value }) => from[name] === value))
      if (field !== undefined) return beginning + fromWire(field)
    }
    return undefined
  }

  /** The object itself, or a parent, as replies last showed it, if any did. */
  function shownOf(of: string): ReadonlyMap<Sight, Json> {
    const id = toWire(comparableOf(of).identity ?? '')
    const latest = new Map<unknown, Json>()
    const shown = new Map<Sight, Json>()
    for (const sight of sights) {
      const key = sight.value[id]
      if (sight.schema === of) latest.set(key, sight.value)
      const source = sight.schema === schema ? latest.get(key) : undefined
      if (source !== undefined) shown.set(sight, source)
    }
    return shown
  }

  /** The built-in name of the schema of a request body. */
  function requestOf({ call }: Called): string {
    return api.nameOf(api.requestSchema(call.operation)) ?? ''
  }

  /** Schemas of accepted requests whose value for the field replies show. */
  function settersOf(): string[] {
    const shown = new Set(holders.map((sight) => JSON.stringify(valueOf(sight))))
    const setting = calls.filter(
      ({ exchange }) => isOk(exchange) && sets(exchange, wire) && shown.has(JSON.stringify(exchange.requestBody[wire]))
    )
    return [...new Set(setting.map(requestOf))].filter((request) => requests.includes(request))
  }

  /** The objects whose creating request omitted the field. */
  function createdWithout(): Sight[] {
    const known = new Set<string>()
    return holders.filter((sight) => {
      const isNew = !known.has(idOf(sight))
      known.add(idOf(sight))
      const request = requestOf(sight)
      const isCreation = requests.includes(request) && !request.startsWith('Update')
      return isNew && isCreation && !sets(sight.exchange, wire)
    })
  }
}

const sets = (exchange: Exchange, wire: string): exchange is Exchange & { readonly requestBody: Json } =>
  isObject(exchange.requestBody) && wire in exchange.requestBody

function typeOf(value: unknown): FieldType {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as FieldType
}

/** The most common value; of several, the first. */
export function mostCommon<T>(values: readonly T[]): T | undefined {
  const [best] = [...groupBy(values, (value) => JSON.stringify(value)).values()].sort((a, b) => b.length - a.length)
  return best?.[0]
}
