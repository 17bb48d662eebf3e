// What the clients in JavaScript share, written with care. One with a mistake makes it in its own file.

const { SVC_MOCK_URL, SVC_MOCK_KEY } = process.env
const ROOT = `${SVC_MOCK_URL}/controller/v4/v2`

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A call that failed. Without a status, there was no complete reply. */
export class CallError extends Error {
  constructor(message, status, retryAfter) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** Whether the same call may work later. */
export const isTransient = ({ status }) => status === undefined || status === 429 || status >= 500

/** Sends a request once. @returns its result */
export async function call(method, path, body) {
  let response
  let reply
  try {
    response = await fetch(`${ROOT}${path}`, {
      method,
      headers: { 'x-api-key': SVC_MOCK_KEY, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(5000)
    })
    reply = await response.json()
  } catch (error) {
    throw new CallError(`${method} ${path}: ${error.message}`)
  }
  if (!response.ok || reply.Error !== false)
    throw new CallError(`${method} ${path}: ${reply.Message}`, response.status, response.headers.get('retry-after'))
  return reply.Result
}

/** Waits longer each time, and at least as long as the server asks for. */
export const backOff = (attempt, { retryAfter }) =>
  sleep(Math.max(50 * 2 ** attempt, retryAfter === null ? 0 : 1000 * Number(retryAfter ?? 0)))

/** Calls what may be called twice, up to five times. */
export async function again(work) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof CallError) || !isTransient(error) || attempt === 4) throw error
      await backOff(attempt, error)
    }
  }
}

export const get = (path) => again(() => call('GET', path))
export const put = (path, body) => again(() => call('PUT', path, body))

/** What is gone already need not be removed. */
export const remove = (path, body) =>
  again(() =>
    call('DELETE', path, body).catch((error) => {
      if (error.status !== 404) throw error
    })
  )

/** Creates something that is not there. After a failure it looks before it tries again. */
export const ensure = (find, create) => again(async () => (await find()) ?? (await create()))

export const findGroup = async (name) => (await get('/workgroups')).find((group) => group.name === name)

export const ensureGroup = (name) =>
  ensure(
    () => findGroup(name),
    () => call('POST', '/workgroups', { name, cloud_provider_id: 'account' })
  )

export const findWorkspace = async (group, name) =>
  (await get(`/workgroups/${group}`)).workspaces.find((workspace) => workspace.name === name)

export const ensureWorkspace = (group, name) =>
  ensure(
    () => findWorkspace(group, name),
    () => call('POST', `/workgroups/${group}/workspaces`, { name })
  )

/** Waits for a status, but not for ever, and not in one that it does not leave. */
export async function waitFor(path, wanted) {
  for (let attempt = 0; attempt < 60; attempt++) {
    const { status } = await get(path)
    if (status === wanted) return
    if (status === 'Failed') throw new Error(`${path} has failed`)
    await sleep(20 + 5 * attempt)
  }
  throw new Error(`${path} is not ${wanted} after 60 looks`)
}

/** Waits until something is gone. */
export async function waitUntilGone(path) {
  for (let attempt = 0; attempt < 60; attempt++) {
    try {
      const { status } = await get(path)
      if (status === 'Failed') throw new Error(`${path} has failed`)
    } catch (error) {
      if (error.status === 404) return
      throw error
    }
    await sleep(20 + 5 * attempt)
  }
  throw new Error(`${path} is still there after 60 looks`)
}

/** The usual beginning: a workgroup with an active workspace. @returns the path of the workspace */
export async function ensureActive(groupName = 'team', name = 'main') {
  const group = (await ensureGroup(groupName)).workgroup_id
  const pathOf = async () => `/workgroups/${group}/workspaces/${(await ensureWorkspace(group, name)).workspace_id}`
  let path = await pathOf()
  // An earlier run may have left it in any state.
  const { status } = await get(path)
  if (status === 'Failed') {
    await remove(path)
    await waitUntilGone(path)
    path = await pathOf()
  }
  if (status === 'Stopped')
    await again(async () => (await get(path)).status === 'Stopped' && call('POST', `${path}/resume`))
  await waitFor(path, 'Active')
  return path
}
