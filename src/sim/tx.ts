import type { SimulatedSandbox } from './sandbox.js'

/** The part of a write's transaction that the simulation needs: the sandbox, the time, and the request behind it. */
export interface SimTx<Sandbox extends SimulatedSandbox = SimulatedSandbox> {
  readonly sandbox: Sandbox
  /** The sandbox's time in milliseconds since 1970, the same throughout the transaction. */
  readonly now: number
  /** RequestID of the request that caused the write. */
  readonly requestId: string
}
