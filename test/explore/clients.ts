import { setTimeout } from 'node:timers/promises'
import { CallError, type ExploreClient, type ExploreSession } from '../../src/node/index.js'

// Small clients that make a workgroup with a workspace. All but one have a mistake.

type Call = ExploreSession['call']

const GROUP = { name: 'main', cloud_provider_id: 'account' }
const WRITER = { name: 'writer' }

/** Whether a retry makes sense. Without a reply, the result is unknown. */
const mayRetry = (error: unknown) => !(error instanceof CallError) || error.status === 429 || error.status >= 500

/** Retries with growing pauses, unless `find` finds the result of an earlier attempt. */
async function insist<T>(step: () => Promise<T>, find: () => Promise<T | undefined> = async () => undefined) {
  for (let tries = 1; ; tries++) {
    try {
      return await step()
    } catch (error) {
      if (!mayRetry(error) || tries === 4) throw error
      await setTimeout(error instanceof CallError && error.status !== 500 ? 1000 : 2 ** tries)
      const found = await find()
      if (found !== undefined) return found
    }
  }
}

async function waitFor(call: Call, workgroupID: string, workspaceID: string, isOver: (status: string) => boolean) {
  for (let polls = 0; polls < 100; polls++) {
    const { status } = await insist(() => call('getWorkspace', { workgroupID, workspaceID }))
    if (isOver(status)) return status
    await setTimeout(2)
  }
  throw new Error('the workspace takes too long')
}

const make = async (call: Call, workgroupID: string) =>
  (await call('createWorkspace', { workgroupID, body: WRITER })).workspace_id

/** Retries a creation without checking whether the first attempt succeeded. */
export const retriesBlindly: ExploreClient = async ({ call }) => {
  const { workgroup_id: id } = await insist(() => call('createWorkgroup', { body: GROUP }))
  await insist(() => make(call, id))
}

/** Ignores a failed creation. */
export const swallowsErrors: ExploreClient = async ({ call }) => {
  const { workgroup_id: id } = await call('createWorkgroup', { body: GROUP })
  await make(call, id).catch(() => undefined)
}

/** Polls until the workspace is Active, without any limit. */
export const pollsForEver: ExploreClient = async ({ call, signal }) => {
  const { workgroup_id: id } = await call('createWorkgroup', { body: GROUP })
  const workspaceID = await make(call, id)
  const isActive = async () => (await call('getWorkspace', { workgroupID: id, workspaceID })).status === 'Active'
  while (!signal.aborted && !(await isActive())) await setTimeout(2)
}

/** Cleans up only if everything else succeeds. */
export const leavesThings: ExploreClient = async ({ call }) => {
  const { workgroup_id: workgroupID } = await call('createWorkgroup', { body: GROUP })
  await call('addAllowedIP', { workgroupID, body: { cidr: '192.0.2.1' } })
  await call('deleteWorkgroup', { workgroupID })
}

/** Looks before it creates, limits its waits, and removes a failed workspace. */
export const isCareful: ExploreClient = async ({ call }) => {
  const findGroup = async () => (await insist(() => call('listWorkgroups'))).find(({ name }) => name === GROUP.name)
  const group = (await findGroup()) ?? (await insist(() => call('createWorkgroup', { body: GROUP }), findGroup))
  const workgroupID = group.workgroup_id
  const findWorkspace = async () =>
    (await insist(() => call('getWorkgroup', { workgroupID }))).workspaces.find(({ name }) => name === WRITER.name)
      ?.workspace_id
  const workspaceID = (await findWorkspace()) ?? (await insist(() => make(call, workgroupID), findWorkspace))
  const status = await waitFor(call, workgroupID, workspaceID, (state) => state === 'Active' || state === 'Failed')
  if (status === 'Active') return
  await insist(() => call('deleteWorkspace', { workgroupID, workspaceID }))
  throw new Error('the workspace failed')
}
