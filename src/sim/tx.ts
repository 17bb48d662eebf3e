import type { Sandbox } from '../sandboxes/sandbox.js'
import { toTimestamp } from '../lib/time.js'

/** What a change may use besides the stores: one moment in one sandbox, and the request behind it. */
export class Turn {
  readonly sandbox: Sandbox
  /** The sandbox's time, in milliseconds since 1970; one for the whole turn. */
  readonly now: number
  /** RequestID of the request that caused it all. */
  readonly requestId: string
  #timestamp: string | undefined

  constructor(sandbox: Sandbox, now: number, requestId: string) {
    this.sandbox = sandbox
    this.now = now
    this.requestId = requestId
  }

  /** `now` as a timestamp. */
  get timestamp(): string {
    return (this.#timestamp ??= toTimestamp(this.now))
  }

  /** A new id out of the sandbox's stream. */
  newId(): string {
    return this.sandbox.ids.uuid()
  }
}
