import type { FactKey } from '../../src/interface/assumption.js'
import { BUILT_IN_CATALOGUE } from '../../src/profile/catalogue.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import type { Perturb } from './real-service.js'
import { inAll, inEnvelope, inField, inList, of, withHeaders, without } from './rewrites.js'

/** One way in which a service differs from the mock. A profile can express it, unless it rewrites exchanges. */
export interface Perturbation extends Perturb {
  /** Values in the key of a fact that must differ. */
  readonly expect: Partial<FactKey>
}

const { regions, versions, workspace_types: types } = BUILT_IN_CATALOGUE

type Durations = NonNullable<ProfileDocument['durations']>

const lasting = <Name extends keyof Durations>(transition: Name, how: string, duration: Durations[Name]) => ({
  [`${transition} takes ${how}`]: {
    profile: { durations: { [transition]: duration } },
    expect: { aspect: 'duration' as const, subject: transition }
  }
})

/** Minutes by which an auto-stop is later than requests and replies say. */
const LATE = 3

/** By what they are. */
export const PERTURBATIONS: Readonly<Record<string, Perturbation>> = {
  // Durations
  ...lasting('workspace.create', 'longer', 'PT9M'),
  ...lasting('workspace.create', 'less long', 'PT40S'),
  ...lasting('workspace.pause', 'longer', 'PT4M'),
  ...lasting('workspace.resume', 'longer', { min: 'PT6M', max: 'PT8M' }),
  ...lasting('workspace.resize', 'longer', { min: 'PT5M', max: 'PT12M' }),
  ...lasting('workspace.delete', 'longer', 'PT6M'),
  ...lasting('workspace.refresh', 'longer', 'PT5M'),
  ...lasting('restore.run', 'less long', 'PT25S'),
  ...lasting('backup.run', 'longer', { realistic: { min: 'PT20M', max: 'PT25M' } }),
  // States
  'an Active workspace is Ready': {
    profile: { states: { workspace: { Active: 'Running' } } },
    expect: { aspect: 'state', subject: 'workspace Active' }
  },
  'a workspace is Suspending, then Paused': {
    profile: { states: { workspace: { Pausing: 'Suspending', Stopped: 'Paused' } } },
    expect: { aspect: 'state', subject: 'workspace Pausing' }
  },
  'a backup is Completed': {
    profile: { states: { backup: { Succeeded: 'Completed' } } },
    // Until a running one was seen, the word may mean that one runs.
    expect: { aspect: 'state', subject: 'backup Running' }
  },
  'a restore job is Queued': {
    profile: { states: { restore_job: { Pending: 'Queued', Succeeded: 'Done' } } },
    expect: { aspect: 'state', subject: 'restore_job Pending' }
  },
  'a refresh is Complete': {
    profile: { states: { refresh: { '': 'NeverRefreshed', Refreshed: 'Complete' } } },
    expect: { aspect: 'state', subject: 'refresh Refreshed' }
  },
  // Words
  'another word for a role': {
    profile: { names: { values: { 'workspace-member': 'member' } } },
    expect: { aspect: 'word', schema: 'org_handler.OrgRole', field: 'name' }
  },
  'workspace types of another brand': {
    profile: { names: { values: { 'SVC-00': 'ACME-00', 'SVC-0': 'ACME-0', 'SVC-1': 'ACME-1' } } },
    expect: { aspect: 'catalogue', subject: 'workspace_types' }
  },
  'another word for a condition': {
    rewrite: inAll('Workspace', (workspace) => ({
      ...workspace,
      condition_type: workspace['condition_type'] === 'Normal' ? 'Ready' : workspace['condition_type']
    })),
    expect: { aspect: 'word', schema: 'Workspace', field: 'condition_type' }
  },
  // Fields
  'a further field inside another': {
    profile: { fields: { WorkspaceType: { family: { const: 'general' } } } },
    expect: { aspect: 'further field', schema: 'WorkspaceType', field: 'family' }
  },
  'a field is missing': {
    profile: { omit: { Workspace: ['agent_config'] } },
    expect: { aspect: 'field', schema: 'Workspace', field: 'agent_config' }
  },
  'fields of a backup and of a user are missing': {
    profile: { omit: { Backup: ['tag', 'version'], 'svcIAM.IAMUser': ['email'] } },
    expect: { aspect: 'field', schema: 'Backup', field: 'version' }
  },
  'a field has another name': {
    profile: { names: { fields: { svc_version: 'engine_version' } } },
    expect: { aspect: 'field', field: 'svc_version' }
  },
  'a field is only sometimes there': {
    rewrite: inAll('Workspace', (workspace, random) =>
      random() < 0.4 ? without(workspace, 'folder_statistics') : workspace
    ),
    expect: { aspect: 'field', schema: 'Workspace', field: 'folder_statistics' }
  },
  // Types
  'a number is a text': {
    rewrite: inAll('Workspace', (workspace) => ({ ...workspace, version_number: String(workspace['version_number']) })),
    expect: { aspect: 'type', schema: 'Workspace', field: 'version_number' }
  },
  'an absent field is null': {
    rewrite: inAll('Workspace', (workspace) => ({ snapshot_time: null, ...workspace })),
    expect: { aspect: 'field', schema: 'Workspace', field: 'snapshot_time' }
  },
  // Statuses
  'refusals have statuses and types of their own': {
    profile: {
      errors: {
        notFound: { status: 403, operations: { getWorkspace: { status: 410 } } },
        notAllowed: { status: 409 },
        invalidBody: { status: 422, type: 'Unknown' },
        quotaExceeded: { status: 402 }
      }
    },
    expect: { aspect: 'error type', condition: 'invalidBody' }
  },
  'successes have statuses of their own': {
    profile: { replies: { status: { createWorkgroup: 201, createWorkspace: 202, deleteAllowedIP: 204 } } },
    expect: { aspect: 'status', operation: 'createWorkspace' }
  },
  'replies have forms of their own': {
    profile: { replies: { timestamps: { created_at: 'unix', time: 'unix_ms' }, empty: { addons: 'list' } } },
    expect: { aspect: 'type', field: 'addons' }
  },
  'a gateway answers unknown paths': {
    profile: { gateway: { unknown_path: { status: 403, body: { message: 'Missing Authentication Token' } } } },
    expect: { aspect: 'status', condition: 'notFound' }
  },
  'a gateway answers without a credential': {
    profile: { gateway: { missing_credential: { status: 403, body: 'Forbidden' } } },
    expect: { aspect: 'status', condition: 'unauthorized' }
  },
  'a wrong method is not found': {
    profile: { gateway: { unknown_method: { status: 404, body: { message: 'no Route matched' } } } },
    expect: { aspect: 'status', condition: 'methodNotAllowed' }
  },
  'keys may not delete users': {
    profile: { roles: { api_key: ['workspace-admin'], allow: { deleteDatabaseUser: ['org-admin'] } } },
    expect: { aspect: 'status', operation: 'deleteDatabaseUser' }
  },
  // Texts
  'other messages': {
    profile: { messages: { pauseWorkspace: 'Pausing.', createWorkgroup: 'Created.' } },
    expect: { aspect: 'message', operation: 'pauseWorkspace' }
  },
  'a message with an id': {
    profile: { messages: { updateWorkspace: 'Updated {{path.workspaceID}}.' } },
    expect: { aspect: 'message', operation: 'updateWorkspace' }
  },
  // Catalogue
  'another region': {
    profile: { catalogue: { regions: [...regions, { name: 'eu-central-1', description: 'Frankfurt' }] } },
    expect: { aspect: 'catalogue', subject: 'regions' }
  },
  'a region is missing': {
    profile: { catalogue: { regions: regions.slice(0, 3) } },
    expect: { aspect: 'catalogue', subject: 'regions' }
  },
  'another version': {
    profile: { catalogue: { versions: [...versions, { name: '4.3.0' }] } },
    expect: { aspect: 'catalogue', subject: 'versions' }
  },
  'another workspace type': {
    profile: { catalogue: { workspace_types: [...types, { typeName: 'SVC-12', cpu: 96, memory: 768 }] } },
    expect: { aspect: 'catalogue', subject: 'workspace_types' }
  },
  'another size of a type': {
    profile: {
      catalogue: {
        workspace_types: types.map((type) => (type.typeName === 'SVC-0' ? { ...type, memory: '40' } : type))
      }
    },
    expect: { aspect: 'catalogue', subject: 'workspace_types' }
  },
  // Quotas
  'one read-write workspace': {
    profile: { quotas: { rw_workspaces: { default: 1 } } },
    expect: { aspect: 'quota', subject: 'rw_workspaces' }
  },
  'failed workspaces count': {
    profile: { quotas: { rw_workspaces: { default: 2, failed: true } } },
    expect: { aspect: 'quota', subject: 'rw_workspaces' }
  },
  'one read-only workspace in the org': {
    profile: { quotas: { ro_workspaces: { default: 1 } } },
    expect: { aspect: 'quota', subject: 'ro_workspaces' }
  },
  'one read-only workspace for each database': {
    profile: { quotas: { ro_workspaces: { default: 1, per: 'database' } } },
    expect: { aspect: 'quota', subject: 'ro_workspaces' }
  },
  // Headers
  'no RequestID in the header': {
    rewrite: withHeaders((headers) => without(headers, 'x-request-id')),
    expect: { aspect: 'header', subject: 'x-request-id' }
  },
  'another media type': {
    rewrite: withHeaders((headers) => ({ ...headers, 'content-type': 'application/vnd.acme.v4+json' })),
    expect: { aspect: 'header', subject: 'content-type' }
  },
  // Envelopes
  'no RequestID in the envelope': {
    rewrite: inEnvelope((body) => without(body, 'RequestID')),
    expect: { aspect: 'envelope', field: 'RequestID' }
  },
  // Lists
  'the newest user first': {
    rewrite: of(
      ['listDatabaseUsers'],
      inList((list) => list.toReversed())
    ),
    expect: { aspect: 'order', operation: 'listDatabaseUsers' }
  },
  // Forms
  'timestamps without milliseconds': {
    profile: { replies: { timestamps: { created_at: 'seconds' } } },
    expect: { aspect: 'form', field: 'created_at' }
  },
  'resource names of another brand': {
    profile: { names: { prefixes: { 'srn:svc:': 'srn:acme:' } } },
    expect: { aspect: 'form', field: 'srn' }
  },
  // Values
  'versions begin at 1': {
    rewrite: inAll('Workspace', (workspace) => ({ ...workspace, version_number: 1 })),
    expect: { aspect: 'value', schema: 'Workspace', field: 'version_number' }
  },
  'another default region': {
    profile: { catalogue: { defaults: { region: 'eu-west-1' } } },
    expect: { aspect: 'value', schema: 'Workgroup', field: 'region' }
  },
  'another default type': {
    profile: { catalogue: { defaults: { workspace_type: 'SVC-64' } } },
    expect: { aspect: 'value', schema: 'Workspace', field: 'workspace_type' }
  },
  // Behaviour
  'a deleted workspace stays readable': {
    profile: { states: { workspace: { gone: 'Deleted' }, deleted: { readable_for: 'PT10M' } } },
    expect: { aspect: 'status', operation: 'getWorkspace' }
  },
  'auto-stop comes late': {
    rewrite: inField('auto_stop_minutes', (minutes) => Math.max(0, Number(minutes) - LATE)),
    expect: { aspect: 'transition', subject: 'workspace.auto-stop' }
  },
  'a read-only workspace can be backed up': {
    rewrite: of(['setBackupSchedule'], (exchange) =>
      exchange.status === 400
        ? {
            ...exchange,
            status: 200,
            body: { ...(exchange.body as object), Error: false, ErrorDetails: null, Result: 'ok' }
          }
        : exchange
    ),
    expect: { aspect: 'status', operation: 'setBackupSchedule' }
  }
}
