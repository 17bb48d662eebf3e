// svc-mock in a container, with node:test. See docs/containers.md; needs, from a checkout of svc-mock:
// npm install --save-dev testcontainers ./clients/testcontainers
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { SvcMockContainer } from '@svc-mock/testcontainers'

let container

before(async () => {
  container = await new SvcMockContainer().start()
})
after(() => container?.stop())

test('a new key is a new sandbox, whose clock can be stopped', async () => {
  const headers = { ...container.headers(randomUUID()), 'content-type': 'application/json' }
  const frozen = await fetch(`${container.url}/_mock/clock`, { method: 'PUT', headers, body: '{"mode": "frozen"}' })
  assert.equal(frozen.status, 200)
  const list = await fetch(`${container.url}/controller/v4/v2/workgroups`, { headers })
  assert.deepEqual((await list.json()).Result, [])
})
