import root, { type Test } from 'tap'
import type { BuiltMock } from './helper.js'
import { at, openSandbox, type SandboxOptions } from './sandbox.js'

export type ActiveWorkspace = Awaited<ReturnType<typeof openActiveWorkspace>>

/** Opens a sandbox with a workspace that is Active at the start. */
export async function openActiveWorkspace(mock: BuiltMock, { start = at(0), ...options }: SandboxOptions = {}) {
  // The longest creation there is ends within the hour before the start.
  const before = new Date(Date.parse(start) - 3_600_000).toISOString()
  const sandbox = await openSandbox(mock, { ...options, start: before })
  const { result, controlResult, advance, events, timeline } = sandbox
  const workgroup = await sandbox.createWorkgroup()
  const create = async (body: object): Promise<string> =>
    (await result('POST', `/workgroups/${workgroup}/workspaces`, body)).workspace_id as string
  const workspace = await create({})
  await advance(start)
  /** The workspace's path, below the controller's prefix. */
  const path = `/workgroups/${workgroup}/workspaces/${workspace}`
  return {
    ...sandbox,
    workgroup,
    workspace,
    path,
    status: async () => (await result('GET', path)).status as string,
    /** Due events, in order. */
    due: async () => (await events()).map(({ due, event }) => ({ due: due as string | null, event: event as string })),
    /** The timeline of a resource, by default the workspace: `[at, transition, from, to, reason]`. */
    history: async (id = workspace) =>
      (await timeline(id)).map(({ at, transition, from, to, reason }): unknown[] => [at, transition, from, to, reason]),
    /** Adds a workspace with its own database, and advances the clock until it is Active. @returns its id */
    addWorkspace: async (body: object = {}) => {
      const id = await create(body)
      await controlResult('POST', '/clock/advance', { until: { workspace_id: id, status: 'Active' } })
      return id
    }
  }
}

/** Makes a function that registers tests, each with a sandbox and an Active workspace. */
export const testsWithActive =
  (mock: BuiltMock) =>
  (name: string, body: (t: Test, b: ActiveWorkspace) => Promise<void>): void => {
    void root.test(name, async (t) => body(t, await openActiveWorkspace(mock)))
  }
