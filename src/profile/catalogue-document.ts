import { uniqueness } from '../lib/uniqueness.js'
import { BUILT_IN_CATALOGUE, type Catalogue, type CatalogueParts, catalogueWith } from './catalogue.js'
import type { Complain } from './complain.js'
import type { CatalogueDocument, ProfileInForce } from './schemas.js'

/** A catalogue as a profile gives it; what it leaves out is built in. */
export function catalogueOf(given: CatalogueDocument | undefined, complain: Complain): Catalogue {
  if (given === undefined) return BUILT_IN_CATALOGUE
  const path = 'catalogue'
  const unique = uniqueness(complain)
  given.platforms?.forEach((name, index) => unique('platform', `${path}.platforms.${index}`, name))
  for (const list of ['regions', 'versions'] as const) {
    given[list]?.forEach(({ name }, index) => unique(list, `${path}.${list}.${index}.name`, name))
  }
  given.workspace_types?.forEach(({ typeName, replicas = 1, ha }, index) => {
    unique('workspace type', `${path}.workspace_types.${index}.typeName`, typeName)
    if (ha !== undefined && ha < replicas)
      complain(`${path}.workspace_types.${index}.ha`, `must be at least ${replicas}, the replicas without it`)
  })
  const { platforms, regions, versions, workspaceTypes, defaults } = BUILT_IN_CATALOGUE
  const parts = { platforms, regions, versions, workspaceTypes, defaults, ...listsOf(given) }
  return catalogueWith({ ...parts, defaults: defaultsOf(given, parts, complain) })
}

/** The lists that a profile gives, complete. */
function listsOf({
  platforms,
  regions,
  versions,
  workspace_types: types
}: CatalogueDocument): Partial<Omit<CatalogueParts, 'defaults'>> {
  return {
    ...(platforms && { platforms: [...platforms] }),
    ...(regions && { regions: regions.map(({ name, description = name }) => ({ name, description })) }),
    ...(versions && {
      versions: versions.map(({ name, image = `svc/database:${name}`, create = true }) => ({ name, image, create }))
    }),
    ...(types && {
      workspaceTypes: types.map(
        ({
          typeName,
          cpu,
          memory,
          partition = 1,
          replicas = 1,
          ha = Math.max(2, replicas),
          create = true,
          resize = true
        }) => ({
          typeName,
          cpu: String(cpu),
          memory: typeof memory === 'number' ? `${memory}Gi` : memory,
          partition,
          replicas,
          ha,
          create,
          resize
        })
      )
    })
  }
}

function defaultsOf(
  given: CatalogueDocument,
  { platforms, regions, versions, workspaceTypes, defaults }: CatalogueParts,
  complain: Complain
): CatalogueParts['defaults'] {
  const path = 'catalogue'
  const creatable = <T extends { readonly create: boolean }>(list: readonly T[]) => list.filter(({ create }) => create)
  const choose = (
    name: keyof NonNullable<CatalogueDocument['defaults']>,
    list: 'platforms' | 'regions' | 'versions' | 'workspace_types',
    known: readonly string[],
    builtIn: string
  ): string => {
    if (known.length === 0) {
      complain(`${path}.${list}`, 'must have one that new workspaces can have')
      return builtIn
    }
    const chosen = given.defaults?.[name]
    if (chosen === undefined) return given[list] === undefined ? builtIn : known[0]!
    if (!known.includes(chosen)) complain(`${path}.defaults.${name}`, `must be one of ${known.join(', ')}`)
    return chosen
  }
  return {
    platform: choose('platform', 'platforms', platforms, defaults.platform),
    region: choose(
      'region',
      'regions',
      regions.map(({ name }) => name),
      defaults.region
    ),
    version: choose(
      'version',
      'versions',
      creatable(versions).map(({ name }) => name),
      defaults.version
    ),
    workspaceType: choose(
      'workspace_type',
      'workspace_types',
      creatable(workspaceTypes).map(({ typeName }) => typeName),
      defaults.workspaceType
    )
  }
}

/** A catalogue as a profile shows it, with nothing left out. */
export function toCatalogueDocument({
  platforms,
  regions,
  versions,
  workspaceTypes,
  defaults
}: CatalogueParts): ProfileInForce['catalogue'] {
  return {
    platforms,
    regions,
    versions,
    workspace_types: workspaceTypes,
    defaults: {
      platform: defaults.platform,
      region: defaults.region,
      version: defaults.version,
      workspace_type: defaults.workspaceType
    }
  }
}
