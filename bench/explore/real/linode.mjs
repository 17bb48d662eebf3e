// @linode/api-v4: its requests and its errors; it has no waiting, so the program polls as its users do.
import { setTimeout as sleep } from 'node:timers/promises'
import { baseRequest, createLinode, deleteLinode, getLinode, updateLinode } from '@linode/api-v4'
import { main, send, translate, WORKSPACES } from './lib.mjs'

const STATES = { Creating: 'provisioning', Active: 'running', Terminating: 'deleting' }
const linodeOf = ({ workspace_id: id, name, status }) => ({ id, label: name, status: STATES[status] ?? 'offline' })

baseRequest.defaults.adapter = 'fetch'
baseRequest.defaults.env = { ...baseRequest.defaults.env, fetch: adapt }

async function adapt(request) {
  const { pathname } = new URL(request.url)
  const [, id = ''] = /\/linode\/instances(\/.*)?$/.exec(pathname)
  const text = await request.text()
  const member = request.method === 'PUT' ? 'workspace_name' : 'name'
  const body = text === '' ? undefined : { [member]: JSON.parse(text).label }
  return translate(
    await send(request.method, `${WORKSPACES}${id}`, body, request.signal),
    (result) => (result === null ? {} : linodeOf(result)),
    ({ Message }) => ({ errors: [{ reason: Message }] })
  )
}

async function waitFor(id, wanted) {
  for (let polls = 0; polls < 60; polls++) {
    const { status } = await getLinode(id)
    if (status === wanted) return
    if (status === 'offline') throw new Error('the instance has failed')
    await sleep(5000)
  }
  throw new Error(`the instance does not become ${wanted}`)
}

await main(async () => {
  const { id } = await createLinode({ label: 'writer', region: 'us-east', type: 'g6-nanode-1' })
  try {
    await waitFor(id, 'running')
    await updateLinode(id, { label: 'reader' })
  } finally {
    await deleteLinode(id)
  }
})
