import { groupBy } from '../../lib/group-by.js'
import { isObject, type Json, listOf, objectOf, textOf } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import { BUILT_IN_CATALOGUE, type CatalogueEntry, DEFAULTS, nameOf, namesForNew } from '../../profile/catalogue.js'
import { COMPLETED } from '../../profile/catalogue-document.js'
import { LISTED } from '../../resources/tables.js'
import { CATALOGUED, CHOICES } from '../comparables.js'
import { valuesOf } from '../schema.js'
import type { Described } from './described.js'
import { type Draft, same } from './draft.js'
import type { Evidence } from './evidence.js'

const METADATA = 'resource_manager_handler.GetMetadata.metadata'

type List = keyof typeof DEFAULTS

/** The fields of the metadata with lists. No field has the platforms. */
const FIELDS: Readonly<Record<List, string>> = {
  platforms: '',
  regions: 'regions',
  versions: 'svcVersions',
  workspace_types: 'workspaceTypes'
}

/** An entry as a profile says it: without what follows from the rest. */
function entryOf(list: List, shown: Json): CatalogueEntry {
  if (list === 'platforms') return String(shown['name'])
  const { cpu = '1', memory = '1Gi' } = shown
  const complete = (entry: Json) => COMPLETED[list](entry as never) as object as Json
  const whole = complete({ ...shown, cpu, memory })
  return Object.keys(whole).reduce((entry, field) => {
    const { [field]: value, ...others } = entry
    return complete(others)[field] === value ? others : entry
  }, whole) as CatalogueEntry
}

/** Learns lists of the catalogue that differ from those of the mock. A document has only names. */
export function learnDocumentedCatalogue(described: Described, draft: Draft): void {
  const { own, theirs } = described
  const { workspace_types: sizes } = BUILT_IN_CATALOGUE
  for (const [field, list] of CATALOGUED) {
    const { ours, all, create, resize, chosen } = listedIn(described, field)
    if (all.length === 0) continue
    const keys = new Set(all.map((value) => theirs.nameOf(value).key))
    const known = new Map(ours.map((value) => [own.nameOf(value).key, value]))
    // Brand and spelling are learned as names.
    const isSame = known.size === keys.size && [...known.keys()].every((key) => keys.has(key))
    const entries = all.map((name, index) => {
      const { cpu, memory } = sizes[index] ?? sizes.at(-1)!
      const uses = { create: create?.includes(name), resize: resize?.includes(name) }
      return entryOf(list, { name, typeName: name, cpu, memory, ...uses })
    })
    if (!isSame) draft.set(['catalogue', list], entries)
    if (!isSame && list === 'workspace_types')
      draft.flag(['catalogue', list], 'Their sizes are assumed: they are those of the mock.')
    const name = isSame ? known.get(theirs.nameOf(chosen ?? '').key) : chosen
    if (name !== undefined && name !== (isSame ? ours : all)[0])
      draft.set(['catalogue', 'defaults', DEFAULTS[list]], name)
  }
}

/** The values of a field that requests list, otherwise those of replies. */
function listedIn({ pairings }: Described, field: string) {
  const found = [...pairings.named].flatMap(([schema, { uses, fields }]) =>
    fields.matches
      .filter(({ own }) => own.name === field)
      .map(({ own, theirs }) => ({
        schema,
        isRequest: uses.has('request'),
        ours: valuesOf(own.schema()),
        values: valuesOf(theirs.schema()),
        chosen: textOf(theirs.schema().default)
      }))
  )
  const listed = found.filter(({ values }) => values.length > 0)
  const requests = listed.filter(({ isRequest }) => isRequest)
  const create = requests.find(({ schema }) => schema.startsWith('Create'))
  return {
    ours: found.find(({ ours }) => ours.length > 0)?.ours ?? [],
    all: [...new Set((requests.length > 0 ? requests : listed).flatMap(({ values }) => values))],
    create: create?.values,
    resize: requests.find(({ schema }) => schema === 'UpdateWorkspaceRequest')?.values,
    /** The default. */
    chosen: create?.chosen
  }
}

/** Learns the catalogue from the metadata, and from the values that other replies show. */
export function learnCatalogue(evidence: Evidence, draft: Draft): void {
  const { sights, profile } = evidence
  const { fields, values } = profile.names
  const metadata = sights.filter(({ schema }) => schema === METADATA)
  const sizes = sizesShown()
  for (const list of Object.keys(FIELDS) as List[]) learnList(list)
  learnDefaults(evidence, draft)

  /** Replaces a list that differs from what the metadata or other replies show. */
  function learnList(list: List): void {
    const known = profile.catalogue[list].map((entry): Json =>
      typeof entry === 'string' ? { name: entry } : { ...entry }
    )
    const named = (item: Json) => 'name' in item || 'typeName' in item
    const shown = listOf(metadata.at(-1)?.value[fields.toWire(FIELDS[list])]).filter(isObject).map(inner).filter(named)
    // The metadata shows only the replicas without high availability.
    const offered = shown.map(({ typeName, ha: replicas, ...item }): Json => {
      const { ha } = known.find((one) => one['typeName'] === typeName) ?? {}
      return { ...item, typeName, replicas, ha }
    })
    const isOffered = offered.length > 0
    const base = (isOffered ? offered : known).map((one) => entryOf(list, { ...one, ...sizes.get(one['typeName']) }))
    const used = [...valuesOf(list)].filter(([name]) => !base.some((entry) => nameOf(entry) === name))
    const uses = isOffered ? { create: false, resize: false } : {}
    const further = used.map(([name]) => entryOf(list, { name, typeName: name, ...sizes.get(name), ...uses }))
    const all = [...base, ...further]
    if (
      same(
        all,
        known.map((one) => entryOf(list, one))
      )
    )
      return
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
