import { createServer } from 'node:http'
import t from 'tap'
import { connectMock, startMock } from '../src/node/index.js'
import { listen } from './helper.js'
import { ALL_OTHER } from './under-words.js'

void t.test('operations use the paths and names of the server', async (t) => {
  const options: Parameters<typeof startMock>[0][] = [
    { basePath: '/base' },
    { profile: 'observed' },
    { profile: { profile: 1, routes: ALL_OTHER.routes! } },
    { profile: { profile: 1, prefix: '/' }, basePath: '/base' }
  ]
  for (const given of options) {
    await using mock = await startMock({ ...given, brand: 'acme' })
    const box = (await connectMock(mock)).sandbox()
    const { workgroup_id: workgroupID } = await box.call('createWorkgroup', { body: { cloud_provider_id: 'x' } })
    t.match(await box.call('listWorkgroups'), [{ workgroup_id: workgroupID }], JSON.stringify(given))
    await t.rejects(box.call('getWorkgroup', { workgroupID: 'x' }), { name: 'CallError' })
  }
})

void t.test('in-process and remote handles see the same sandbox', async (t) => {
  await using mock = await startMock({ auth: 'strict', apiKeys: ['ci=secret'] })
  const server = await connectMock(mock)
  const box = server.sandbox('secret')
  await box.seed({ workgroups: [{ id: 'main' }] })
  await box.call('listWorkgroups')
  t.equal((await box.requests.list({ operation: undefined, status: '200' } as never)).requests.length, 1)
  await mock.sandbox('secret').verify({ operation: 'listWorkgroups', times: { exactly: 1 } })
  t.equal((await mock.sandbox('secret').state.read()).workgroups?.[0]?.id, 'main')
  await t.rejects(server.sandbox('other').reset(), { name: 'ServiceError', condition: 'unauthorized', status: 401 })
  await t.rejects(server.sandbox('other').remove(), { name: 'ServiceError', status: 401 })
})

void t.test('connecting to no server, or to another one, is an error', async (t) => {
  await using mock = await startMock({ controlToken: 'secret' })
  for (const controlToken of [undefined, 'wrong'])
    await t.rejects(connectMock({ url: mock.url, ...(controlToken && { controlToken }) }), {
      name: 'ServiceError',
      condition: 'forbidden',
      message: /X-Mock-Token/
    })
  for (const wrong of [
    '',
    '127.0.0.1:4700',
    'ftp://a',
    'http://a b',
    'http://a:99999',
    'http://user:secret@127.0.0.1:4700',
    'http://127.0.0.1:4700/?a',
    'http://127.0.0.1:4700#a',
    5,
    new URL(mock.url),
    undefined
  ])
    await t.rejects(connectMock({ url: wrong as string }), { name: 'OptionError', message: /^url must / })
  for (const wrong of [undefined, null])
    await t.rejects(connectMock(wrong as never), { name: 'OptionError', message: /^url must / })
  for (const controlToken of ['a\nb', 5 as never])
    await t.rejects(connectMock({ url: mock.url, controlToken }), { name: 'OptionError', message: /^controlToken / })

  const other = createServer((_, reply) => reply.end('<html>'))
  const url = await listen(t, other)
  const site = async () => connectMock({ url })
  const error = (await site().catch((thrown: unknown) => thrown)) as Error
  t.equal(error.message, `${url} does not answer like svc-mock`)
  t.match(error.stack, /\n {4}at site .*connect\.test/)
  await new Promise((resolve) => other.close(resolve))
  await t.rejects(connectMock({ url }), { message: `GET /: ${url} gave no complete reply`, cause: {} })
})

void t.test('a document that JSON cannot hold is not the fault of the server', async (t) => {
  await using mock = await startMock()
  const box = (await connectMock(mock)).sandbox()
  const endless: { org?: object } = {}
  endless.org = endless
  await t.rejects(box.seed(endless as never), {
    name: 'TypeError',
    message: 'the body cannot be sent as JSON: Converting circular structure to JSON'
  })
})

void t.test('a recording on failure needs a journal, even over HTTP', async (t) => {
  await using mock = await startMock({ journalRequests: 0 })
  const box = (await connectMock(mock)).sandbox()
  const error = (await mock
    .sandbox()
    .record('on-failure', t)
    .catch((thrown: unknown) => thrown)) as Error
  await t.rejects(box.record('on-failure', t), { name: 'ServiceError', message: error.message, status: 400 })
})
