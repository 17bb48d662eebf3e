import type { Comparables } from '../comparable.js'

export const WORKGROUP_COMPARABLES = {
  Workgroup: {
    identity: 'workgroup_id',
    stable: ['name', 'cloud_provider_id', 'platform', 'region', 'enable_allow_list'],
    lists: { platform: 'platforms', region: 'regions' }
  }
} as const satisfies Comparables
