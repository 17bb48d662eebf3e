import { groupBy } from '../../lib/group-by.js'
import type { Json } from '../../lib/json.js'
import type { FieldDocument, FieldType } from '../../profile/fields.js'
import type { Renaming } from '../../profile/renaming.js'
import type { Sight } from '../sights.js'

/** An object with a certain field, and its value. */
export interface Holder {
  readonly sight: Sight
  readonly value: unknown
}

/** A field that only the service has, with everything seen of it. */
interface Further {
  readonly holders: readonly Holder[]
  /** Holders whose creating request omitted the field. */
  readonly unset: readonly Holder[]
  /** Whether some objects lack it. */
  readonly isOptional: boolean
  /** Schemas of request bodies that set it. */
  readonly setBy: readonly string[]
  readonly names: Renaming
  /** The object itself, and its parents. */
  readonly sources: readonly FieldSource[]
  /** Identifies a resource. */
  readonly idOf: (sight: Sight) => string
}

/** An object with fields that a field can mirror. */
export interface FieldSource {
  /** Of the path to it in a profile. */
  readonly beginning: string
  /** The object as replies last showed it, if any did. */
  readonly shown: ReadonlyMap<Sight, Json>
  /** Whether it has a field, by the name in replies. */
  readonly hasField: (wire: string) => boolean
}

/** A text field with more values is not an enumeration. */
const MOST_VALUES = 8
/** How often each value of an enumeration must be seen. */
const ENOUGH = 3

/** The rule that explains all values, or the reason why there is none. */
export function ruleFor(further: Further): FieldDocument | string {
  const { holders, unset, isOptional, setBy } = further
  const values = [...new Map(holders.map(({ value }) => [JSON.stringify(value), value])).values()]
  const filled = values.filter((value) => value !== null)
  const usualDefault = mostCommon(unset.map(({ value }) => value))
  const types = [...new Set(filled.map(typeOf))]
  const areNumbers = types.every((one) => one === 'integer' || one === 'number')
  const type = types.length < 2 ? types[0] : areNumbers ? 'number' : undefined
  const isListed = type === 'string' && filled.length <= MOST_VALUES && holders.length >= ENOUGH * filled.length
  const typed = {
    ...(type === undefined ? {} : { type }),
    ...(isListed ? { enum: filled } : {}),
    ...(values.includes(null) ? { nullable: true } : {})
  }
  if (setBy.length > 0 && type !== undefined)
    return { ...typed, ...(isOptional || unset.length === 0 ? {} : { default: usualDefault }), set_by: setBy }
  if (isOptional) return 'only some objects have it'
  const objects = new Set(holders.map(({ sight }) => further.idOf(sight))).size
  if (values.length === 1) return objects > 1 ? { const: values[0] } : 'only one object has it, which may be chance'
  // Fields that are empty, or always the same, may agree by chance.
  const telling = values.filter((value) => !['null', '""', '[]'].includes(JSON.stringify(value)))
  const source = telling.length > 1 ? mirrored(further) : undefined
  if (source !== undefined) return { from: source }
  if (type === undefined) return `it has values of ${types.length} types`
  if (unset.length === 0) return 'it varies, and no creation shows its initial value'
  return { ...typed, default: usualDefault }
}

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

/** The field of the same object, or of a parent, that always has the same value. */
function mirrored({ holders, names, sources }: Further): string | undefined {
  for (const { beginning, shown, hasField } of sources) {
    const pairs = holders.flatMap(({ sight, value }) => {
      const from = shown.get(sight)
      return from === undefined ? [] : [{ from, value }]
    })
    if (new Set(pairs.map(({ value }) => value)).size < 2) continue
    const fields = Object.keys(pairs[0]!.from).filter(hasField)
    const field = fields.find((wire) => pairs.every(({ from, value }) => from[wire] === value))
    if (field !== undefined) return beginning + names.fromWire(field)
  }
  return undefined
}
