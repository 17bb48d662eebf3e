import type { Json } from '../lib/json.js'
import type { CatalogueList } from '../resources/comparable.js'
import type { Api } from './api.js'
import { CATALOGUE_LISTS, comparableOf, RESOURCES } from './comparables.js'
import type { Exchange } from './exchange.js'
import { sightsIn } from './sights.js'

/** What replies show, seen before a replay begins. */
interface Shown {
  /** How each resource is shown for the first time, by its id: a recording can name one before it shows it. */
  readonly resources: ReadonlyMap<string, Json>
  /** The names of the catalogue that the metadata of the service list. */
  readonly catalogue: ReadonlyMap<CatalogueList, ReadonlySet<string>>
}

/** @param toWire the name that a field has under the profile */
export function shownIn(exchanges: readonly Exchange[], api: Api, toWire: (field: string) => string): Shown {
  const resources = new Map<string, Json>()
  const catalogue = new Map<CatalogueList, Set<string>>()
  for (const exchange of exchanges) {
    const call = api.recognise(exchange)
    if (call === undefined) continue
    for (const { schema, value } of sightsIn(api, { exchange, call })) {
      const id = value[toWire(comparableOf(schema).identity ?? '')]
      const list = call.operation === 'getMetadata' ? CATALOGUE_LISTS[schema] : undefined
      if (RESOURCES.includes(schema) && typeof id === 'string' && !resources.has(id)) resources.set(id, value)
      if (list !== undefined) catalogue.set(list, (catalogue.get(list) ?? new Set<string>()).add(String(id)))
    }
  }
  return { resources, catalogue }
}
