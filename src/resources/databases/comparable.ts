import type { Comparables } from '../comparable.js'

export const DATABASE_COMPARABLES = {
  SvcDatabase: {
    identity: 'database_id',
    stable: ['name', 'region', 'svc_version'],
    lists: { region: 'regions', svc_version: 'versions' },
    occasional: ['workspaces'],
    carried: { name: 'text', svc_version: 'versions', create_time: 'timestamp' }
  },
  WorkspaceSize: { identity: 'workspace_id' }
} as const satisfies Comparables
