import type { Body } from '../../helper.js'

// The service in another edition, in Swagger 2: other names, other paths for schedules and backups, and more of
// everything.

const ref = (name: string) => ({ $ref: `#/definitions/${name}` })
const TIER = { type: 'string', enum: ['free', 'standard', 'premium'], default: 'standard' }
const SIZES = { type: 'string', enum: ['ACME-00', 'ACME-0', 'ACME-1', 'ACME-2', 'ACME-4', 'ACME-8', 'ACME-16'] }
const COUNT = { type: 'integer', minimum: 0 }

/** A schema by its name after an @, a type, or a format of texts; of a list, with [] after that of its items. */
function schemaOf(text: string): object {
  if (text.endsWith('[]')) return { type: 'array', items: schemaOf(text.slice(0, -2)) }
  if (text.startsWith('@')) return ref(text.slice(1))
  return ['date', 'date-time', 'email'].includes(text) ? { type: 'string', format: text } : { type: text }
}

/**
 * An object with fields such as `name`, which is a text, or `size:integer`.
 * @param more schemas of fields that say more
 */
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
  'models.AuditEntry': object('at:date-time actor:email action org_id'),
  'models.Metric': object('metric unit points:number[]'),
  'models.Ticket': object('ticket_id subject severity', { severity: { type: 'string', enum: ['low', 'high'] } }),
  'models.Solution': object('solution_catalog_id title publisher')
}

/** An operation: its id, the schema of its body, and what it answers. */
type Operation = readonly [id: string, body: string | object | undefined, reply: object]

const RESPONSE = ref('middleware.Response')
const bare = (schema: object) => ({ 200: { description: 'OK', schema } })
const PLAIN = bare(RESPONSE)
const DONE = { 204: { description: 'Done' } }

/** A reply with a result. @param example of the result */
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
const METADATA = {
  regions: [
    { name: 'eu-central-1', description: 'Frankfurt' },
    { name: 'eu-west-1', description: 'Ireland' },
    { name: 'us-east-1', description: 'Virginia' }
  ],
  acmeVersions: [
    { name: '5.0.0', image: 'acme/db:5.0.0' },
    { name: '4.2.1', image: 'acme/db:4.2.1' }
  ],
  workspaceTypes: [
    { typeName: 'ACME-00', cpu: '2', memory: '8', partition: 1, ha: 1 },
    { typeName: 'ACME-0', cpu: '4', memory: '16', partition: 1, ha: 1 },
    { typeName: 'ACME-16', cpu: '96', memory: '768', partition: 3, ha: 1 }
  ]
}

const V2 = '/controller/v4/v2'
const V3 = '/controller/v4/v3'
const WORKGROUP = `${V2}/workgroups/{workgroup_id}`
const WORKSPACE = `${WORKGROUP}/workspaces/{workspace_id}`

