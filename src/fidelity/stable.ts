/** Fields whose values follow from the requests, by schema: only these are compared. Others are data, or chance. */
export const STABLE: Readonly<Record<string, readonly string[]>> = {
  Workgroup: ['name', 'cloud_provider_id', 'platform', 'region', 'enable_allow_list'],
  AllowedIP: ['cidr', 'note'],
  SvcDatabase: ['name', 'region', 'svc_version'],
  Workspace: [
    'name',
    'workgroup_name',
    'cloud_provider_id',
    'region',
    'condition_type',
    'svc_version',
    'version_number',
    'is_rw',
    'enable_ha',
    'enable_auto_start',
    'enable_copilot',
    'auto_stop_minutes',
    'solution_catalog_id'
  ],
  WorkspaceType: ['typeName', 'cpu', 'memory', 'partition', 'ha'],
  WorkspaceAddonsRequest: ['addons_id', 'enable', 'unique_name', 'is_free'],
  AgentConfig: [
    'heartbeat_interval_seconds',
    'topology_update_interval_seconds',
    'catalog_activity_update_interval_seconds',
    'query_activity_update_interval_seconds',
    'enable_topology_force_update'
  ],
  Backup: ['type', 'is_automatic', 'version'],
  BackupSchedule: ['schedule', 'pause', 'max_backup_files', 'max_reserved_days', 'max_retry'],
  WorkspaceSchedule: ['repeat', 'repeat_on', 'date', 'time', 'timezone', 'workspace_type_name'],
  'svcIAM.IAMUser': ['username', 'enabled', 'path'],
  'org_handler.OrgListUserResponse': ['enabled', 'path'],
  'org_handler.OrgRole': ['name', 'displayName', 'path']
}

/** Fields that hold a state, with what it is a state of. */
export const STATE_FIELDS: Readonly<Record<string, StateField>> = {
  'Workspace.status': 'workspace',
  'Workspace.refresh_status': 'refresh',
  'Backup.status': 'backup',
  'BackupRestoreStatus.status': 'restore_job'
}
export type StateField = 'workspace' | 'refresh' | 'backup' | 'restore_job'

/** The list of the catalogue that the values of a field are from, by schema and field. */
export const CATALOGUE_FIELDS: Readonly<Record<string, CatalogueList>> = {
  'Workgroup.platform': 'platforms',
  'Workgroup.region': 'regions',
  'Workspace.region': 'regions',
  'SvcDatabase.region': 'regions',
  'Workspace.svc_version': 'versions',
  'SvcDatabase.svc_version': 'versions',
  'Backup.version': 'versions',
  'WorkspaceType.typeName': 'workspace_types',
  'WorkspaceSchedule.workspace_type_name': 'workspace_types',
  'org_handler.OrgRole.name': 'roles'
}
/** A list that the values of some fields are from. The roles are not in the metadata. */
export type CatalogueList = 'platforms' | 'regions' | 'versions' | 'workspace_types' | 'roles'

/** The same for fields of requests. */
export const CHOSEN: Readonly<Record<string, CatalogueList>> = {
  platform: 'platforms',
  region: 'regions',
  svc_version: 'versions',
  workspace_type_name: 'workspace_types',
  roles: 'roles'
}

/** Fields that a reply has only sometimes. */
export const OCCASIONAL: readonly string[] = [
  'Workspace.snapshot_time',
  'Workspace.deleted_at',
  'SvcDatabase.workspaces',
  'org_handler.OrgListUserResponse.metadata.lastLogin'
]

/** Fields of closed vocabularies besides states and the catalogue. */
export const WORDS: readonly string[] = ['Backup.type', 'Workspace.condition_type', 'WorkspaceSchedule.repeat']

/** The field that tells the items of a list apart, by schema. */
export const IDENTITY: Readonly<Record<string, string>> = {
  Workgroup: 'workgroup_id',
  AllowedIP: 'id',
  SvcDatabase: 'database_id',
  Workspace: 'workspace_id',
  WorkspaceSize: 'workspace_id',
  WorkspaceAddonsRequest: 'addons_id',
  WorkspaceType: 'typeName',
  Region: 'name',
  SvcVersion: 'name',
  Backup: 'id',
  WorkspaceSchedule: 'id',
  'svcIAM.IAMUser': 'id',
  'org_handler.OrgListUserResponse': 'id',
  'org_handler.OrgRole': 'name'
}

/** Headers that say how a reply came here, not what the service is: proxies and caches add and drop them. */
export const TRANSPORT_HEADERS: readonly string[] = [
  'accept-ranges',
  'age',
  'alt-svc',
  'cache-control',
  'cf-cache-status',
  'cf-ray',
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'nel',
  'pragma',
  'referrer-policy',
  'report-to',
  'server',
  'set-cookie',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'via',
  'x-amz-apigw-id',
  'x-amz-cf-id',
  'x-amz-cf-pop',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-cache',
  'x-content-type-options',
  'x-envoy-upstream-service-time',
  'x-frame-options',
  'x-powered-by',
  'x-xss-protection'
]
