import type { Exchange } from '../../src/fidelity/exchange.js'
import type { FactKey } from '../../src/interface/assumption.js'
import type { OperationId } from '../../src/interface/operation-ids.js'
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
  isOf,
  isOk,
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
  /**
   * Patterns of facts, as those of assumptions: a fact matches if it has all values of a pattern. A good comparison
   * contradicts the mock in a fact that matches one of them.
   */
  readonly expect: readonly Partial<FactKey>[]
  /** Whether a profile can say it, so that a learned one leaves no contradiction. */
  readonly expressible: boolean
  /** Whether exchanges show it. Those of the same seed without it do not. */
  readonly shows: (exchanges: readonly Exchange[]) => boolean
}

type Given = Omit<Perturbation, 'name' | 'expressible' | 'shows' | 'expect'> & {
  readonly expect: Partial<FactKey> | readonly Partial<FactKey>[]
  /** Whether an exchange among others shows it. */
  readonly shows: (exchange: Exchange, index: number, all: readonly Exchange[]) => boolean
}

const listed = <T>(value: T | readonly T[]) => (Array.isArray(value) ? value : [value]) as readonly T[]
const text = ({ body }: Exchange) => JSON.stringify(body ?? '')
const says = (pattern: RegExp) => (exchange: Exchange) => pattern.test(text(exchange))
const answers = (operation: OperationId, expected: number) => (exchange: Exchange) =>
  exchange.status === expected && isOf([operation])(exchange)
const isRefused = (exchange: Exchange) => exchange.status !== null && exchange.status >= 400

function make(expressible: boolean) {
  return (name: string, { expect, shows, ...perturb }: Given): Perturbation => ({
    ...perturb,
    name,
    expressible,
    expect: listed<Partial<FactKey>>(expect),
    shows: (exchanges) => exchanges.some(shows)
  })
}

/** A profile can say it. */
const sayable = make(true)
/** No profile can say it. */
const unsayable = make(false)

const { regions, versions, workspaceTypes } = BUILT_IN_CATALOGUE
const WORKSPACE = /\/workspaces\/[^/]+$/

/** The reads that show how long a transition runs, and the words for the states in which it does. */
const SEEN = {
  'workspace.create': [WORKSPACE, 'Creating'],
  'workspace.pause': [WORKSPACE, 'Pausing'],
  'workspace.resume': [WORKSPACE, 'Resuming'],
  'workspace.resize': [WORKSPACE, 'Resizing'],
  'workspace.delete': [WORKSPACE, 'Terminating'],
  'workspace.refresh': [WORKSPACE, 'Refreshing'],
  'restore.run': [/\/backups\/[^/]+\/status$/, 'Pending|Running'],
  'backup.run': [/\/workspaces\/[^/]+\/backups$/, 'Running']
} as const

/**
 * Another duration.
 * @param isLonger than the built-in one; otherwise it is shorter
 */
function lasting(
  transition: keyof typeof SEEN,
  duration: NonNullable<NonNullable<ProfileDocument['durations']>[keyof typeof SEEN]>,
  isLonger: boolean
): Perturbation {
  const [path, words] = SEEN[transition]
  const word = new RegExp(`"(status|refresh_status)":"(${words})"`)
  return {
    name: `${transition} takes ${isLonger ? 'longer' : 'less long'}`,
    profile: { durations: { [transition]: duration } },
    expect: [{ aspect: 'duration', subject: transition }],
    expressible: true,
    shows: (exchanges) => {
      const span = longestSpan(
        exchanges.filter((exchange) => path.test(exchange.path)),
        word
      )
      return isLonger ? span > LONGEST[transition] : span < SHORTEST[transition]
    }
  }
}

/** How long each resource has been in a state, as reads show it, at most. */
function longestSpan(exchanges: readonly Exchange[], word: RegExp): number {
  const since = new Map<string, number>()
  let longest = 0
  for (const read of exchanges) {
    const { path, method, sent } = read
    if (method !== 'GET' || read.status !== 200) continue
    for (const { id = '', ...item } of listed((read.body as { Result: { id?: string } }).Result)) {
      const key = `${path} ${id}`
      const begin = since.get(key) ?? sent
      if (word.test(JSON.stringify(item))) {
        since.set(key, begin)
        longest = Math.max(longest, sent - begin)
      } else since.delete(key)
    }
  }
  return longest / 1000
}

