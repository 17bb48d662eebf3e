import root, { type Test } from 'tap'
import type { Options } from '../src/options.js'
import { type Body, buildMock, type BuiltMock, createWorkgroup, type Reply } from './helper.js'

/** When a scenario begins: a Thursday. */
export const START = '2026-01-01T00:00:00.000Z'

/** An id that names nothing. */
export const NONE = '00000000-0000-4000-8000-000000000000'

/** An event that was run, without the RequestID. */
export interface Fired {
  readonly at: string
  readonly event: string
  readonly id: string
}

/** A sandbox whose clock stands still, with a workspace that is Active. */
export interface Scenario extends BuiltMock {
  readonly workgroup: string
  readonly workspace: string
  /** The workspace's path, below the controller's prefix. */
  readonly path: string
  /** Calls the control API. */
  readonly control: (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) => Promise<Reply>
  /** Moves the clock by an ISO 8601 duration, or to a timestamp. @returns what was run on the way */
  readonly advance: (by: string) => Promise<Fired[]>
  readonly rules: (...rules: object[]) => Promise<void>
  /** What is due, in order. */
  readonly due: () => Promise<{ readonly due: string | null; readonly event: string }[]>
  /** What the timeline says of a resource, the workspace if none is given: `[at, transition, from, to, reason]`. */
  readonly timeline: (id?: string) => Promise<unknown[][]>
  readonly status: () => Promise<string>
  /** Adds a workspace that is Active, to a database of its own. @returns its id */
  readonly addWorkspace: (body?: object) => Promise<string>
}

/** Builds a server and a sandbox in it that stands at {@link START}, or at another time. */
export async function stage(t: Test, options: Partial<Options> = {}, start = START): Promise<Scenario> {
  return setUp(await buildMock(t, options), start)
}

let shared: Promise<BuiltMock> | undefined
let count = 0

/**
 * As {@link stage}, which is slower, but without options it is a new sandbox of the one server that the tests of a file
 * share.
 */
export async function stageTogether(t: Test, options: Partial<Options> = {}, start = START): Promise<Scenario> {
  if (Object.keys(options).length > 0) return stage(t, options, start)
  const server = await (shared ??= buildMock(root))
  const key = `stage-${++count}`
  return setUp({ ...server, call: (method, url, call) => server.call(method, url, { key, ...call }) }, start)
}

async function setUp(mock: BuiltMock, start: string): Promise<Scenario> {
  const control: Scenario['control'] = async (method, url, body) =>
    mock.call(method, url, { prefix: '/_mock', ...(body === undefined ? {} : { body }) })
  const must = async (reply: Promise<Reply>): Promise<Body> => {
    const { status, body } = await reply
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body.Result
  }
  const advance: Scenario['advance'] = async (by) => {
    const moved = await must(control('POST', '/clock/advance', by.startsWith('P') ? { by } : { to: by }))
    return (moved.fired as Body[]).map(({ at, event, resource_id: id }) => ({ at, event, id }))
  }
  // The longest creation there is ends within the hour before the start.
  const before = new Date(Date.parse(start) - 3_600_000).toISOString()
  await must(control('PUT', '/clock', { mode: 'frozen', now: before }))
  const workgroup = await createWorkgroup(mock)
  const create = async (body: object): Promise<string> =>
    (await must(mock.call('POST', `/workgroups/${workgroup}/workspaces`, { body }))).workspace_id as string
  const workspace = await create({})
  await advance(start)
  const path = `/workgroups/${workgroup}/workspaces/${workspace}`
  return {
    ...mock,
    workgroup,
    workspace,
    path,
    control,
    advance,
    rules: async (...rules) => {
      await must(control('PUT', '/transitions', { rules }))
    },
    due: async () => ((await must(control('GET', '/events'))) as Body[]).map(({ due, event }) => ({ due, event })),
    timeline: async (id = workspace) =>
      ((await must(control('GET', `/timeline?workspace_id=${id}`))) as Body[]).map(
        ({ at, transition, from, to, reason }): unknown[] => [at, transition, from, to, reason]
      ),
    status: async () => (await must(mock.call('GET', path))).status as string,
    addWorkspace: async (body = {}) => {
      const id = await create(body)
      await must(control('POST', '/clock/advance', { until: { workspace_id: id, status: 'Active' } }))
      return id
    }
  }
}
