import type { Body } from '../../helper.js'

// Another edition of the service, in Swagger 2: with other names, other paths for schedules and backups, and additions.

const ref = (name: string) => ({ $ref: `#/definitions/${name}` })
const TIER = { type: 'string', enum: ['free', 'standard', 'premium'], default: 'standard' }
const SIZES = { type: 'string', enum: ['ACME-00', 'ACME-0', 'ACME-1', 'ACME-2', 'ACME-4', 'ACME-8', 'ACME-16'] }
const COUNT = { type: 'integer', minimum: 0 }

/** A schema from `@Name`, a type, or a format of texts. The suffix [] makes it a list. */
function schemaOf(text: string): object {
  if (text.endsWith('[]')) return { type: 'array', items: schemaOf(text.slice(0, -2)) }
  if (text.startsWith('@')) return ref(text.slice(1))
  return ['date', 'date-time', 'email'].includes(text) ? { type: 'string', format: text } : { type: text }
}

/** An object with fields such as `name`, a text, or `size:integer`. @param more schemas that replace these */
function object(fields: string, more: Readonly<Record<string, object>> = {}, required = ''): object {
  const properties = fields
    .trim()
    .split(/\s+/)
    .map((field) => {
      const [name = '', type = 'string'] = field.split(':')
      return [name, more[name] ?? schemaOf(type)]
    })
  return {
    type: 'object',
    ...(required === '' ? {} : { required: required.split(' ') }),
    properties: Object.fromEntries(properties) as object
  }
}

