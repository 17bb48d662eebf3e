import t from 'tap'
import { conform, type Conformance } from '../../src/fidelity/conform.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { learnFromExchanges } from '../../src/fidelity/learn/learn.js'
import type { OperationId } from '../../src/interface/operation-ids.js'
import { isObject } from '../../src/lib/json.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import { idsOf } from './asked-service.js'
import { playOtherMake } from './other-make/play.js'
import { OtherService } from './other-make/service.js'
import { together } from './profiles.js'

/** The differences between the service of another make and the mock, with the parts of a profile that express them. */
const LEARNED: Readonly<Record<string, Partial<ProfileDocument>>> = {
  'an invalid body is a 422 Invalid': { errors: { invalidBody: { status: 422, type: 'Invalid' } } },
  'a change that the state forbids is a 409 Conflict': { errors: { notAllowed: { status: 409, type: 'Conflict' } } },
  'a user that does not exist is a 404': {
    errors: { notAllowed: { operations: { deleteDatabaseUser: { status: 404, type: 'Not-Found' } } } }
  },
  'not found has other messages': {
    errors: {
      notFound: {
        operations: {
          getWorkgroup: { message: 'workgroup not found: {{path.workgroupID}}' },
          pauseWorkspace: { message: 'workspace not found: {{path.workspaceID}}' }
        }
      }
    }
  },
  'a type of errors has another name': { names: { values: { 'Not-Found': 'NotFound' } } },
  'a second pause is refused': { errors: { notAllowed: { operations: { pauseWorkspace: { repeats: true } } } } },
  'a second resume is refused': { errors: { notAllowed: { operations: { resumeWorkspace: { repeats: true } } } } },
  'no more than three writers': { quotas: { rw_workspaces: { default: 3 } } },
  'a fourth writer is a 402 Quota': {
    errors: { quotaExceeded: { operations: { createWorkspace: { status: 402 } } } },
    names: { values: { 'Quota-Exceed': 'Quota' } }
  },
  'a creation is a 201': { replies: { status: { createWorkgroup: 201, createWorkspace: 201 } } },
  'a request that begins a transition is a 202': { replies: { status: { pauseWorkspace: 202, resumeWorkspace: 202 } } },
  'a reply begins with Error': {
    replies: { order: ['Error', 'RequestID', 'Message', 'ErrorDetails', 'Result'] }
  },
  'a success has an empty list of errors': { replies: { empty: { ErrorDetails: 'list' } } },
  'an empty result is omitted': { replies: { empty: { Result: 'absent' } } },
  'a list is three seconds late': { replies: { lag: { listWorkgroups: 'PT3S' } } },
  'times are in seconds': { replies: { timestamps: { created_at: 'seconds' } } },
  'schedules are an array': {
    routes: [
      { operation: 'getWorkspaceSchedules', off: true },
      {
        operation: 'getWorkspaceSchedules',
        method: 'GET',
        path: '/controller/v4/v2/workgroups/{workgroupID}/workspaces/{workspaceID}/schedules',
        result: 'array'
      }
    ]
  },
  'words for states': { states: { workspace: { Creating: 'Provisioning', Active: 'Running', Stopped: 'Paused' } } },
  'a deleted workspace stays readable for a minute': {
    states: { workspace: { gone: 'Deleted' }, deleted: { readable_for: 'PT1M' } }
  },
  'a creation takes 95 to 110 s': {
    durations: { 'workspace.create': { realistic: { min: 'PT1M35S', max: 'PT1M48S' } } }
  },
  'a pause takes 8 s': { durations: { 'workspace.pause': { realistic: 'PT7S' } } },
  'a resume takes 20 s': { durations: { 'workspace.resume': { realistic: 'PT20S' } } },
  'a resize takes 40 s': { durations: { 'workspace.resize': { realistic: 'PT40S' } } },
  'a deletion takes 5 s': { durations: { 'workspace.delete': { realistic: 'PT5S' } } },
  'a field that mirrors another': { fields: { Workspace: { display_status: { from: 'status' } } } },
  'a field that mirrors one of the database': { fields: { Workspace: { database_name: { from: 'database.name' } } } },
  'a field that is always the same': { fields: { Workspace: { edition: { const: 'enterprise' } } } },
  'the creator is in another field': {
    omit: { Workgroup: ['creator'], Workspace: ['folder_statistics', 'creator', 'agent_config'] },
    fields: {
      Workgroup: { created_by: { const: 'boss@rival.test' } },
      Workspace: { created_by: { const: 'boss@rival.test' } }
    }
  },
  'sizes are omitted': { omit: { SvcDatabase: ['folder_statistics'] } },
  'a user of a database is a name': {
    omit: {
      'svcIAM.IAMUser': ['email', 'firstName', 'lastName', 'enabled', 'path', 'tenantID', 'auth0UserID', 'srn']
    }
  },
  'other regions': { catalogue: { regions: [{ name: 'eu-west-3' }, { name: 'eu-north-1' }] } },
  'another version': { catalogue: { versions: [{ name: '5.0.1', image: 'rival/database:5.0.1' }] } },
  'other types of workspaces, under another name': {
    names: { fields: { workspaceTypes: 'workspace_types' } },
    catalogue: {
      workspace_types: [
        { typeName: 'W1', cpu: '2', memory: '8Gi', replicas: 3 },
        { typeName: 'W2', cpu: '4', memory: '16Gi', replicas: 3 },
        { typeName: 'W3', cpu: '8', memory: '32Gi', replicas: 3 }
      ],
      defaults: { workspace_type: 'W2' }
    }
  },
  'a path that only the service has': {
    stubs: [
      {
        method: 'GET',
        path: '/controller/v4/v2/usage',
        status: 200,
        body: {
          RequestID: '{{request_id}}',
          Error: false,
          Message: 'OK',
          ErrorDetails: [],
          Result: { hours: 12, currency: 'EUR' }
        }
      }
    ]
  }
}

