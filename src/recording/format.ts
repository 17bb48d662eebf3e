import type { Shape } from '../db/row-watcher.js'
import type { ErrorDetail } from '../interface/errors.js'
import type { Replacement } from '../journal/recorder.js'
import type { ClockState } from '../sim/clock.js'
import type { RandomState } from '../sim/random.js'

/** The format of a recording. A change that older readers cannot read gets the next number. */
export const RECORDING_FORMAT = 1

/** How recordings are named. */
export const RECORDING_ENDING = '.svcmock'

/** Maximum length of a line, in characters. */
export const MAX_LINE = 64 * 1024 * 1024

/** The first line. */
export interface Manifest {
  readonly svcmock: typeof RECORDING_FORMAT
  /** Version of the server. */
  readonly version: string
  /** Name of its profile. */
  readonly profile: string
  /** Name of the sandbox: that of its key, or the beginning of its id. */
  readonly sandbox: string
  /** Timestamp of the beginning, by the machine's clock. */
  readonly begun: string
  /** Options that differ from the defaults, without secrets. */
  readonly options: Readonly<Record<string, unknown>>
  /** What the codes of row changes stand for. */
  readonly shapes: readonly Shape[]
}

/** A row change: its code, the old values, the new ones, or both, and the rowid. */
export type WrittenChange = readonly [code: number, values: readonly unknown[]]

/** A sandbox without its rows. */
interface Whole {
  readonly org: { readonly id: string; readonly name: string }
  readonly random: RandomState
  readonly clock: ClockState
  /** All rows, as the insertions that make them. */
  readonly rows: Iterable<WrittenChange>
}

/** The state document at the beginning. */
interface StateLine {
  readonly kind: 'state'
  readonly state: object
}

/** The whole sandbox after a step. */
export interface CheckpointLine extends Whole {
  readonly kind: 'checkpoint'
  /** Number of the step; 0: the beginning. */
  readonly after: number
}

interface Numbered {
  /** Its number, from 1. */
  readonly step: number
  /** RequestID of the request, or of the one that caused it. */
  readonly id: string
  /** The time in the sandbox, in milliseconds since 1970. */
  readonly at: number
}

/** Where the sandbox stands after a step, if that differs from the step before. */
interface Standing {
  readonly draws?: number
  readonly clock?: ClockState
}

/** What a request has changed itself. */
interface ChangeStep extends Numbered, Standing {
  readonly kind: 'change'
  readonly changes: readonly WrittenChange[]
}

/** An event that has fired. */
interface EventStep extends Numbered, Standing {
  readonly kind: 'event'
  readonly event: { readonly kind: string; readonly resource: string }
  readonly changes: readonly WrittenChange[]
}

/** The sandbox was replaced as a whole. */
export interface ReplacementStep extends Numbered, Whole {
  readonly kind: Replacement
}

/** Something was not recorded; a checkpoint follows. */
interface GapStep {
  readonly kind: 'gap'
  readonly step: number
}

/** A request that was answered. */
export interface RequestStep extends Numbered {
  readonly kind: 'request'
  /** Milliseconds since 1970, by the machine's clock. */
  readonly received: number
  readonly replied: number
  /** The trace that it is part of. */
  readonly trace?: string
  readonly operation: string | null
  /** Whether it was for the control API. */
  readonly control?: true
  readonly stub?: string
  readonly method: string
  readonly path: string
  readonly params?: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly body_omitted?: true
  /** null: a fault dropped the reply. */
  readonly status: number | null
  /** Absent: there was none, or it is not kept. */
  readonly reply?: unknown
  readonly error?: { readonly condition?: string; readonly message: string; readonly details: readonly ErrorDetail[] }
  readonly retry_after?: number
  readonly fault?: object
}

/** A step of a recording. */
export type RecordedStep = ChangeStep | EventStep | ReplacementStep | RequestStep | GapStep

/** The last line, if the recording has ended properly. */
interface EndLine {
  readonly kind: 'end'
}

/** A line after the first one. */
export type Line = EndLine | StateLine | CheckpointLine | RecordedStep
