import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from '@sinclair/typebox'
import { isOfType } from '../lib/json.js'
import type { Extra, FieldType } from './fields.js'

/** Keywords in the schemas of further fields. */
interface Keywords {
  readonly type?: FieldType | 'null'
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly minLength?: number
  readonly maxLength?: number
}

/**
 * Whether a stored value fits a field. It was valid when it was set, but possibly under another profile.
 * @param schema may have other keywords, which are ignored
 */
export function fits(schema: TSchema, value: unknown): boolean {
  const { type, enum: values, anyOf, minLength = 0, maxLength = Infinity } = schema as Keywords
  if (anyOf !== undefined) return anyOf.some((one) => fits(one, value))
  return (
    (type === undefined || isOfType(value, type)) &&
    (values === undefined || values.some((one) => isDeepStrictEqual(one, value))) &&
    // Validators count characters rather than code units.
    (typeof value !== 'string' || (value.length >= minLength && Array.from(value).length <= maxLength))
  )
}

/** The stored values that fit the properties of an object. */
export function fitting(properties: Readonly<Record<string, TSchema>>, values: Extra): Extra {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => Object.hasOwn(properties, name) && fits(properties[name]!, value))
  )
}
