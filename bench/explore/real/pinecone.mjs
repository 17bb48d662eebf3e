// @pinecone-database/pinecone: its retries and its waiting until an index is ready.
import { Pinecone } from '@pinecone-database/pinecone'
import { GROUP, main, send, translate, WORKSPACES } from './lib.mjs'

const STATES = { Active: 'Ready', Failed: 'InitializationFailed', Terminating: 'Terminating' }

const indexOf = ({ name, status }) => ({
  name,
  dimension: 2,
  metric: 'cosine',
  vector_type: 'dense',
  deletion_protection: 'disabled',
  host: 'index.test',
  spec: { serverless: { cloud: 'aws', region: 'us-east-1' } },
  status: { ready: status === 'Active', state: STATES[status] ?? 'Initializing' }
})

const toError = ({ Message }, status) => ({
  status,
  error: { code: status === 409 ? 'ALREADY_EXISTS' : '', message: Message }
})

async function fetchApi(address, { method, body, signal }) {
  const [, name] = /\/indexes(?:\/(.*))?$/.exec(address)
  if (name === undefined) {
    const { name } = JSON.parse(body)
    return translate(await send('POST', WORKSPACES, { name }, signal), indexOf, toError)
  }
  const group = await send('GET', GROUP, undefined, signal)
  const find = ({ workspaces }) => workspaces.find((workspace) => workspace.name === name)
  if (method === 'GET') return translate(group, (found) => find(found) && indexOf(find(found)), toError)
  const found = await translate(group, find, toError)
  if (!found.ok) return found
  const { workspace_id: id } = await found.json()
  return translate(await send(method, `${WORKSPACES}/${id}`, undefined, signal), (result) => result ?? {}, toError)
}

const pinecone = new Pinecone({ apiKey: 'key', controllerHostUrl: 'http://indexes.test', fetchApi })
const spec = { serverless: { cloud: 'aws', region: 'us-east-1' } }

await main(async () => {
  await pinecone.createIndex({ name: 'writer', dimension: 2, spec, waitUntilReady: true, suppressConflicts: true })
  await pinecone.describeIndex('writer')
  await pinecone.deleteIndex('writer')
})
