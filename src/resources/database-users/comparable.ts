import type { Comparables } from '../comparable.js'

export const DATABASE_USER_COMPARABLES = {
  'svcIAM.IAMUser': { identity: 'id', stable: ['username', 'enabled', 'path'] }
} as const satisfies Comparables
