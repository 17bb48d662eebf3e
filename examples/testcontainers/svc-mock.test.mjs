// svc-mock in a container, with node:test. See docs/containers.md; needs: npm install --save-dev testcontainers
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { GenericContainer, Wait } from 'testcontainers'

const token = randomUUID()
let container, url

before(async () => {
  container = await new GenericContainer('svc-mock')
    .withExposedPorts(4700)
    .withEnvironment({ SVC_MOCK_CONTROL_TOKEN: token })
    .withWaitStrategy(Wait.forHttp('/_mock/ready', 4700).forStatusCode(200))
    .start()
  url = `http://${container.getHost()}:${container.getMappedPort(4700)}`
})
after(() => container?.stop())

test('a new key is a new sandbox, whose clock can be stopped', async () => {
  const headers = { 'x-api-key': randomUUID(), 'x-mock-token': token, 'content-type': 'application/json' }
  const frozen = await fetch(`${url}/_mock/clock`, { method: 'PUT', headers, body: '{"mode": "frozen"}' })
  assert.equal(frozen.status, 200)
  const list = await fetch(`${url}/controller/v4/v2/workgroups`, { headers })
  assert.deepEqual((await list.json()).Result, [])
})
