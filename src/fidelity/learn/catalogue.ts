import { groupBy } from '../../lib/group-by.js'
import { isObject, type Json, listOf, objectOf, textOf } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import { type CatalogueEntry, nameOf, namesForNew } from '../../profile/catalogue.js'
import { LISTED } from '../../resources/tables.js'
import { CHOICES, DEFAULTS } from '../comparables.js'
import { type Draft, same } from './draft.js'
import type { Evidence } from './evidence.js'

const METADATA = 'resource_manager_handler.GetMetadata.metadata'

type List = keyof typeof DEFAULTS

/** The field of the metadata with each list, and how a profile says an entry: without the fields that have defaults. */
const LISTS: Readonly<Record<List, { readonly field: string; readonly entryOf: (shown: Json) => CatalogueEntry }>> = {
  platforms: { field: '', entryOf: ({ name }) => String(name) },
  regions: {
    field: 'regions',
    entryOf: ({ name, description = name }) => ({ name: String(name), description })
  },
  versions: {
    field: 'svcVersions',
    entryOf: ({ name, image, create }) => ({
      name: String(name),
      ...unless({ image, create }, { image: `svc/database:${String(name)}`, create: true })
    })
  },
  workspace_types: {
    field: 'workspaceTypes',
    entryOf: ({ typeName, cpu = '1', memory = '1Gi', replicas = 1, partition, ha, create, resize }) => {
      const defaults = { partition: 1, replicas: 1, ha: Math.max(2, Number(replicas)), create: true, resize: true }
      return {
        typeName: String(typeName),
        cpu,
        memory,
        ...unless({ partition, replicas, ha, create, resize }, defaults)
      }
    }
  }
}

/** The fields that are known, and not as by default. */
const unless = (fields: Json, defaults: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== undefined && value !== defaults[name]))

/** Learns the catalogue from the metadata, and from the values that other replies show. */
export function learnCatalogue(evidence: Evidence, draft: Draft): void {
  const { sights, profile } = evidence
  const { fields, values } = profile.names
  const metadata = sights.filter(({ schema }) => schema === METADATA)
  const sizes = sizesShown()
  for (const list of Object.keys(LISTS) as List[]) learnList(list)
  learnDefaults(evidence, draft)

  /** Replaces a list that differs from what the metadata or other replies show. */
  function learnList(list: List): void {
    const { field, entryOf } = LISTS[list]
    const known = profile.catalogue[list].map((entry): Json =>
      typeof entry === 'string' ? { name: entry } : { ...entry }
    )
    const shown = listOf(metadata.at(-1)?.value[fields.toWire(field)]).filter(isObject).map(inner)
    // The metadata shows only the replicas without high availability.
    const offered = shown.map(({ typeName, ha: replicas, ...item }): Json => {
      const { ha } = known.find((one) => one['typeName'] === typeName) ?? {}
      return { ...item, typeName, replicas, ha }
    })
    const isOffered = offered.length > 0
    const base = (isOffered ? offered : known).map((one) => entryOf({ ...one, ...sizes.get(one['typeName']) }))
    const used = [...valuesOf(list)].filter(([name]) => !base.some((entry) => nameOf(entry) === name))
    const uses = isOffered ? { create: false, resize: false } : {}
    const all = [...base, ...used.map(([name]) => entryOf({ name, typeName: name, ...sizes.get(name), ...uses }))]
    if (same(all, known.map(entryOf))) return
    const place = ['catalogue', list]
    draft.set(
      place,
      all,
      isOffered
        ? `From the last of ${quantity(metadata.length, 'reply')} to getMetadata.`
        : `No reply to getMetadata had them: these are the built-in entries, and ${used.length} from other replies.`
    )
    for (const [name, { length }] of used)
      draft.explain(place, `${name} is not in the metadata, but in ${quantity(length, 'object')} of other replies.`)
  }

  /** An object with the built-in names of fields and values. */
  function inner(item: Json): Json {
    const own = Object.entries(item).map(([name, value]) => [
      fields.fromWire(name),
      typeof value === 'string' ? values.fromWire(value) : value
    ])
    return Object.fromEntries(own) as Json
  }

  /** The names that objects show from a list, as often as they do. */
  function valuesOf(list: List): ReadonlyMap<string, readonly string[]> {
    const others = sights.filter(({ call }) => call.operation !== 'getMetadata')
    const shown = others.flatMap(({ schema, value }) =>
      Object.entries(LISTED[schema] ?? {}).flatMap(([field, from]) =>
        from === list ? (textOf(value[fields.toWire(field)]) ?? []) : []
      )
    )
    return groupBy(shown.filter((name) => name !== '').map(values.fromWire), (name) => name)
  }

  /** The sizes of workspaces, by workspace type. */
  function sizesShown(): ReadonlyMap<unknown, Json> {
    const found = new Map<unknown, Json>()
    for (const { schema, value } of sights) {
      const shown = schema === 'Workspace' ? value[fields.toWire('workspace_type')] : undefined
      const { typeName, cpu, memory, partition, ha } = inner(objectOf(shown))
      if (typeName === undefined || cpu === '0') continue
      const replicas = value[fields.toWire('enable_ha')] === true ? { ha } : { replicas: ha }
      found.set(typeName, { ...found.get(typeName), cpu, memory, partition, ...replicas })
    }
    return found
  }
}

/** Learns the values that the service chooses when requests omit them. */
function learnDefaults({ sights, profile }: Evidence, draft: Draft): void {
  const { fields, values } = profile.names
  for (const { field, list, schema, shown } of CHOICES) {
    const operation = `create${schema}`
    const choices = sights.flatMap(({ call, exchange, ...sight }) => {
      const body = objectOf(exchange.requestBody)
      const deciding = field === 'svc_version' ? [field, 'svc_database_id'] : [field]
      const isOmitted = deciding.every((name) => !(fields.toWire(name) in body))
      if (call.operation !== operation || sight.schema !== schema || !isOmitted) return []
      const value = sight.value[fields.toWire(shown)]
      // A workspace type is an object.
      const choice = textOf(value) ?? textOf(objectOf(value)[fields.toWire('typeName')])
      return choice === undefined ? [] : values.fromWire(choice)
    })
    const [chosen, ...others] = new Set(choices)
    if (others.length > 0) {
      draft.flag(
        ['catalogue', 'defaults'],
        `Without ${field}, ${operation} chose ${[chosen, ...others].join(' and ')}, so it depends on something else.`
      )
      continue
    }
    const place = ['catalogue', 'defaults', DEFAULTS[list]]
    const known = profile.catalogue.defaults[DEFAULTS[list]]
    const entries = draft.get(['catalogue', list]) as readonly CatalogueEntry[] | undefined
    const names = entries === undefined ? [known] : namesForNew(entries)
    const wanted = chosen ?? names.find((name) => name === known)
    // A given list defaults to its first entry.
    if (wanted === undefined || (wanted === names[0] && draft.get(place) === undefined)) continue
    const why =
      chosen === undefined ? 'As built in; no request omitted it.' : `Chosen ${quantity(choices.length, 'time')}.`
    draft.set(place, wanted, why)
  }
}
