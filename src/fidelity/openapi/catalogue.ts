import { fieldOf, type Json, objectOf, textOf } from '../../lib/json.js'
import type { CatalogueDocument } from '../../profile/catalogue-document.js'
import { CATALOGUED, DEFAULTS } from '../comparables.js'
import type { Draft } from '../learn/draft.js'
import type { Comparison } from './comparison.js'
import { valuesOf } from './names-part.js'

type List = Exclude<keyof CatalogueDocument, 'defaults'>
type WorkspaceTypes = NonNullable<CatalogueDocument['workspace_types']>

/** Values that the document lists for a part of the catalogue. */
interface Listed {
  readonly own: readonly string[]
  readonly theirs: readonly string[]
  /** Those that something new can have; undefined: all. */
  readonly create?: readonly string[] | undefined
  /** Those that something can be changed to; undefined: all. */
  readonly resize?: readonly string[] | undefined
  /** The one that is chosen where a request says nothing. */
  readonly chosen?: string | undefined
}

/** Where the metadata shows a part of the catalogue: the field with the list, and the schema of its items. */
const SHOWN: Readonly<Record<List, { field: string; schema: string; name: string } | undefined>> = {
  platforms: undefined,
  regions: { field: 'regions', schema: 'Region', name: 'name' },
  versions: { field: 'svcVersions', schema: 'SvcVersion', name: 'name' },
  workspace_types: { field: 'workspaceTypes', schema: 'WorkspaceType', name: 'typeName' }
}
const METADATA = 'getMetadata'

/** Regions, versions, types and platforms, where the document has others than the mock. */
export function learnCatalogue(comparison: Comparison, notes: Draft): CatalogueDocument {
  const learned: { -readonly [Part in keyof CatalogueDocument]: CatalogueDocument[Part] } = {}
  const brand = comparison.brand === '' ? 'svc' : comparison.brand
  for (const list of new Set(CATALOGUED.values())) {
    const shown = shownIn(comparison, list, 'theirs')
    const found = listedIn(comparison, list, [...shown.keys()], notes)
    if (found === undefined) continue
    const isOther = !isSame(found, comparison)
    const text = (name: string, field: string) => shortText(shown.get(name)?.[field])
    if (isOther && list === 'platforms') learned.platforms = [...found.theirs]
    if (isOther && list === 'regions')
      learned.regions = found.theirs.map((name) => ({ name, description: text(name, 'description') ?? name }))
    if (isOther && list === 'versions')
      learned.versions = found.theirs.map((name) => ({
        name,
        image: text(name, 'image') ?? `${brand}/database:${name}`,
        ...flag('create', found.create, name)
      }))
    if (isOther && list === 'workspace_types') learned.workspace_types = typesOf(found, shown, comparison, notes)
    const chosen = isOther ? found.chosen : ownNameOf(found, comparison)
    if (chosen !== undefined) learned.defaults = { ...learned.defaults, [DEFAULTS[list]]: chosen }
  }
  return learned
}

/** More entries and longer texts do not fit in a profile. */
const MOST_ENTRIES = 1000
const LONGEST = 256

/** A text that fits in a catalogue. */
function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST ? value : undefined
}

/** The values that bodies list; otherwise those of replies, otherwise those that the metadata shows. */
function listedIn(
  { pairings, sides }: Comparison,
  list: List,
  shown: readonly string[],
  notes: Draft
): Listed | undefined {
  const found = [...pairings.named.values()].flatMap(({ name, theirName, own, theirs, uses, fields }) =>
    fields.matches
      .filter(({ own: field }) => CATALOGUED.get(field) === list)
      .map(({ own: field, theirs: other }) => ({
        name: name!,
        place: `${theirName ?? name!}.${other}`,
        isRequest: uses.has('request'),
        own: valuesOf(sides.own, own, field),
        theirs: valuesOf(sides.theirs, theirs, other).filter((value) => shortText(value) !== undefined),
        chosen: textOf(sides.theirs.schemas.read(theirs.fields.get(other)).default)
      }))
  )
  const own = found.map((one) => one.own).find((values) => values.length > 0) ?? []
  const listed = found.filter(({ theirs }) => theirs.length > 0)
  const requests = listed.filter(({ isRequest }) => isRequest)
  const used = requests.length > 0 ? requests : listed.slice(0, 1)
  if (used.length === 0) return shown.length === 0 ? undefined : { own, theirs: shown.slice(0, MOST_ENTRIES) }
  const all = new Set(used.flatMap(({ theirs }) => theirs))
  for (const { place, theirs } of listed) {
    const others = theirs.filter((value) => !all.has(value))
    if (others.length > 0) notes.doubt(['catalogue', list], `${place} lists further values: ${others.join(', ')}.`)
  }
  const create = used.find(({ name }) => name.startsWith('Create'))
  const chosen = create?.chosen
  return {
    own,
    theirs: [...all].slice(0, MOST_ENTRIES),
    create: create?.theirs,
    resize: used.find(({ name }) => name === 'UpdateWorkspaceRequest')?.theirs,
    chosen: chosen !== undefined && create!.theirs.includes(chosen) ? chosen : undefined
  }
}

