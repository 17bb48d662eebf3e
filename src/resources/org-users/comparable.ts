import type { Comparables } from '../comparable.js'

export const ORG_USER_COMPARABLES = {
  'org_handler.OrgListUserResponse': {
    identity: 'id',
    stable: ['enabled', 'path'],
    occasional: ['metadata.lastLogin']
  },
  'org_handler.OrgRole': {
    identity: 'name',
    stable: ['name', 'displayName', 'path'],
    lists: { name: 'roles' }
  }
} as const satisfies Comparables
