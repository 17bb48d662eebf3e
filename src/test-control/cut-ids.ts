import { wholeId } from '../interface/cut-id.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { Sandbox } from '../sandboxes/sandbox.js'

/** The id of the resource that a caller may have shortened. @throws {ServiceError} if several ids begin with it */
export function wholeResource({ ids }: ControlPlane, { key }: Sandbox, given: string): string {
  return wholeId(given, (beginning) => ids.ofResources(key, beginning))
}

const IDS: ReadonlySet<string> = new Set(['workspace_id', 'workgroup_id', 'resource_id'])

/** A rule, or conditions, with whole ids. */
export function withWholeIds<T extends object>(plane: ControlPlane, sandbox: Sandbox, given: T): T {
  const whole = ([name, value]: [string, unknown]) => [
    name,
    IDS.has(name) && typeof value === 'string' ? wholeResource(plane, sandbox, value) : value
  ]
  return Object.fromEntries(Object.entries(given).map(whole)) as T
}

/** The RequestID that a caller may have shortened, likewise. */
export function wholeRequest({ ids }: ControlPlane, { key, journal }: Sandbox, given: string): string {
  return wholeId(given, (beginning) => [
    ...journal.ids().filter((id) => id.startsWith(beginning)),
    ...ids.ofRequests(key, beginning)
  ])
}
