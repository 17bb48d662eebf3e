import type { RawChange } from '../db/row-watcher.js'
import type { ClockState } from '../sim/clock.js'
import type { RandomState } from '../sim/random.js'
import type { AnsweredRequest } from './journal.js'
import type { Step } from './step.js'

/** How a sandbox is replaced as a whole. */
export type Replacement = 'import' | 'seed' | 'reset' | 'restore'

/** The parts of a sandbox that no row change shows. */
export interface Position {
  /** The time in the sandbox, in milliseconds since 1970. */
  readonly at: number
  /** Draws of its stream of ids that are used up. */
  readonly draws: number
  readonly clock: ClockState
}

/** A whole sandbox at one moment. */
export interface WholeState {
  readonly org: { readonly id: string; readonly name: string }
  readonly random: RandomState
  readonly clock: ClockState
  /** All rows, as the insertions that would make them. */
  readonly rows: readonly RawChange[]
  /** Its state document, if the recorder needs it. */
  readonly document?: object
}

/** Records one sandbox, step by step. A recording that fails must not disturb the server. */
export interface Recorder {
  /** Whether it needs the whole sandbox before the next write or request. */
  readonly needsState: boolean
  /** Whether that should include the state document. */
  readonly needsDocument: boolean
  /** Begins with the whole sandbox, before the next step. */
  begin: (state: WholeState) => void
  /** Records a step, unless it changes nothing. */
  add: (step: Step) => void
  /** Records that the sandbox was replaced as a whole. */
  replace: (id: string, at: number, by: Replacement, state: WholeState) => void
  /** Records a request that is being answered, without secrets. */
  request: (request: AnsweredRequest) => void
  /** Notes that the next step does not continue from the recorded ones. */
  interrupt: () => void
  end: () => void
}
