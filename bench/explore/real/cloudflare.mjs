// cloudflare: its requests, time-outs and retries; it has no waiting, so the program polls as its users do.
import { setTimeout as sleep } from 'node:timers/promises'
import Cloudflare from 'cloudflare'
import { main, WORKSPACES } from './lib.mjs'

const cloudflare = new Cloudflare({
  apiToken: process.env.SVC_MOCK_KEY,
  baseURL: WORKSPACES,
  timeout: 3000
})

async function send(method, path, options) {
  const { Error: isRefused, Message, Result } = await cloudflare[method](path, options)
  if (isRefused) throw new Error(Message)
  return Result
}

async function waitFor(id, wanted) {
  for (let polls = 0; polls < 60; polls++) {
    const { status } = await send('get', `/${id}`)
    if (status === wanted) return
    if (status === 'Failed') throw new Error('the database has failed')
    await sleep(1000)
  }
  throw new Error(`the database does not become ${wanted}`)
}

await main(async () => {
  const { workspace_id: id } = await send('post', '', { body: { name: 'writer' } })
  try {
    await waitFor(id, 'Active')
    await send('put', `/${id}`, { body: { workspace_name: 'reader' } })
  } finally {
    await send('delete', `/${id}`)
    await waitFor(id, 'gone').catch((error) => {
      if (error.status !== 404) throw error
    })
  }
})
