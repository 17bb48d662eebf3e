import { groupBy } from '../../lib/group-by.js'
import { isObject, valueAt } from '../../lib/json.js'
import {
  type CatalogueEntry,
  nameOf,
  namesForNew,
  type Region,
  type Version,
  type WorkspaceType
} from '../../profile/catalogue.js'
import type { CatalogueList } from '../../resources/comparable.js'
import { CATALOGUED, COMPARABLES, DEFAULTS } from '../comparables.js'
import { type Draft, same, times } from './draft.js'
import { type Evidence, isOk } from './evidence.js'

/** The name of the metadata's schema. */
const METADATA = 'resource_manager_handler.GetMetadata.metadata'

type SomeType = Partial<WorkspaceType> & { readonly typeName: string }

/** What can be created: as the metadata lists it, and as replies show it besides. */
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
      // How many replicas there are with high availability is seldom seen.
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

  /** A list of the metadata; undefined if it was not seen. */
  function offered(field: string): readonly object[] | undefined {
    const list = metadata.at(-1)?.value[fields.toWire(field)]
    return Array.isArray(list) && list.length > 0 ? list.filter(isObject).map(inner) : undefined
  }

  /** An object by the built-in names of its fields and values. */
  function inner(item: object): object {
    return Object.fromEntries(
      Object.entries(item).map(([name, value]) => [
        fields.fromWire(name),
        typeof value === 'string' ? values.fromWire(value) : (value as unknown)
      ])
    )
  }

  /** How often objects have each value of a list. */
  function valuesOf(list: CatalogueList): Map<string, number> {
    const found = new Map<string, number>()
    for (const [schema, { lists = {} }] of Object.entries(COMPARABLES))
      for (const [field] of Object.entries(lists).filter(([, own]) => own === list))
        for (const sight of sights) {
          const value = sight.schema === schema ? sight.value[fields.toWire(field)] : undefined
          if (typeof value !== 'string' || value === '') continue
          const name = values.fromWire(value)
          found.set(name, (found.get(name) ?? 0) + 1)
        }
    return found
  }

  /** The figures of the types that workspaces have, by type. */
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
   * Replaces a list if it is not as the metadata offer it, or as replies show it; `made` is an entry of which they show
   * only the name.
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
        ? `No reply to getMetadata was seen: these are the built-in ones, and ${used.length} that replies have.`
        : `From the last of ${times(metadata.length, 'reply', 'replies')} to getMetadata.`
    )
    for (const [name, count] of used)
      draft.explain(place, `${name} is not in the metadata, but in ${times(count, 'object')} of replies.`)
  }
}

/** A version without what follows from its name. */
const versionOf = ({ name, image, create }: Version): Partial<Version> & { readonly name: string } => ({
  name,
  ...(image === `svc/database:${name}` ? {} : { image }),
  ...(create ? {} : { create })
})

/** A type without what is usual. An unknown one is a small one. */
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

/** What requests can leave open: the schema that shows what is chosen then, and a field that decides it, too. */
const CHOICES: readonly { field: string; schema: string; shown?: readonly string[]; unless?: string }[] = [
  { field: 'platform', schema: 'Workgroup' },
  { field: 'region', schema: 'Workgroup' },
  { field: 'svc_version', schema: 'Workspace', unless: 'svc_database_id' },
  { field: 'workspace_type_name', schema: 'Workspace', shown: ['workspace_type', 'typeName'] }
]

/** What is chosen where a request says nothing. */
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
      const isOpen = call.operation === operation && isOk(exchange) && !(fields.toWire(field) in body)
      if (!isOpen || fields.toWire(unless) in body) continue
      const sight = shownBy.get(exchange)?.find((one) => one.schema === schema)
      const chosen = valueAt(sight?.value, shown.map(fields.toWire))
      if (typeof chosen !== 'string') continue
      const name = values.fromWire(chosen)
      votes.set(name, (votes.get(name) ?? 0) + 1)
    }
    if (votes.size > 1) {
      draft.doubt(
        ['catalogue', 'defaults'],
        `Without ${field}, ${operation} chose ${[...votes.keys()].join(' and ')}, so it follows from something else.`
      )
      continue
    }
    const place = ['catalogue', 'defaults', DEFAULTS[list]]
    const [[chosen, count] = [undefined, 0]] = [...votes]
    const entries = draft.get(['catalogue', list]) as readonly CatalogueEntry[] | undefined
    const names = entries && namesForNew(entries)
    const known = defaults[DEFAULTS[list]]
    // A list of its own has its first entry as the default.
    const implied = names === undefined ? known : names[0]
    const wanted = chosen ?? (names === undefined || names.includes(known) ? known : undefined)
    if (wanted === undefined || (wanted === implied && draft.get(place) === undefined)) continue
    draft.set(
      place,
      wanted,
      chosen === undefined ? 'As built in; no request left it open.' : `Chosen ${times(count, 'time')}.`
    )
  }
}
