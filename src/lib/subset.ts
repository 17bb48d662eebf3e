import { isDeepStrictEqual } from 'node:util'
import { isObject } from './json.js'

/** Maximum number of fields in a wanted value, at any depth, because each is compared on its own. */
export const MOST_FIELDS = 250

/** Whether a value has everything that is wanted. Objects may have further fields, at any depth; lists may not. */
export function isSubset(wanted: unknown, actual: unknown): boolean {
  if (!isObject(wanted) || !isObject(actual)) return isDeepStrictEqual(actual, wanted)
  return Object.keys(wanted).every((field) => Object.hasOwn(actual, field) && isSubset(wanted[field], actual[field]))
}

/** Number of fields that are compared on their own. */
export function countFields(value: unknown): number {
  return isObject(value) ? Object.values(value).reduce<number>((count, item) => count + 1 + countFields(item), 0) : 0
}
