import { isDeepStrictEqual } from 'node:util'
import { isObject } from './json.js'

/** Maximum number of fields in a wanted value, at any depth, because each is compared on its own. */
export const MOST_FIELDS = 250

/** A value that differs from the wanted one. */
export interface Difference {
  /** Dotted. */
  readonly path: string
  readonly actual: unknown
  readonly wanted: unknown
}

/** What a value lacks of a wanted one. Objects may have further fields, at any depth; lists may not. */
export function* differences(wanted: unknown, actual: unknown, path = ''): Generator<Difference> {
  if (isObject(wanted) && isObject(actual)) {
    for (const [field, value] of Object.entries(wanted)) {
      const own = path === '' ? field : `${path}.${field}`
      if (Object.hasOwn(actual, field)) yield* differences(value, actual[field], own)
      else yield { path: own, actual: undefined, wanted: value }
    }
  } else if (!isDeepStrictEqual(actual, wanted)) yield { path, actual, wanted }
}

/** Whether a value has everything that is wanted. One difference is enough, so the rest is not compared. */
export const isSubset = (wanted: unknown, actual: unknown) => differences(wanted, actual).next().done === true

/** Number of fields that are compared on their own. */
export function countFields(value: unknown): number {
  return isObject(value) ? Object.values(value).reduce<number>((count, item) => count + 1 + countFields(item), 0) : 0
}
