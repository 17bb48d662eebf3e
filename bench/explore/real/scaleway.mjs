// @scaleway/sdk-client: its requests, its errors and its waiting, for an API class of our own.
import { API, createAdvancedClient, waitForResource, withHTTPClient } from '@scaleway/sdk-client'
import { main, send, translate, WORKSPACES } from './lib.mjs'

const TRANSIENT = ['Creating', 'Updating', 'Terminating']

class Databases extends API {
  create = (name) => this.client.fetch({ method: 'POST', path: '', body: JSON.stringify({ name }) })
  get = (id) => this.client.fetch({ method: 'GET', path: `/${id}` })
  rename = (id, name) =>
    this.client.fetch({ method: 'PUT', path: `/${id}`, body: JSON.stringify({ workspace_name: name }) })
  delete = (id) => this.client.fetch({ method: 'DELETE', path: `/${id}` })
  wait = (id) => waitForResource(({ status }) => !TRANSIENT.includes(status), this.get, id)
}

async function httpClient(request) {
  const body = request.body === null ? undefined : await request.json()
  const response = await send(request.method, request.url, body)
  return translate(
    response,
    (result) => result ?? {},
    ({ Message }, status) =>
      status === 404
        ? { type: 'not_found', resource: 'database', resource_id: '' }
        : { type: status === 429 ? 'too_many_requests' : 'unknown', message: Message }
  )
}

const databases = new Databases(
  createAdvancedClient((settings) => ({ ...settings, apiURL: WORKSPACES }), withHTTPClient(httpClient))
)

await main(async () => {
  const { workspace_id: id } = await databases.create('writer')
  try {
    const { status } = await databases.wait(id)
    if (status !== 'Active') throw new Error(`the database is ${status}`)
    await databases.rename(id, 'reader')
    await databases.wait(id)
  } finally {
    await databases.delete(id)
    await databases.wait(id).catch((error) => {
      if (error.status !== 404) throw error
    })
  }
})
