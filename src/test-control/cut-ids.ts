import { wholeId } from '../interface/cut-id.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { Sandbox } from '../sandboxes/sandbox.js'

/** The id of the resource that a caller may have shortened. @throws {ServiceError} if several ids begin with it */
export function wholeResource({ ids }: ControlPlane, { key }: Sandbox, given: string): string {
  return wholeId(given, (beginning) => ids.ofResources(key, beginning))
}

/** The RequestID that a caller may have shortened, likewise. */
export function wholeRequest({ ids }: ControlPlane, { key, journal }: Sandbox, given: string): string {
  return wholeId(given, (beginning) => [
    ...journal.ids().filter((id) => id.startsWith(beginning)),
    ...ids.ofRequests(key, beginning)
  ])
}
