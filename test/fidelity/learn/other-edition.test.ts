import t from 'tap'
import { learnFromDocument } from '../../../src/fidelity/learn/learn.js'
import { buildMock, pluck } from '../../helper.js'
import { checkForm, ownDocument } from './documents.js'
import { otherEdition } from './other-edition.js'

const CONTROLLER = '/controller/v4/v2'
const WORKSPACE = `${CONTROLLER}/workgroups/{workgroup_id}/workspaces/{workspace_id}`

void t.test('names, values, fields and paths of another edition are learned', async (t) => {
  const learned = learnFromDocument(await ownDocument(t), otherEdition())
  const text = checkForm(t, learned)
  const { profile, summary } = learned
  t.strictSame(summary, { operations: 38, matched: 38, renamed: 36, added: 50, stubbed: 15, unclear: 6 })
  t.equal(profile.name, 'acme-control-plane')

  await t.test('names', async (t) => {
    t.strictSame(profile.names, {
      fields: {
        srn: 'arn',
        svcVersions: 'acmeVersions',
        creator: 'created_by',
        svc_version: 'acme_version',
        is_rw: 'is_read_write',
        auto_stop_minutes: 'auto_pause_minutes',
        vertex_count: 'vertices_count',
        edge_count: 'edges_count',
        folder_statistics: 'storage_usage',
        last_modified_time: 'modified_at',
        svc_database_id: 'acme_database_id',
        svc_database_name: 'acme_database_name',
        svc_databases: 'acme_databases'
      },
      schemas: {
        CreateWorkgroupRequest: 'CreateWorkspaceGroupRequest',
        UpdateWorkgroupRequest: 'UpdateWorkspaceGroupRequest',
        Workgroup: 'WorkspaceGroup',
        FolderStatistics: 'StorageUsage',
        SvcDatabase: 'ACMEDatabase',
        UpdateSvcDatabaseRequest: 'UpdateACMEDatabaseRequest',
        AgentConfig: 'AgentSettings',
        'resource_manager_handler.GetMetadata.metadata': 'metadata.Metadata',
        SvcVersion: 'ACMEVersion',
        'svcIAM.IAMUser': 'acmeIAM.IAMUser'
      }
    })
    t.match(text, /# Recognised by its contents, not by its name\.\n {4}folder_statistics: storage_usage\n/)
  })

  await t.test('catalogue', async (t) => {
    const { regions, versions, workspace_types: types = [], platforms } = profile.catalogue!
    t.strictSame(regions, [{ name: 'eu-central-1' }, { name: 'eu-west-1' }, { name: 'us-east-1' }])
    t.strictSame(versions, [{ name: '5.0.0' }, { name: '4.2.1' }])
    t.strictSame(pluck(types, 'typeName'), ['ACME-00', 'ACME-0', 'ACME-1', 'ACME-2', 'ACME-4', 'ACME-8', 'ACME-16'])
    t.equal(platforms, undefined, 'the same as those of the mock')
    t.match(text, /# Unclear: Their sizes .*\n {2}workspace_types:/, 'assumed figures are marked')
  })

  await t.test('states', async (t) => {
    t.strictSame(profile.states, {
      workspace: {
        Active: 'Ready',
        Stopped: 'Paused',
        Idle: 'AutoPaused',
        Resizing: 'Scaling',
        Terminating: 'Deleting',
        Failed: 'Error'
      },
      backup: { Running: 'InProgress', Succeeded: 'Completed', Failed: 'Error' },
      restore_job: { Pending: 'Queued', Running: 'InProgress', Succeeded: 'Completed', Failed: 'Error' }
    })
  })

  await t.test('fields', async (t) => {
    const { Workspace, Workgroup, CreateWorkspaceRequest, AllowedIP, BackupSchedule } = profile.fields!
    t.match(Workspace, {
      tier: {
        type: 'string',
        enum: ['free', 'standard', 'premium'],
        default: 'standard',
        set_by: ['CreateWorkspaceRequest', 'UpdateWorkspaceRequest']
      },
      owner_email: { type: 'string', default: 'user@example.com' },
      maintenance_day: { default: 'Mon' },
      maintenance_hour: { type: 'integer', default: 1 },
      tags: { type: 'array', default: [] },
      labels: { type: 'object', default: {} },
      cost_per_hour: { type: 'number', default: 1.25 },
      public_access: { type: 'boolean', default: false },
      connection_limit: { type: 'integer', default: 100 }
    })
    t.strictSame(Workgroup!['contact'], { type: 'object', default: { email: '', phone: '' } })
    t.strictSame(
      CreateWorkspaceRequest,
      { promotion_code: { type: 'string', default: '', set_by: ['CreateWorkspaceRequest'] } },
      'no reply has it'
    )
    for (const [name, fields] of Object.entries({ AllowedIP, BackupSchedule }))
      t.match(Object.values(fields!)[0], { set_by: [name] }, 'one schema for request and reply')
    t.strictSame(profile.omit, {
      FolderStatistics: ['milvus_size'],
      Workspace: ['nginx_host', 'enable_copilot', 'graph_topology_size_bytes'],
      'svcIAM.IAMUser': ['auth0UserID'],
      'org_handler.OrgListUserResponse': ['auth0UserID', 'authID']
    })
    const [, comment] = /# (Unclear: endpoint_host of Workspace [^}]*\} \}\.)\n {4}endpoint_host:/.exec(text) ?? []
    t.match(comment, 'fields: { nginx_host: endpoint_host }')
  })

  await t.test('routes', async (t) => {
    const schedules = `${WORKSPACE}/schedules`
    t.strictSame(profile.routes, [
      { method: 'POST', path: `${WORKSPACE}/restores`, operation: 'restoreBackup' },
      { operation: 'restoreBackup', off: true },
      {
        method: 'GET',
        path: `${CONTROLLER}/workspaces/{workspace_id}/restores/{job_id}/status`,
        operation: 'getRestoreStatus'
      },
      { operation: 'getRestoreStatus', off: true },
      { method: 'GET', path: `${WORKSPACE}/backup_schedule`, operation: 'getBackupSchedule' },
      { operation: 'getBackupSchedule', off: true },
      { method: 'PUT', path: `${WORKSPACE}/backup_schedule`, operation: 'setBackupSchedule' },
      { operation: 'setBackupSchedule', off: true },
      { method: 'POST', path: schedules, operation: 'updateWorkspaceSchedule' },
      { operation: 'updateWorkspaceSchedule', off: true },
      { method: 'DELETE', path: schedules, operation: 'deleteWorkspaceSchedule' },
      { operation: 'deleteWorkspaceSchedule', off: true },
      { method: 'GET', path: '/controller/v4/v3/workspaces/{workspace_id}/backups', operation: 'listBackups' },
      { method: 'GET', path: schedules.replace('v2', 'v3'), operation: 'getWorkspaceSchedules', result: 'array' }
    ])
  })

  await t.test('stubs', async (t) => {
    const stubs = new Map(profile.stubs!.map((stub) => [`${stub.method} ${stub.path}`, stub]))
    const bodyOf = (route: string) => (stubs.get(route)?.body ?? {}) as Record<string, unknown>
    t.strictSame(
      bodyOf(`GET ${CONTROLLER}/org/self`)['Result'],
      { org_id: '{{org_id}}', name: '', plan: 'trial', created_at: '2026-01-01T00:00:00Z' },
      'a schema within itself is left out'
    )
    t.strictSame(
      bodyOf(`GET ${CONTROLLER}/billing/usage`),
      { Error: false, Message: 'ok', RequestID: 'r', Result: { hours: 12.5, from: '2026-01-01', to: '2026-01-31' } },
      'an example is used as it is'
    )
    t.match(bodyOf(`GET ${CONTROLLER}/billing/invoices/{invoice_id}`)['Result'], {
      invoice_id: '{{path.invoice_id}}',
      currency: 'EUR'
    })
    t.notOk('ErrorDetails' in bodyOf(`GET ${WORKSPACE}/logs`), 'a success has no errors')
  })
})

void t.test('a learned stub checks what the document requires of a request', async (t) => {
  const edition = otherEdition()
  const properties = { name: { type: 'string' }, plan: { enum: ['free', 'gold'] } }
  const body = { name: 'body', in: 'body', schema: { type: 'object', required: ['name'], properties } }
  const reply = { type: 'object', properties: { name: { type: 'string', example: 'One' } } }
  edition.paths['/v9/teams'] = { post: { parameters: [body], responses: { 201: { description: '', schema: reply } } } }
  const { profile } = learnFromDocument(await ownDocument(t), edition)
  const mock = await buildMock(t, { profile: profile as never })
  const post = (body: object) => mock.call('POST', '/v9/teams', { key: 'k', prefix: '', body })
  t.match(await post({ name: 'One', plan: 'gold' }), { status: 201, body: { name: 'One' } })
  for (const wrong of [{}, { name: 1 }, { name: 'x', plan: 'lead' }]) t.equal((await post(wrong)).status, 400)
})
