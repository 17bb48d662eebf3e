// svc-mock in a container, with node:test. See docs/containers.md; needs svc-mock and, from a checkout beside yours:
// npm install --save-dev --install-links testcontainers ../svc-mock/clients/testcontainers
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SvcMockContainer } from '@svc-mock/testcontainers'
import { connectMock } from 'svc-mock'

let container
let mock

before(async () => {
  container = await new SvcMockContainer().start()
  mock = await connectMock(container)
})
after(() => container?.stop())

test('a new key is a new sandbox, whose clock can be stopped', async () => {
  const box = mock.sandbox()
  await box.clock.freeze()
  assert.equal((await box.clock.read()).mode, 'frozen')
  assert.deepEqual(await box.call('listWorkgroups'), [])
})
