import { join } from 'node:path'
import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { buildMock, matchError, until } from '../helper.js'

const document = (count: number) => ({
  workgroups: Array.from({ length: count }, (_, i) => ({ id: `g${i}`, name: 'x'.repeat(200) }))
})

void t.test('near --max-database-bytes, growth is a 507; reads, deletions, clocks and resets still work', async (t) => {
  const { call } = await buildMock(t, { db: join(t.testdir(), 'a.db'), maxDatabaseBytes: 1024 * 1024 })
  const control = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
    call(method, url, { prefix: '/_mock', ...(body === undefined ? {} : { body }) })
  t.equal((await control('PUT', '/state', document(1200))).status, 200)
  matchError(t, await control('PUT', '/seed', document(5000)), 'databaseFull', 'full')
  t.equal((await call('GET', '/workgroups')).body.Result.length, 1200, 'nothing was changed')
  let created = 0
  while (created < 5000 && (await call('POST', '/workgroups', { body: { cloud_provider_id: 'x' } })).status === 200)
    created++
  t.ok(created > 10 && created < 5000, `${created}`)
  for (const reply of [
    await call('POST', '/workgroups', { body: { cloud_provider_id: 'x' } }),
    await call('PUT', '/workgroups/g1', { body: { workgroup_name: 'x' } }),
    await control('PUT', '/snapshots/a'),
    await control('PUT', '/state', {}),
    await control('PUT', '/seed', {}),
    await call('GET', '/workgroups', { key: 'another' })
  ])
    matchError(t, reply, 'databaseFull', 'full')
  t.equal((await call('GET', '/workgroups')).body.Result.length, 1200 + created)
  t.equal((await call('GET', '/ready', { prefix: '/_mock' })).status, 200)
  t.equal((await control('PUT', '/clock', { mode: 'frozen' })).status, 200)
  t.not((await control('POST', '/requests/verify', { operation: 'createWorkgroup' })).status, 507)
  t.not((await control('PUT', '/quotas', {})).status, 507)
  t.not((await control('POST', '/snapshots/none/restore')).status, 507)
  t.equal((await call('DELETE', '/workgroups/g1')).status, 200)
  t.equal((await control('POST', '/reset')).status, 200)
  // Of a large sandbox, the old rows go a little later.
  await until(async () => (await call('POST', '/workgroups', { body: { cloud_provider_id: 'x' } })).status === 200)
  t.equal((await call('GET', '/workgroups', { key: 'another' })).status, 200)
})

void t.test('growth by a method is refused, too', async (t) => {
  await using mock = await startMock({ db: join(t.testdir(), 'a.db'), maxDatabaseBytes: 1024 * 1024 })
  const box = mock.sandbox()
  const full = { name: 'ServiceError', message: /^The database has reached maxDatabaseBytes/ }
  await box.state.replace(document(1700))
  // SQLite refuses these, because there seems to be room.
  await t.rejects(box.snapshot.save('large'), full)
  await t.rejects(box.state.replace(document(5000)), full)
  await t.rejects(async () => {
    for (let i = 0; i < 99; i++) {
      await box.state.replace(document(100 + i))
      await box.snapshot.save(`${i}`)
    }
  }, full)
  await t.rejects(box.state.replace({}), full)
  await box.reset()
})

void t.test('with off there is no limit', async (t) => {
  const { call } = await buildMock(t, { maxDatabaseBytes: 'off' })
  t.equal((await call('POST', '/workgroups', { body: { cloud_provider_id: 'x' } })).status, 200)
})
