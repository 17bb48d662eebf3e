import type { InjectOptions } from 'fastify'
import root, { type Test } from 'tap'
import { sandboxIdOf } from '../src/lib/secrets.js'
import type { WorkspaceState } from '../src/resources/workspaces/lifecycle.js'
import type { Body, BuiltMock, Reply } from './helper.js'

/** The initial time of a frozen clock: a Thursday. */
export const START = Date.parse('2026-01-01T00:00:00.000Z')

/** The timestamp some seconds after {@link START}. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()

/** The form of most replies. */
export const seconds = (timestamp: string): string => timestamp.replace(/\.\d+Z$/, 'Z')

/** The form of `created_at`. */
export const goTime = (timestamp: string): string => timestamp.replace('T', ' ').replace(/\.?0*Z$/, ' +0000 UTC')

/** An unknown id. */
export const NONE = '00000000-0000-4000-8000-000000000000'

/** In the order of the server. */
export const REGIONS = ['us-east-1', 'us-west-2', 'eu-west-1', 'ap-southeast-1', 'ap-south-1']

/** In the order of the server. */
export const SIZES = ['00', '0', '1', '2', '4', '6', '8', '16', '24', '32', '64'].map((size) => `SVC-${size}`)

type Ask<T> = (method: InjectOptions['method'] & string, url: string, body?: unknown) => Promise<T>

export type Calls = ReturnType<typeof callsOf>
export type TestSandbox = Awaited<ReturnType<typeof openSandbox>>

export interface SandboxOptions {
  /** By default a new one. */
  readonly key?: string | undefined
  /** The time of the frozen clock; by default {@link START}. */
  readonly start?: string
}

/** The calls of a client with one key, whose sandbox does not change. */
export function callsOf(mock: BuiltMock, key: string) {
  const must =
    (ask: Ask<Reply>): Ask<Body> =>
    async (method, url, given) => {
      const { status, body } = await ask(method, url, given)
      if (status !== 200) throw new Error(`${method} ${url}: status ${status}: ${JSON.stringify(body)}`)
      return body.Result
    }
  /** Calls an operation of the interface. */
  const call: Ask<Reply> = (method, url, body) => mock.call(method, url, { key, body })
  /** Makes a call of test control. */
  const control: Ask<Reply> = (method, url, body) => mock.call(method, url, { key, body, prefix: '/_mock' })
  // Those that must succeed give the Result.
  return { key, call, result: must(call), control, controlResult: must(control) }
}

let count = 0

/** Opens a sandbox with a frozen clock. */
export async function openSandbox(mock: BuiltMock, { key = `sandbox-${++count}`, start = at(0) }: SandboxOptions = {}) {
  const calls = callsOf(mock, key)
  const { result, controlResult } = calls
  const setRules = async (...rules: readonly object[]): Promise<void> => {
    await controlResult('PUT', '/transitions', { rules })
  }
  await controlResult('PUT', '/clock', { mode: 'frozen', now: start })
  return {
    ...calls,
    mock,
    /** The sandbox itself, for states that no operation can reach. */
    sandbox: await mock.plane.sandboxes.open(sandboxIdOf(key)),
    /** Advances the clock by an ISO 8601 duration, or to a timestamp. @returns the fired events */
    advance: async (by: string) =>
      (await controlResult('POST', '/clock/advance', by.startsWith('P') ? { by } : { to: by })).fired as Body[],
    now: async () => (await controlResult('GET', '/clock')).now as string,
    setRules,
    /** Due events, in order. */
    events: async () => (await controlResult('GET', '/events')) as Body[],
    timeline: async (id?: string) =>
      (await controlResult('GET', `/timeline${id === undefined ? '' : `?workspace_id=${id}`}`)) as Body[],
    createWorkgroup: async () =>
      (await result('POST', '/workgroups', { cloud_provider_id: 'account' })).workgroup_id as string,
    /** Creates a workspace that is Active at once, regardless of the rules. */
    createActive: async (workgroup: string, body: object = {}): Promise<Body> => {
      const { rules } = await controlResult('GET', '/transitions')
      await setRules({ transition: 'workspace.create', after: 'PT0S' })
      const workspace = await result('POST', `/workgroups/${workgroup}/workspaces`, body)
      await setRules(...(rules as Body[]))
      return workspace
    }
  }
}

/** Makes a function that registers tests, each with a sandbox with a frozen clock. */
export const testsIn =
  (mock: BuiltMock) =>
  (name: string, body: (t: Test, b: TestSandbox) => Promise<void>): void => {
    void root.test(name, async (t) => body(t, await openSandbox(mock)))
  }

/** Creates a workspace that stays in a state. */
export async function workspaceIn(
  b: TestSandbox,
  state: WorkspaceState
): Promise<{ id: string; url: string; workspace: Body }> {
  const { result, setRules } = b
  const workgroup = await b.createWorkgroup()
  const path = `/workgroups/${workgroup}/workspaces`
  const now = (name: string) => ({ transition: `workspace.${name}`, after: 'PT0S' })
  const never = (name: string) => ({ transition: `workspace.${name}`, outcome: 'hold' })
  const rules =
    state === 'Creating'
      ? [never('create')]
      : [
          state === 'Failed' ? { ...now('create'), outcome: 'fail' } : now('create'),
          state === 'Pausing' ? never('pause') : now('pause'),
          never('resume'),
          never('resize'),
          never('delete')
        ]
  await setRules(...rules)
  const { workspace_id: id } = await result('POST', path, {
    enable_auto_start: state === 'Idle',
    name: `meant to be ${state}`
  })
  const url = `${path}/${id}`
  if (['Pausing', 'Stopped', 'Idle', 'Resuming'].includes(state)) await result('POST', `${url}/pause`)
  if (state === 'Resuming') await result('POST', `${url}/resume`)
  if (state === 'Resizing') await result('PUT', url, { workspace_type_name: 'SVC-2' })
  if (state === 'Terminating') await result('DELETE', url)
  if (state === 'Restoring') {
    const { sandbox, mock } = b
    await mock.plane.write({ sandbox, id: 'set-up' }, ({ workspaces }) =>
      workspaces.save({ ...workspaces.find(id as string)!, status: state })
    )
  }
  await setRules()
  const workspace = await result('GET', url)
  if (workspace.status !== state) throw new Error(`it is ${workspace.status}, not ${state}`)
  return { id: id as string, url, workspace }
}
