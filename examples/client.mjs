// A client that needs only Node: it creates a workspace, moves the clock of its sandbox, and sees the workspace Active.
// MOCK_URL says where the server is, MOCK_TOKEN is its --control-token, if it has one, and MOCK_KEY names the sandbox.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

const {
  MOCK_URL: url = 'http://127.0.0.1:4700',
  MOCK_TOKEN: token = '',
  MOCK_KEY: key = `example-${randomUUID()}`
} = process.env

async function call(method, path, body) {
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      'x-api-key': key,
      ...(path.startsWith('/_mock/') && token !== '' ? { 'x-mock-token': token } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const { Message, Result } = await response.json()
  console.log(`${method} ${path} ${response.status} ${Message}`)
  assert.equal(response.status, 200)
  return Result
}

const workgroups = '/controller/v4/v2/workgroups'
await call('PUT', '/_mock/clock', { mode: 'frozen' })
const { workgroup_id } = await call('POST', workgroups, { cloud_provider_id: 'my-account', name: 'example' })
const { workspace_id, status } = await call('POST', `${workgroups}/${workgroup_id}/workspaces`, { name: 'main' })
assert.equal(status, 'Creating')
await call('POST', '/_mock/clock/advance', { until: { workspace_id, status: 'Active' } })
const workspace = await call('GET', `${workgroups}/${workgroup_id}/workspaces/${workspace_id}`)
assert.equal(workspace.status, 'Active')
console.log(`The workspace ${workspace.name} is ${workspace.status}.`)
