import type { FactKey } from '../../src/interface/assumption.js'
import { BUILT_IN_CATALOGUE } from '../../src/profile/catalogue.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import { answering, cascading, changingReplies, failingResizes, refusing, renaming, sending } from './fronts.js'
import type { Perturb } from './real-service.js'
import {
  conditionOf,
  inAll,
  inEnvelope,
  inList,
  inTexts,
  of,
  refusedAs,
  status,
  whereOk,
  withHeaders,
  without
} from './rewrites.js'

/** One way in which a service differs from the mock. */
export interface Perturbation extends Perturb {
  readonly name: string
  /** The values of a fact in which a good comparison contradicts the mock. */
  readonly expect: Partial<FactKey>
  /** Whether a profile can say it, so that a learned one leaves no contradiction. */
  readonly expressible: boolean
}

const make =
  (expressible: boolean) =>
  (name: string, perturb: Perturb & Pick<Perturbation, 'expect'>): Perturbation => ({ ...perturb, name, expressible })

/** A profile can say it. */
const sayable = make(true)
/** No profile can say it. */
const unsayable = make(false)

const { regions, versions, workspace_types: types } = BUILT_IN_CATALOGUE

type Durations = NonNullable<ProfileDocument['durations']>

/** Another duration, as the name says. */
const lasting = <Name extends keyof Durations>(transition: Name, how: string, duration: Durations[Name]) =>
  sayable(`${transition} takes ${how}`, {
    profile: { durations: { [transition]: duration } },
    expect: { aspect: 'duration', subject: transition }
  })

const CREATIONS = ['createWorkgroup', 'createWorkspace', 'addAllowedIP', 'createDatabaseUser', 'restoreBackup'] as const

const UUIDS = /([0-9a-f]{8})-([0-9a-f]{4})-(4[0-9a-f]{3})-([89ab][0-9a-f]{3})-([0-9a-f]{12})/g
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| \+0000 UTC)$/

/** A timestamp of either form as RFC 3339 has it, in seconds. */
const inSeconds = (time: string) => `${time.slice(0, 10)}T${time.slice(11, 19)}Z`

/** Minutes that the service adds to each auto-stop, without saying so. */
const LATE = 3

