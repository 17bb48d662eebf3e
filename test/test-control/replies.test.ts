import t from 'tap'
import { type Body, buildMock } from '../helper.js'
import { replyValidators } from '../reply-validators.js'

const TOKEN = 'let-me-in'
const WITHOUT_ENVELOPE = ['readRecording', 'readSteps', 'streamEvents', 'readMetrics']

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
  t.match((await make('post', '/transitions/release', {})).Result, { fired: [{}] })
  await make('get', '/requests/{requestID}', { requestID: headers['x-request-id'] })
  await make('post', '/requests/verify', { body: { operation: 'pauseWorkspace' } })
  await call('POST', '/workgroups/g/workspaces/w/resume', { key: 'all' })
  t.match((await make('post', '/clock/advance', { body: { by: 'PT1M' } })).Result, { fired: [{}] })
  await make('put', '/clock', { body: {} })
  await make('post', '/clock/sleep', { body: { participant: 'p', until: '0s' } })
  await make('post', '/workspaces/{workspaceID}/backups', w)
  await make('get', '/workspaces/{workspaceID}', w)
  await make('post', '/workspaces/{workspaceID}/activity', w)
  await make('put', '/quotas', { body: { rw_workspaces: 3 } })
  await make('put', '/snapshots/{name}', { name: 's' })
  const { Result: fault } = await make('post', '/faults', { body: { effect: { status: 503 } } })
  for (const [path, { get }] of Object.entries<Record<string, Body>>(document.paths))
    if (get !== undefined && !path.includes('{') && !WITHOUT_ENVELOPE.includes(get.operationId as string))
      await make('get', path.slice('/_mock'.length), {})
  await make('delete', '/faults/{id}', { id: fault.id })
  for (const path of ['/faults', '/coverage', '/requests']) await make('delete', path, {})
  const { Result: fork } = await make('post', '/sandboxes', { body: { from: 's', ttl: 'PT1H' } })
  t.match(fork, { key: /\S/, expires_at: /\S/ })
  await make('post', '/snapshots/{name}/restore', { name: 's' })
  await make('delete', '/snapshots/{name}', { name: 's' })
  await make('put', '/state', { body: (await make('get', '/state', {})).Result })
  await make('post', '/reset', {})
  await make('post', '/sandboxes/purge', { body: { idle: 'P1D' } })
  await make('delete', '/sandboxes', {})

  const operations = Object.values<Body>(document.paths).flatMap((item) => Object.values<Body>(item))
  const uncalled = operations.map(({ operationId }) => operationId as string).filter((id) => !called.has(id))
  t.strictSame(uncalled, WITHOUT_ENVELOPE, 'all others were called')
})
