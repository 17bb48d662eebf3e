import { isObject } from '../../lib/json.js'
import type { Region, Version, WorkspaceType } from '../../profile/catalogue.js'
import type { CatalogueList } from '../../resources/comparable.js'
import { COMPARABLES } from '../comparables.js'
import type { Sight } from '../sights.js'
import { learnDefaults } from './defaults.js'
import type { Draft } from './draft.js'
import { same, times } from './draft.js'
import type { Evidence } from './evidence.js'

/** The name of the metadata's schema. */
const METADATA = 'resource_manager_handler.GetMetadata.metadata'

type Type = Readonly<Record<string, unknown>> & { readonly typeName: string }

/** What can be created: as the metadata lists it, and as replies show it besides. */
export function learnCatalogue(evidence: Evidence, draft: Draft): void {
  const { catalogue } = evidence.profile
  const reader = new Reader(evidence)
  const regions = reader.listOf('regions') as readonly Region[] | undefined
  const versions = reader.listOf('svcVersions') as readonly Version[] | undefined
  const types = reader.listOf('workspaceTypes') as readonly WorkspaceType[] | undefined
  const sizes = reader.sizes()

  replace(
    'platforms',
    catalogue.platforms,
    undefined,
    (name) => name,
    (name) => name
  )
  replace(
    'regions',
    catalogue.regions,
    regions?.map(({ name, description }) => ({ name, description })),
    ({ name }) => name,
    (name) => ({ name, description: name })
  )
  replace(
    'versions',
    catalogue.versions.map(versionOf),
    versions?.map(({ name, image }) => versionOf({ name, image, create: true })),
    ({ name }) => name,
    (name) => ({ name, ...(versions === undefined ? {} : { create: false }) })
  )
  replace<Type>(
    'workspace_types',
    catalogue.workspaceTypes.map((type) => typeOf(type)),
    types?.map((type) => {
      const own = knownAs(type, types)
      const { cpu, memory, partition, ha: replicas } = type
      return typeOf({
        ...own,
        create: true,
        resize: true,
        typeName: type.typeName,
        cpu,
        memory,
        partition,
        replicas,
        ...sizes.get(type.typeName)
      })
    }),
    ({ typeName }) => typeName,
    (typeName) => {
      const size = sizes.get(typeName) ?? {}
      return typeOf({ typeName, ...size, ...(types === undefined ? {} : { create: false, resize: false }) })
    },
    (type) => withSize(type)
  )
  learnDefaults(evidence, draft)

  /** A type with the figures that workspaces show. */
  function withSize(type: Type): Type {
    const size = sizes.get(type.typeName)
    const own = catalogue.workspaceTypes.find(({ typeName }) => typeName === type.typeName)
    return size === undefined || own === undefined ? type : typeOf({ ...own, ...size })
  }

  /** The type that the mock has under this name, or under another one: how many replicas it has is seldom seen. */
  function knownAs(type: WorkspaceType, all: readonly WorkspaceType[]): WorkspaceType | undefined {
    const isFree = ({ typeName }: WorkspaceType) => all.every((other) => other.typeName !== typeName)
    return (
      catalogue.workspaceTypes.find(({ typeName }) => typeName === type.typeName) ??
      catalogue.workspaceTypes.find(
        (own) => isFree(own) && own.cpu === type.cpu && own.memory === type.memory && own.partition === type.partition
      )
    )
  }

  /**
   * Replaces a list if it is not as it was seen.
   * @param offered the list in the metadata; undefined: it was not seen
   * @param made an entry of which only the name was seen
   * @param seen an entry with what replies show of it
   */
  function replace<T>(
    list: Exclude<CatalogueList, 'roles'>,
    inForce: readonly T[],
    offered: readonly T[] | undefined,
    nameOf: (entry: T) => string,
    made: (name: string) => T,
    seen: (entry: T) => T = (entry) => entry
  ): void {
    const base = offered ?? inForce.map((entry) => seen(entry))
    const used = [...reader.valuesOf(list)].filter(([name]) => !base.some((entry) => nameOf(entry) === name))
    const all = [...base, ...used.map(([name]) => made(name))]
    if (all.length === 0 || same(all, inForce)) return
    const place = ['catalogue', list]
    draft.set(
      place,
      all,
      offered === undefined
        ? `No reply to getMetadata was seen: these are the built-in ones, and ${used.length} that replies have.`
        : `From the last of ${times(reader.metadata.length, 'reply', 'replies')} to getMetadata.`
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

/** A type without what is usual. Figures are numbers where that says the same. */
function typeOf(type: Partial<WorkspaceType> & { readonly typeName: string }): Type {
  const { typeName, cpu, memory, partition = 1, replicas = 1, ha, create = true, resize = true } = type
  return {
    typeName,
    cpu: amount(cpu),
    memory: memory?.endsWith('Gi') === true ? amount(memory.slice(0, -2)) : (memory ?? 1),
    ...(partition === 1 ? {} : { partition }),
    ...(replicas === 1 ? {} : { replicas }),
    ...(ha === undefined || ha === Math.max(2, replicas) ? {} : { ha }),
    ...(create ? {} : { create }),
    ...(resize ? {} : { resize })
  }
}

/** An unknown one is a small one. */
function amount(text = '1'): number | string {
  const number = Number(text)
  return String(number) === text && number > 0 ? number : text
}

/** Reads the catalogue of the service from replies, by the built-in names of fields and values. */
class Reader {
  readonly metadata: readonly Sight[]
  readonly #evidence: Evidence

  constructor(evidence: Evidence) {
    this.#evidence = evidence
    this.metadata = evidence.sights.filter(({ schema }) => schema === METADATA)
  }

  /** A list of the metadata; undefined if it was not seen. */
  listOf(field: string): readonly object[] | undefined {
    const list = this.metadata.at(-1)?.value[this.#wire(field)]
    return Array.isArray(list) && list.length > 0 ? list.filter(isObject).map((item) => this.#inner(item)) : undefined
  }

  /** How often objects have each value of a list. */
  valuesOf(list: CatalogueList): Map<string, number> {
    const found = new Map<string, number>()
    const places = Object.entries(COMPARABLES).flatMap(([schema, { lists = {} }]) =>
      Object.entries(lists).flatMap(([field, own]) => (own === list ? [{ schema, field }] : []))
    )
    for (const { schema, field } of places) {
      for (const sight of this.#evidence.sights) {
        const value = sight.schema === schema ? sight.value[this.#wire(field)] : undefined
        if (typeof value !== 'string' || value === '') continue
        const name = this.#evidence.profile.names.values.fromWire(value)
        found.set(name, (found.get(name) ?? 0) + 1)
      }
    }
    return found
  }

  /** The figures of the types that workspaces have, by type. */
  sizes(): Map<string, Partial<WorkspaceType>> {
    const found = new Map<string, Partial<WorkspaceType>>()
    for (const { schema, value } of this.#evidence.sights) {
      const shown = schema === 'Workspace' ? value[this.#wire('workspace_type')] : undefined
      if (typeof shown !== 'object' || shown === null) continue
      const { typeName, cpu, memory, partition, ha } = this.#inner(shown) as Partial<WorkspaceType>
      if (typeName === undefined || cpu === '0') continue
      const replicas = value[this.#wire('enable_ha')] === true ? { ha } : { replicas: ha }
      const known = found.get(typeName)
      found.set(typeName, { ...known, cpu, memory, partition, ...replicas } as Partial<WorkspaceType>)
    }
    return found
  }

  #wire(field: string): string {
    return this.#evidence.profile.names.fields.toWire(field)
  }

  #inner(item: object): object {
    const { fields, values } = this.#evidence.profile.names
    return Object.fromEntries(
      Object.entries(item).map(([name, value]) => [
        fields.fromWire(name),
        typeof value === 'string' ? values.fromWire(value) : (value as unknown)
      ])
    )
  }
}
