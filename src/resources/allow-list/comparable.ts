import type { Comparables } from '../comparable.js'

export const ALLOW_LIST_COMPARABLES = {
  AllowedIP: { identity: 'id', stable: ['cidr', 'note'], carried: { cidr: 'text', note: 'text' } }
} as const satisfies Comparables
