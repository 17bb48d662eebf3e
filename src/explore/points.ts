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

/** Finds the points of a sandbox's requests, in order of arrival. */
export class Namer {
  readonly #plane: ControlPlane
  readonly #sandbox: Sandbox
  readonly #masking: Masking
  /** Names of resources by id, kept after the resources are gone. */
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #polls = new Map<string, Polled>()

  constructor(plane: ControlPlane, sandbox: Sandbox, masking: Masking) {
    this.#plane = plane
    this.#sandbox = sandbox
    this.#masking = masking
  }

  name({ id, operation = 'none', method, params, query, body }: Arrival): NamedRequest {
    const isRead = method === 'GET' || method === 'HEAD'
    const { resource: owner, state } = this.#resourceOf(params)
    const label = isCreation({ operation }) ? labelOf(body) : undefined
    const resource = label === undefined ? owner : joined(owner, this.#masking(label))
    const point = { operation, resource, digest: digestOf(canonical([body, query], this.#masking)) }
    const call = callOf(point)
    if (!isRead) {
      this.#makeStale(resource)
      return { id, point: { ...point, occurrence: this.#count(call) }, isRead, isRepeat: false }
    }
    const name = `${call} ${state ?? ''}`
    const polled = this.#polls.get(call)
    const isRepeat = polled !== undefined && !polled.isStale && polled.state === state
    this.#polls.set(call, { resource, state, isStale: false })
    const occurrence = isRepeat ? this.#counts.get(name)! : this.#count(name)
    return { id, point: { ...point, occurrence, ...(state === undefined ? {} : { state }) }, isRead, isRepeat }
  }

  #count(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return count
  }

  /** A write to a resource, its parents or its parts may change its reads. */
  #makeStale(written: string): void {
    for (const poll of this.#polls.values())
      if (isWithin(poll.resource, written) || isWithin(written, poll.resource)) poll.isStale = true
  }

  #resourceOf({ workgroupID, workspaceID, ...others }: Arrival['params']): { resource: string; state?: string } {
    const stores = this.#plane.storesOf(this.#sandbox)
    const nameOfGroup = (id: string) => this.#nameOf(id, stores.workgroups.find(id)?.name)
    const group = workgroupID === undefined ? '' : nameOfGroup(workgroupID)
    const inside = Object.values(others).map((id) => this.#nameOf(id, undefined))
    if (workspaceID === undefined) return { resource: [group, ...inside].reduce(joined) }
    const workspace = stores.workspaces.find(workspaceID)
    const name = this.#nameOf(workspaceID, workspace && joined(nameOfGroup(workspace.workgroup), workspace.name))
    return { resource: [name, ...inside].reduce(joined), state: workspace?.status ?? 'gone' }
  }

  /** @param name the resource's current name; undefined if it does not exist */
  #nameOf(id: string, name: string | undefined): string {
    const known = this.#names.get(id) ?? this.#masking(name ?? id)
    if (name !== undefined) this.#names.set(id, known)
    return known
  }
}

const joined = (owner: string, name: string) => (owner === '' ? name : `${owner}/${name}`)
export const isWithin = (inner: string, outer: string): boolean => outer === '' || `${inner}/`.startsWith(`${outer}/`)
