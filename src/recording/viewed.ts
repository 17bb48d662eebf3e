import type { PreparedState } from '../documents/schemas.js'
import type { Shape } from '../interface/schemas.js'
import type { Overview } from '../test-control/overview/schemas.js'
import type { RequestRecordSchema } from '../test-control/requests/schemas.js'
import type { RecordedStep } from './format.js'
import type { Patch } from './patch.js'

/** The first line of a view, which the console shows. */
export interface ViewedBeginning {
  /** The step after which the view begins; 0: the beginning of the recording. */
  readonly after: number
  /** The sandbox's time then, in milliseconds since 1970. */
  readonly at: number
  readonly overview: Pick<Overview, 'base_path' | 'prefix' | 'names' | 'states' | 'routes' | 'possible_in'>
  /** The state document then. */
  readonly state: PreparedState
  /** The server's option `--workspace-host-template`. */
  readonly host_template: string
  /** The forms of ids, by field. */
  readonly id_forms: Readonly<Record<string, string>>
}

type Recorded = Shape<typeof RequestRecordSchema>

/** A request, as `GET /_mock/requests/{requestID}` shows it. */
export interface ViewedRequest extends NonNullable<Recorded['request']> {
  /** It was for the control API. */
  readonly control?: true
  /** The field errors. */
  readonly invalid?: Recorded['validation']['faults']
}

/** A change to a scheduled event. */
export interface ViewedDue {
  readonly what: 'scheduled' | 'moved' | 'ended'
  /** Identifies the event until it ends. */
  readonly key: string
  readonly event: string
  readonly resource_id: string
  readonly due: string | null
  readonly request_id: string
}

/** A line between the first and the last. */
export interface ViewedStep {
  readonly step: number
  readonly kind: RecordedStep['kind']
  /** RequestID of the request, or of the one that caused the step; absent from a gap. */
  readonly id?: string
  /** The sandbox's time, in milliseconds since 1970; absent from a gap. */
  readonly at?: number
  readonly request?: ViewedRequest
  readonly event?: { readonly kind: string; readonly resource: string }
  /** Row changes, except those of scheduled events and the timeline. */
  readonly changes?: Recorded['changes']
  /** Number of further row changes. */
  readonly omitted?: number
  readonly due?: readonly ViewedDue[]
  /** Ids of the resources that changed. */
  readonly touches?: readonly string[]
  /** Changes of the state document; absent if there are none. */
  readonly patch?: Patch
}

/** The last line. */
export interface ViewedEnd {
  readonly end: true
  /** The next step, if there are more. */
  readonly next?: number
  /** Set if the recording is damaged there. */
  readonly problem?: string
}
