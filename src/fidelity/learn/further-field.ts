import { isObject, type Json } from '../../lib/json.js'
import type { FieldType } from '../../profile/fields.js'
import { RELATED, RELATIONS } from '../../profile/stored-kinds.js'
import type { Sight } from '../sights.js'
import { same } from './draft.js'

/** How a profile says what a further field has. */
type FieldRule =
  | { readonly const: unknown }
  | { readonly from: string }
  | {
      readonly type: FieldType
      readonly enum?: readonly unknown[]
      readonly nullable?: true
      readonly default?: unknown
      readonly set_by?: readonly string[]
    }

/** A value of a field, with the object that has it. */
export interface Holder {
  readonly sight: Sight
  readonly value: unknown
}

/** A further field with all that was seen of it. */
interface Further {
  readonly holders: readonly Holder[]
  /** Those of objects that were created by a request without it. */
  readonly silent: readonly Holder[]
  /** Whether objects lack it. */
  readonly isOptional: boolean
  /** Schemas of request bodies that had the same value. */
  readonly setBy: readonly string[]
  /** Built-in name of a field, and whether the mock has one of that name by itself. */
  readonly toInner: (wire: string) => string
  readonly isOwn: (schema: string, field: string) => boolean
  /** Tells resources apart. */
  readonly idOf: (sight: Sight) => string
}

/** A text field with more values is no enumeration. */
const MOST_VALUES = 8
/** How often each value of an enumeration must be seen. */
const ENOUGH = 3
/** Mirrors are at most this deep in an object. */
const DEEPEST = 2

/** The rule that explains all values; a text: why there is none. */
export function ruleFor(further: Further): FieldRule | string {
  const { holders, silent, isOptional, setBy } = further
  const values = distinct(holders.map(({ value }) => value))
  const types = [...new Set(values.filter((value) => value !== null).map(typeOf))]
  const type = types.length === 2 && types.every((one) => one === 'integer' || one === 'number') ? 'number' : types[0]
  if (setBy.length > 0 && type !== undefined && (types.length === 1 || type === 'number'))
    return {
      type,
      ...listed(values, holders.length, type),
      ...(values.includes(null) ? { nullable: true as const } : {}),
      ...(isOptional || silent.length === 0 ? {} : { default: mostCommon(silent) }),
      set_by: setBy
    }
  if (isOptional) return 'only some objects have it'
  const objects = new Set(holders.map(({ sight }) => further.idOf(sight))).size
  if (values.length === 1) return objects > 1 ? { const: values[0] } : 'one object has it, which may be chance'
  // Two fields that are empty, or always the same, are alike by chance.
  const source = values.filter((value) => !isEmpty(value)).length > 1 ? mirrored(further) : undefined
  if (source !== undefined) return { from: source }
  if (type === undefined || (types.length > 1 && type !== 'number')) return `it has values of ${types.length} types`
  if (silent.length === 0) return 'it varies, and no creation shows what it begins with'
  return {
    type,
    ...listed(values, holders.length, type),
    ...(values.includes(null) ? { nullable: true as const } : {}),
    default: mostCommon(silent)
  }
}

const listed = (values: readonly unknown[], count: number, type: FieldType) => {
  const own = values.filter((value) => value !== null)
  return type === 'string' && own.length <= MOST_VALUES && count >= ENOUGH * own.length ? { enum: own } : {}
}

function typeOf(value: unknown): FieldType {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as FieldType
}

const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

function mostCommon(holders: readonly Holder[]): unknown {
  const counts = new Map<string, number>()
  for (const { value } of holders) {
    const key = JSON.stringify(value)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const [[best] = ['null']] = [...counts].sort(([, a], [, b]) => b - a)
  return JSON.parse(best) as unknown
}

/** The field that always has the same value: of the object itself, or of what it is in; undefined if there is none. */
function mirrored({ holders, toInner, isOwn }: Further): string | undefined {
  const [first] = holders
  if (first === undefined || typeof first.value === 'object') return undefined
  const candidates = sourcesIn(first.sight.schema, first.sight.value, toInner, isOwn)
  for (const relation of RELATIONS[first.sight.schema] ?? []) {
    const above = aboveOf(first.sight, RELATED[relation])
    for (const source of above === undefined ? [] : sourcesIn(RELATED[relation], above, toInner, isOwn))
      candidates.push(`${relation}.${source}`)
  }
  return candidates.find((source) =>
    holders.every(({ sight, value }) => same(valueAt(sight, source.split('.'), toInner), value))
  )
}

function sourcesIn(
  schema: string,
  value: Json,
  toInner: Further['toInner'],
  isOwn: Further['isOwn'],
  depth = 1
): string[] {
  return Object.entries(value).flatMap(([wire, part]) => {
    const field = toInner(wire)
    if (depth === 1 && !isOwn(schema, field)) return []
    if (!isObject(part)) return Array.isArray(part) ? [] : [field]
    return depth < DEEPEST ? sourcesIn(schema, part, toInner, isOwn, depth + 1).map((inner) => `${field}.${inner}`) : []
  })
}

const aboveOf = ({ above }: Sight, schema: string) => above.findLast((one) => one.schema === schema)?.value

function valueAt(sight: Sight, steps: readonly string[], toInner: Further['toInner']): unknown {
  const [first, ...rest] = steps as [keyof typeof RELATED, ...string[]]
  const related = (RELATIONS[sight.schema] ?? []).includes(first) ? aboveOf(sight, RELATED[first]) : undefined
  const own = related === undefined ? steps : rest
  return own.reduce<unknown>((at, step) => {
    if (!isObject(at)) return undefined
    const wire = Object.keys(at).find((name) => toInner(name) === step)
    return wire === undefined ? undefined : at[wire]
  }, related ?? sight.value)
}
