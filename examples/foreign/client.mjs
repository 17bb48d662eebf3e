// A client of another control plane, without knowledge of svc-mock: it makes an instance, waits for it, stops it, and
// removes it. API_URL says where the service is.
import { setTimeout as sleep } from 'node:timers/promises'

const { API_URL = 'http://127.0.0.1:4700', API_TOKEN = 'example' } = process.env

async function send(method, path, body) {
  const response = await fetch(`${API_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${API_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  const reply = text === '' ? undefined : JSON.parse(text)
  if (!response.ok) throw new Error(`${reply.error.code} ${reply.error.status}: ${reply.error.message}`)
  return reply
}

async function waitFor(id, status) {
  for (;;) {
    const instance = await send('GET', `/v1/instances/${id}`)
    if (instance.status === status) return instance
    await sleep(1000)
  }
}

const project = await send('POST', '/v1/projects', { cloud_provider_id: 'account', name: 'example' })
const { instance_id: id } = await send('POST', '/v1/instances', { project_id: project.project_id, name: 'main' })
const { created_at } = await waitFor(id, 'RUNNING')
await send('POST', `/v1/instances/${id}/stop`)
await waitFor(id, 'STOPPED')
const { snapshots } = await send('GET', `/v1/instances/${id}/snapshots`)
await send('DELETE', `/v1/instances/${id}`)
const refusal = await waitFor(id, 'GONE').catch(({ message }) => message)
const { projects } = await send('GET', '/v1/projects')
console.log(JSON.stringify({ created_at, snapshots, refusal, projects: projects.map(({ name }) => name) }))
