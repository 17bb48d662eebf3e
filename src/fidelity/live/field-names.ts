import type { Profile } from '../../profile/profile.js'
import { isObject } from '../openapi/json.js'

// A plan says the built-in names of fields, and may say those of the service.

type Renaming = Profile['names']['fields']

/** A reply whose fields have their built-in names, too. */
export function withBuiltInNames(value: unknown, renaming: Renaming): unknown {
  if (renaming.names.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => withBuiltInNames(item, renaming))
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([name, item]) => [name, withBuiltInNames(item, renaming)] as const)
  return Object.fromEntries([...fields, ...fields.map(([name, item]) => [renaming.fromWire(name), item] as const)])
}

/** The body of a request with the service's names for built-in ones. */
export function withServiceNames(value: unknown, renaming: Renaming): unknown {
  if (renaming.names.size === 0) return value
  if (Array.isArray(value)) return value.map((item) => withServiceNames(item, renaming))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [renaming.names.get(name) ?? name, withServiceNames(item, renaming)])
  )
}