const DEFINITIONS = {
  'middleware.Error': object('FieldName Reason Type', {
    Type: {
      type: 'string',
      enum: `Internal-Error Bad-Request Not-Found Forbidden Unauthorized API-Disabled Quota-Exceed Unknown`.split(' ')
    }
  }),
  'middleware.Response': object('Error:boolean ErrorDetails:@middleware.Error[] Message RequestID'),
  CreateWorkspaceGroupRequest: object(
    'cloud_provider_id name platform region tier network_id',
    {
      platform: { type: 'string', enum: ['aws', 'azure', 'gcp'] },
      region: { type: 'string', enum: ['eu-central-1', 'eu-west-1', 'us-east-1'] },
      tier: TIER
    },
    'cloud_provider_id'
  ),
  UpdateWorkspaceGroupRequest: object('workgroup_name'),
  WorkspaceGroup: object(
    `workgroup_id name org_id org_name created_by cloud_provider_id platform region enable_allow_list:boolean
    acme_databases:@ACMEDatabase[] workspaces:@Workspace[] tier zone network_id vpc_peering:boolean
    expires_at:date-time contact budget:number`,
    { tier: TIER, zone: { type: 'string', example: 'eu-central-1a' }, contact: object('email phone') }
  ),
  AllowedIP: object('cidr note id expires_in_days:integer', {}, 'cidr'),
  StorageUsage: object(
    `backup_size:integer billed_size:integer log_size:integer total_size:integer workspaces:@WorkspaceSize[]
    index_size:integer temp_size:integer snapshot_size:integer`
  ),
  ACMEDatabase: object(
    `database_id name org_id org_name workgroup_id region acme_version create_time storage_usage:@StorageUsage
    workspaces:@Workspace[] collation encrypted encryption_key_id schema_count:integer table_count:integer
    last_backup_id`,
    { collation: { type: 'string', default: 'utf8' }, encrypted: { type: 'boolean', default: true } }
  ),
  UpdateACMEDatabaseRequest: object('acme_database_name', {}, 'acme_database_name'),
  WorkspaceSize: object('workspace_id size:integer file_count:integer'),
  AgentSettings: object(
    `heartbeat_interval_seconds topology_update_interval_seconds catalog_activity_update_interval_seconds
    query_activity_update_interval_seconds enable_topology_force_update:boolean`,
    {
      heartbeat_interval_seconds: COUNT,
      topology_update_interval_seconds: COUNT,
      catalog_activity_update_interval_seconds: COUNT,
      query_activity_update_interval_seconds: COUNT
    }
  ),
  CreateWorkspaceRequest: object(
    `name workspace_type_name acme_database_id acme_version is_read_write:boolean enable_ha:boolean
    enable_auto_start:boolean auto_pause_minutes addons:@WorkspaceAddonsRequest[]
    solution_install_request:@SolutionInstallRequest tier deletion_protection:boolean promotion_code`,
    {
      workspace_type_name: SIZES,
      acme_version: { type: 'string', enum: ['5.0.0', '4.2.1'] },
      auto_pause_minutes: COUNT,
      tier: TIER
    }
  ),
  SolutionInstallRequest: object('name solution_catalog_id data_source_origin addons:@WorkspaceAddonsRequest[]'),
  UpdateWorkspaceRequest: object(
    `workspace_name workspace_type_name enable_ha:boolean enable_auto_start:boolean auto_pause_minutes pause:boolean
    addons:@WorkspaceAddonsRequest[] agent_config:@AgentSettings tier deletion_protection:boolean`,
    { workspace_type_name: SIZES, auto_pause_minutes: COUNT, tier: TIER }
  ),
  WorkspaceAddonsRequest: object(
    'addons_id enable:boolean enable_configuration unique_name is_free:boolean workspace_id',
    { enable_configuration: { type: 'object', additionalProperties: true, properties: {} } },
    'addons_id enable'
  ),
  Workspace: object(
    `workspace_id name workgroup_id workgroup_name database_id org_id org_name created_by cloud_provider_id region
    status condition_type refresh_status refresh_message snapshot_time acme_version version_number:integer
    workspace_type:@WorkspaceType is_read_write:boolean enable_ha:boolean enable_auto_start:boolean
    auto_pause_minutes:integer endpoint_host addons:@WorkspaceAddonsRequest[] agent_config:@AgentSettings
    solution_catalog_id size:integer vertices_count:integer edges_count:integer storage_usage:@StorageUsage created_at
    modified_at display_status tier owner_email:email deletion_protection:boolean maintenance_day maintenance_hour
    tags:string[] labels replica_lag_ms:integer cost_per_hour public_access:boolean console_url deleted_at
    connection_limit`,
    {
      status: {
        type: 'string',
        enum: 'Creating Ready Pausing Paused AutoPaused Resuming Scaling Restoring Deleting Error'.split(' ')
      },
      tier: TIER,
      maintenance_day: { type: 'string', enum: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] },
      maintenance_hour: { type: 'integer', minimum: 1, maximum: 24 },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      cost_per_hour: { type: 'number', example: 1.25 },
      console_url: { type: 'string', example: 'https://console.acme.test' },
      deleted_at: { type: 'string', format: 'date-time', 'x-nullable': true },
      connection_limit: { type: 'integer', default: 100 }
    }
  ),
  WorkspaceType: object('typeName cpu memory partition:integer ha:integer storage_gb:integer price_per_hour:number'),
  'metadata.Metadata': object('regions:@Region[] acmeVersions:@ACMEVersion[] workspaceTypes:@WorkspaceType[]'),
  Region: object('name description country is_default:boolean'),
  ACMEVersion: object('name image released_on:date is_deprecated:boolean'),
  BackupRestoreStatus: object('name status output created_at progress_percent:integer finished_at:date-time', {
    status: { type: 'string', enum: ['Queued', 'InProgress', 'Completed', 'Error'] }
  }),
  Backup: object(
    `id tag time type is_automatic:boolean status size_bytes version checksum expires_at:date-time encrypted:boolean
    duration_seconds:integer parent_id`,
    { status: { type: 'string', enum: ['InProgress', 'Completed', 'Error'] } }
  ),
  DeleteBackupRequest: object('backup_id', {}, 'backup_id'),
  RestoreBackupRequest: object('backup_id', {}, 'backup_id'),
  BackupSchedule: object(
    'schedule pause:boolean max_backup_files max_reserved_days max_retry notify_email',
    {
      max_backup_files: { type: 'integer', minimum: 1 },
      max_reserved_days: { type: 'integer', minimum: 1 },
      max_retry: COUNT
    },
    'schedule'
  ),
  WorkspaceSchedule: object(
    'workspace_id repeat repeat_on date time timezone workspace_type_name id',
    { workspace_type_name: SIZES },
    'workspace_id repeat time timezone'
  ),
  'acmeIAM.IAMUser': object(
    `id username email firstName lastName enabled:boolean path tenantID arn created updated last_login_at:date-time`
  ),
  InDatabaseUserRequest: object('username password'),
  'org_handler.OrgListUserResponse': {
    type: 'array',
    items: object(
      `id username email firstName lastName enabled:boolean path tenantID arn roles:@org_handler.OrgRole[] metadata
      created updated`,
      { metadata: object('lastLogin attachedTo:string[]') }
    )
  },
  'org_handler.OrgRole': object('id name displayName path tenantID arn description'),
  'org_handler.PutOrgUsersRoles': object(
    'roles',
    {
      roles: {
        type: 'array',
        items: {
          type: 'string',
          enum: 'org-admin billing-admin billing-viewer workgroup-admin workspace-admin workspace-member'.split(' ')
        }
      }
    },
    'roles'
  ),
  ScheduleReference: object('id workspace_id', {}, 'id'),
  'models.Org': object('org_id name plan created_at:date-time parent:@models.Org', {
    plan: { type: 'string', enum: ['trial', 'business'] }
  }),
  'models.Invoice': object('invoice_id org_id amount:number currency paid:boolean', {
    currency: { type: 'string', default: 'EUR' }
  }),
  'models.ApiKey': object('key_id label secret expires_on:date'),
  'models.Metric': object('metric unit points:number[]')
}