/** The default where the mock's own list is in force; undefined if that is the mock's own default as well. */
function ownNameOf({ own, chosen }: Listed, { sides }: Comparison): string | undefined {
  if (chosen === undefined) return undefined
  const { key } = sides.theirs.naming.nameOf(chosen)
  const index = own.findIndex((value) => sides.own.naming.nameOf(value).key === key)
  // The first one is the default anyway.
  return index > 0 ? own[index] : undefined
}

/** Says that a value cannot be chosen, if others can. */
function flag(key: 'create' | 'resize', values: readonly string[] | undefined, name: string) {
  return values === undefined || values.includes(name) ? {} : { [key]: false }
}

/** Whether both lists are the same but for brand and spelling, which is a matter of names. */
function isSame({ own, theirs }: Listed, { sides }: Comparison): boolean {
  const keys = new Set(theirs.map((value) => sides.theirs.naming.nameOf(value).key))
  return own.length === theirs.length && own.every((value) => keys.has(sides.own.naming.nameOf(value).key))
}

/** The entries of a list in an example of the metadata, by their names, with the mock's names of their fields. */
function shownIn({ operations, pairings }: Comparison, list: List, side: 'own' | 'theirs'): Map<string, Json> {
  const wanted = SHOWN[list]
  const match = operations.matches.find(({ own }) => own.id === METADATA)
  const pairing = wanted && pairings.named.get(wanted.schema)
  if (match === undefined || pairing === undefined) return new Map()
  const entries = listsIn(match[side].example).find((items) => items.some((item) => nameOf(item) !== undefined)) ?? []
  return new Map(entries.flatMap((item) => (nameOf(item) === undefined ? [] : [[nameOf(item)!, translated(item)]])))

  /** Lists of the metadata are told apart by the names of their fields. */
  function listsIn(value: unknown): (readonly unknown[])[] {
    const field = fieldsOf(wanted!.field)
    return Object.entries(objectOf(value)).flatMap(([name, part]) =>
      Array.isArray(part) ? (name === field ? [part as unknown[]] : []) : listsIn(part)
    )
  }

  function fieldsOf(name: string): string {
    if (side === 'own') return name
    const all = pairings.all.flatMap(({ fields }) => fields.matches)
    return all.find(({ own }) => own === name)?.theirs ?? name
  }

  function nameOf(item: unknown): string | undefined {
    return shortText(translated(item)[wanted!.name])
  }

  function translated(item: unknown): Json {
    const names = pairing!.fields.matches.map(({ own, theirs }) => [own, side === 'own' ? own : theirs] as const)
    return Object.fromEntries(names.map(([own, name]) => [own, fieldOf(item, name)]))
  }
}

/** Figures come from an example of the metadata, otherwise from the mock's type in the same place. */
function typesOf(
  { theirs, create, resize }: Listed,
  shown: ReadonlyMap<string, Json>,
  comparison: Comparison,
  notes: Draft
): WorkspaceTypes {
  const ours = [...shownIn(comparison, 'workspace_types', 'own').values()]
  return theirs.map((typeName, index) => {
    const known = shown.get(typeName)
    if (known === undefined)
      notes.doubt(
        ['catalogue', 'workspace_types', index],
        'The document does not say how large it is; this is assumed.'
      )
    const { cpu, memory, partition } = known ?? ours[Math.min(index, ours.length - 1)] ?? {}
    return {
      typeName,
      cpu: countOf(cpu),
      memory: countOf(memory),
      partition: countOf(partition),
      ...flag('create', create, typeName),
      ...flag('resize', resize, typeName)
    }
  })
}

function countOf(value: unknown): number {
  const count = Number(value)
  return Number.isSafeInteger(count) && count > 0 ? count : 1
}
