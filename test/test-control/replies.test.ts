import t from 'tap'
import { type Body, buildMock, matchError } from '../helper.js'
import { replyValidators } from '../reply-validators.js'
import { openSandbox } from '../sandbox.js'

const TOKEN = 'let-me-in'

void t.test('every reply of the control API matches the OpenAPI document, and has a message', async (t) => {
  const { app, call } = await buildMock(t, { controlToken: TOKEN })
  const document = (await app.inject('/_mock/openapi.json')).json()
  const validatorOf = replyValidators(document)
  const called = new Set<string>()

  /** Makes a call by its path in the document, whose parameters are filled in. */
  const make = async (
    method: string,
    path: string,
    { body, ...params }: { body?: unknown; [name: string]: unknown }
  ) => {
    const whole = `/_mock${path}`
    const operation: Body = document.paths[whole]?.[method]
    if (operation === undefined) throw new Error(`there is no ${method} ${path}`)
    called.add(operation.operationId as string)
    const { status, body: reply } = await call(
      method.toUpperCase(),
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name])),
      { key: 'all', prefix: '/_mock', headers: { 'x-mock-token': TOKEN }, body }
    )
    const id = operation.operationId as string
    t.equal(status, 200, id)
    t.match(reply.Message, /\S/, `${id} has a message`)
    const validate = validatorOf(whole, method, 200)
    t.ok(validate(reply), `${id}: ${JSON.stringify(validate.errors)}`)
    const { schema } = operation.responses['200'].content['application/json']
    t.equal(reply.Result !== null, schema.properties?.Result !== undefined, `${id} has a result, or has none`)
    return reply
  }

  const world = {
    clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' },
    workgroups: [{ id: 'g', workspaces: [{ id: 'w' }] }]
  }
  const w = { workspaceID: 'w' }
  await make('put', '/seed', { body: world })
  await make('put', '/transitions', { body: { rules: [{ transition: 'workspace.pause', outcome: 'hold' }] } })
  const { headers } = await call('POST', '/workgroups/g/workspaces/w/pause', { key: 'all' })
  t.match((await make('get', '/events', {})).Result, [{ held: true }])
  await make('get', '/overview', {})
  t.match((await make('post', '/transitions/release', {})).Result, { fired: [{}] })
  await make('get', '/transitions', {})
  await make('get', '/timeline', {})
  await make('get', '/requests', {})
  await make('get', '/requests/{requestID}', { requestID: headers['x-request-id'] })
  await make('post', '/requests/verify', { body: { operation: 'pauseWorkspace' } })
  await make('get', '/report', {})
  await make('get', '/coverage', {})
  await make('delete', '/coverage', {})
  await make('delete', '/requests', {})
  await call('POST', '/workgroups/g/workspaces/w/resume', { key: 'all' })
  t.match((await make('post', '/clock/advance', { body: { by: 'PT1M' } })).Result, { fired: [{}] })
  await make('put', '/clock', { body: {} })
  await make('get', '/clock', {})
  await make('post', '/clock/sleep', { body: { participant: 'p', until: '0s' } })
  await make('post', '/workspaces/{workspaceID}/backups', w)
  await make('get', '/workspaces/{workspaceID}', w)
  await make('post', '/workspaces/{workspaceID}/activity', w)
  await make('put', '/quotas', { body: { rw_workspaces: 3 } })
  await make('get', '/quotas', {})
  await make('get', '/profile', {})
  await make('get', '/assumptions', {})
  const { Result: fault } = await make('post', '/faults', { body: { effect: { status: 503 } } })
  await make('get', '/faults', {})
  await make('delete', '/faults/{id}', { id: fault.id })
  await make('delete', '/faults', {})
  await make('put', '/snapshots/{name}', { name: 's' })
  await make('get', '/snapshots', {})
  const { Result: fork } = await make('post', '/sandboxes', { body: { from: 's', ttl: 'PT1H' } })
  t.match(fork, { key: /\S/, expires_at: /\S/ })
  await make('post', '/snapshots/{name}/restore', { name: 's' })
  await make('delete', '/snapshots/{name}', { name: 's' })
  const { Result: state } = await make('get', '/state', {})
  await make('put', '/state', { body: state })
  await make('post', '/reset', {})
  await make('get', '/sandboxes', {})
  await make('post', '/sandboxes/purge', { body: { idle: 'P1D' } })
  await make('delete', '/sandboxes', {})

  const operations = Object.values<Body>(document.paths).flatMap((item) => Object.values<Body>(item))
  t.strictSame(
    operations.map(({ operationId }) => operationId as string).filter((id) => !called.has(id)),
    // They are not answered in the envelope.
    ['readRecording', 'readSteps', 'streamEvents', 'readMetrics'],
    'all others were called'
  )
})

void t.test('a call of the control API that takes no query, or no body, refuses one', async (t) => {
  const b = await openSandbox(await buildMock(t))
  for (const [method, url, field] of [
    ['DELETE', '/faults?id=fault-1', 'id'],
    ['POST', '/reset?keep=clock', 'keep'],
    ['GET', '/clock?zz=1', 'zz'],
    ['PUT', '/quotas?a=1', 'a']
  ] as const) {
    matchError(t, await b.control(method, url), 'invalidBody', { [field]: 'unknown' })
  }
  for (const [method, url] of [
    ['PUT', '/snapshots/a'],
    ['DELETE', '/faults'],
    ['DELETE', '/requests'],
    ['DELETE', '/sandboxes']
  ] as const) {
    matchError(t, await b.control(method, url, { x: 1 }), 'invalidBody', { x: 'unknown' })
    t.not((await b.control('GET', '/clock')).status, 401)
  }
})

void t.test('the OpenAPI document has optional bodies, other forms of replies, and the token', async (t) => {
  const { app } = await buildMock(t)
  const { paths, components }: Body = (await app.inject('/_mock/openapi.json')).json()
  t.equal(paths['/_mock/reset'].post.requestBody.required, false)
  t.equal(paths['/_mock/faults'].post.requestBody.required, true)
  t.strictSame(Object.keys(paths['/_mock/coverage'].get.responses['200'].content as object), [
    'application/json',
    'application/xml'
  ])
  t.match(components.securitySchemes.mockToken, { in: 'header', name: 'X-Mock-Token' })
  t.ok((paths['/_mock/clock'].get.security as object[]).some((scheme) => 'mockToken' in scheme && 'apiKey' in scheme))
})
