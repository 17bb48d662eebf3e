import type { ClockState } from './clock.js'
import type { Random, RandomState } from './random.js'

/** The part of a sandbox that the simulation needs. */
export interface SimulatedSandbox {
  /** Key of its rows. */
  readonly key: number
  clock: ClockState
  /** The stream of ids for new resources. */
  ids: Random
  /** State of {@link ids}. */
  random: RandomState
  /** Nothing is due before this time, at which the next event often is. */
  nextDue: number
  /** Time of the newest row of the timeline. */
  newestChange: number
  /** The last time that its clock showed; `-Infinity` if not read since it was set, or if it does not run. */
  shown: number
  /** Milliseconds by which its clock was set back since it was last set, because more was due than could be run. */
  behind: number
}

/** The part of a write's transaction that the simulation needs: the sandbox, the time, and the request behind it. */
export interface SimTx<Sandbox extends SimulatedSandbox = SimulatedSandbox> {
  readonly sandbox: Sandbox
  /** The sandbox's time in milliseconds since 1970, the same throughout the transaction. */
  readonly now: number
  /** RequestID of the request that caused the write. */
  readonly requestId: string
}
