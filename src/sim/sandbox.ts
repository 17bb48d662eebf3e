import type { ClockState } from './clock.js'
import type { Random } from './random.js'

/** As much of a sandbox as its simulation needs. */
export interface SimulatedSandbox {
  /** Key of its rows. */
  readonly key: number
  clock: ClockState
  /** The stream of ids for what is created in it. */
  ids: Random
  /** A time before which nothing is due; often exactly when the next event is. */
  nextDue: number
  /** Time of the newest row of the timeline. */
  newestChange: number
  /** The time that its clock has shown last; `-Infinity` since it was set, or while it does not run. */
  shown: number
  /** Milliseconds that its clock was put back since it was set, because more was due than could be run. */
  behind: number
}
