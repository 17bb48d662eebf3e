import type { SimulatedSandbox } from './sandbox.js'

/** As much of a write's transaction as the simulation needs: one moment in one sandbox, and the request behind it. */
export interface SimTx<Sandbox extends SimulatedSandbox = SimulatedSandbox> {
  readonly sandbox: Sandbox
  /** The sandbox's time, in milliseconds since 1970; one for all of the transaction. */
  readonly now: number
  /** RequestID of the request that caused it all. */
  readonly requestId: string
}
