import { wholeId } from '../interface/cut-id.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { Sandbox } from '../sandboxes/sandbox.js'

/** An id that a caller may leave out. */
type Given = string | null | undefined

/** The id of the resource that a caller names, perhaps by its beginning. @throws {ServiceError} if several begin so */
export function wholeResource<T extends Given>({ ids }: ControlPlane, { key }: Sandbox, given: T): T | string {
  return typeof given === 'string' ? wholeId(given, (beginning) => ids.ofResources(key, beginning)) : given
}

/** The RequestID of the request that a caller names, in the same way. */
export function wholeRequest<T extends Given>({ ids }: ControlPlane, sandbox: Sandbox, given: T): T | string {
  const { key, journal } = sandbox
  const startingWith = (beginning: string) => [
    ...journal.ids().filter((id) => id.startsWith(beginning)),
    ...ids.ofRequests(key, beginning)
  ]
  return typeof given === 'string' ? wholeId(given, startingWith) : given
}
