import t, { type Test } from 'tap'
import { type Body, CONTROLLER, replaceMethod } from '../helper.js'
import { checkRefused, openWith } from './edge.js'

const WORKGROUPS = `${CONTROLLER}/workgroups`
const GROUP = { name: 'main', cloud_provider_id: 'a' }

async function open(t: Test, idempotency: object, parts: object = {}) {
  const { mock, key, controlResult } = await openWith(t, { idempotency, ...parts })
  const send = (idempotencyKey: string | undefined, body: object = GROUP, path = WORKGROUPS, method = 'POST') =>
    mock.call(method, path, {
      key,
      prefix: '',
      body,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
    })
  const count = async () => ((await controlResult('GET', '/state')).workgroups as Body[]).length
  return { plane: mock.plane, controlResult, send, count }
}

void t.test('a request with the key of an earlier one gets its reply again, and has no effect', async (t) => {
  const { send, count, controlResult } = await open(t, { keep: '1h' })
  const first = await send('"k-1"')
  t.equal(first.status, 200)
  t.notOk('x-mock-replayed' in first.headers)
  const again = await send('k-1')
  t.strictSame([again.status, again.body], [200, first.body], 'with or without quotation marks')
  t.match(again.headers, { 'x-mock-replayed': 'true', 'content-type': /^application\/json/ })
  t.not(again.headers['x-request-id'], first.headers['x-request-id'])
  t.equal(await count(), 1)
  await send('k-2')
  await send(undefined)
  t.equal(await count(), 3, 'another key, or none, is another request')

  const other = await send('k-1', { ...GROUP, name: 'other' })
  t.match([other.status, other.body.Message], [422, /was used for another request/])
  t.equal((await send('k-1', {}, `${WORKGROUPS}/none/workspaces`)).status, 422)
  for (const wrong of ['""', 'x'.repeat(256), 'a"b']) t.equal((await send(wrong)).status, 400, wrong)
  t.equal(await count(), 3)

  await controlResult('POST', '/clock/advance', { by: '61m' })
  t.notOk('x-mock-replayed' in (await send('k-1')).headers, 'it is forgotten in time')
  t.equal(await count(), 4)
  await controlResult('POST', '/reset')
  t.notOk('x-mock-replayed' in (await send('k-1')).headers, 'and by a reset')
})

void t.test('OpenAPI describes the header of requests that can be repeated, and how a key is refused', async (t) => {
  for (const required of [false, true]) {
    const { mock } = await openWith(t, { idempotency: { keep: '1h', required } })
    const { get, post } = (await mock.call('GET', '/openapi.json', { prefix: '' })).body.paths[WORKGROUPS]
    const [header] = (post.parameters as Body[]).filter((parameter) => parameter.in === 'header')
    t.match(header, { name: 'Idempotency-Key', required, schema: { type: 'string', maxLength: 255 } })
    for (const status of [409, 422]) t.strictSame(post.responses[status].content, post.responses[500].content)
    t.notOk(get.parameters ?? get.responses[409], 'a read needs no key')
  }
})

void t.test('a retry after a lost reply gets that reply, even a refusal, in the names of the profile', async (t) => {
  const names = { fields: { workgroup_id: 'group_id', name: 'title', svc_database_id: 'db_id', Result: 'Data' } }
  const { send, count, controlResult } = await open(t, { keep: '1h' }, { names })
  const group = { title: 'main', cloud_provider_id: 'a' }
  const fault = (effect: object) =>
    controlResult('POST', '/faults', { operation: 'createWorkgroup', phase: 'after-commit', times: 1, effect })
  await fault({ status: 504 })
  t.equal((await send('k', group)).status, 504)
  const { status, body } = await send('k', group)
  t.equal(status, 200)
  t.match(body, { Error: false, Data: { title: 'main', group_id: String } })
  t.equal(await count(), 1)
  await controlResult('POST', '/faults', { operation: 'createWorkgroup', times: 1, effect: { status: 503 } })
  t.equal((await send('other', group)).status, 503)
  t.equal((await send('other', group)).status, 200, 'a request without effect is carried out by the retry')
  t.equal(await count(), 2)
  for (const group of ['none', body.Data.group_id as string]) {
    const refused = () => send(`in ${group}`, { db_id: 'none' }, `${WORKGROUPS}/${group}/workspaces`)
    const refusals = [await refused(), await refused()]
    t.match(refusals[1], { status: group === 'none' ? 404 : 400, headers: { 'x-mock-replayed': 'true' } })
    t.strictSame(refusals[1]!.body, refusals[0]!.body)
  }
})

void t.test('a key can be required', async (t) => {
  const { send, count } = await open(t, { keep: '1h', required: true })
  t.match(await send(undefined), { status: 400, body: { Message: /is required/ } })
  const [one, two] = await Promise.all([send('k'), send('k')])
  t.strictSame([one.status, two.status].sort(), [200, 409], 'the first is under way')
  t.equal(await count(), 1)
  t.equal((await send('k')).status, 200)
})

void t.test('a request whose reply could not be kept is not carried out again', async (t) => {
  const { plane, send, count } = await open(t, { keep: '1h' })
  const { write } = plane
  let writes = 0
  // As if the server were killed between the change and the reply.
  replaceMethod(t, plane, 'write', (...given) =>
    ++writes === 2 ? Promise.reject(new Error('killed')) : write(...given)
  )
  t.equal((await send('k')).status, 200)
  t.match(await send('k'), { status: 409, body: { Message: /was carried out/ } })
  t.strictSame([await count(), writes], [1, 2])
})

void t.test('only posts and patches have keys, and a failure of the server is not kept', async (t) => {
  const { send } = await open(t, { keep: '1h', required: true }, { errors: { notFound: { status: 500 } } })
  const missing = `${WORKGROUPS}/none/workspaces`
  t.equal((await send(undefined, {}, `${missing}/none`, 'PUT')).status, 500)
  t.strictSame([(await send('k', {}, missing)).status, (await send('k')).status], [500, 200])
})

void t.test('a gateway can refuse in its own words, and invalid parts are refused', async (t) => {
  const gateway = { idempotency_key: { status: 428, body: 'Send a key.' } }
  const { send } = await open(t, { keep: 'PT1H', required: true }, { gateway })
  t.match(await send(undefined), { status: 428, body: 'Send a key.' })
  checkRefused(t, 'idempotency', [
    [{}, 'keep'],
    [{ keep: 'soon' }, 'keep'],
    [{ keep: '0s' }, 'keep']
  ])
})