type Operation = readonly [id: string, reply: object, body?: string | object]

const RESPONSE = ref('middleware.Response')
const bare = (schema: object) => ({ 200: { description: 'OK', schema } })
const PLAIN = bare(RESPONSE)
const DONE = { 204: { description: 'Done' } }

/** A reply with a result. @param example an example of the result */
function result(schema: string | object, example?: object): object {
  const Result = typeof schema === 'string' ? schemaOf(schema) : schema
  const Envelope = { Error: false, Message: 'ok', RequestID: 'r', Result: example }
  return {
    200: {
      description: 'OK',
      schema: { allOf: [RESPONSE, { type: 'object', properties: { Result } }] },
      ...(example === undefined ? {} : { examples: { 'application/json': Envelope } })
    }
  }
}

const TEXT = result('string')
const V2 = '/controller/v4/v2'
const V3 = '/controller/v4/v3'
const WORKGROUP = `${V2}/workgroups/{workgroup_id}`
const WORKSPACE = `${WORKGROUP}/workspaces/{workspace_id}`

const OPERATIONS: readonly (readonly [route: string, ...Operation])[] = [
  [`post ${V2}/workgroups`, 'createWorkspaceGroup', result('@WorkspaceGroup'), '@CreateWorkspaceGroupRequest'],
  [`get ${V2}/workgroups`, 'listWorkspaceGroups', result('@WorkspaceGroup[]')],
  [`get ${WORKGROUP}`, 'getWorkspaceGroup', result('@WorkspaceGroup')],
  [`put ${WORKGROUP}`, 'updateWorkspaceGroup', result('@WorkspaceGroup'), '@UpdateWorkspaceGroupRequest'],
  [`delete ${WORKGROUP}`, 'deleteWorkspaceGroup', TEXT],
  [`get ${WORKGROUP}/network`, 'getNetwork', result(object('network_id cidr'))],
  [`get ${WORKGROUP}/tags`, 'listTags', result('string[]')],
  [`put ${WORKGROUP}/tags`, 'replaceTags', PLAIN, object('tags:string[]')],
  [`post ${WORKGROUP}/allow_list`, 'addAllowedIP', result('@AllowedIP'), '@AllowedIP'],
  [`get ${WORKGROUP}/allow_list`, 'listAllowedIPs', result('@AllowedIP[]')],
  [`get ${WORKGROUP}/allow_list/current`, 'getCurrentIP', result(object('IsAllowed:boolean CurrentIP'))],
  [`put ${WORKGROUP}/allow_list/disable`, 'disableAllowList', TEXT],
  [`put ${WORKGROUP}/allow_list/enable`, 'enableAllowList', TEXT],
  [`put ${WORKGROUP}/allow_list/{id}`, 'updateAllowedIP', result('@AllowedIP'), '@AllowedIP'],
  [`delete ${WORKGROUP}/allow_list/{id}`, 'deleteAllowedIP', TEXT],
  [`get ${WORKGROUP}/databases/{database_id}`, 'getDatabase', result('@ACMEDatabase')],
  [`put ${WORKGROUP}/databases/{database_id}`, 'updateDatabase', result('@ACMEDatabase'), '@UpdateACMEDatabaseRequest'],
  [`delete ${WORKGROUP}/databases/{database_id}`, 'deleteDatabase', PLAIN],
  [`post ${WORKGROUP}/workspaces`, 'createWorkspace', result('@Workspace'), '@CreateWorkspaceRequest'],
  [`get ${WORKSPACE}`, 'getWorkspace', result('@Workspace')],
  [`put ${WORKSPACE}`, 'updateWorkspace', result('@Workspace'), '@UpdateWorkspaceRequest'],
  [`delete ${WORKSPACE}`, 'deleteWorkspace', PLAIN],
  [`post ${WORKSPACE}/pause`, 'pauseWorkspace', PLAIN],
  [`post ${WORKSPACE}/refresh`, 'refreshWorkspace', PLAIN],
  [`post ${WORKSPACE}/resume`, 'resumeWorkspace', PLAIN],
  [`get ${WORKSPACE}/metrics`, 'getMetrics', result('@models.Metric[]')],
  [`get ${WORKSPACE}/logs`, 'getLogs', TEXT],
  [`get ${V2}/workspaces/meta`, 'getMetadata', result('@metadata.Metadata')],
  [`delete ${WORKSPACE}/backups`, 'deleteBackup', PLAIN, '@DeleteBackupRequest'],
  [`get ${V2}/workspaces/{workspace_id}/backups`, 'listBackups', result('@Backup[]')],
  [`get ${V3}/workspaces/{workspace_id}/backups`, 'listBackupsInPages', result('@Backup[]')],
  [`post ${WORKSPACE}/restores`, 'restoreBackup', TEXT, '@RestoreBackupRequest'],
  [`get ${V2}/workspaces/{workspace_id}/restores/{job_id}/status`, 'getRestoreStatus', result('@BackupRestoreStatus')],
  [`put ${WORKSPACE}/backup_schedule`, 'setBackupSchedule', PLAIN, '@BackupSchedule'],
  [`get ${WORKSPACE}/backup_schedule`, 'getBackupSchedule', result('@BackupSchedule')],
  [`get ${WORKSPACE}/schedules`, 'getWorkspaceSchedules', TEXT],
  [`post ${WORKSPACE}/schedules`, 'updateWorkspaceSchedule', TEXT, '@WorkspaceSchedule'],
  [`delete ${WORKSPACE}/schedules`, 'deleteWorkspaceSchedule', TEXT, '@ScheduleReference'],
  [`get ${WORKSPACE.replace(V2, V3)}/schedules`, 'listSchedules', result('@WorkspaceSchedule[]')],
  [`post ${WORKSPACE}/dbuser`, 'createDatabaseUser', result('@acmeIAM.IAMUser'), '@InDatabaseUserRequest'],
  [`get ${WORKSPACE}/dbuser`, 'listDatabaseUsers', result('@acmeIAM.IAMUser[]')],
  [`put ${WORKSPACE}/dbuser`, 'updateDatabaseUserPassword', PLAIN, '@InDatabaseUserRequest'],
  [`delete ${WORKSPACE}/dbuser`, 'deleteDatabaseUser', PLAIN, '@InDatabaseUserRequest'],
  ['get /users', 'listOrgUsers', bare(ref('org_handler.OrgListUserResponse'))],
  ['put /users/{user_id}/roles', 'updateOrgUserRoles', DONE, '@org_handler.PutOrgUsersRoles'],
  [`get ${V2}/org/self`, 'getOwnOrg', result('@models.Org')],
  [`put ${V2}/org/self`, 'renameOrg', result('@models.Org'), object('name')],
  [`get ${V2}/org/roles`, 'listRoles', result('@org_handler.OrgRole[]')],
  [`get ${V2}/billing/invoices`, 'listInvoices', result('@models.Invoice[]')],
  [`get ${V2}/billing/invoices/{invoice_id}`, 'getInvoice', result('@models.Invoice')],
  [
    `get ${V2}/billing/usage`,
    'getUsage',
    result(object('hours:number from:date to:date'), { hours: 12.5, from: '2026-01-01', to: '2026-01-31' })
  ],
  ['get /keys', 'listApiKeys', bare(schemaOf('@models.ApiKey[]'))],
  ['post /keys', 'createApiKey', bare(ref('models.ApiKey')), object('label')],
  ['delete /keys/{key_id}', 'revokeApiKey', DONE],
  ['get /health', 'getHealth', bare(object('ok:boolean'))]
]

function described(path: string, [operationId, reply, body]: Operation): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    type: 'string'
  }))
  const schema = typeof body === 'string' ? schemaOf(body) : body
  const parameters = [
    ...inPath,
    ...(schema === undefined ? [] : [{ name: 'body', in: 'body', required: true, schema }])
  ]
  return {
    operationId,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: { ...reply, default: { description: 'Error', schema: RESPONSE } }
  }
}

/** A copy of the document without shared parts. */
export function otherEdition(): Body {
  const paths: Record<string, Record<string, object>> = {}
  for (const [route, ...operation] of OPERATIONS) {
    const [method = '', path = ''] = route.split(' ')
    paths[path] = { ...paths[path], [method]: described(path, operation) }
  }
  const document = {
    swagger: '2.0',
    info: { title: 'Acme Control Plane', version: '7.1' },
    basePath: '/',
    consumes: ['application/json'],
    produces: ['application/json'],
    paths,
    definitions: DEFINITIONS
  }
  return JSON.parse(JSON.stringify(document))
}
