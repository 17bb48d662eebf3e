/**
 * The service's catalogue. All of it is assumed; clients should read it from the metadata instead of relying on names.
 */

/** Cloud platforms for workgroups. */
export const PLATFORMS = ['aws', 'azure', 'gcp'] as const

/** Regions, the default first. */
export const REGIONS = [
  { name: 'us-east-1', description: 'US East' },
  { name: 'us-west-2', description: 'US West' },
  { name: 'eu-west-1', description: 'Europe West' },
  { name: 'ap-southeast-1', description: 'Asia Pacific Southeast' }
] as const

/** Versions of the database software, newest first. */
export const SVC_VERSIONS = [
  { name: '4.2.1', image: 'svc/database:4.2.1' },
  { name: '4.2.0', image: 'svc/database:4.2.0' },
  { name: '4.1.3', image: 'svc/database:4.1.3' }
] as const

/** A workspace size: cores, GiB of memory, partitions, replicas without high availability. */
interface CatalogueType {
  readonly typeName: string
  readonly cpu: string
  readonly memory: string
  readonly partition: number
  readonly ha: number
}

/** Workspace types, smallest first. */
export const WORKSPACE_TYPES: readonly CatalogueType[] = (
  [
    ['SVC-00', 2, 16, 1],
    ['SVC-0', 4, 32, 1],
    ['SVC-1', 8, 64, 1],
    ['SVC-2', 16, 128, 1],
    ['SVC-4', 32, 256, 1],
    ['SVC-6', 48, 384, 1],
    ['SVC-8', 64, 512, 1],
    ['SVC-16', 128, 1024, 2],
    ['SVC-24', 192, 1536, 3],
    ['SVC-32', 256, 2048, 4],
    ['SVC-64', 512, 4096, 8]
  ] as const
).map(([typeName, cpu, memory, partition]) => ({
  typeName,
  cpu: String(cpu),
  memory: String(memory),
  partition,
  ha: 1
}))

/** Replicas of a workspace with high availability. */
export const HA_REPLICAS = 2

export const DEFAULT_VERSION = SVC_VERSIONS[0].name
export const DEFAULT_TYPE = WORKSPACE_TYPES[0]!.typeName
export const DEFAULT_PLATFORM = PLATFORMS[0]
export const DEFAULT_REGION = REGIONS[0].name

/** E-mail address of the user on whose behalf every credential calls. */
export const CALLER = 'owner@svc.test'
