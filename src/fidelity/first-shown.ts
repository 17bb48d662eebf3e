import { isObject, type Json } from '../lib/json.js'
import type { Api, Schema } from './api.js'
import { comparableOf } from './comparables.js'
import type { Exchange } from './exchange.js'

/** Resources that can be there before a recording begins. */
const SCHEMAS: readonly string[] = ['Workgroup', 'SvcDatabase', 'Workspace']

/**
 * How each resource is shown for the first time, by its id: a recording can name a resource before it shows it.
 * @param toWire the name that a field has under the profile
 */
export function firstShown(
  exchanges: readonly Exchange[],
  api: Api,
  toWire: (field: string) => string
): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>()
  const visit = (reference: Schema | undefined, value: unknown): void => {
    const { name, schema } = api.resolve(reference) ?? {}
    if (Array.isArray(value)) {
      for (const item of value) visit(schema?.items, item)
      return
    }
    if (!isObject(value)) return
    const id = name !== undefined && SCHEMAS.includes(name) ? value[toWire(comparableOf(name).identity!)] : undefined
    if (typeof id === 'string' && !found.has(id)) found.set(id, value)
    for (const [field, property] of Object.entries(schema?.properties ?? {})) visit(property, value[field])
  }
  for (const exchange of exchanges) {
    const { status, body } = exchange
    if (status === null || status >= 400) continue
    const call = api.recognise(exchange)
    if (call !== undefined) visit(api.replySchema(call.operation), body)
  }
  return found
}
