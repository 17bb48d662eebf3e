import type { ExploreFault, PlanName } from './plans.js'

// What an exploration hands back. These types refer to no package, so that they hold wherever svc-mock is installed.

/** What a finding is, the worst first. */
export type FindingKind =
  'duplicate' | 'forgotten' | 'false-success' | 'left-behind' | 'not-recovered' | 'hang' | 'inconsistent' | 'impolite'

/** What a fault at a call has shown. */
export interface ExploreSighting {
  /** The same in every exploration that finds it. */
  readonly id: string
  /** operationId of the call at which something went wrong. */
  readonly operation: string
  readonly resource: string
  /** A sentence that says what happened. */
  readonly summary: string
  /** Name of the plan's file. */
  readonly plan: string
  /** The faults of that plan. */
  readonly faults: readonly ExploreFault[]
  /** Other faults at the same call with the same consequence. */
  readonly also: readonly PlanName[]
}

/** A bug of the client, as it was seen first. */
export interface ExploreFinding extends ExploreSighting {
  readonly kind: FindingKind
  /** Other calls that show the same bug. */
  readonly elsewhere: readonly ExploreSighting[]
}

/** What an exploration has found. */
export interface ExploreReport {
  /** Version of the format. */
  readonly format: 1
  /** Number of plans that were tried. */
  readonly plans: number
  /** Number of times that the client ran. */
  readonly runs: number
  /** Plans after which all was as it should be. */
  readonly recovered: number
  /** Plans after which the client failed, as it should, and left nothing. */
  readonly reported: number
  /** Plans that could not be judged, because the client was still waiting when its time was up. */
  readonly undecided: number
  /** Plans whose call was not made. */
  readonly missed: number
  /** Plans whose finding did not repeat, and is left out. */
  readonly unrepeated: number
  /** Plans that were not tried, because of a limit or an interruption. */
  readonly skipped: number
  /** Findings that are left out because the baseline has them. */
  readonly known: number
  /** What the client leaves when nothing goes wrong, such as `workspace main/writer`. */
  readonly leaves: readonly string[]
  /** What may be a mistake although nothing went wrong, each as a sentence. */
  readonly questions: readonly string[]
  /** How plans ended, by what they are in a few words: `recovered`, `reported`, or the kind of a finding. */
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
