import type { FindingKind } from './finding-kinds.js'
import type { ExploreFault, PlanName } from './plans.js'

// The results of an exploration. These types refer to no package, so that they hold wherever svc-mock is installed.

/** A problem that a fault at one call has shown. */
export interface ExploreSighting {
  /** The same in every exploration that finds it. */
  readonly id: string
  /** operationId of the call at which something went wrong; of a stub, its method and path. */
  readonly operation: string
  readonly resource: string
  /** A sentence that says what happened. */
  readonly summary: string
  /** Name of the plan's file. */
  readonly plan: string
  readonly faults: readonly ExploreFault[]
  /** Other faults at the same call with the same consequence. */
  readonly also: readonly PlanName[]
}

/** A bug in the client, as it was seen first. */
export interface ExploreFinding extends ExploreSighting {
  readonly kind: FindingKind
  /** Other calls that show the same bug. */
  readonly elsewhere: readonly ExploreSighting[]
}

/** The results of an exploration. */
export interface ExploreReport {
  /** Version of the format. */
  readonly format: 1
  /** Number of plans tried. */
  readonly plans: number
  /** Number of times that the client ran. */
  readonly runs: number
  /** Plans after which everything was as it should be. */
  readonly recovered: number
  /** Plans after which the client failed, as it should, and left nothing. */
  readonly reported: number
  /** Plans whose client was still waiting when its time was up. */
  readonly undecided: number
  /** Plans whose call was not made. */
  readonly missed: number
  /** Plans whose finding did not repeat, and was dropped. */
  readonly unrepeated: number
  /** Plans that were not tried, because of a limit or an interruption. */
  readonly skipped: number
  /** Findings omitted because the baseline has them. */
  readonly known: number
  /** Resources that the client leaves without any fault, such as `workspace main/writer`. */
  readonly leaves: readonly string[]
  /** Possible mistakes without any fault, each as a sentence. */
  readonly questions: readonly string[]
  /** `recovered`, `reported`, or the kind of a finding, by a short description of the plan. */
  readonly endings: Readonly<Record<string, string>>
  /** The worst first. */
  readonly findings: readonly ExploreFinding[]
}

/** How far an exploration is. */
export interface ExploreProgress {
  /** Plans that are done, and all plans so far. */
  readonly done: number
  readonly plans: number
  readonly findings: number
  /** The plan that is about to be tried. */
  readonly title: string
}
