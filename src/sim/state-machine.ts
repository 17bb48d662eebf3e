/** How long transitions take, by `--transitions`. */
export const PROFILES = ['instant', 'fast', 'realistic'] as const
export type Profile = (typeof PROFILES)[number]

/** One kind of transition, as data: the guards, the simulation and the tables in the documents all come from it. */
export interface Transition<State extends string = string> {
  readonly name: string
  /** What starts it, for the documents. */
  readonly trigger: string
  /** States it can start from; none for the creation of a resource. */
  readonly from: readonly State[]
  /** States in which asking for it changes nothing, because what it leads to is there or on its way. */
  readonly noopFrom: readonly State[]
  /** State while it lasts. */
  readonly during: State
  /** States it can end in, if all goes well; none if the resource is gone then. */
  readonly to: readonly State[]
  readonly failsTo: State
  /** Milliseconds it takes. */
  readonly duration: Readonly<Record<Profile, number>>
}

/** Whether a timeline row (a change of state by this transition) is one that the transition allows. */
export function allowsChange({ from, during, to, failsTo }: Transition, before: string | null, after: string): boolean {
  const starts = (before === null ? from.length === 0 : from.includes(before)) && after === during
  const ends = before === during && ([...to, failsTo].includes(after) || (to.length === 0 && after === DELETED))
  return starts || ends
}

/** What the timeline calls the state of a resource that was deleted. */
export const DELETED = 'gone'
