import { isReading } from '../lib/is-reading.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { Arrival, Sandbox } from '../sandboxes/sandbox.js'
import { canonical, digestOf, type Masking } from './masking.js'
import type { ExplorePoint } from './plans.js'

/** A request of a run, with its point. */
export interface NamedRequest {
  /** RequestID. */
  readonly id: string
  readonly point: ExplorePoint
  readonly isRead: boolean
  /** Whether it is a poll that finds the same state again. */
  readonly isRepeat: boolean
}

/** Names a point without its occurrence and its state. */
export function callOf({ operation, resource, digest }: Omit<ExplorePoint, 'occurrence'>): string {
  return [operation, resource, digest].join(' ')
}

/** Names a point, alike in every run. */
export function nameOf(point: ExplorePoint): string {
  const { state, occurrence } = point
  return `${callOf(point)}${state === undefined ? '' : ` (${state})`} #${occurrence}`
}

export const isCreation = ({ operation }: Pick<ExplorePoint, 'operation'>): boolean => /^(create|add)/.test(operation)
export const isDeletion = ({ operation }: ExplorePoint): boolean => operation.startsWith('delete')

/** Such as `createWorkspace main/writer`. */
export const callInWords = ({ operation, resource }: Pick<ExplorePoint, 'operation' | 'resource'>): string =>
  resource === '' ? operation : `${operation} ${resource}`

/** Such as `getWorkspace main/writer (Active) #2`. */
export function describePoint(point: ExplorePoint): string {
  const { state, occurrence } = point
  const which = occurrence === 1 ? '' : ` #${occurrence}`
  return `${callInWords(point)}${state === undefined ? '' : ` (${state})`}${which}`
}

/** Fields that can serve as a resource's name. */
const LABELS = ['name', 'username', 'email', 'cidr', 'ip_address', 'address', 'tag'] as const

/** The name that a client gave something; undefined if it gave none. */
export function labelOf(fields: unknown): string | undefined {
  const record = (fields ?? {}) as Readonly<Record<string, unknown>>
  const name = LABELS.find((label) => typeof record[label] === 'string')
  return name === undefined ? undefined : (record[name] as string)
}

interface Polled {
  readonly resource: string
  readonly state: string | undefined
  /** Whether something related was written after the last read. */
  isStale: boolean
}

/** Makes a function that finds the points of a sandbox's requests, in order of arrival. */
export function namerOf(plane: ControlPlane, sandbox: Sandbox, masking: Masking): (arrival: Arrival) => NamedRequest {
  /** Names of resources by id, kept after the resources are gone. */
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  const polls = new Map<string, Polled>()

  function count(name: string): number {
    const number = (counts.get(name) ?? 0) + 1
    counts.set(name, number)
    return number
  }

  /** @param name the resource's current name; undefined if it does not exist */
  function nameById(id: string, name: string | undefined): string {
    const known = names.get(id) ?? masking(name ?? id)
    if (name !== undefined) names.set(id, known)
    return known
  }

  function resourceOf({ workgroupID, workspaceID, ...others }: Arrival['params']) {
    const stores = plane.storesOf(sandbox)
    const nameOfGroup = (id: string) => nameById(id, stores.workgroups.find(id)?.name)
    const group = workgroupID === undefined ? '' : nameOfGroup(workgroupID)
    const inside = Object.values(others).map((id) => nameById(id, undefined))
    if (workspaceID === undefined) return { resource: [group, ...inside].reduce(joined), state: undefined }
    const workspace = stores.workspaces.find(workspaceID)
    const name = nameById(workspaceID, workspace && joined(nameOfGroup(workspace.workgroup), workspace.name))
    return { resource: [name, ...inside].reduce(joined), state: workspace?.status ?? 'gone' }
  }

  return ({ id, operation, method, params, query, body }) => {
    const isRead = isReading(method)
    const { resource: owner, state } = resourceOf(params)
    const label = isCreation({ operation }) ? labelOf(body) : undefined
    const resource = label === undefined ? owner : joined(owner, masking(label))
    const point = { operation, resource, digest: digestOf(canonical([body, query], masking)) }
    const call = callOf(point)
    if (!isRead) {
      // A write to a resource, its parents or its parts may change its reads.
      for (const poll of polls.values())
        if (isWithin(poll.resource, resource) || isWithin(resource, poll.resource)) poll.isStale = true
      return { id, point: { ...point, occurrence: count(call) }, isRead, isRepeat: false }
    }
    const name = `${call} ${state ?? ''}`
    const polled = polls.get(call)
    const isRepeat = polled !== undefined && !polled.isStale && polled.state === state
    polls.set(call, { resource, state, isStale: false })
    const occurrence = isRepeat ? counts.get(name)! : count(name)
    return { id, point: { ...point, occurrence, ...(state === undefined ? {} : { state }) }, isRead, isRepeat }
  }
}

const joined = (owner: string, name: string) => (owner === '' ? name : `${owner}/${name}`)
export const isWithin = (inner: string, outer: string): boolean => outer === '' || `${inner}/`.startsWith(`${outer}/`)
