import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { openActiveWorkspace } from '../active-workspace.js'
import { type Body, CONTROLLER } from '../helper.js'
import { messageOf } from '../messages.js'
import { buildWith, checkRefused } from './edge.js'

const ERRORS = {
  notFound: { status: 410, type: 'Unknown', operations: { getWorkgroup: { message: 'Gone: {{message}}' } } },
  notAllowed: { status: 409, operations: { pauseWorkspace: { type: 'Internal-Error', bare: true } } },
  invalidBody: { status: 422 }
} as const

const gone = (id: string) => messageOf('notFound', 'resource', { what: 'workgroup', id })

void t.test('a profile decides how a condition is answered, with exceptions for operations', async (t) => {
  const { call } = await buildWith(t, { errors: ERRORS })
  const one = await call('GET', '/workgroups/none')
  const details = [{ FieldName: '', Reason: gone('none'), Type: 'Unknown' }]
  t.match(one, { status: 410, body: { Message: `Gone: ${gone('none')}`, ErrorDetails: details } })
  t.match(await call('DELETE', '/workgroups/none'), { status: 410, body: { Message: gone('none') } })
  const invalid = await call('POST', '/workgroups', { body: { cloud_provider_id: 1, name: 2 } })
  t.equal(invalid.status, 422)
  t.equal(invalid.body.ErrorDetails.length, 2, 'each field is named')
  t.match(invalid.body.ErrorDetails, [{ Type: 'Bad-Request' }], 'the type stays')
  const own = await buildWith(t, { errors: { notFound: { message: 'no {{path.workgroupID}} here' } } })
  t.match(await own.call('GET', '/workgroups/none'), { status: 404, body: { Message: 'no none here' } })
})

void t.test('a refusal can repeat values of the request, also in headers, but never a password', async (t) => {
  const notAllowed = {
    message: 'user exists: {{body.username}} {{body.password}}',
    headers: { 'x-reason': '{{body.username}}', 'x-id': '{{path.workspaceID}}' }
  }
  const b = await openActiveWorkspace(
    await buildWith(t, { errors: { notAllowed: { operations: { createDatabaseUser: notAllowed } } } })
  )
  const create = () => b.call('POST', `${b.path}/dbuser`, { username: 'ann', password: 'Secret-1234' })
  await create()
  const { status, body, headers } = await create()
  t.match([status, body.Message], [400, /^user exists: ann /])
  t.notMatch(body.Message, 'Secret')
  t.match(headers, { 'x-reason': 'ann', 'x-id': b.path.split('/').at(-1) })
})

void t.test('a bare answer names no field and no reason', async (t) => {
  const b = await openActiveWorkspace(await buildWith(t, { errors: ERRORS }))
  await b.call('PUT', b.path, { workspace_type_name: 'SVC-8' })
  const paused = await b.call('POST', `${b.path}/pause`)
  t.equal(paused.status, 409)
  t.strictSame(paused.body.ErrorDetails, [{ FieldName: '', Reason: '', Type: 'Internal-Error' }])
  t.match(await b.call('POST', `${b.path}/refresh`), { status: 409, body: { ErrorDetails: [{ Reason: /\S/ }] } })
})

void t.test('OpenAPI lists the error types and statuses of a profile, and coverage counts them', async (t) => {
  const { call } = await buildWith(t, { errors: { notFound: { status: 410, type: 'Gone' } } })
  t.match(await call('GET', '/workgroups/none'), { status: 410, body: { ErrorDetails: [{ Type: 'Gone' }] } })
  const { components, paths } = (await call('GET', '/openapi.json', { prefix: '' })).body
  const types = components.schemas['middleware.Error'].properties.Type.enum as string[]
  t.ok(types.includes('Gone') && types.includes('Bad-Request'))
  t.ok('410' in paths[`${CONTROLLER}/workgroups/{workgroupID}`].get.responses)
  const { statuses } = (await call('GET', '/coverage', { prefix: '/_mock' })).body.Result
  const own = (statuses as Body[]).filter(({ name }) => /^getWorkgroup /.test(String(name)))
  t.match(own, [
    { name: 'getWorkgroup 200', count: 0 },
    { name: 'getWorkgroup 410', count: 1 }
  ])
})