/** The built-in durations in seconds, with room for what lies between two reads. */
const LONGEST = {
  'workspace.create': 250,
  'workspace.pause': 160,
  'workspace.resume': 95,
  'workspace.resize': 130,
  'workspace.delete': 70,
  'workspace.refresh': 70,
  'restore.run': 310,
  'backup.run': 190
}
const SHORTEST = {
  'workspace.create': 120,
  'workspace.pause': 60,
  'workspace.resume': 30,
  'workspace.resize': 45,
  'workspace.delete': 0,
  'workspace.refresh': 0,
  'restore.run': 150,
  'backup.run': 90
}

const DURATIONS: readonly Perturbation[] = [
  lasting('workspace.create', 'PT9M', true),
  lasting('workspace.create', 'PT40S', false),
  lasting('workspace.pause', 'PT4M', true),
  lasting('workspace.resume', { min: 'PT6M', max: 'PT8M' }, true),
  lasting('workspace.resize', { min: 'PT5M', max: 'PT12M' }, true),
  lasting('workspace.delete', 'PT6M', true),
  lasting('workspace.refresh', 'PT5M', true),
  lasting('restore.run', 'PT25S', false),
  lasting('backup.run', { realistic: { min: 'PT20M', max: 'PT25M' } }, true)
]

const STATES: readonly Perturbation[] = [
  sayable('an Active workspace is Ready', {
    profile: { states: { workspace: { Active: 'Running' } } },
    expect: { aspect: 'state', subject: 'workspace Active' },
    shows: says(/"status":"Running","condition_type"/)
  }),
  sayable('a workspace is Suspending, then Paused', {
    profile: { states: { workspace: { Pausing: 'Suspending', Stopped: 'Paused' } } },
    expect: [
      { aspect: 'state', subject: 'workspace Pausing' },
      { aspect: 'state', subject: 'workspace Stopped' }
    ],
    shows: says(/"status":"Suspending/)
  }),
  sayable('words for states in capitals', {
    profile: { states: { workspace: { Creating: 'CREATING', Resuming: 'RESUMING', Terminating: 'DELETING' } } },
    expect: { aspect: 'state', subject: 'workspace Creating' },
    shows: says(/"status":"CREATING"/)
  }),
  sayable('a backup is Completed', {
    profile: { states: { backup: { Succeeded: 'Completed' } } },
    // Where none is seen to run, the word may be that for one that does.
    expect: [
      { aspect: 'state', subject: 'backup Succeeded' },
      { aspect: 'state', subject: 'backup Running' }
    ],
    shows: says(/"status":"Completed"/)
  }),
  sayable('a restore job is Queued', {
    profile: { states: { restore_job: { Pending: 'Queued', Succeeded: 'Done' } } },
    expect: [
      { aspect: 'state', subject: 'restore_job Pending' },
      { aspect: 'state', subject: 'restore_job Succeeded' }
    ],
    shows: says(/"status":"Done"/)
  }),
  sayable('a refresh is Complete', {
    profile: { states: { refresh: { '': 'NeverRefreshed', Refreshed: 'Complete' } } },
    expect: [
      { aspect: 'state', subject: 'refresh Refreshed' },
      { aspect: 'state', subject: 'refresh ' }
    ],
    shows: says(/"refresh_status":"NeverRefreshed"/)
  })
]

const WORDS: readonly Perturbation[] = [
  sayable('another word for a role', {
    profile: { names: { values: { 'workspace-member': 'member' } } },
    expect: [
      { aspect: 'word', schema: 'org_handler.OrgRole', field: 'name' },
      { aspect: 'word', field: 'roles' },
      { aspect: 'value', schema: 'org_handler.OrgRole', field: 'name' }
    ],
    shows: says(/"name":"member"/)
  }),
  sayable('workspace types of another brand', {
    profile: { names: { values: { 'SVC-00': 'ACME-00', 'SVC-0': 'ACME-0', 'SVC-1': 'ACME-1' } } },
    expect: [
      { aspect: 'word', schema: 'WorkspaceType', field: 'typeName' },
      { aspect: 'catalogue', subject: 'workspace_types' }
    ],
    shows: says(/"typeName":"ACME-00"/)
  }),
  unsayable('another word for the kind of a backup', {
    rewrite: inAll('Backup', (backup) => ({
      ...backup,
      type: backup['type'] === 'automatic' ? 'scheduled' : 'on-demand'
    })),
    expect: { aspect: 'word', schema: 'Backup', field: 'type' },
    shows: says(/"type":"scheduled"/)
  }),
  unsayable('another word for a condition', {
    rewrite: inAll('Workspace', (workspace) => ({
      ...workspace,
      condition_type: workspace['condition_type'] === 'Normal' ? 'Ready' : workspace['condition_type']
    })),
    expect: { aspect: 'word', schema: 'Workspace', field: 'condition_type' },
    shows: says(/"condition_type":"Ready"/)
  })
]

const FIELDS: readonly Perturbation[] = [
  sayable('a further field with a constant', {
    profile: { fields: { Workspace: { edition: { const: 'enterprise' } } } },
    expect: { aspect: 'further field', schema: 'Workspace', field: 'edition' },
    shows: says(/"edition":"enterprise"/)
  }),
  sayable('a further field that mirrors another', {
    profile: { fields: { Workgroup: { display_name: { from: 'name' } } } },
    expect: { aspect: 'further field', schema: 'Workgroup', field: 'display_name' },
    shows: says(/"display_name"/)
  }),
  sayable('a further field inside another', {
    profile: { fields: { WorkspaceType: { family: { const: 'general' } } } },
    expect: { aspect: 'further field', schema: 'WorkspaceType', field: 'family' },
    shows: says(/"family":"general"/)
  }),
  sayable('a field is missing', {
    profile: { omit: { Workspace: ['agent_config'] } },
    expect: { aspect: 'field', schema: 'Workspace', field: 'agent_config' },
    shows: (exchange) => answers('getWorkspace', 200)(exchange) && !says(/"agent_config"/)(exchange)
  }),
  sayable('fields of a backup and of a user are missing', {
    profile: { omit: { Backup: ['tag', 'version'], 'svcIAM.IAMUser': ['email'] } },
    expect: [
      { aspect: 'field', schema: 'Backup', field: 'tag' },
      { aspect: 'field', schema: 'Backup', field: 'version' },
      { aspect: 'field', schema: 'svcIAM.IAMUser', field: 'email' }
    ],
    shows: (exchange) => says(/"is_automatic"/)(exchange) && !says(/"tag"/)(exchange)
  }),
  sayable('a field has another name', {
    profile: { names: { fields: { svc_version: 'engine_version' } } },
    expect: [
      { aspect: 'field', field: 'svc_version' },
      { aspect: 'field', field: 'engine_version' }
    ],
    shows: says(/"engine_version"/)
  }),
  unsayable('a field is only sometimes there', {
    rewrite: inAll('Workspace', (workspace, random) =>
      random() < 0.4 ? without(workspace, 'folder_statistics') : workspace
    ),
    expect: { aspect: 'field', schema: 'Workspace', field: 'folder_statistics' },
    shows: (exchange) => answers('getWorkspace', 200)(exchange) && !says(/"folder_statistics"/)(exchange)
  })
]

const TYPES: readonly Perturbation[] = [
  unsayable('a number is a text', {
    rewrite: inAll('Workspace', (workspace) => ({ ...workspace, version_number: String(workspace['version_number']) })),
    expect: { aspect: 'type', schema: 'Workspace', field: 'version_number' },
    shows: says(/"version_number":"/)
  }),
  unsayable('a text is a number', {
    rewrite: inAll('Backup', (backup) => ({ ...backup, size_bytes: Number(backup['size_bytes']) })),
    expect: { aspect: 'type', schema: 'Backup', field: 'size_bytes' },
    shows: says(/"size_bytes":\d/)
  }),
  unsayable('a text is an object', {
    rewrite: inAll('Workgroup', (workgroup) => ({ ...workgroup, region: { name: workgroup['region'] } })),
    expect: { aspect: 'type', schema: 'Workgroup', field: 'region' },
    shows: says(/"region":\{/)
  }),
  sayable('an empty list is not null', {
    rewrite: inAll('Workspace', (workspace) => ({
      ...workspace,
      addons: workspace['addons'] ?? []
    })),
    expect: { aspect: 'type', schema: 'Workspace', field: 'addons' },
    shows: says(/"addons":\[\]/)
  }),
  unsayable('an absent field is null', {
    rewrite: inAll('Workspace', (workspace) => ({ snapshot_time: null, ...workspace })),
    expect: [
      { aspect: 'field', schema: 'Workspace', field: 'snapshot_time' },
      { aspect: 'type', schema: 'Workspace', field: 'snapshot_time' }
    ],
    shows: says(/"snapshot_time":null/)
  }),
  unsayable('schedules are a list, not its text', {
    rewrite: of(
      ['getWorkspaceSchedules'],
      inEnvelope((body) =>
        typeof body['Result'] === 'string' ? { ...body, Result: JSON.parse(body['Result']) as unknown } : body
      )
    ),
    expect: [
      { aspect: 'type', operation: 'getWorkspaceSchedules' },
      { aspect: 'envelope', operation: 'getWorkspaceSchedules', field: 'Result' }
    ],
    shows: (exchange) => answers('getWorkspaceSchedules', 200)(exchange) && says(/"Result":\[/)(exchange)
  })
]

const CREATIONS: readonly OperationId[] = [
  'createWorkgroup',
  'createWorkspace',
  'addAllowedIP',
  'createDatabaseUser',
  'restoreBackup'
]

const STATUSES: readonly Perturbation[] = [
  sayable('what is not found is gone', {
    rewrite: refusedAs('notFound', status(410)),
    expect: { aspect: 'status', condition: 'notFound' },
    shows: ({ status: code }) => code === 410
  }),
  sayable('a state that forbids is a conflict', {
    rewrite: refusedAs('notAllowed', status(409)),
    expect: { aspect: 'status', condition: 'notAllowed' },
    shows: ({ status: code }) => code === 409
  }),
  sayable('an invalid body cannot be processed', {
    rewrite: refusedAs('invalidBody', status(422)),
    expect: { aspect: 'status', condition: 'invalidBody' },
    shows: ({ status: code }) => code === 422
  }),
  sayable('creations are created', {
    rewrite: of(CREATIONS, whereOk(status(201))),
    expect: CREATIONS.map((operation) => ({ aspect: 'status', operation })),
    shows: ({ status: code }) => code === 201
  }),
  sayable('what takes time is accepted', {
    rewrite: of(['pauseWorkspace', 'resumeWorkspace', 'deleteWorkspace'], whereOk(status(202))),
    expect: [
      { aspect: 'status', operation: 'pauseWorkspace' },
      { aspect: 'status', operation: 'resumeWorkspace' },
      { aspect: 'status', operation: 'deleteWorkspace' }
    ],
    shows: ({ status: code }) => code === 202
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
    expect: { aspect: 'status', operation: 'deleteDatabase' },
    shows: answers('deleteDatabase', 204)
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
    expect: [
      { aspect: 'status', condition: 'notFound' },
      { aspect: 'error type', condition: 'invalidBody' }
    ],
    shows: answers('getWorkspace', 410)
  }),
  sayable('successes have statuses of their own', {
    profile: { replies: { status: { createWorkgroup: 201, createWorkspace: 202, deleteAllowedIP: 204 } } },
    expect: { aspect: 'status', operation: 'createWorkspace' },
    shows: answers('createWorkspace', 202)
  }),
  sayable('replies have forms of their own', {
    profile: { replies: { timestamps: { created_at: 'unix', time: 'unix_ms' }, empty: { addons: 'list' } } },
    expect: { aspect: 'type', field: 'addons' },
    shows: says(/"addons":\[\]/)
  }),
  sayable('a gateway answers unknown paths', {
    profile: { gateway: { unknown_path: { status: 403, body: { message: 'Missing Authentication Token' } } } },
    expect: { aspect: 'status', condition: 'notFound' },
    shows: says(/Missing Authentication Token/)
  }),
  sayable('a gateway answers without a credential', {
    profile: { gateway: { missing_credential: { status: 403, body: 'Forbidden' } } },
    expect: { aspect: 'status', condition: 'unauthorized' },
    shows: ({ body }) => body === 'Forbidden'
  }),
  sayable('a wrong method is not found', {
    profile: { gateway: { unknown_method: { status: 404, body: { message: 'no Route matched' } } } },
    expect: { aspect: 'status', condition: 'methodNotAllowed' },
    shows: says(/no Route matched/)
  }),
  sayable('keys may not delete users', {
    profile: { roles: { api_key: ['workspace-admin'], allow: { deleteDatabaseUser: ['org-admin'] } } },
    expect: [
      { aspect: 'status', operation: 'deleteDatabaseUser' },
      { aspect: 'status', condition: 'forbidden' }
    ],
    shows: answers('deleteDatabaseUser', 403)
  })
]

const TEXTS: readonly Perturbation[] = [
  sayable('another type of errors, everywhere', {
    profile: { names: { values: { 'Not-Found': 'Resource-Not-Found' } } },
    expect: [
      { aspect: 'error type', condition: 'notFound' },
      { aspect: 'word', schema: 'middleware.Error', field: 'Type' }
    ],
    shows: says(/"Type":"Resource-Not-Found"/)
  }),
  unsayable('a type of error for conflicts', {
    rewrite: refusedAs(
      'notAllowed',
      inTexts(/^Bad-Request$/, () => 'Conflict')
    ),
    expect: { aspect: 'error type', condition: 'notAllowed' },
    shows: says(/"Type":"Conflict"/)
  }),
  sayable('other messages', {
    profile: { messages: { pauseWorkspace: 'Pausing.', createWorkgroup: 'Created.' } },
    expect: [
      { aspect: 'message', operation: 'pauseWorkspace' },
      { aspect: 'message', operation: 'createWorkgroup' }
    ],
    shows: says(/"Message":"Pausing\."/)
  }),
  sayable('a message with an id', {
    profile: { messages: { updateWorkspace: 'Updated {{path.workspaceID}}.' } },
    expect: { aspect: 'message', operation: 'updateWorkspace' },
    shows: says(/"Message":"Updated /)
  })
]

const CATALOGUE: readonly Perturbation[] = [
  sayable('another region', {
    profile: { catalogue: { regions: [...regions, { name: 'eu-central-1', description: 'Frankfurt' }] } },
    expect: { aspect: 'catalogue', subject: 'regions' },
    shows: says(/"eu-central-1"/)
  }),
  sayable('a region is missing', {
    profile: { catalogue: { regions: regions.slice(0, 3) } },
    expect: { aspect: 'catalogue', subject: 'regions' },
    shows: (exchange) => answers('getMetadata', 200)(exchange) && !says(/ap-southeast-1/)(exchange)
  }),
  sayable('another version', {
    profile: { catalogue: { versions: [...versions, { name: '4.3.0' }] } },
    expect: { aspect: 'catalogue', subject: 'versions' },
    shows: says(/"4\.3\.0"/)
  }),
  sayable('another workspace type', {
    profile: { catalogue: { workspace_types: [...workspaceTypes, { typeName: 'SVC-12', cpu: 96, memory: 768 }] } },
    expect: { aspect: 'catalogue', subject: 'workspace_types' },
    shows: says(/"SVC-12"/)
  }),
  sayable('another size of a type', {
    profile: {
      catalogue: {
        workspace_types: workspaceTypes.map((type) => (type.typeName === 'SVC-0' ? { ...type, memory: '40' } : type))
      }
    },
    expect: [
      { aspect: 'catalogue', subject: 'workspace_types' },
      { aspect: 'value', schema: 'WorkspaceType', field: 'memory' }
    ],
    shows: says(/"memory":"40"/)
  })
]

const refusedForQuota = (exchange: Exchange) => conditionOf(exchange) === 'quotaExceeded'

const QUOTAS: readonly Perturbation[] = [
  sayable('one read-write workspace', {
    profile: { quotas: { rw_workspaces: { default: 1 } } },
    expect: { aspect: 'quota', subject: 'rw_workspaces' },
    shows: refusedForQuota
  }),
  sayable('failed workspaces count', {
    profile: { quotas: { rw_workspaces: { default: 2, failed: true } } },
    expect: { aspect: 'quota', subject: 'rw_workspaces' },
    shows: refusedForQuota
  }),
  sayable('one read-only workspace in the org', {
    profile: { quotas: { ro_workspaces: { default: 1 } } },
    expect: { aspect: 'quota', subject: 'ro_workspaces' },
    shows: refusedForQuota
  }),
  sayable('one read-only workspace for each database', {
    profile: { quotas: { ro_workspaces: { default: 1, per: 'database' } } },
    expect: { aspect: 'quota', subject: 'ro_workspaces' },
    shows: refusedForQuota
  })
]

const HEADERS: readonly Perturbation[] = [
  unsayable('a further header', {
    rewrite: withHeaders(() => ({ 'x-served-by': 'edge-fra-3' })),
    expect: { aspect: 'header', subject: 'x-served-by' },
    shows: ({ headers }) => 'x-served-by' in headers
  }),
  unsayable('no RequestID in the header', {
    rewrite: withHeaders(() => ({ 'x-request-id': undefined })),
    expect: { aspect: 'header', subject: 'x-request-id' },
    shows: ({ status: code, headers }) => code !== null && !('x-request-id' in headers)
  }),
  unsayable('rate limits', {
    rewrite: withHeaders(({ number }) => ({
      'x-ratelimit-limit': '600',
      'x-ratelimit-remaining': String(600 - (number % 300))
    })),
    expect: [
      { aspect: 'header', subject: 'x-ratelimit-limit' },
      { aspect: 'header', subject: 'x-ratelimit-remaining' }
    ],
    shows: ({ headers }) => 'x-ratelimit-limit' in headers
  }),
  unsayable('another media type', {
    rewrite: withHeaders(({ headers }) =>
      'content-type' in headers ? { 'content-type': 'application/vnd.acme.v4+json' } : {}
    ),
    expect: { aspect: 'header', subject: 'content-type' },
    shows: ({ headers }) => headers['content-type']?.includes('acme') === true
  }),
  unsayable('a wrong method does not name the right ones', {
    rewrite: refusedAs(
      'methodNotAllowed',
      withHeaders(() => ({ allow: undefined }))
    ),
    expect: { aspect: 'header', subject: 'allow' },
    shows: ({ status: code, headers }) => code === 405 && !('allow' in headers)
  })
]

const ENVELOPES: readonly Perturbation[] = [
  unsayable('no RequestID in the envelope', {
    rewrite: inEnvelope((body) => without(body, 'RequestID')),
    expect: { aspect: 'envelope', field: 'RequestID' },
    shows: (exchange) => answers('getMetadata', 200)(exchange) && !says(/"RequestID"/)(exchange)
  }),
  unsayable('an error has no Result', {
    rewrite: inEnvelope((body) => (body['Error'] === true ? without(body, 'Result') : body)),
    expect: { aspect: 'envelope', field: 'Result' },
    shows: (exchange) => says(/"Error":true/)(exchange) && !says(/"Result":/)(exchange)
  }),
  unsayable('a success has ErrorDetails', {
    rewrite: inEnvelope((body) => (body['Error'] === false ? { ...body, ErrorDetails: [] } : body)),
    expect: { aspect: 'envelope', field: 'ErrorDetails' },
    shows: says(/"ErrorDetails":\[\]/)
  }),
  unsayable('a refusal has no ErrorDetails', {
    rewrite: inEnvelope((body, exchange) => (isRefused(exchange) ? without(body, 'ErrorDetails') : body)),
    expect: [{ aspect: 'envelope', field: 'ErrorDetails' }, { aspect: 'error type' }],
    shows: (exchange) => isRefused(exchange) && !says(/"ErrorDetails"/)(exchange)
  }),
  unsayable('an update has no result', {
    rewrite: of(['updateWorkspace', 'updateWorkgroup'], whereOk(inEnvelope((body) => without(body, 'Result')))),
    expect: [
      { aspect: 'envelope', operation: 'updateWorkspace', field: 'Result' },
      { aspect: 'envelope', operation: 'updateWorkgroup', field: 'Result' }
    ],
    shows: (exchange) => answers('updateWorkspace', 200)(exchange) && !says(/"Result"/)(exchange)
  })
]

const LISTS: readonly Perturbation[] = [
  unsayable('the newest user first', {
    rewrite: of(
      ['listDatabaseUsers'],
      inList((list) => list.toReversed())
    ),
    expect: { aspect: 'order', operation: 'listDatabaseUsers' },
    shows: says(/"username":"eve".*"username":"ben"/)
  }),
  unsayable('the newest backup first', {
    rewrite: of(
      ['listBackups'],
      inList((list) => list.toReversed())
    ),
    expect: { aspect: 'order', operation: 'listBackups' },
    shows: (exchange) => isOf(['listBackups'])(exchange) && isOk(exchange) && isNewestFirst(exchange)
  }),
  unsayable('a list has two entries at most', {
    rewrite: of(
      ['listAllowedIPs'],
      inList((list) => list.slice(0, 2))
    ),
    expect: { aspect: 'order', operation: 'listAllowedIPs' },
    shows: (exchange) => says(/"office".*"homes?"/)(exchange) && !says(/laboratory/)(exchange)
  })
]

function isNewestFirst({ body }: Exchange): boolean {
  const [first, second] = (body as { Result: { time: string }[] }).Result
  return second !== undefined && first!.time > second.time
}

const UUIDS = /([0-9a-f]{8})-([0-9a-f]{4})-(4[0-9a-f]{3})-([89ab][0-9a-f]{3})-([0-9a-f]{12})/g
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| \+0000 UTC)$/

/** A timestamp of either form as RFC 3339 has it, in seconds. */
const inSeconds = (time: string) => `${time.slice(0, 10)}T${time.slice(11, 19)}Z`

const FORMS: readonly Perturbation[] = [
  unsayable('ids are no UUIDs', {
    front: renaming(
      (client) => client.replace(UUIDS, 'r_$1$2$3$4$5'),
      (server) =>
        server.replace(/r_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})/g, '$1-$2-$3-$4-$5')
    ),
    expect: { aspect: 'form' },
    shows: says(/"workgroup_id":"r_/)
  }),
  sayable('timestamps without milliseconds', {
    rewrite: inTexts(TIMESTAMP, inSeconds),
    expect: { aspect: 'form' },
    shows: says(/"created_at":"[-\dT:]{19}Z"/)
  }),
  sayable('timestamps in seconds since 1970', {
    rewrite: inTexts(TIMESTAMP, (time) => Date.parse(inSeconds(time)) / 1000),
    expect: [
      { aspect: 'type', field: 'created_at' },
      { aspect: 'form', field: 'created_at' }
    ],
    shows: says(/"created_at":\d/)
  }),
  sayable('resource names of another brand', {
    profile: { names: { prefixes: { 'srn:svc:': 'srn:acme:' } } },
    expect: [
      { aspect: 'form', field: 'srn' },
      { aspect: 'value', field: 'srn' }
    ],
    shows: says(/"srn":"srn:acme:/)
  })
]

const WORKSPACES = /\/workspaces$/
/** Minutes that the service adds to each auto-stop, without saying so. */
const LATE = 3

const VALUES: readonly Perturbation[] = [
  unsayable('auto-stop after 15 minutes by default', {
    front: sending('POST', WORKSPACES, (body) => ({ auto_stop_minutes: 15, ...body })),
    expect: { aspect: 'value', schema: 'Workspace', field: 'auto_stop_minutes' },
    shows: says(/"auto_stop_minutes":15/)
  }),
  unsayable('other default names', {
    rewrite: inTexts(/^workgroup-[0-9a-f]{8}$/, (name) => name.replace('workgroup-', 'wg-')),
    expect: { aspect: 'form', subject: 'name', field: 'name' },
    shows: says(/"name":"wg-/)
  }),
  unsayable('backups are kept for 30 days by default', {
    rewrite: inAll('BackupSchedule', (schedule) => ({ ...schedule, max_reserved_days: 30 })),
    expect: { aspect: 'value', schema: 'BackupSchedule', field: 'max_reserved_days' },
    shows: says(/"max_reserved_days":30/)
  }),
  unsayable('versions begin at 1', {
    rewrite: inAll('Workspace', (workspace) => ({ ...workspace, version_number: 1 })),
    expect: { aspect: 'value', schema: 'Workspace', field: 'version_number' },
    shows: says(/"version_number":1/)
  }),
  sayable('another default region', {
    profile: { catalogue: { defaults: { region: 'eu-west-1' } } },
    expect: { aspect: 'value', schema: 'Workgroup', field: 'region' },
    shows: (exchange) =>
      answers('createWorkgroup', 200)(exchange) &&
      !Object.keys(exchange.requestBody as object).includes('region') &&
      says(/"region":"eu-west-1"/)(exchange)
  }),
  sayable('another default type', {
    profile: { catalogue: { defaults: { workspace_type: 'SVC-64' } } },
    expect: [
      { aspect: 'value', schema: 'Workspace', field: 'workspace_type' },
      { aspect: 'value', schema: 'WorkspaceType', field: 'typeName' },
      { aspect: 'value', operation: 'createWorkspace' }
    ],
    shows: (exchange) => answers('getWorkspace', 200)(exchange) && says(/"typeName":"SVC-64"/)(exchange)
  })
]

const BEHAVIOUR: readonly Perturbation[] = [
  unsayable('a pause of what is paused is refused', {
    front: refusing('POST', '/pause', ({ status: state }) => state === 'Stopped', 'The workspace is paused.'),
    expect: [
      { aspect: 'status', operation: 'pauseWorkspace' },
      { aspect: 'transition', subject: 'workspace.pause' }
    ],
    shows: says(/"Message":"The workspace is paused\."/)
  }),
  unsayable('a failed workspace cannot be resumed', {
    front: refusing('POST', '/resume', ({ status: state }) => state === 'Failed', 'The workspace has failed.'),
    expect: [
      { aspect: 'status', operation: 'resumeWorkspace' },
      { aspect: 'transition', subject: 'workspace.resume' }
    ],
    shows: says(/"Message":"The workspace has failed\."/)
  }),
  unsayable('enabling what is enabled is refused', {
    front: refusing(
      'PUT',
      '/allow_list/enable',
      (workgroup) => workgroup['enable_allow_list'] === true,
      'It is enabled.'
    ),
    expect: { aspect: 'status', operation: 'enableAllowList' },
    shows: answers('enableAllowList', 400)
  }),
  sayable('a deleted workspace stays readable', {
    profile: { states: { workspace: { gone: 'Deleted' }, deleted: { readable_for: 'PT10M' } } },
    expect: [
      { aspect: 'state', subject: 'workspace gone' },
      { aspect: 'status', operation: 'getWorkspace' },
      { aspect: 'transition', subject: 'workspace.delete' }
    ],
    shows: says(/"status":"Deleted"/)
  }),
  unsayable('a failed resize leads to Failed', {
    front: failingResizes,
    expect: [
      { aspect: 'transition', subject: 'workspace.resize' },
      { aspect: 'state', subject: 'workspace Failed' }
    ],
    shows: (exchange) =>
      answers('getWorkspace', 200)(exchange) &&
      /"name":"(writer|main|Primary 1|renamed)".*"status":"Failed"/.test(text(exchange))
  }),
  unsayable('more backups are kept than it says', {
    front: changingReplies(
      sending('POST', /\/backups\/schedule$/, (body) => ({ ...body, ...more(body, 'max_backup_files', 2) })),
      answering('max_backup_files', (files) => (files as number) - 2)
    ),
    expect: [
      { aspect: 'order', operation: 'listBackups' },
      { aspect: 'value', operation: 'listBackups' },
      { aspect: 'transition', subject: 'backup.run' }
    ],
    shows: (exchange) =>
      answers('listBackups', 200)(exchange) && text(exchange).split('"status":"Succeeded"').length > 3
  }),
  unsayable('a workgroup takes its databases along', {
    front: cascading,
    expect: { aspect: 'status', operation: 'deleteWorkgroup' },
    shows: (exchange, _, all) =>
      answers('deleteWorkgroup', 200)(exchange) && !all.some((other) => answers('deleteDatabase', 200)(other))
  }),
  unsayable('auto-stop comes late', {
    front: changingReplies(
      sending('PUT', WORKSPACE, (body) => ({ ...body, ...more(body, 'auto_stop_minutes', LATE) })),
      answering('auto_stop_minutes', (minutes) => Math.max(0, (minutes as number) - LATE))
    ),
    expect: [
      { aspect: 'transition', subject: 'workspace.pause' },
      { aspect: 'transition', subject: 'workspace.auto-stop' },
      { aspect: 'duration', subject: 'workspace.pause' }
    ],
    shows: isActiveTooLong
  }),
  unsayable('a read-only workspace can be backed up', {
    rewrite: of(['setBackupSchedule'], (exchange) =>
      conditionOf(exchange) === 'notAllowed'
        ? {
            ...exchange,
            status: 200,
            body: { ...succeeded(exchange), Message: 'Successfully set the backup schedule.' }
          }
        : exchange
    ),
    expect: { aspect: 'status', operation: 'setBackupSchedule' },
    shows: ({ body, requestBody, status: code }) =>
      code === 200 && /"0 3 /.test(JSON.stringify(requestBody ?? '')) && /Successfully set/.test(JSON.stringify(body))
  })
]

/** Whether a workspace is still Active after the minutes that an update has given. */
function isActiveTooLong({ path, requestBody, answered }: Exchange, index: number, all: readonly Exchange[]): boolean {
  const { auto_stop_minutes: minutes = 0 } = (requestBody ?? {}) as { auto_stop_minutes?: unknown }
  if (typeof minutes !== 'number' || minutes === 0) return false
  const reads = all.slice(index + 1).filter((read) => read.method === 'GET' && read.path === path && isOk(read))
  const firstOther = reads.findIndex((read) => !says(/"status":"Active"/)(read))
  const lastActive = reads[firstOther - 1]
  return lastActive !== undefined && lastActive.sent - answered > minutes * 60_000
}

/** A number of a body, if it has one that is not 0, made larger. */
function more(body: Readonly<Record<string, unknown>>, field: string, by: number): object {
  const value = body[field]
  return typeof value === 'number' && value > 0 ? { [field]: value + by } : {}
}

function succeeded({ body }: Exchange): object {
  return { Error: false, RequestID: (body as { RequestID: string }).RequestID }
}

/** All ways in which a service is made to differ from the mock. */
export const PERTURBATIONS: readonly Perturbation[] = [
  ...DURATIONS,
  ...STATES,
  ...WORDS,
  ...FIELDS,
  ...TYPES,
  ...STATUSES,
  ...TEXTS,
  ...CATALOGUE,
  ...QUOTAS,
  ...HEADERS,
  ...ENVELOPES,
  ...LISTS,
  ...FORMS,
  ...VALUES,
  ...BEHAVIOUR
]