/** Differences that no profile can express, by the assumptions that they contradict. */
const UNSAID: Readonly<Record<string, string>> = {
  'P-001': 'a workspace has its workgroup_name in the reply to an update',
  'P-006': 'default names are numbered',
  'P-033': 'condition_type is there, and empty, where the mock has none',
  'P-050': 'a name has at most 40 characters',
  'P-063': 'refusals of the allow list have no result',
  'P-118': 'a stopped workspace cannot be resized',
  'P-134': 'so its size does not change at once',
  'P-179': 'a workgroup is deleted with all that is in it'
}

/** Contradicted assumptions beyond those of UNSAID. */
const unexpected = (conformance: Conformance) => idsOf(conformance, 'contradicted').filter((id) => !(id in UNSAID))

void t.test('the differences of another make are learned, and nothing else', async (t) => {
  const { profile, notes, conformance } = await learnFromExchanges(playOtherMake())
  const { messages, ...others } = profile
  t.strictSame(others, together([{ profile: 1, name: 'learned' }, ...Object.values(LEARNED)]))
  t.ok(Object.keys(messages as Partial<Record<OperationId, string>>).length > 20)
  t.ok(Object.values(messages as Partial<Record<OperationId, string>>).every((message) => message === 'OK'))
  t.strictSame(idsOf(conformance, 'contradicted'), Object.keys(UNSAID))
  const doubts = notes.filter(({ isUnclear }) => isUnclear).map(({ text }) => text)
  t.match(doubts, [/429/, /platforms/, /condition_type/])
  t.equal(doubts.length, 3)
})

void t.test('a learned profile is valid on another day', async (t) => {
  const { profile } = await learnFromExchanges(playOtherMake())
  const conformance = await conform(playOtherMake(Date.UTC(2027, 9, 3, 15, 20)), { profile })
  t.strictSame(idsOf(conformance, 'contradicted'), Object.keys(UNSAID))
})

void t.test('a list that lacks only new resources does not count as lagging', async (t) => {
  const exchanges = playOtherMake(undefined, new OtherService(true))
  const { profile, notes, conformance } = await learnFromExchanges(exchanges)
  t.equal(profile.replies?.lag, undefined)
  t.ok(notes.some(({ isUnclear, text }) => isUnclear && /newer/.test(text)))
  t.ok(idsOf(conformance, 'contradicted').includes('P-007'))
})

/** The same exchanges, as if the service had no envelope. */
const withoutEnvelopes = (exchanges: readonly Exchange[]) =>
  exchanges.map((exchange) => {
    const { body, status } = exchange
    if (!isObject(body) || !('RequestID' in body)) return exchange
    const { Error: isError, Message: message, Result: result, ErrorDetails: details } = body
    const [{ Type: type } = {}] = details as readonly Record<string, unknown>[]
    const error = { code: status, type, message, docs: 'rival.test', attempt: exchange.number }
    if (isError === true) return { ...exchange, body: { error } }
    return { ...exchange, body: Array.isArray(result) ? { items: result as unknown[] } : (result ?? {}) }
  })