void t.test('OpenAPI lists the statuses of conditions that are about no operation in particular', async (t) => {
  const { call } = await buildWith(t, { errors: { invalidBody: { status: 422 }, unauthorized: { status: 498 } } })
  const path = '/workgroups/none/allow_list/enable'
  t.equal((await call('PUT', path, { body: '{' })).status, 422, 'a body that the operation does not need')
  t.equal((await call('PUT', path, { key: null })).status, 498)
  const { paths } = (await call('GET', '/openapi.json', { prefix: '' })).body
  const { responses } = paths[`${CONTROLLER}/workgroups/{workgroupID}/allow_list/enable`].put
  const { properties } = responses[500].content['application/json'].schema
  for (const status of [422, 498])
    t.strictSame(responses[status].content['application/json'].schema.properties, properties, String(status))
})

void t.test('a profile can refuse a pause or a resume that is done or under way already', async (t) => {
  const errors = { notAllowed: { status: 409, operations: { pauseWorkspace: { repeats: true } } } }
  const b = await openActiveWorkspace(await buildWith(t, { errors }))
  const post = async (verb: string) => (await b.call('POST', `${b.path}/${verb}`)).status
  t.equal(await post('resume'), 200, 'as built in')
  t.equal(await post('pause'), 200)
  t.equal(await post('pause'), 409, 'while it pauses')
  await b.advance('PT10M')
  t.equal(await post('pause'), 409, 'once it is paused')
  t.equal((await b.call('PUT', b.path, { pause: true })).status, 200, 'a setting is no repetition')
})

void t.test('a missing credential is answered as its condition, unless the gateway has a reply', async (t) => {
  const errors = {
    unauthorized: { status: 403, type: 'No-Key', message: 'No: {{message}}', headers: { 'x-no': 'key' } }
  }
  const { call } = await buildWith(t, { errors })
  t.match(await call('GET', '/workgroups', { key: null }), {
    status: 403,
    body: { Message: /^No: A credential is required/, ErrorDetails: [{ Type: 'No-Key' }] },
    headers: { 'x-no': 'key' }
  })
  const own = await buildWith(t, { errors, gateway: { missing_credential: { status: 401, body: { no: 'key' } } } })
  const reply = await own.call('GET', '/workgroups', { key: null })
  t.strictSame([reply.status, reply.body, reply.headers['x-no']], [401, { no: 'key' }, undefined])
})

void t.test('an absent result is omitted, but an empty list is not', async (t) => {
  const { call } = await buildWith(t, { replies: { empty: { Result: 'absent', ErrorDetails: 'list' } } })
  const list = await call('GET', '/workgroups')
  t.strictSame([list.body.Result, list.body.ErrorDetails], [[], []])
  t.notOk('Result' in (await call('GET', '/workgroups/none')).body)
})

void t.test('an unknown path and the control API keep their errors', async (t) => {
  const { call } = await buildWith(t, { errors: ERRORS })
  t.equal((await call('GET', '/nothing')).status, 404)
  t.equal((await call('GET', '/requests/none', { prefix: '/_mock' })).status, 404)
})

void t.test('the record of a request names the condition, whatever the status', async (t) => {
  await using mock = await startMock({ profile: 'observed' })
  const box = mock.sandbox()
  const response = await fetch(`${mock.url}/controller/v4/v2/workgroups/none`, { headers: box.headers })
  t.equal(response.status, 500)
  const { request } = await box.requests.read(response.headers.get('x-request-id')!)
  t.match(request, { status: 500, condition: 'notFound' })
})

void t.test('invalid answers are refused by their paths', async (t) => {
  checkRefused(t, 'errors', [
    [{ notFound: { status: 200 } }, 'notFound.status'],
    [{ notFound: { type: 'not here' } }, 'notFound.type'],
    [{ notFound: { repeats: true } }, 'notFound.repeats'],
    [
      { notAllowed: { operations: { deleteWorkspace: { repeats: true }, pauseWorkspace: { repeats: true } } } },
      'notAllowed.operations.deleteWorkspace.repeats'
    ],
    [{ notFound: { message: '' } }, 'notFound.message'],
    [{ notFound: { message: '{{mesage}}' } }, 'notFound.message'],
    [{ notFound: { headers: { date: 'x' } } }, 'notFound.headers.date'],
    [{ gone: { status: 410 } }, 'gone'],
    [{ notFound: { operations: { getWorkspce: { status: 410 } } } }, 'notFound.operations.getWorkspce']
  ])
})
