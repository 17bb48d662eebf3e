import { textOf } from '../../lib/json.js'
import { BUILT_IN_CATALOGUE } from '../../profile/catalogue.js'
import type { CatalogueDocument } from '../../profile/catalogue-document.js'
import { CATALOGUED, DEFAULTS } from '../comparables.js'
import type { Draft } from '../learn/draft.js'
import type { Comparison } from './comparison.js'
import { valuesOf } from './names.js'

type List = Exclude<keyof CatalogueDocument, 'defaults'>
type Entries<Name extends List> = NonNullable<CatalogueDocument[Name]>

/** Learns lists of the catalogue that differ from those of the mock. */
export function learnCatalogue(comparison: Comparison, draft: Draft): void {
  const { own, theirs } = comparison
  for (const [field, list] of CATALOGUED) {
    const { ours, all, create, resize, chosen } = listedIn(comparison, field)
    if (all.length === 0) continue
    const keys = new Set(all.map((value) => theirs.naming.nameOf(value).key))
    const known = new Map(ours.map((value) => [own.naming.nameOf(value).key, value]))
    // Brand and spelling are learned as names.
    const isSame = known.size === keys.size && [...known.keys()].every((key) => keys.has(key))
    if (!isSame) draft.set(['catalogue', list], MAKE[list](all, { create, resize }))
    if (!isSame && list === 'workspace_types')
      draft.flag(['catalogue', list], 'Their sizes are assumed: they are those of the mock.')
    const name = isSame ? known.get(theirs.naming.nameOf(chosen ?? '').key) : chosen
    if (name !== undefined && name !== (isSame ? ours : all)[0])
      draft.set(['catalogue', 'defaults', DEFAULTS[list]], name)
  }
}

/** Values that some requests allow; undefined if they allow all. */
interface Limits {
  readonly create: readonly string[] | undefined
  readonly resize: readonly string[] | undefined
}

/** Makes the entries of each list, of which a document has only the names. */
const MAKE: { readonly [Name in List]: (names: readonly string[], limits: Limits) => Entries<Name> } = {
  platforms: (names) => [...names],
  regions: (names) => names.map((name) => ({ name })),
  versions: (names, { create }) => names.map((name) => ({ name, ...flag('create', create, name) })),
  workspace_types: (names, { create, resize }) =>
    names.map((typeName, index) => {
      const { cpu, memory } = BUILT_IN_CATALOGUE.workspace_types[index] ?? BUILT_IN_CATALOGUE.workspace_types.at(-1)!
      return { typeName, cpu, memory, ...flag('create', create, typeName), ...flag('resize', resize, typeName) }
    })
}

/** Marks a value that a request does not allow. */
const flag = (key: 'create' | 'resize', values: readonly string[] | undefined, name: string) =>
  values === undefined || values.includes(name) ? {} : { [key]: false }

/** The values of a field that requests list, otherwise those of replies. */
function listedIn({ pairings }: Comparison, field: string) {
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
