import { type TSchema, Type } from '@sinclair/typebox'
import { requestText, type Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { uniqueness } from '../lib/uniqueness.js'
import { BUILT_IN_CATALOGUE, type Catalogue, type CatalogueLists, DEFAULTS, nameOf, namesForNew } from './catalogue.js'
import { type Complain, flag, text, whole } from './form.js'

const list = <T extends TSchema>(item: T, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: 1000, description }))
const replicas = (description: string) => Type.Optional(whole(1, 1000, description))

const amount = (description: string) =>
  Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 }), Type.String(requestText)], { description })

/** The part `catalogue` of a profile. */
export const CatalogueSchema = strict(
  {
    platforms: list(text('Name.'), 'Cloud platforms.'),
    regions: list(
      strict({ name: text('Name.'), description: Type.Optional(text('Its display name; the name if absent.')) }),
      'Regions.'
    ),
    versions: list(
      strict({
        name: text('Name.'),
        image: Type.Optional(text('Container image; `svc/database:` and the name if absent.')),
        create: flag('Whether new workspaces can have it; true if absent.')
      }),
      'Versions of the database software.'
    ),
    workspace_types: list(
      strict({
        typeName: text('Name.'),
        cpu: amount('Cores.'),
        memory: amount('GiB, or a text that replies show unchanged, such as `16Gi`.'),
        partition: Type.Optional(whole(1, 1000, 'Partitions; 1 if absent.')),
        replicas: replicas('Replicas without high availability; 1 if absent.'),
        ha: replicas('Replicas with high availability; the larger of 2 and `replicas` if absent.'),
        create: flag('Whether new workspaces can have it; true if absent.'),
        resize: flag('Whether workspaces of other types can be resized to it; true if absent.')
      }),
      'Workspace types.'
    ),
    defaults: Type.Optional(
      strict(
        {
          platform: Type.Optional(text('A platform.')),
          region: Type.Optional(text('A region.')),
          version: Type.Optional(text('A version that new workspaces can have.')),
          workspace_type: Type.Optional(text('A workspace type that new workspaces can have.'))
        },
        {
          description:
            'The values of requests that name none. If absent: the first entry of a list in the profile that new ' +
            'workspaces can have; otherwise as built in.'
        }
      )
    )
  },
  { description: 'What can be created. A list replaces the whole built-in one.' }
)
type CatalogueDocument = Shape<typeof CatalogueSchema>

/** The catalogue of a profile. Omitted parts are built in. */
export function catalogueOf(given: CatalogueDocument | undefined, complain: Complain): Catalogue {
  if (given === undefined) return BUILT_IN_CATALOGUE
  const { defaults: chosen = {}, ...named } = given
  const unique = uniqueness(complain)
  for (const [name, entries] of Object.entries(named))
    for (const [index, entry] of entries.entries()) {
      const field = typeof entry === 'string' ? '' : 'name' in entry ? '.name' : '.typeName'
      unique(name, `catalogue.${name}.${index}${field}`, nameOf(entry))
    }
  named.workspace_types?.forEach(({ replicas = 1, ha }, index) => {
    if (ha !== undefined && ha < replicas)
      complain(`catalogue.workspace_types.${index}.ha`, `must be at least ${replicas}, the replicas without it`)
  })
  const completed = Object.entries(named).map(([list, entries]) => [
    list,
    (entries as never[]).map((entry): unknown => COMPLETED[list as keyof CatalogueLists](entry))
  ])
  const lists = { ...BUILT_IN_CATALOGUE, ...Object.fromEntries(completed) } as CatalogueLists
  const defaults = (Object.keys(DEFAULTS) as (keyof CatalogueLists)[]).map((list) => [DEFAULTS[list], choose(list)])
  return { ...lists, defaults: Object.fromEntries(defaults) as Catalogue['defaults'] }

  function choose(list: keyof CatalogueLists): string {
    const name = DEFAULTS[list]
    const known = namesForNew(lists[list])
    const builtIn = BUILT_IN_CATALOGUE.defaults[name]
    if (known.length === 0) complain(`catalogue.${list}`, 'must have an entry that new workspaces can have')
    else if (chosen[name] !== undefined && !known.includes(chosen[name]))
      complain(`catalogue.defaults.${name}`, `must be one of ${known.join(', ')}`)
    return chosen[name] ?? (given![list] === undefined ? builtIn : (known[0] ?? builtIn))
  }
}

type Given<List extends keyof CatalogueLists> = NonNullable<CatalogueDocument[List]>[number]

/** Complete the entries of lists with their defaults. */
export const COMPLETED = {
  platforms: (name: Given<'platforms'>) => name,
  regions: ({ name, description = name }: Given<'regions'>) => ({ name, description }),
  versions: ({ name, image = `svc/database:${name}`, create = true }: Given<'versions'>) => ({ name, image, create }),
  workspace_types: ({ typeName, cpu, memory, partition = 1, replicas = 1, ha, ...uses }: Given<'workspace_types'>) => ({
    typeName,
    cpu: String(cpu),
    memory: typeof memory === 'number' ? `${memory}Gi` : memory,
    partition,
    replicas,
    ha: ha ?? Math.max(2, replicas),
    create: uses.create ?? true,
    resize: uses.resize ?? true
  })
}
