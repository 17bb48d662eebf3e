import { groupBy } from '../../lib/group-by.js'
import { isObject, valueAt } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import {
  type CatalogueEntry,
  nameOf,
  namesForNew,
  type Region,
  type Version,
  type WorkspaceType
} from '../../profile/catalogue.js'
import type { CatalogueList } from '../../resources/comparable.js'
import { CATALOGUED, comparableOf, DEFAULTS } from '../comparables.js'
import { type Draft, same } from './draft.js'
import { type Evidence, isOk } from './evidence.js'

const METADATA = 'resource_manager_handler.GetMetadata.metadata'

type SomeType = Partial<WorkspaceType> & { readonly typeName: string }

/** Learns the catalogue from the metadata, and from the values that other replies show. */
export function learnCatalogue(evidence: Evidence, draft: Draft): void {
  const { sights, profile } = evidence
  const { catalogue } = profile
  const { fields, values } = profile.names
  const metadata = sights.filter(({ schema }) => schema === METADATA)
  const regions = offered('regions') as readonly Region[] | undefined
  const versions = offered('svcVersions') as readonly Version[] | undefined
  const types = offered('workspaceTypes') as readonly WorkspaceType[] | undefined
  const sizes = sizesShown()
  const unlistedType = types === undefined ? {} : { create: false, resize: false }

  replace('platforms', catalogue.platforms, undefined, (name) => name)
  replace(
    'regions',
    catalogue.regions,
    regions?.map(({ name, description }) => ({ name, description })),
    (name) => ({ name, description: name })
  )
  replace(
    'versions',
    catalogue.versions.map(versionOf),
    versions?.map(({ name, image }) => versionOf({ name, image, create: true })),
    (name) => ({ name, ...(versions === undefined ? {} : { create: false }) })
  )
  replace(
    'workspace_types',
    catalogue.workspace_types.map(typeOf),
    types?.map(({ typeName, cpu, memory, partition, ha: replicas }) => {
      // The metadata shows only the replicas without high availability.
      const known = catalogue.workspace_types.find((type) => type.typeName === typeName)
      return typeOf({
        ...(known && { ha: known.ha }),
        typeName,
        cpu,
        memory,
        partition,
        replicas,
        ...sizes.get(typeName)
      })
    }),
    (typeName) => typeOf({ typeName, ...sizes.get(typeName), ...unlistedType }),
    catalogue.workspace_types.map((type) => typeOf({ ...type, ...sizes.get(type.typeName) }))
  )
  learnDefaults(evidence, draft)

  /** A list from the latest metadata. */
  function offered(field: string): readonly object[] | undefined {
    const list = metadata.at(-1)?.value[fields.toWire(field)]
    return Array.isArray(list) && list.length > 0 ? list.filter(isObject).map(inner) : undefined
  }

  /** Translates an object to the built-in names of fields and values. */
  function inner(item: object): object {
    return Object.fromEntries(
      Object.entries(item).map(([name, value]) => [
        fields.fromWire(name),
        typeof value === 'string' ? values.fromWire(value) : (value as unknown)
      ])
    )
  }

  /** How many objects have each value of a list. */
  function valuesOf(list: CatalogueList): Map<string, number> {
    const found = new Map<string, number>()
    for (const { schema, value } of sights)
      for (const [field, shownList] of Object.entries(comparableOf(schema).lists ?? {})) {
        const shown = shownList === list ? value[fields.toWire(field)] : undefined
        if (typeof shown !== 'string' || shown === '') continue
        const name = values.fromWire(shown)
        found.set(name, (found.get(name) ?? 0) + 1)
      }
    return found
  }

  /** The sizes of workspaces, by workspace type. */
  function sizesShown(): Map<string, Partial<WorkspaceType>> {
    const found = new Map<string, Partial<WorkspaceType>>()
    for (const { schema, value } of sights) {
      const shown = schema === 'Workspace' ? value[fields.toWire('workspace_type')] : undefined
      if (!isObject(shown)) continue
      const { typeName, cpu, memory, partition, ha } = inner(shown) as Partial<WorkspaceType>
      if (typeName === undefined || cpu === '0') continue
      const replicas = value[fields.toWire('enable_ha')] === true ? { ha } : { replicas: ha }
      found.set(typeName, { ...found.get(typeName), cpu, memory, partition, ...replicas } as Partial<WorkspaceType>)
    }
    return found
  }

  /**
   * Replaces a list that differs from what the metadata or other replies show.
   * @param made makes an entry that replies show only by name
   * @param seen the list in force, corrected by replies
   */
  function replace<T extends CatalogueEntry>(
    list: Exclude<CatalogueList, 'roles'>,
    inForce: readonly T[],
    offered: readonly T[] | undefined,
    made: (name: string) => T,
    seen = inForce
  ): void {
    const base = offered ?? seen
    const used = [...valuesOf(list)].filter(([name]) => !base.some((entry) => nameOf(entry) === name))
    const all = [...base, ...used.map(([name]) => made(name))]
    if (all.length === 0 || same(all, inForce)) return
    const place = ['catalogue', list]
    draft.set(
      place,
      all,
      offered === undefined
        ? `getMetadata was not seen: these are the built-in entries, and ${used.length} from other replies.`
        : `From the last of ${quantity(metadata.length, 'reply')} to getMetadata.`
    )
    for (const [name, count] of used)
      draft.explain(place, `${name} is not in the metadata, but in ${quantity(count, 'object')} of other replies.`)
  }
}

