import type { Comparables } from '../comparable.js'

/** The field with the idle time after which a workspace is paused, in minutes; 0: never. */
export const AUTO_STOP_FIELD = 'auto_stop_minutes'
/** The field that says whether activity starts a paused workspace. */
export const AUTO_START_FIELD = 'enable_auto_start'

export const WORKSPACE_COMPARABLES = {
  Workspace: {
    identity: 'workspace_id',
    stable: [
      'name',
      'workgroup_name',
      'cloud_provider_id',
      'region',
      'condition_type',
      'svc_version',
      'version_number',
      'is_rw',
      'enable_ha',
      AUTO_START_FIELD,
      'enable_copilot',
      AUTO_STOP_FIELD,
      'solution_catalog_id'
    ],
    states: { status: 'workspace', refresh_status: 'refresh' },
    lists: { region: 'regions', svc_version: 'versions' },
    words: ['condition_type'],
    messages: ['refresh_message'],
    occasional: ['snapshot_time', 'deleted_at'],
    carried: {
      name: 'text',
      svc_version: 'versions',
      version_number: 'whole number',
      is_rw: 'flag',
      enable_ha: 'flag',
      [AUTO_START_FIELD]: 'flag',
      [AUTO_STOP_FIELD]: 'whole number',
      solution_catalog_id: 'text',
      addons: 'objects',
      agent_config: 'object',
      created_at: 'timestamp'
    }
  },
  WorkspaceType: {
    identity: 'typeName',
    stable: ['typeName', 'cpu', 'memory', 'partition', 'ha'],
    lists: { typeName: 'workspace_types' },
    quantities: ['cpu', 'memory']
  },
  WorkspaceAddonsRequest: { identity: 'addons_id', stable: ['addons_id', 'enable', 'unique_name', 'is_free'] },
  AgentConfig: {
    stable: [
      'heartbeat_interval_seconds',
      'topology_update_interval_seconds',
      'catalog_activity_update_interval_seconds',
      'query_activity_update_interval_seconds',
      'enable_topology_force_update'
    ]
  }
} as const satisfies Comparables
