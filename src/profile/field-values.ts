import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from '@sinclair/typebox'
import { isOfType } from '../lib/json.js'
import type { Extra, FieldType } from './fields.js'

/** The keywords in the schemas of further fields. */
interface Keywords {
  readonly type?: FieldType | 'null'
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly minLength?: number
  readonly maxLength?: number
}

/**
 * Whether a stored value can be that of a field. It was valid when it was set, but maybe under another profile.
 * @param schema of a further field. Of any other, only the same keywords count.
 */
export function fits(schema: TSchema, value: unknown): boolean {
  const { type, enum: values, anyOf, minLength = 0, maxLength = Infinity } = schema as Keywords
  if (anyOf !== undefined) return anyOf.some((one) => fits(one, value))
  return (
    (type === undefined || isOfType(value, type)) &&
    (values === undefined || values.some((one) => isDeepStrictEqual(one, value))) &&
    (typeof value !== 'string' || (value.length >= minLength && lengthOf(value) <= maxLength))
  )
}

/** Length in characters, as validators count. */
const lengthOf = (text: string) => Array.from(text).length

/** The stored values that the properties of an object allow. */
export function fitting(properties: Readonly<Record<string, TSchema>>, values: Extra): Extra {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => Object.hasOwn(properties, name) && fits(properties[name]!, value))
  )
}
