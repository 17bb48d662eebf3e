import type { AssumptionId } from '../interface/assumption-id.js'
import type { Speed } from '../profile/durations.js'

/** States by name. */
export type StateTable = Readonly<
  Record<
    string,
    {
      /** Id of the assumption that it exists. */
      readonly id: AssumptionId
      readonly meaning: string
      /** Whether a resource in it costs money, or soon will. */
      readonly costs?: true
    }
  >
>

/** A transition as data, from which guards, simulation and documents follow. */
export interface Transition<State extends string = string> {
  /** Id of the assumption about its states. */
  readonly id: AssumptionId
  /** Id of the assumption about how long it takes. */
  readonly durationId: AssumptionId
  readonly name: string
  /** Its trigger, in words for the documents. It names the operations that can begin the transition. */
  readonly trigger: string
  /** The operation that only begins it, and is refused in a state from which it cannot. */
  readonly operation?: string
  /** States it can start from; empty if it creates the resource. */
  readonly from: readonly State[]
  /** States in which requesting it changes nothing, because its result exists or is on its way. */
  readonly noopFrom: readonly State[]
  readonly during: State
  /** States it can succeed in; empty if it deletes the resource. */
  readonly to: readonly State[]
  readonly failsTo: State
  /** Duration in milliseconds. */
  readonly duration: Readonly<Record<Speed, number>>
}

/** Whether the transition allows the state change of a timeline row. */
export function allowsChange({ from, during, to, failsTo }: Transition, before: string | null, after: string): boolean {
  const starts = (before === null ? from.length === 0 : from.includes(before)) && after === during
  const ends = before === during && ([...to, failsTo].includes(after) || (to.length === 0 && after === DELETED))
  return starts || ends
}

/** State of a deleted resource in the timeline. */
export const DELETED = 'gone'
