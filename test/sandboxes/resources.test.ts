import t from 'tap'
import { buildMock } from '../helper.js'
import { messageOf } from '../messages.js'
import { openSandbox } from '../sandbox.js'

const LIMIT = 12
const FULL = { name: 'ServiceError', condition: 'quotaExceeded' }
const full = (has: number, more: number | 'one') => ({
  ...FULL,
  message: messageOf('quotaExceeded', 'noRoom', { has, more, limit: LIMIT })
})

void t.test('a sandbox has a maximum number of resources, and deletions make room', async (t) => {
  const b = await openSandbox(await buildMock(t, { maxResources: LIMIT }))
  const { resources } = b.mock.plane
  const { key } = b.sandbox
  const create = async () => (await b.call('POST', '/workgroups', { cloud_provider_id: 'account' })).status
  const made: string[] = []
  while (resources.count(key) < LIMIT) made.push(await b.createWorkgroup())
  t.ok(made.length > 5)
  t.equal(await create(), 403)
  t.equal(resources.count(key), LIMIT)
  await b.result('DELETE', `/workgroups/${made.pop()}`)
  t.equal(await create(), 200)
  t.equal(await create(), 403)

  // A deletion before anything was counted makes no difference.
  resources.forget(key)
  await b.result('DELETE', `/workgroups/${made.pop()}`)
  await b.result('DELETE', `/workgroups/${made.pop()}`)
  const take = (count?: number) => () => resources.take(key, count)
  t.throws(take(3), full(LIMIT - 2, 3))
  await b.result('DELETE', `/workgroups/${made.pop()}`)
  t.throws(take(4), FULL, 'what was refused has taken nothing')
  take(2)()
  t.throws(take(2), FULL)
  take()()
  t.throws(take(), full(LIMIT, 'one'))
  resources.forget(key)
  take(3)()
  t.throws(take(), FULL, 'three were free, and are taken again')
})

void t.test('a document with more resources is refused', async (t) => {
  const { resources } = (await buildMock(t, { maxResources: LIMIT })).plane
  resources.check(LIMIT)
  t.throws(() => resources.check(LIMIT + 1), {
    ...FULL,
    message: messageOf('quotaExceeded', 'tooLarge', { count: LIMIT + 1, limit: LIMIT })
  })
})