void t.test('a service without envelopes is learned, too', async (t) => {
  const { profile, notes, conformance } = await learnFromExchanges(withoutEnvelopes(playOtherMake()))
  t.match(profile.replies, {
    envelope: 'none',
    error: { error: { code: '{{status}}', type: '{{type}}', message: '{{message}}', docs: 'rival.test' } },
    under: { listWorkgroups: 'items', listDatabaseUsers: 'items', listAllowedIPs: 'items', listBackups: 'items' },
    lag: { listWorkgroups: 'PT3S' }
  })
  const learned = together(Object.values(LEARNED))
  for (const part of ['catalogue', 'states', 'durations', 'fields'] as const)
    t.strictSame(profile[part], learned[part], part)
  t.match(profile.errors, {
    invalidBody: { status: 422, type: 'Invalid' },
    notAllowed: { status: 409, type: 'Conflict' },
    notFound: LEARNED['not found has other messages']!.errors!.notFound
  })
  t.ok(notes.some(({ isUnclear, text }) => isUnclear && text.includes('error.attempt')))
  t.strictSame(unexpected(conformance), ['P-189'], 'schedules are not a text there, but that is not learned')
})

void t.test('other names of the state and of the members of an envelope are learned', async (t) => {
  const names = { RequestID: 'request_id', Result: 'data', Message: 'text', Error: 'failed' }
  // No reply has all members.
  const played = playOtherMake().map((exchange) => {
    const { Result, ErrorDetails, ...head } = exchange.body as Record<string, unknown>
    if (head['RequestID'] === undefined) return exchange
    return { ...exchange, body: head['Error'] === true ? { ...head, ErrorDetails } : { ...head, Result } }
  })
  const renamed = Object.entries(names).reduce(
    (text, [member, name]) => text.replaceAll(`"${member}":`, `"${name}":`),
    JSON.stringify(played)
  )
  // The exchange has a status of its own, which is a number.
  const exchanges = JSON.parse(renamed.replaceAll('"status":"', '"state":"')) as Exchange[]
  const { profile, conformance } = await learnFromExchanges(exchanges)
  t.match(profile.names, { fields: { ...names, status: 'state' } })
  t.strictSame(profile.replies?.order, LEARNED['a reply begins with Error']!.replies!.order)
  t.match(profile.stubs, [{ body: { request_id: '{{request_id}}' } }])
  t.strictSame(profile.states, together(Object.values(LEARNED))['states'])
  t.strictSame(unexpected(conformance), [])
})

void t.test('a field is not another one that it resembles', async (t) => {
  const revive = (name: string, value: unknown) => {
    if (!isObject(value) || !('workspace_id' in value)) return value
    const { status, name: own } = value as Record<string, unknown>
    return { ...value, power_status: String(status).toUpperCase(), shown_name: status === 'Running' ? own : null }
  }
  const text = JSON.stringify(playOtherMake()).replaceAll('"refresh_status":"",', '')
  const exchanges = (JSON.parse(text, revive) as Exchange[]).map((exchange) => {
    const { Message, ...body } = exchange.body as Record<string, unknown>
    return Message === undefined ? exchange : { ...exchange, body: { ...body, status: body['Error'] ? 'error' : 'ok' } }
  })
  const { profile } = await learnFromExchanges(exchanges)
  t.match(profile.names?.fields, { Message: undefined, refresh_status: undefined })
  t.match(profile.fields?.['Workspace'], { shown_name: { from: undefined } })
})

/** Ids of a kind in paths and bodies, with the text before them. */
const OF_WORKSPACE = /("(?:workspace_id|nginx_host)":"|workspaces\/|workspace |workspace not found: )([0-9a-f-]{36})/g
const OF_WORKGROUP = /("(?:workgroup_id|Result)":"|workgroups\/|workgroup not found: )([0-9a-f-]{36})/g

void t.test('ids of another form are learned, and compared', async (t) => {
  const exchanges = JSON.parse(
    JSON.stringify(playOtherMake())
      .replaceAll(OF_WORKSPACE, (_, before: string, id: string) => `${before}ws_${id.replaceAll('-', '')}`)
      .replaceAll(OF_WORKGROUP, (_, before: string, id: string) => `${before}wg-${id}`)
  ) as Exchange[]
  const { profile, conformance } = await learnFromExchanges(exchanges)
  t.strictSame(profile.replies?.ids, { workgroup_id: 'wg-{{uuid}}', workspace_id: 'ws_{{hex}}' })
  t.strictSame(unexpected(conformance), [])
})
