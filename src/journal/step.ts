import type { RawChange } from '../db/row-watcher.js'
import type { ClockState } from '../sim/clock.js'
import type { DueEvent } from '../sim/due-events.js'

/** Row changes made together, and their cause. */
export interface Step {
  /** RequestID of the cause: the request itself, or the one that scheduled the event. */
  readonly id: string
  /** The event that fired; undefined: the request itself. */
  readonly fired: DueEvent | undefined
  /** The time in the sandbox, in milliseconds since 1970. */
  readonly at: number
  readonly changes: readonly RawChange[]
  /** Draws of the stream of ids that are used up, and the clock; undefined: as before, or it follows. */
  readonly draws: number | undefined
  readonly clock: ClockState | undefined
}
