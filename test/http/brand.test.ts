import t, { type Test } from 'tap'
import { withBrand } from '../../src/http/brand.js'
import { OptionError, type Options } from '../../src/options.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import { namesIn } from '../../src/resources/vocabulary.js'
import { type ActiveWorkspace, openActiveWorkspace } from '../active-workspace.js'
import { buildMock, type Call, matchError, type Reply } from '../helper.js'
import { oneOf, patternOf, reasonsOf } from '../messages.js'
import { NONE } from '../sandbox.js'

const BRAND = { brand: 'acme', brandResourceName: 'arn' } as const
const session = { key: null, headers: { authorization: 'Bearer test' }, prefix: '' }
const TYPES = ['00', '0', '1', '2', '4', '6', '8', '16', '24', '32', '64']

/** The sandbox of calls without a key. */
const open = async (t: Test, options: Partial<Options> = {}) =>
  openActiveWorkspace(await buildMock(t, options), { key: 'test' })
const branded = (t: Test, options: Partial<Options> = {}) => open(t, { ...BRAND, ...options })

/** A text with the names of the brand, written out by hand to check the server against. */
function inBrand(text: string): string {
  return text
    .replaceAll(/\bsvc_(databases|database_id|database_name|version)\b/g, 'acme_$1')
    .replaceAll('svcVersions', 'acmeVersions')
    .replaceAll(/\bSVC-(?=\d)/g, 'ACME-')
    .replaceAll(/(?<=\/|"|Update)Svc(?=Database|Version)/g, 'Acme')
    .replaceAll('svcIAM', 'acmeIAM')
    .replaceAll('"svc/database', '"acme/database')
    .replaceAll('"srn:svc:', '"arn:acme:')
    .replaceAll('"srn"', '"arn"')
}

/** Neutral names left in a branded reply, except hosts and e-mail addresses, which keep theirs. */
const leftovers = (text: string) =>
  text.replaceAll(/\bsvc(-mock\b|\.test\b)/g, '').match(/.{0,30}(svc|srn).{0,30}/gi) ?? []

interface Step extends Call {
  readonly method: string
  readonly url: string
}

/** Calls whose replies have branded names, some of them refused. */
function steps({ workgroup, workspace, path }: ActiveWorkspace, database: string): Step[] {
  const group = `/workgroups/${workgroup}`
  const schedule = { workspace_id: workspace, repeat: 'daily', time: '08:30', timezone: 'UTC', id: 'nightly' }
  const create = { is_rw: false, svc_database_id: database, svc_version: '4.2.0', workspace_type_name: 'SVC-16' }
  const wrong = { svc_version: '1', workspace_type_name: 'none', svc_database_id: '' }
  return [
    { method: 'POST', url: `${group}/workspaces`, body: create },
    { method: 'POST', url: `${group}/workspaces`, body: { svc_database_id: NONE } },
    { method: 'POST', url: `${group}/workspaces`, body: wrong },
    { method: 'GET', url: '/workgroups' },
    { method: 'GET', url: group },
    { method: 'GET', url: path },
    { method: 'GET', url: path },
    { method: 'GET', url: `${group}/databases/${database}` },
    { method: 'PUT', url: `${group}/databases/${database}`, body: { svc_database_name: 'd' } },
    { method: 'PUT', url: `${group}/databases/${database}`, body: { svc_database_name: 5 } },
    { method: 'GET', url: '/workspaces/meta' },
    { method: 'POST', url: `${path}/backups/schedule`, body: { ...schedule, workspace_type_name: 'SVC-4' } },
    { method: 'POST', url: `${path}/backups/schedule`, body: { ...schedule, workspace_type_name: 'SVC-5' } },
    { method: 'GET', url: `${path}/schedules` },
    { method: 'GET', url: '/users', ...session },
    { method: 'DELETE', url: path }
  ]
}

const databaseOf = async ({ call, path }: ActiveWorkspace): Promise<string> =>
  (await call('GET', path)).body.Result.database_id as string

void t.test('replies are the same as without a brand, except for the names', async (t) => {
  const options = { seed: 7 }
  const run = async (b: ActiveWorkspace, rename: (text: string) => string) => {
    const replies: { step: string; status: number; text: string }[] = []
    for (const { method, url, body, ...call } of steps(b, await databaseOf(b))) {
      const sent = body === undefined ? {} : { body: JSON.parse(rename(JSON.stringify(body))) as unknown }
      const { status, body: reply } = await b.mock.call(method, url, { ...call, ...sent })
      replies.push({ step: `${method} ${url}`, status, text: JSON.stringify(reply) })
    }
    return replies
  }
  const expected = await run(await open(t, options), (text) => text)
  const replies = await run(await branded(t, options), inBrand)
  for (const [index, { step, status, text }] of expected.entries()) {
    t.strictSame([replies[index]?.status, replies[index]?.text], [status, inBrand(text)], step)
    t.strictSame(leftovers(replies[index]!.text), [], step)
  }
})

void t.test('each of the two options works alone', async (t) => {
  const prefix = await open(t, { brand: 'acme' })
  t.match((await prefix.mock.call('GET', '/users', session)).body[0].srn, /^srn:acme:iam:/)
  const name = await open(t, { brandResourceName: 'arn' })
  t.match((await name.mock.call('GET', '/users', session)).body[0].arn, /^arn:svc:iam:/)
  t.match((await name.call('GET', name.path)).body.Result, {
    svc_version: '4.2.2',
    workspace_type: { typeName: 'SVC-00' }
  })
  const { body } = await name.call('PUT', name.path, { workspace_type_name: 'none' })
  t.match(body.Message, 'SVC-00, SVC-0, ')
})

void t.test('neutral names are unknown', async (t) => {
  const { call, workgroup } = await branded(t)
  const url = `/workgroups/${workgroup}/workspaces`
  for (const [body, acme_version] of [
    [{ svc_version: '4.1.3', svc_database_id: NONE }, '4.2.2'],
    [{ svc_version: '4.1.3', acme_version: '4.2.0' }, '4.2.0'],
    [{ acme_version: '4.2.0', svc_version: '4.1.3' }, '4.2.0']
  ] as const)
    t.match((await call('POST', url, body)).body.Result, { acme_version }, JSON.stringify(body))
  const refused = await call('POST', url, { workspace_type_name: 'SVC-0' })
  matchError(t, refused, 'invalidBody', { workspace_type_name: oneOf(...TYPES.map((size) => `ACME-${size}`)) })
})

/** The reasons of an error by field. */
const reasons = ({ body }: Reply): Record<string, string> =>
  Object.fromEntries(
    (body.ErrorDetails as { FieldName: string; Reason: string }[]).map(({ FieldName, Reason }) => [FieldName, Reason])
  )

void t.test('errors leave the words of the client alone', async (t) => {
  const { call, workgroup, path } = await branded(t)
  const url = `/workgroups/${workgroup}/workspaces`
  for (const word of ['SVC-00', 'svc_version', 'acme_version', 'SvcDatabase', 'srn', '$&']) {
    const user = await call('DELETE', `${path}/dbuser`, { username: word })
    matchError(t, user, 'notAllowed', { username: 'notUser' }, { values: { name: word } })
    const database = await call('POST', url, { acme_database_id: word })
    matchError(t, database, 'notAllowed', { acme_database_id: 'notDatabase' }, { values: { id: word } })
    const missing = await call('GET', `/workgroups/${encodeURIComponent(word)}`)
    matchError(t, missing, 'notFound', 'resource', { values: { what: 'workgroup', id: word } })
    t.match((await call('GET', `/${word}`)).body.Message, patternOf('notFound', 'route', { method: 'GET' }))
  }
})

void t.test('texts of the client are stored unchanged', async (t) => {
  const { call, control, controlResult, workspace, path } = await branded(t, { strictBodies: true })
  const text = 'SVC-00 svc_version srn:svc:x svc/database'
  await control('POST', '/faults', { operation: 'getWorkspace', times: 1, effect: { status: 500, reason: text } })
  t.equal((await call('GET', path)).body.Message, text)
  for (const name of [text, 'SVC-00', 'svc_version', 'ACME-00', 'acme_version', 'srn:svc:iam']) {
    t.equal((await call('PUT', path, { workspace_name: name })).body.Result.name, name)
    t.equal((await call('GET', path)).body.Result.name, name)
  }
  const settings = {
    svc_version: 'a',
    acme_version: 'b',
    workspace_type_name: 'SVC-00',
    deep: [{ srn: 'srn:svc:', typeName: 'ACME-1', image: 'svc/x' }]
  }
  const addons = [{ addons_id: 'a', enable: true, enable_configuration: settings }]
  t.strictSame((await call('PUT', path, { addons })).body.Result.addons, addons)
  t.strictSame((await call('GET', path)).body.Result.addons, addons)
  const { workspaces } = (await controlResult('GET', '/state')).workgroups[0]
  t.strictSame(workspaces[0].addons, addons, 'in the state document too')
  const id = JSON.stringify([{ workspace_type_name: 'SVC-00' }])
  const schedule = { workspace_id: workspace, repeat: 'daily', time: '08:30', timezone: 'UTC', id }
  const set = await call('POST', `${path}/backups/schedule`, schedule)
  t.equal(set.body.Result, id, 'a text of the client is not parsed as JSON')
})

void t.test('with --strict-bodies, unknown fields are named as the client wrote them', async (t) => {
  const { call, workgroup, path } = await branded(t, { strictBodies: true })
  const url = `/workgroups/${workgroup}/workspaces`
  for (const name of ['svc_version', 'svc_databases', 'svcVersions', 'srn', 'arn', 'acme_database_name', 'svc_other']) {
    const reply = await call('POST', url, { acme_version: '4.2.0', [name]: 'x' })
    matchError(t, reply, 'invalidBody', { [name]: 'unknown' })
  }
  const nested = await call('POST', url, { solution_install_request: { svc_version: 1, acme_version: 1 } })
  t.strictSame(
    reasons(nested),
    reasonsOf({
      'solution_install_request.svc_version': 'unknown',
      'solution_install_request.acme_version': 'unknown'
    })
  )
  t.equal((await call('POST', url, { acme_version: '4.2.0' })).status, 200)
  const shared = await call('POST', `${path}/backups/schedule`, { schedule: '0 3 * * *', svc_version: '1' })
  matchError(t, shared, 'invalidBody', { svc_version: 'unknown' })
})

void t.test('refusals before a body is read use the names that were sent', async (t) => {
  const { call, workgroup } = await branded(t)
  const url = `/workgroups/${workgroup}/workspaces`
  const illFormed = await call('POST', url, String.raw`{"acme_version": "\ud800"}`)
  t.match(Object.keys(reasons(illFormed)), ['acme_version'])
  matchError(t, await call('POST', url, '{"acme_version"'), 'invalidBody', 'notJson')
  matchError(t, await call('POST', url), 'invalidBody', { '': 'noBody' })
})

void t.test('the control API, state documents and the journal keep the neutral names', async (t) => {
  const { mock, call, control, controlResult, workgroup, path } = await branded(t)
  const url = `/workgroups/${workgroup}/workspaces`
  const body = {
    is_rw: false,
    acme_database_id: (await call('GET', path)).body.Result.database_id,
    acme_version: '4.2.0',
    workspace_type_name: 'ACME-1'
  }
  await mock.call('POST', url, { body, headers: { 'x-request-id': 'created' } })
  const { workspaces } = (await controlResult('GET', '/state')).workgroups[0]
  t.match(workspaces[1], { svc_version: '4.2.0', workspace_type_name: 'SVC-1' })
  const record = await controlResult('GET', '/requests/created')
  t.match(record.request.body, { svc_version: '4.2.0', workspace_type_name: 'SVC-1' })
  t.strictSame(record.request.unread, [])
  t.match(record.request.reply.Result, { svc_version: '4.2.0', workspace_type: { typeName: 'SVC-1' } })

  for (const id of ['read-1', 'read-2']) await mock.call('GET', path, { headers: { 'x-request-id': id } })
  t.match((await controlResult('GET', '/requests/read-2')).request.reply, {
    RequestID: 'read-2',
    Result: { svc_version: '4.2.2' }
  })
  await mock.call('POST', url, { body: { acme_version: '1' }, headers: { 'x-request-id': 'refused' } })
  t.match(await controlResult('GET', '/requests/refused'), {
    validation: { ok: false, faults: [{ field: 'svc_version' }] },
    request: { reply: { ErrorDetails: [{ FieldName: 'svc_version' }] } }
  })
  const creation = { operation: 'createWorkspace', where: { body: { svc_version: '4.2.0' } } }
  t.equal((await control('POST', '/requests/verify', creation)).status, 200)
})

void t.test('the OpenAPI document has only branded names, and that of the control API does not change', async (t) => {
  const neutral = await buildMock(t)
  for (const options of [{}, { strictBodies: true }]) {
    const mock = await buildMock(t, { ...BRAND, ...options })
    const text = (await mock.app.inject('/openapi.json')).body
    t.strictSame(leftovers(text), [])
    if (!('strictBodies' in options)) t.equal(text, inBrand((await neutral.app.inject('/openapi.json')).body))
    const { schemas } = JSON.parse(text).components
    t.match(schemas, {
      AcmeDatabase: { properties: { acme_version: {} } },
      UpdateAcmeDatabaseRequest: { required: ['acme_database_name'] },
      'acmeIAM.IAMUser': { properties: { arn: {} } },
      Workgroup: { properties: { acme_databases: { items: { $ref: '#/components/schemas/AcmeDatabase' } } } },
      CreateWorkspaceRequest: { properties: { workspace_type_name: { enum: TYPES.map((size) => `ACME-${size}`) } } }
    })
    const control = (await mock.app.inject('/_mock/openapi.json')).body
    t.equal(control, (await (await buildMock(t, options)).app.inject('/_mock/openapi.json')).body)
  }
})

void t.test('a name that is already taken is refused', async (t) => {
  const user = { $id: 'User', properties: { id: {}, srn: {}, svc_x: {}, acme_x: {} } }
  const brandedNames = (brand: string, brandResourceName: string, ...schemas: object[]) =>
    withBrand({ brand, brandResourceName }, BUILT_IN, () => ({ vocabulary: namesIn(schemas) }))
  const refused = (...given: Parameters<typeof brandedNames>) =>
    t.throws(() => brandedNames(...given), OptionError, `${given[0]} ${given[1]}`)
  refused('svc', 'id', user)
  refused('acme', 'srn', user)
  refused('acme', 'srn', { $id: 'SvcThing' }, { $id: 'AcmeThing' })
  t.equal(brandedNames('other', 'orn', user).names.fields.toWire('svc_x'), 'other_x')
  await t.rejects(
    open(t, { brandResourceName: 'email' }),
    new OptionError('--brand-resource-name would rename srn to email, which is the name of something else')
  )
})
