import type { ControlPlane } from '../resources/control-plane.js'
import type { Arrival, Sandbox } from '../sandboxes/sandbox.js'
import { canonical, digestOf, type Masking } from './masking.js'
import type { ExplorePoint } from './plans.js'

/** A request that has arrived. */
export interface Met {
  /** RequestID. */
  readonly id: string
  readonly point: ExplorePoint
  readonly isRead: boolean
  /** Whether it polls again and has seen the same state before. */
  readonly isRepeat: boolean
}

/** The name of a point without its occurrence and its state. */
export function callOf({ operation, resource, digest }: ExplorePoint): string {
  return [operation, resource, digest].join(' ')
}

/** The name of a point. */
export function nameOf(point: ExplorePoint): string {
  const { state, occurrence } = point
  return `${callOf(point)}${state === undefined ? '' : ` (${state})`} #${occurrence}`
}

/** Whether a request removes something. */
export const isDeletion = ({ operation }: ExplorePoint): boolean => operation.startsWith('delete')

/** A call in a few words: `createWorkspace main/writer`. */
export const callInWords = ({ operation, resource }: Pick<ExplorePoint, 'operation' | 'resource'>): string =>
  resource === '' ? operation : `${operation} ${resource}`

/** A point as a person reads it: `createWorkspace main/writer #2`. */
export function describePoint(point: ExplorePoint): string {
  const { state, occurrence } = point
  const which = occurrence === 1 ? '' : ` #${occurrence}`
  return `${callInWords(point)}${state === undefined ? '' : ` (${state})`}${which}`
}

/** What a client calls the things that it makes. */
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
  /** Whether something related was written since the last read. */
  isStale: boolean
}

/** Gives the requests of one sandbox their names, in the order of their arrival. */
export class Namer {
  readonly #plane: ControlPlane
  readonly #sandbox: Sandbox
  readonly #masking: Masking
  /** Names of resources by id, which last longer than the resources. */
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #polls = new Map<string, Polled>()

  constructor(plane: ControlPlane, sandbox: Sandbox, masking: Masking) {
    this.#plane = plane
    this.#sandbox = sandbox
    this.#masking = masking
  }

  meet({ id, operation = 'none', method, params, query, body }: Arrival): Met {
    const isRead = method === 'GET' || method === 'HEAD'
    const { resource: owner, state } = this.#resourceOf(params)
    const label = isRead ? undefined : labelOf(body)
    const resource =
      label === undefined || !/^(create|add)/.test(operation) ? owner : joined(owner, this.#masking(label))
    const digest = digestOf(canonical([body, query], this.#masking))
    const call = [operation, resource, digest].join(' ')
    if (!isRead) {
      this.#makeStale(resource)
      return { id, point: { operation, resource, digest, occurrence: this.#count(call) }, isRead, isRepeat: false }
    }
    const name = `${call} ${state ?? ''}`
    const polled = this.#polls.get(call)
    const isRepeat = polled !== undefined && !polled.isStale && polled.state === state
    this.#polls.set(call, { resource, state, isStale: false })
    const occurrence = isRepeat ? this.#counts.get(name)! : this.#count(name)
    return {
      id,
      point: { operation, resource, digest, occurrence, ...(state === undefined ? {} : { state }) },
      isRead,
      isRepeat
    }
  }

  #count(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return count
  }

  /** A write to a resource, one in it, or one around it may change what a read shows. */
  #makeStale(written: string): void {
    for (const poll of this.#polls.values())
      if (isWithin(poll.resource, written) || isWithin(written, poll.resource)) poll.isStale = true
  }

  #resourceOf({ workgroupID, workspaceID, ...others }: Arrival['params']): { resource: string; state?: string } {
    const stores = this.#plane.storesOf(this.#sandbox)
    const nameOfGroup = (id: string) => this.#name(id, stores.workgroups.find(id)?.name)
    const group = workgroupID === undefined ? '' : nameOfGroup(workgroupID)
    const inside = Object.values(others).map((id) => this.#name(id, undefined))
    if (workspaceID === undefined) return { resource: [group, ...inside].reduce(joined) }
    const workspace = stores.workspaces.find(workspaceID)
    const name = this.#name(workspaceID, workspace && joined(nameOfGroup(workspace.workgroup), workspace.name))
    return { resource: [name, ...inside].reduce(joined), state: workspace?.status ?? 'gone' }
  }

  /** @param name the present name of what has the id; undefined if there is nothing */
  #name(id: string, name: string | undefined): string {
    const known = this.#names.get(id) ?? this.#masking(name ?? id)
    if (name !== undefined) this.#names.set(id, known)
    return known
  }
}

const joined = (owner: string, name: string) => (owner === '' ? name : `${owner}/${name}`)
const isWithin = (inner: string, outer: string) => outer === '' || inner === outer || inner.startsWith(`${outer}/`)
