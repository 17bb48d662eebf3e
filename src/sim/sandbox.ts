import type { ClockState } from './clock.js'
import type { Random } from './random.js'

/** The part of a sandbox that its simulation needs. */
export interface SimulatedSandbox {
  /** Key of its rows. */
  readonly key: number
  clock: ClockState
  /** The stream of ids for new resources. */
  ids: Random
  /** Nothing is due before this time; often exactly when the next event is due. */
  nextDue: number
  /** Time of the newest row of the timeline. */
  newestChange: number
  /** The last time that its clock showed; `-Infinity` if not read since it was set, or if it does not run. */
  shown: number
  /** Milliseconds by which its clock was set back since it was last set, because more was due than could be run. */
  behind: number
}