/** All ways in which a service is made to differ from the mock. */
export const PERTURBATIONS: readonly Perturbation[] = [
  // Durations
  lasting('workspace.create', 'longer', 'PT9M'),
  lasting('workspace.create', 'less long', 'PT40S'),
  lasting('workspace.pause', 'longer', 'PT4M'),
  lasting('workspace.resume', 'longer', { min: 'PT6M', max: 'PT8M' }),
  lasting('workspace.resize', 'longer', { min: 'PT5M', max: 'PT12M' }),
  lasting('workspace.delete', 'longer', 'PT6M'),
  lasting('workspace.refresh', 'longer', 'PT5M'),
  lasting('restore.run', 'less long', 'PT25S'),
  lasting('backup.run', 'longer', { realistic: { min: 'PT20M', max: 'PT25M' } }),
  // States
  sayable('an Active workspace is Ready', {
    profile: { states: { workspace: { Active: 'Running' } } },
    expect: { aspect: 'state', subject: 'workspace Active' }
  }),
  sayable('a workspace is Suspending, then Paused', {
    profile: { states: { workspace: { Pausing: 'Suspending', Stopped: 'Paused' } } },
    expect: { aspect: 'state', subject: 'workspace Pausing' }
  }),
  sayable('words for states in capitals', {
    profile: { states: { workspace: { Creating: 'CREATING', Resuming: 'RESUMING', Terminating: 'DELETING' } } },
    expect: { aspect: 'state', subject: 'workspace Creating' }
  }),
  sayable('a backup is Completed', {
    profile: { states: { backup: { Succeeded: 'Completed' } } },
    // As long as none was seen to run, the word may be that for one that does.
    expect: { aspect: 'state', subject: 'backup Running' }
  }),
  sayable('a restore job is Queued', {
    profile: { states: { restore_job: { Pending: 'Queued', Succeeded: 'Done' } } },
    expect: { aspect: 'state', subject: 'restore_job Pending' }
  }),
  sayable('a refresh is Complete', {
    profile: { states: { refresh: { '': 'NeverRefreshed', Refreshed: 'Complete' } } },
    expect: { aspect: 'state', subject: 'refresh Refreshed' }
  }),
  // Words
  sayable('another word for a role', {
    profile: { names: { values: { 'workspace-member': 'member' } } },
    expect: { aspect: 'word', schema: 'org_handler.OrgRole', field: 'name' }
  }),
  sayable('workspace types of another brand', {
    profile: { names: { values: { 'SVC-00': 'ACME-00', 'SVC-0': 'ACME-0', 'SVC-1': 'ACME-1' } } },
    expect: { aspect: 'catalogue', subject: 'workspace_types' }
  }),
  unsayable('another word for the kind of a backup', {
    rewrite: inAll('Backup', (backup) => ({
      ...backup,
      type: backup['type'] === 'automatic' ? 'scheduled' : 'on-demand'
    })),
    expect: { aspect: 'word', schema: 'Backup', field: 'type' }
  }),
  unsayable('another word for a condition', {
    rewrite: inAll('Workspace', (workspace) => ({
      ...workspace,
      condition_type: workspace['condition_type'] === 'Normal' ? 'Ready' : workspace['condition_type']
    })),
    expect: { aspect: 'word', schema: 'Workspace', field: 'condition_type' }
  }),
  // Fields
  sayable('a further field with a constant', {
    profile: { fields: { Workspace: { edition: { const: 'enterprise' } } } },
    expect: { aspect: 'further field', schema: 'Workspace', field: 'edition' }
  }),
  sayable('a further field that mirrors another', {
    profile: { fields: { Workgroup: { display_name: { from: 'name' } } } },
    expect: { aspect: 'further field', schema: 'Workgroup', field: 'display_name' }
  }),
  sayable('a further field inside another', {
    profile: { fields: { WorkspaceType: { family: { const: 'general' } } } },
    expect: { aspect: 'further field', schema: 'WorkspaceType', field: 'family' }
  }),
  sayable('a field is missing', {
    profile: { omit: { Workspace: ['agent_config'] } },
    expect: { aspect: 'field', schema: 'Workspace', field: 'agent_config' }
  }),
  sayable('fields of a backup and of a user are missing', {
    profile: { omit: { Backup: ['tag', 'version'], 'svcIAM.IAMUser': ['email'] } },
    expect: { aspect: 'field', schema: 'Backup', field: 'version' }
  }),
  sayable('a field has another name', {
    profile: { names: { fields: { svc_version: 'engine_version' } } },
    expect: { aspect: 'field', field: 'svc_version' }
  }),
  unsayable('a field is only sometimes there', {
    rewrite: inAll('Workspace', (workspace, random) =>
      random() < 0.4 ? without(workspace, 'folder_statistics') : workspace
    ),
    expect: { aspect: 'field', schema: 'Workspace', field: 'folder_statistics' }
  }),
  // Types
  unsayable('a number is a text', {
    rewrite: inAll('Workspace', (workspace) => ({ ...workspace, version_number: String(workspace['version_number']) })),
    expect: { aspect: 'type', schema: 'Workspace', field: 'version_number' }
  }),
  unsayable('a text is a number', {
    rewrite: inAll('Backup', (backup) => ({ ...backup, size_bytes: Number(backup['size_bytes']) })),
    expect: { aspect: 'type', schema: 'Backup', field: 'size_bytes' }
  }),
  unsayable('a text is an object', {
    rewrite: inAll('Workgroup', (workgroup) => ({ ...workgroup, region: { name: workgroup['region'] } })),
    expect: { aspect: 'type', schema: 'Workgroup', field: 'region' }
  }),
  sayable('an empty list is not null', {
    rewrite: inAll('Workspace', (workspace) => ({
      ...workspace,
      addons: workspace['addons'] ?? []
    })),
    expect: { aspect: 'type', schema: 'Workspace', field: 'addons' }
  }),
  unsayable('an absent field is null', {
    rewrite: inAll('Workspace', (workspace) => ({ snapshot_time: null, ...workspace })),
    expect: { aspect: 'field', schema: 'Workspace', field: 'snapshot_time' }
  }),
  unsayable('schedules are a list, not its text', {
    rewrite: of(
      ['getWorkspaceSchedules'],
      inEnvelope((body) =>
        typeof body['Result'] === 'string' ? { ...body, Result: JSON.parse(body['Result']) as unknown } : body
      )
    ),
    expect: { aspect: 'type', operation: 'getWorkspaceSchedules' }
  }),
  // Statuses
  sayable('what is not found is gone', {
    rewrite: refusedAs('notFound', status(410)),
    expect: { aspect: 'status', condition: 'notFound' }
  }),
  sayable('a state that forbids is a conflict', {
    rewrite: refusedAs('notAllowed', status(409)),
    expect: { aspect: 'status', condition: 'notAllowed' }
  }),
  sayable('an invalid body cannot be processed', {
    rewrite: refusedAs('invalidBody', status(422)),
    expect: { aspect: 'status', condition: 'invalidBody' }
  }),
  sayable('creations are created', {
    rewrite: of(CREATIONS, whereOk(status(201))),
    expect: { aspect: 'status', operation: 'createWorkgroup' }
  }),
  sayable('what takes time is accepted', {
    rewrite: of(['pauseWorkspace', 'resumeWorkspace', 'deleteWorkspace'], whereOk(status(202))),
    expect: { aspect: 'status', operation: 'pauseWorkspace' }
  }),
  sayable('a deletion has no content', {
    rewrite: of(
      ['deleteDatabase'],
      whereOk(({ body: _, ...exchange }) => ({
        ...exchange,
        status: 204,
        headers: without(exchange.headers, 'content-type', 'content-length') as Record<string, string>
      }))
    ),
    expect: { aspect: 'status', operation: 'deleteDatabase' }
  }),
  sayable('refusals have statuses and types of their own', {
    profile: {
      errors: {
        notFound: { status: 403, operations: { getWorkspace: { status: 410 } } },
        notAllowed: { status: 409 },
        invalidBody: { status: 422, type: 'Unknown' },
        quotaExceeded: { status: 402 }
      }
    },
    expect: { aspect: 'error type', condition: 'invalidBody' }
  }),
  sayable('successes have statuses of their own', {
    profile: { replies: { status: { createWorkgroup: 201, createWorkspace: 202, deleteAllowedIP: 204 } } },
    expect: { aspect: 'status', operation: 'createWorkspace' }
  }),
  sayable('replies have forms of their own', {
    profile: { replies: { timestamps: { created_at: 'unix', time: 'unix_ms' }, empty: { addons: 'list' } } },
    expect: { aspect: 'type', field: 'addons' }
  }),
  sayable('a gateway answers unknown paths', {
    profile: { gateway: { unknown_path: { status: 403, body: { message: 'Missing Authentication Token' } } } },
    expect: { aspect: 'status', condition: 'notFound' }
  }),
  sayable('a gateway answers without a credential', {
    profile: { gateway: { missing_credential: { status: 403, body: 'Forbidden' } } },
    expect: { aspect: 'status', condition: 'unauthorized' }
  }),
  sayable('a wrong method is not found', {
    profile: { gateway: { unknown_method: { status: 404, body: { message: 'no Route matched' } } } },
    expect: { aspect: 'status', condition: 'methodNotAllowed' }
  }),
  sayable('keys may not delete users', {
    profile: { roles: { api_key: ['workspace-admin'], allow: { deleteDatabaseUser: ['org-admin'] } } },
    expect: { aspect: 'status', operation: 'deleteDatabaseUser' }
  }),
  // Texts
  sayable('another type of errors, everywhere', {
    profile: { names: { values: { 'Not-Found': 'Resource-Not-Found' } } },
    expect: { aspect: 'error type', condition: 'notFound' }
  }),
  unsayable('a type of error for conflicts', {
    rewrite: refusedAs(
      'notAllowed',
      inTexts(/^Bad-Request$/, () => 'Conflict')
    ),
    expect: { aspect: 'error type', condition: 'notAllowed' }
  }),
  sayable('other messages', {
    profile: { messages: { pauseWorkspace: 'Pausing.', createWorkgroup: 'Created.' } },
    expect: { aspect: 'message', operation: 'pauseWorkspace' }
  }),
  sayable('a message with an id', {
    profile: { messages: { updateWorkspace: 'Updated {{path.workspaceID}}.' } },
    expect: { aspect: 'message', operation: 'updateWorkspace' }
  }),
  // Catalogue
  sayable('another region', {
    profile: { catalogue: { regions: [...regions, { name: 'eu-central-1', description: 'Frankfurt' }] } },
    expect: { aspect: 'catalogue', subject: 'regions' }
  }),
  sayable('a region is missing', {
    profile: { catalogue: { regions: regions.slice(0, 3) } },
    expect: { aspect: 'catalogue', subject: 'regions' }
  }),
  sayable('another version', {
    profile: { catalogue: { versions: [...versions, { name: '4.3.0' }] } },
    expect: { aspect: 'catalogue', subject: 'versions' }
  }),
  sayable('another workspace type', {
    profile: { catalogue: { workspace_types: [...types, { typeName: 'SVC-12', cpu: 96, memory: 768 }] } },
    expect: { aspect: 'catalogue', subject: 'workspace_types' }
  }),
  sayable('another size of a type', {
    profile: {
      catalogue: {
        workspace_types: types.map((type) => (type.typeName === 'SVC-0' ? { ...type, memory: '40' } : type))
      }
    },
    expect: { aspect: 'catalogue', subject: 'workspace_types' }
  }),
  // Quotas
  sayable('one read-write workspace', {
    profile: { quotas: { rw_workspaces: { default: 1 } } },
    expect: { aspect: 'quota', subject: 'rw_workspaces' }
  }),
  sayable('failed workspaces count', {
    profile: { quotas: { rw_workspaces: { default: 2, failed: true } } },
    expect: { aspect: 'quota', subject: 'rw_workspaces' }
  }),
  sayable('one read-only workspace in the org', {
    profile: { quotas: { ro_workspaces: { default: 1 } } },
    expect: { aspect: 'quota', subject: 'ro_workspaces' }
  }),
  sayable('one read-only workspace for each database', {
    profile: { quotas: { ro_workspaces: { default: 1, per: 'database' } } },
    expect: { aspect: 'quota', subject: 'ro_workspaces' }
  }),
  // Headers
  unsayable('a further header', {
    rewrite: withHeaders(() => ({ 'x-served-by': 'edge-fra-3' })),
    expect: { aspect: 'header', subject: 'x-served-by' }
  }),
  unsayable('no RequestID in the header', {
    rewrite: withHeaders(() => ({ 'x-request-id': undefined })),
    expect: { aspect: 'header', subject: 'x-request-id' }
  }),
  unsayable('rate limits', {
    rewrite: withHeaders(({ number }) => ({
      'x-ratelimit-limit': '600',
      'x-ratelimit-remaining': String(600 - (number % 300))
    })),
    expect: { aspect: 'header', subject: 'x-ratelimit-limit' }
  }),
  unsayable('another media type', {
    rewrite: withHeaders(({ headers }) =>
      'content-type' in headers ? { 'content-type': 'application/vnd.acme.v4+json' } : {}
    ),
    expect: { aspect: 'header', subject: 'content-type' }
  }),
  unsayable('a wrong method does not name the right ones', {
    rewrite: refusedAs(
      'methodNotAllowed',
      withHeaders(() => ({ allow: undefined }))
    ),
    expect: { aspect: 'header', subject: 'allow' }
  }),
  // Envelopes
  unsayable('no RequestID in the envelope', {
    rewrite: inEnvelope((body) => without(body, 'RequestID')),
    expect: { aspect: 'envelope', field: 'RequestID' }
  }),
  unsayable('an error has no Result', {
    rewrite: inEnvelope((body) => (body['Error'] === true ? without(body, 'Result') : body)),
    expect: { aspect: 'envelope', field: 'Result' }
  }),
  unsayable('a success has ErrorDetails', {
    rewrite: inEnvelope((body) => (body['Error'] === false ? { ...body, ErrorDetails: [] } : body)),
    expect: { aspect: 'envelope', field: 'ErrorDetails' }
  }),
  unsayable('a refusal has no ErrorDetails', {
    rewrite: inEnvelope((body) => (body['Error'] === true ? without(body, 'ErrorDetails') : body)),
    expect: { aspect: 'envelope', field: 'ErrorDetails' }
  }),
  unsayable('an update has no result', {
    rewrite: of(['updateWorkspace', 'updateWorkgroup'], whereOk(inEnvelope((body) => without(body, 'Result')))),
    expect: { aspect: 'envelope', operation: 'updateWorkspace', field: 'Result' }
  }),
  // Lists
  unsayable('the newest user first', {
    rewrite: of(
      ['listDatabaseUsers'],
      inList((list) => list.toReversed())
    ),
    expect: { aspect: 'order', operation: 'listDatabaseUsers' }
  }),
  unsayable('the newest backup first', {
    rewrite: of(
      ['listBackups'],
      inList((list) => list.toReversed())
    ),
    expect: { aspect: 'order', operation: 'listBackups' }
  }),
  unsayable('a list has two entries at most', {
    rewrite: of(
      ['listAllowedIPs'],
      inList((list) => list.slice(0, 2))
    ),
    expect: { aspect: 'order', operation: 'listAllowedIPs' }
  }),
  // Forms
  unsayable('ids are no UUIDs', {
    front: renaming(
      (client) => client.replace(UUIDS, 'r_$1$2$3$4$5'),
      (server) =>
        server.replace(/r_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})/g, '$1-$2-$3-$4-$5')
    ),
    expect: { aspect: 'form' }
  }),
  sayable('timestamps without milliseconds', {
    rewrite: inTexts(TIMESTAMP, inSeconds),
    expect: { aspect: 'form' }
  }),
  sayable('timestamps in seconds since 1970', {
    rewrite: inTexts(TIMESTAMP, (time) => Date.parse(inSeconds(time)) / 1000),
    expect: { aspect: 'form', field: 'created_at' }
  }),
  sayable('resource names of another brand', {
    profile: { names: { prefixes: { 'srn:svc:': 'srn:acme:' } } },
    expect: { aspect: 'form', field: 'srn' }
  }),
  // Values
  unsayable('auto-stop after 15 minutes by default', {
    front: sending('POST', /\/workspaces$/, (body) => ({ auto_stop_minutes: 15, ...body })),
    expect: { aspect: 'value', schema: 'Workspace', field: 'auto_stop_minutes' }
  }),
  unsayable('other default names', {
    rewrite: inTexts(/^workgroup-[0-9a-f]{8}$/, (name) => name.replace('workgroup-', 'wg-')),
    expect: { aspect: 'form', subject: 'name', field: 'name' }
  }),
  unsayable('backups are kept for 30 days by default', {
    rewrite: inAll('BackupSchedule', (schedule) => ({ ...schedule, max_reserved_days: 30 })),
    expect: { aspect: 'value', schema: 'BackupSchedule', field: 'max_reserved_days' }
  }),
  unsayable('versions begin at 1', {
    rewrite: inAll('Workspace', (workspace) => ({ ...workspace, version_number: 1 })),
    expect: { aspect: 'value', schema: 'Workspace', field: 'version_number' }
  }),
  sayable('another default region', {
    profile: { catalogue: { defaults: { region: 'eu-west-1' } } },
    expect: { aspect: 'value', schema: 'Workgroup', field: 'region' }
  }),
  sayable('another default type', {
    profile: { catalogue: { defaults: { workspace_type: 'SVC-64' } } },
    expect: { aspect: 'value', schema: 'Workspace', field: 'workspace_type' }
  }),
  // Behaviour
  unsayable('a pause of what is paused is refused', {
    front: refusing('POST', '/pause', ({ status: state }) => state === 'Stopped', 'The workspace is paused.'),
    expect: { aspect: 'transition', subject: 'workspace.pause' }
  }),
  unsayable('a failed workspace cannot be resumed', {
    front: refusing('POST', '/resume', ({ status: state }) => state === 'Failed', 'The workspace has failed.'),
    expect: { aspect: 'transition', subject: 'workspace.resume' }
  }),
  unsayable('enabling what is enabled is refused', {
    front: refusing(
      'PUT',
      '/allow_list/enable',
      (workgroup) => workgroup['enable_allow_list'] === true,
      'It is enabled.'
    ),
    expect: { aspect: 'status', operation: 'enableAllowList' }
  }),
  sayable('a deleted workspace stays readable', {
    profile: { states: { workspace: { gone: 'Deleted' }, deleted: { readable_for: 'PT10M' } } },
    expect: { aspect: 'status', operation: 'getWorkspace' }
  }),
  unsayable('a failed resize leads to Failed', {
    front: failingResizes,
    expect: { aspect: 'transition', subject: 'workspace.resize' }
  }),
  unsayable('a workgroup takes its databases along', {
    front: cascading,
    expect: { aspect: 'status', operation: 'deleteWorkgroup' }
  }),
  unsayable('auto-stop comes late', {
    front: changingReplies(
      sending('PUT', /\/workspaces\/[^/]+$/, (body) => {
        const minutes = Number(body['auto_stop_minutes'] ?? 0)
        return minutes > 0 ? { ...body, auto_stop_minutes: minutes + LATE } : body
      }),
      answering('auto_stop_minutes', (minutes) => Math.max(0, (minutes as number) - LATE))
    ),
    expect: { aspect: 'transition', subject: 'workspace.auto-stop' }
  }),
  unsayable('a read-only workspace can be backed up', {
    rewrite: of(['setBackupSchedule'], (exchange) =>
      conditionOf(exchange) === 'notAllowed'
        ? {
            ...exchange,
            status: 200,
            body: { ...(exchange.body as object), Error: false, ErrorDetails: null, Result: 'ok' }
          }
        : exchange
    ),
    expect: { aspect: 'status', operation: 'setBackupSchedule' }
  })
]