const PATHS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  [`${V2}/workgroups`]: {
    post: ['createWorkspaceGroup', '@CreateWorkspaceGroupRequest', result('@WorkspaceGroup')],
    get: ['listWorkspaceGroups', undefined, result('@WorkspaceGroup[]')]
  },
  [WORKGROUP]: {
    get: ['getWorkspaceGroup', undefined, result('@WorkspaceGroup')],
    put: ['updateWorkspaceGroup', '@UpdateWorkspaceGroupRequest', result('@WorkspaceGroup')],
    delete: ['deleteWorkspaceGroup', undefined, TEXT]
  },
  [`${WORKGROUP}/network`]: { get: ['getNetwork', undefined, result(object('network_id cidr'))] },
  [`${WORKGROUP}/tags`]: {
    get: ['listTags', undefined, result('string[]')],
    put: ['replaceTags', object('tags:string[]'), PLAIN]
  },
  [`${WORKGROUP}/allow_list`]: {
    post: ['addAllowedIP', '@AllowedIP', result('@AllowedIP')],
    get: ['listAllowedIPs', undefined, result('@AllowedIP[]')]
  },
  [`${WORKGROUP}/allow_list/current`]: {
    get: ['getCurrentIP', undefined, result(object('IsAllowed:boolean CurrentIP'))]
  },
  [`${WORKGROUP}/allow_list/disable`]: { put: ['disableAllowList', undefined, TEXT] },
  [`${WORKGROUP}/allow_list/enable`]: { put: ['enableAllowList', undefined, TEXT] },
  [`${WORKGROUP}/allow_list/{id}`]: {
    put: ['updateAllowedIP', '@AllowedIP', result('@AllowedIP')],
    delete: ['deleteAllowedIP', undefined, TEXT]
  },
  [`${WORKGROUP}/databases/{database_id}`]: {
    get: ['getDatabase', undefined, result('@ACMEDatabase')],
    put: ['updateDatabase', '@UpdateACMEDatabaseRequest', result('@ACMEDatabase')],
    delete: ['deleteDatabase', undefined, PLAIN]
  },
  [`${WORKGROUP}/workspaces`]: { post: ['createWorkspace', '@CreateWorkspaceRequest', result('@Workspace')] },
  [WORKSPACE]: {
    get: ['getWorkspace', undefined, result('@Workspace')],
    put: ['updateWorkspace', '@UpdateWorkspaceRequest', result('@Workspace')],
    delete: ['deleteWorkspace', undefined, PLAIN]
  },
  [`${WORKSPACE}/pause`]: { post: ['pauseWorkspace', undefined, PLAIN] },
  [`${WORKSPACE}/refresh`]: { post: ['refreshWorkspace', undefined, PLAIN] },
  [`${WORKSPACE}/resume`]: { post: ['resumeWorkspace', undefined, PLAIN] },
  [`${WORKSPACE}/metrics`]: { get: ['getMetrics', undefined, result('@models.Metric[]')] },
  [`${WORKSPACE}/logs`]: { get: ['getLogs', undefined, TEXT] },
  [`${V2}/workspaces/meta`]: { get: ['getMetadata', undefined, result('@metadata.Metadata', METADATA)] },
  [`${WORKSPACE}/backups`]: { delete: ['deleteBackup', '@DeleteBackupRequest', PLAIN] },
  [`${V2}/workspaces/{workspace_id}/backups`]: { get: ['listBackups', undefined, result('@Backup[]')] },
  [`${V3}/workspaces/{workspace_id}/backups`]: { get: ['listBackupsInPages', undefined, result('@Backup[]')] },
  [`${WORKSPACE}/restores`]: { post: ['restoreBackup', '@RestoreBackupRequest', TEXT] },
  [`${V2}/workspaces/{workspace_id}/restores/{job_id}/status`]: {
    get: ['getRestoreStatus', undefined, result('@BackupRestoreStatus')]
  },
  [`${WORKSPACE}/backup_schedule`]: {
    put: ['setBackupSchedule', '@BackupSchedule', PLAIN],
    get: ['getBackupSchedule', undefined, result('@BackupSchedule')]
  },
  [`${WORKSPACE}/schedules`]: {
    get: ['getWorkspaceSchedules', undefined, TEXT],
    post: ['updateWorkspaceSchedule', '@WorkspaceSchedule', TEXT],
    delete: ['deleteWorkspaceSchedule', '@ScheduleReference', TEXT]
  },
  [WORKSPACE.replace(V2, V3) + '/schedules']: { get: ['listSchedules', undefined, result('@WorkspaceSchedule[]')] },
  [`${WORKSPACE}/dbuser`]: {
    post: ['createDatabaseUser', '@InDatabaseUserRequest', result('@acmeIAM.IAMUser')],
    get: ['listDatabaseUsers', undefined, result('@acmeIAM.IAMUser[]')],
    put: ['updateDatabaseUserPassword', '@InDatabaseUserRequest', PLAIN],
    delete: ['deleteDatabaseUser', '@InDatabaseUserRequest', PLAIN]
  },
  '/users': { get: ['listOrgUsers', undefined, bare(ref('org_handler.OrgListUserResponse'))] },
  '/users/{user_id}/roles': { put: ['updateOrgUserRoles', '@org_handler.PutOrgUsersRoles', DONE] },
  [`${V2}/org/self`]: {
    get: ['getOwnOrg', undefined, result('@models.Org')],
    put: ['renameOrg', object('name'), result('@models.Org')]
  },
  [`${V2}/org/roles`]: { get: ['listRoles', undefined, result('@org_handler.OrgRole[]')] },
  [`${V2}/billing/invoices`]: { get: ['listInvoices', undefined, result('@models.Invoice[]')] },
  [`${V2}/billing/invoices/{invoice_id}`]: { get: ['getInvoice', undefined, result('@models.Invoice')] },
  [`${V2}/billing/usage`]: {
    get: [
      'getUsage',
      undefined,
      result(object('hours:number from:date to:date'), { hours: 12.5, from: '2026-01-01', to: '2026-01-31' })
    ]
  },
  [`${V2}/audit/entries`]: { get: ['listAuditEntries', undefined, result('@models.AuditEntry[]')] },
  '/keys': {
    get: ['listApiKeys', undefined, bare(schemaOf('@models.ApiKey[]'))],
    post: ['createApiKey', object('label'), bare(ref('models.ApiKey'))]
  },
  '/keys/{key_id}': { delete: ['revokeApiKey', undefined, DONE] },
  [`${V2}/solutions`]: { get: ['listSolutions', undefined, result('@models.Solution[]')] },
  [`${V2}/solutions/{solution_id}`]: { get: ['getSolution', undefined, result('@models.Solution')] },
  [`${V2}/support/tickets`]: {
    get: ['listTickets', undefined, result('@models.Ticket[]')],
    post: ['openTicket', object('subject'), result('@models.Ticket')]
  },
  '/health': { get: ['getHealth', undefined, bare(object('ok:boolean'))] }
}

function described(path: string, [operationId, body, reply]: Operation): object {
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

/** The document, of which each part is there once. */
export function otherEdition(): Body {
  const paths = Object.entries(PATHS).map(([path, operations]) => {
    const all = Object.entries(operations).map(([method, operation]) => [method, described(path, operation)])
    return [path, Object.fromEntries(all)]
  })
  const document = {
    swagger: '2.0',
    info: { title: 'Acme Control Plane', version: '7.1' },
    basePath: '/',
    schemes: ['https'],
    consumes: ['application/json'],
    produces: ['application/json'],
    securityDefinitions: {
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      session: { type: 'apiKey', in: 'header', name: 'Authorization' }
    },
    security: [{ apiKey: [] }, { session: [] }],
    paths: Object.fromEntries(paths),
    definitions: DEFINITIONS
  }
  return JSON.parse(JSON.stringify(document))
}
