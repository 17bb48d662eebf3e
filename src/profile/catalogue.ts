interface Region {
  readonly name: string
  readonly description: string
}

interface Version {
  readonly name: string
  readonly image: string
  /** Whether new workspaces can have it. */
  readonly create: boolean
}

export interface WorkspaceType {
  readonly typeName: string
  readonly cpu: string
  readonly memory: string
  readonly partition: number
  readonly replicas: number
  /** The number of replicas with high availability. */
  readonly ha: number
  /** Whether new workspaces can have it. */
  readonly create: boolean
  /** Whether workspaces of other types can be resized to it. */
  readonly resize: boolean
}

/** A workspace type as replies show it; `ha` is the number of replicas. */
type Size = Omit<WorkspaceType, 'replicas' | 'create' | 'resize'>

/** In the order of the metadata. */
export interface CatalogueLists {
  readonly platforms: readonly string[]
  readonly regions: readonly Region[]
  readonly versions: readonly Version[]
  readonly workspace_types: readonly WorkspaceType[]
}

/** The name of the default from each list. */
export const DEFAULTS = {
  platforms: 'platform',
  regions: 'region',
  versions: 'version',
  workspace_types: 'workspace_type'
} as const satisfies Record<keyof CatalogueLists, string>

/** Everything that can be created. */
export interface Catalogue extends CatalogueLists {
  /** The values of requests that name none. */
  readonly defaults: Readonly<Record<(typeof DEFAULTS)[keyof CatalogueLists], string>>
}

export type CatalogueEntry =
  string | ({ readonly create?: boolean } & ({ readonly name: string } | { readonly typeName: string }))

export const nameOf = (entry: CatalogueEntry): string =>
  typeof entry === 'string' ? entry : 'name' in entry ? entry.name : entry.typeName

/** The names of entries that new workspaces can have. */
export const namesForNew = (list: readonly CatalogueEntry[]): string[] =>
  list.filter((entry) => typeof entry === 'string' || entry.create !== false).map(nameOf)

export const canResizeTo = (catalogue: Catalogue, name: string): boolean =>
  catalogue.workspace_types.some(({ typeName, resize }) => typeName === name && resize)

/** A workspace type as replies show it, with or without high availability. */
export type SizeOf = (typeName: string, enableHa: boolean) => Size

/** The size of a type that the catalogue lacks, because the workspace was created under another profile. */
const UNKNOWN = { cpu: '0', memory: '0Gi', partition: 0, replicas: 0, ha: 0 }

export function sizesIn({ workspace_types: types }: Catalogue): SizeOf {
  const byName = new Map(types.map((type) => [type.typeName, type]))
  return (typeName, enableHa) => {
    const { cpu, memory, partition, replicas, ha } = byName.get(typeName) ?? UNKNOWN
    return { typeName, cpu, memory, partition, ha: enableHa ? ha : replicas }
  }
}

/** Name, cores, GiB of memory, partitions, and replicas with or without high availability. */
const BUILT_IN_TYPES = (
  [
    ['SVC-00', 2, 16, 1, 3],
    ['SVC-0', 4, 32, 1, 3],
    ['SVC-1', 8, 64, 1, 3],
    ['SVC-2', 16, 128, 1, 3],
    ['SVC-4', 32, 256, 1, 3],
    ['SVC-6', 48, 384, 1, 3],
    ['SVC-8', 64, 512, 1, 3],
    ['SVC-16', 128, 1024, 2, 2],
    ['SVC-24', 192, 1536, 3, 2],
    ['SVC-32', 256, 2048, 4, 2],
    ['SVC-64', 512, 4096, 8, 2]
  ] as const
).map(([typeName, cpu, memory, partition, ha]): WorkspaceType => ({
  typeName,
  cpu: String(cpu),
  memory: `${memory}Gi`,
  partition,
  replicas: ha,
  ha,
  create: true,
  resize: true
}))

/** All of it is assumed. Clients should read the metadata instead of relying on names. */
export const BUILT_IN_CATALOGUE: Catalogue = {
  platforms: ['aws', 'azure', 'gcp'],
  regions: [
    { name: 'us-east-1', description: 'US East' },
    { name: 'us-west-2', description: 'US West' },
    { name: 'eu-west-1', description: 'Europe West' },
    { name: 'ap-southeast-1', description: 'Asia Pacific Southeast' },
    { name: 'ap-south-1', description: 'Asia Pacific South' }
  ],
  versions: ['4.2.2', '4.2.1', '4.2.0', '4.1.3'].map((name) => ({ name, image: `svc/database:${name}`, create: true })),
  workspace_types: BUILT_IN_TYPES,
  defaults: { platform: 'aws', region: 'us-east-1', version: '4.2.2', workspace_type: 'SVC-00' }
}
