import { groupBy } from '../../lib/group-by.js'
import type { FieldDocument, FieldType } from '../../profile/fields.js'
import type { Renaming } from '../../profile/renaming.js'
import type { Sight } from '../sights.js'
import { same } from './draft.js'

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
  /** The names of fields. */
  readonly names: Renaming
  /** Whether the mock has a field of that name by itself. */
  readonly isOwn: (field: string) => boolean
  /** Tells resources apart. */
  readonly idOf: (sight: Sight) => string
}

/** A text field with more values is no enumeration. */
const MOST_VALUES = 8
/** How often each value of an enumeration must be seen. */
const ENOUGH = 3

/** The rule that explains all values; a text: why there is none. */
export function ruleFor(further: Further): FieldDocument | string {
  const { holders, silent, isOptional, setBy } = further
  const values = [...new Map(holders.map(({ value }) => [JSON.stringify(value), value])).values()]
  const filled = values.filter((value) => value !== null)
  const usualDefault = mostCommon(silent.map(({ value }) => value))
  const types = [...new Set(filled.map(typeOf))]
  const type = types.length === 2 && types.every((one) => one === 'integer' || one === 'number') ? 'number' : types[0]
  const isListed = type === 'string' && filled.length <= MOST_VALUES && holders.length >= ENOUGH * filled.length
  const typed = {
    ...(type === undefined ? {} : { type }),
    ...(isListed ? { enum: filled } : {}),
    ...(values.includes(null) ? { nullable: true } : {})
  }
  if (setBy.length > 0 && type !== undefined && (types.length === 1 || type === 'number'))
    return { ...typed, ...(isOptional || silent.length === 0 ? {} : { default: usualDefault }), set_by: setBy }
  if (isOptional) return 'only some objects have it'
  const objects = new Set(holders.map(({ sight }) => further.idOf(sight))).size
  if (values.length === 1) return objects > 1 ? { const: values[0] } : 'one object has it, which may be chance'
  // Two fields that are empty, or always the same, are alike by chance.
  const telling = values.filter((value) => !['null', '""', '[]'].includes(JSON.stringify(value)))
  const source = telling.length > 1 ? mirrored(further) : undefined
  if (source !== undefined) return { from: source }
  if (type === undefined || (types.length > 1 && type !== 'number')) return `it has values of ${types.length} types`
  if (silent.length === 0) return 'it varies, and no creation shows what it begins with'
  return { ...typed, default: usualDefault }
}

function typeOf(value: unknown): FieldType {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as FieldType
}

/** Of several values that are as common, the first one. */
export function mostCommon<T>(values: readonly T[]): T | undefined {
  const [best] = [...groupBy(values, (value) => JSON.stringify(value)).values()].sort((a, b) => b.length - a.length)
  return best?.[0]
}

/** The field of the same object that always has the same value; undefined if there is none. */
function mirrored({ holders, names, isOwn }: Further): string | undefined {
  const [first] = holders
  if (first === undefined || typeof first.value === 'object') return undefined
  const sources = Object.keys(first.sight.value).filter((wire) => isOwn(names.fromWire(wire)))
  const source = sources.find((wire) => holders.every(({ sight, value }) => same(sight.value[wire], value)))
  return source === undefined ? undefined : names.fromWire(source)
}
