import type { InjectOptions } from 'fastify'
import type { WorkspaceState } from '../src/resources/workspaces/lifecycle.js'
import { sandboxIdOf } from '../src/sandboxes/keys.js'
import type { Sandbox } from '../src/sandboxes/sandbox.js'
import type { Body, BuiltMock, Reply } from './helper.js'

/** When the clocks of these tests stand still at first. */
export const START = Date.parse('2026-01-01T00:00:00.000Z')

/** The timestamp some seconds after {@link START}. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()

export const NONE = '00000000-0000-4000-8000-000000000000'

type Method = InjectOptions['method'] & string

/** One sandbox of a server, with a clock that stands still at {@link START}. */
export interface Bench {
  readonly mock: BuiltMock
  readonly key: string
  /** The sandbox behind the interface, for what no operation can bring about. */
  readonly sandbox: Sandbox
  /** Calls an operation of the interface. */
  readonly call: (method: Method, url: string, body?: unknown) => Promise<Reply>
  /** Calls an operation of the control API. */
  readonly control: (method: Method, url: string, body?: unknown) => Promise<Reply>
  /** Calls an operation that must succeed. @returns its Result */
  readonly result: (method: Method, url: string, body?: unknown) => Promise<Body>
  /** Moves the clock by an ISO 8601 duration. @returns what fired */
  readonly advance: (by: string) => Promise<Body[]>
  readonly setRules: (...rules: Body[]) => Promise<void>
  readonly events: () => Promise<Body[]>
  readonly timeline: (id?: string) => Promise<Body[]>
  readonly now: () => Promise<string>
  readonly createWorkgroup: () => Promise<string>
  /** Creates a workspace that is Active at once. */
  readonly createActive: (workgroup: string, body?: object) => Promise<Body>
}

let count = 0

/** Takes a new sandbox of a server into use. */
export async function openBench(mock: BuiltMock, key = `sandbox-${++count}`): Promise<Bench> {
  const call: Bench['call'] = (method, url, body) => mock.call(method, url, { key, body })
  const control: Bench['control'] = (method, url, body) => mock.call(method, url, { key, body, prefix: '/_mock' })
  const resultOf = ({ status, body }: Reply) => {
    if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
    return body.Result
  }
  const result: Bench['result'] = async (method, url, body) => resultOf(await call(method, url, body))
  const setRules: Bench['setRules'] = async (...rules) => {
    resultOf(await control('PUT', '/transitions', { rules }))
  }
  resultOf(await control('PUT', '/clock', { mode: 'frozen', now: at(0) }))
  const sandbox = await mock.plane.sandboxes.open(sandboxIdOf(key))
  return {
    mock,
    key,
    sandbox,
    call,
    control,
    result,
    setRules,
    advance: async (by) => resultOf(await control('POST', '/clock/advance', { by })).fired as Body[],
    events: async () => resultOf(await control('GET', '/events')) as Body[],
    timeline: async (id) =>
      resultOf(await control('GET', `/timeline${id === undefined ? '' : `?workspace_id=${id}`}`)) as Body[],
    now: async () => resultOf(await control('GET', '/clock')).now as string,
    createWorkgroup: async () =>
      (await result('POST', '/workgroups', { cloud_provider_id: 'account' })).workgroup_id as string,
    createActive: async (workgroup, body = {}) => {
      const rules = resultOf(await control('GET', '/transitions')).rules as Body[]
      await setRules({ transition: 'workspace.create', after: 'PT0S' })
      const workspace = await result('POST', `/workgroups/${workgroup}/workspaces`, body)
      await setRules(...rules)
      return workspace
    }
  }
}

/** Creates a workspace that is, and stays, in a state. @returns its URL and what a read of it answers */
export async function workspaceIn(
  bench: Bench,
  state: WorkspaceState
): Promise<{ id: string; url: string; workspace: Body }> {
  const { result, setRules } = bench
  const workgroup = await bench.createWorkgroup()
  const path = `/workgroups/${workgroup}/workspaces`
  const now = (name: string) => ({ transition: `workspace.${name}`, after: 'PT0S' })
  const never = (name: string) => ({ transition: `workspace.${name}`, outcome: 'hold' })
  const rules =
    state === 'Creating'
      ? [never('create')]
      : [
          state === 'Failed' ? { ...now('create'), outcome: 'fail' } : now('create'),
          state === 'Stopping' ? never('pause') : now('pause'),
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
  if (['Stopping', 'Stopped', 'Idle', 'Resuming'].includes(state)) await result('POST', `${url}/pause`)
  if (state === 'Resuming') await result('POST', `${url}/resume`)
  if (state === 'Resizing') await result('PUT', url, { workspace_type_name: 'SVC-2' })
  if (state === 'Terminating') await result('DELETE', url)
  if (state === 'Restoring') {
    const {
      sandbox,
      mock: { plane }
    } = bench
    await plane.write({ sandbox, id: 'set-up' }, () => {
      plane.workspaces.save(sandbox.key, { ...plane.workspaces.find(sandbox.key, id as string)!, status: state })
    })
  }
  await setRules()
  const workspace = await result('GET', url)
  if (workspace.status !== state) throw new Error(`it is ${workspace.status}, not ${state}`)
  return { id: id as string, url, workspace }
}
