// The parts of a careful client in Node. The clients of this folder use them, each with at most one mistake.
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const { SVC_MOCK_URL: url, SVC_MOCK_KEY: key } = process.env
const TRIES = 5

export { sleep }

/** The service refuses. */
export class Refused extends Error {
  constructor(status, message, retryAfter) {
    super(`${status} ${message}`)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** Sends one request. Without `fetch`, because Node takes longer to load it than to run a client. */
export async function once(method, path, body) {
  const response = await new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const options = { method, headers, signal: AbortSignal.timeout(3000) }
    request(`${url}/controller/v4/v2${path}`, options, resolve)
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body))
  })
  const { statusCode: status, headers } = response
  const { Result, Message, Error: isRefused } = await json(response)
  if (status >= 300 || isRefused) throw new Refused(status, Message, headers['retry-after'])
  return Result
}

/** Whether the same call may work later. */
export const isTemporary = (error) => !(error instanceof Refused) || error.status === 429 || error.status >= 500

/** Tries a step up to five times, waiting as long as the service says, or twice as long each time. */
export async function patiently(step) {
  for (let tries = 1; ; tries++) {
    try {
      return await step(tries)
    } catch (error) {
      if (!isTemporary(error) || tries === TRIES) throw error
      await sleep(error.retryAfter == null ? 100 * 2 ** (tries - 1) : error.retryAfter * 1000)
    }
  }
}

export const get = (path) => patiently(() => once('GET', path))
export const put = (path, body) => patiently(() => once('PUT', path, body))

/** Removes something, which may be gone already. */
export const remove = (path) =>
  patiently(() =>
    once('DELETE', path).catch((error) => {
      if (error.status !== 404) throw error
    })
  )

/** Creates something unless it exists, and looks again before each attempt. */
export const ensure = (find, create) => patiently(async () => (await find()) ?? (await create()))

export const findGroup = async (name) => (await get('/workgroups')).find((group) => group.name === name)
export const createGroup = (name) => once('POST', '/workgroups', { name, cloud_provider_id: 'account' })
export const ensureGroup = (name) =>
  ensure(
    () => findGroup(name),
    () => createGroup(name)
  )

export const findWorkspace = async (group, name) =>
  (await get(`/workgroups/${group}`)).workspaces.find((workspace) => workspace.name === name)
export const createWorkspace = (group, name) => once('POST', `/workgroups/${group}/workspaces`, { name })
export const ensureWorkspace = (group, name) =>
  ensure(
    () => findWorkspace(group, name),
    () => createWorkspace(group, name)
  )

/** Creates a workspace, and looks for it only before a retry. */
export const makeWorkspace = (group, name) =>
  patiently(async (tries) => (tries > 1 && (await findWorkspace(group, name))) || createWorkspace(group, name))

export const pathOf = (group, workspace) => `/workgroups/${group}/workspaces/${workspace}`

/** Waits until a workspace is in a state, or gives up if it is Failed. */
export async function waitFor(group, workspace, wanted) {
  for (let polls = 0; polls < 100; polls++) {
    const { status } = await get(pathOf(group, workspace))
    if (status === wanted) return
    if (status === 'Failed') throw new Error('the workspace has failed')
    await sleep(50)
  }
  throw new Error(`the workspace does not become ${wanted}`)
}

/** Waits until a workspace is Active, and removes it if it does not become Active. */
export const activeOrGone = (group, workspace) =>
  waitFor(group, workspace, 'Active').catch(async (error) => {
    await removeWorkspace(group, workspace)
    throw error
  })

export async function removeWorkspace(group, workspace) {
  await remove(pathOf(group, workspace))
  for (let polls = 0; polls < 100; polls++) {
    const gone = await get(pathOf(group, workspace)).catch((error) => {
      if (error.status !== 404) throw error
    })
    if (gone === undefined) return
    if (gone.status === 'Failed') await remove(pathOf(group, workspace))
    await sleep(50)
  }
  throw new Error('the workspace stays')
}

/** Removes a workgroup with everything in it. */
export async function removeGroup(group) {
  const found = await get(`/workgroups/${group}`).catch((error) => {
    if (error.status !== 404) throw error
  })
  if (found === undefined) return
  for (const { workspace_id: id } of found.workspaces) await removeWorkspace(group, id)
  for (const { database_id: id } of found.svc_databases ?? []) await remove(`/workgroups/${group}/databases/${id}`)
  await remove(`/workgroups/${group}`)
}

/** Ends with a line and the exit code of a failure. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
