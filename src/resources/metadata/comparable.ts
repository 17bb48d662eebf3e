import type { Comparables } from '../comparable.js'

export const METADATA_COMPARABLES = {
  Region: { identity: 'name' },
  SvcVersion: { identity: 'name' }
} as const satisfies Comparables