/** A version without its defaults. */
const versionOf = ({ name, image, create }: Version): Partial<Version> & { readonly name: string } => ({
  name,
  ...(image === `svc/database:${name}` ? {} : { image }),
  ...(create ? {} : { create })
})

/** A type without its defaults. Missing sizes are the smallest. */
function typeOf(type: SomeType) {
  const { typeName, cpu = '1', memory = '1Gi', partition = 1, replicas = 1, ha, create = true, resize = true } = type
  return {
    typeName,
    cpu,
    memory,
    ...(partition === 1 ? {} : { partition }),
    ...(replicas === 1 ? {} : { replicas }),
    ...(ha === undefined || ha === Math.max(2, replicas) ? {} : { ha }),
    ...(create ? {} : { create }),
    ...(resize ? {} : { resize })
  }
}

/** Optional fields of requests: the schema that shows the choice, where in it, and a field that also decides it. */
const CHOICES: readonly { field: string; schema: string; shown?: readonly string[]; unless?: string }[] = [
  { field: 'platform', schema: 'Workgroup' },
  { field: 'region', schema: 'Workgroup' },
  { field: 'svc_version', schema: 'Workspace', unless: 'svc_database_id' },
  { field: 'workspace_type_name', schema: 'Workspace', shown: ['workspace_type', 'typeName'] }
]

/** Learns the values that the service chooses when requests omit them. */
function learnDefaults({ calls, sights, profile }: Evidence, draft: Draft): void {
  const { fields, values } = profile.names
  const { defaults } = profile.catalogue
  const shownBy = groupBy(
    sights.filter(({ call }) => call.operation.startsWith('create')),
    ({ exchange }) => exchange
  )
  for (const { field, schema, shown = [field], unless = '' } of CHOICES) {
    const operation = `create${schema}`
    const list = CATALOGUED.get(field)!
    const votes = new Map<string, number>()
    for (const { call, exchange } of calls) {
      const body = isObject(exchange.requestBody) ? exchange.requestBody : {}
      const isOmitted = call.operation === operation && isOk(exchange) && !(fields.toWire(field) in body)
      if (!isOmitted || fields.toWire(unless) in body) continue
      const sight = shownBy.get(exchange)?.find((one) => one.schema === schema)
      const chosen = valueAt(sight?.value, shown.map(fields.toWire))
      if (typeof chosen !== 'string') continue
      const name = values.fromWire(chosen)
      votes.set(name, (votes.get(name) ?? 0) + 1)
    }
    if (votes.size > 1) {
      draft.flag(
        ['catalogue', 'defaults'],
        `Without ${field}, ${operation} chose ${[...votes.keys()].join(' and ')}, so it depends on something else.`
      )
      continue
    }
    const place = ['catalogue', 'defaults', DEFAULTS[list]]
    const [[chosen, count] = [undefined, 0]] = [...votes]
    const entries = draft.get(['catalogue', list]) as readonly CatalogueEntry[] | undefined
    const names = entries && namesForNew(entries)
    const known = defaults[DEFAULTS[list]]
    // A given list defaults to its first entry.
    const implied = names === undefined ? known : names[0]
    const wanted = chosen ?? (names === undefined || names.includes(known) ? known : undefined)
    if (wanted === undefined || (wanted === implied && draft.get(place) === undefined)) continue
    draft.set(
      place,
      wanted,
      chosen === undefined ? 'As built in; no request omitted it.' : `Chosen ${quantity(count, 'time')}.`
    )
  }
}
