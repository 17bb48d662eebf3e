/** What the service offers. All of it is assumed; clients should read it from the metadata and not count on any name. */

/** Cloud platforms a workgroup can be on. */
export const PLATFORMS = ['aws', 'azure', 'gcp'] as const

/** Regions, the default first. */
export const REGIONS = [
  { name: 'us-east-1', description: 'US East' },
  { name: 'us-west-2', description: 'US West' },
  { name: 'eu-west-1', description: 'Europe West' },
  { name: 'ap-southeast-1', description: 'Asia Pacific Southeast' }
] as const

export const DEFAULT_PLATFORM = PLATFORMS[0]
export const DEFAULT_REGION = REGIONS[0].name

/** E-mail address of the user on whose behalf every credential calls. */
export const CALLER = 'owner@svc.test'
