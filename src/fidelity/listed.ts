import { isObject } from '../lib/json.js'
import type { CatalogueList } from '../resources/comparable.js'
import type { Api, Schema } from './api.js'
import { CATALOGUE_LISTS, comparableOf } from './comparables.js'
import type { Exchange } from './exchange.js'

/** The names of the catalogue, list by list. */
export type Listed = ReadonlyMap<CatalogueList, ReadonlySet<string>>

/**
 * What the metadata of the service list.
 * @param toWire the name that a field has under the profile
 */
export function listedIn(exchanges: readonly Exchange[], api: Api, toWire: (field: string) => string): Listed {
  const found = new Map<CatalogueList, Set<string>>()
  const visit = (reference: Schema | undefined, value: unknown): void => {
    const { name = '', schema } = api.resolve(reference) ?? {}
    const list = CATALOGUE_LISTS[name]
    if (Array.isArray(value)) for (const item of value) visit(schema?.items, item)
    else if (!isObject(value)) return
    else if (list === undefined)
      for (const [field, property] of Object.entries(schema?.properties ?? {})) visit(property, value[field])
    else
      found.set(list, (found.get(list) ?? new Set<string>()).add(String(value[toWire(comparableOf(name).identity!)])))
  }
  for (const exchange of exchanges) {
    const { status, body } = exchange
    if (status === null || status >= 400 || api.recognise(exchange)?.operation !== 'getMetadata') continue
    visit(api.replySchema('getMetadata'), body)
  }
  return found
}
