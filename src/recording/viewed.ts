import type { PreparedState } from '../documents/schemas.js'
import type { Shape } from '../interface/schemas.js'
import type { Overview } from '../test-control/overview/schemas.js'
import type { RequestRecordSchema } from '../test-control/requests/schemas.js'
import type { RecordedStep } from './format.js'
import type { Patch } from './patch.js'

/** The first line of what the console shows of a recording. */
export interface ViewedBeginning {
  /** The step after which it begins; 0: the beginning of the recording. */
  readonly after: number
  readonly sandbox: string
  /** Version of the server, and its profile. */
  readonly version: string
  readonly profile: string
  /** Timestamp of the beginning, by the machine's clock. */
  readonly begun: string
  /** The time in the sandbox then, in milliseconds since 1970. */
  readonly at: number
  /** What never changes. */
  readonly overview: Pick<Overview, 'base_path' | 'prefix' | 'names' | 'states' | 'possible_in'>
  /** The state document then. */
  readonly state: PreparedState
  /** Hosts of its workspaces, by their ids. */
  readonly hosts: Readonly<Record<string, string>>
}

type Recorded = Shape<typeof RequestRecordSchema>

/** A request, with its entry in the journal as `GET /_mock/requests/{requestID}` shows it. */
export interface ViewedRequest extends NonNullable<Recorded['request']> {
  /** Whether it was for the control API. */
  readonly control?: true
  /** The field errors, if it was invalid. */
  readonly invalid?: Recorded['validation']['faults']
}

/** Something that happens to a scheduled event. */
export interface ViewedDue {
  readonly what: 'scheduled' | 'moved' | 'ended'
  /** Stands for the event until it ends. */
  readonly key: string
  readonly event: string
  readonly resource_id: string
  readonly due: string | null
  readonly request_id: string
}

/** A step: each is a line. */
export interface ViewedStep {
  readonly step: number
  readonly kind: RecordedStep['kind']
  /** RequestID of the request, or of the one that caused it; absent from a gap. */
  readonly id?: string
  /** The time in the sandbox, in milliseconds since 1970; absent from a gap. */
  readonly at?: number
  readonly request?: ViewedRequest
  readonly event?: { readonly kind: string; readonly resource: string }
  /** Row changes, without those of scheduled events and of the timeline. */
  readonly changes?: Recorded['changes']
  /** Number of further row changes. */
  readonly omitted?: number
  readonly due?: readonly ViewedDue[]
  /** Ids of the resources that the row changes are about. */
  readonly touches?: readonly string[]
  /** From the state document before to the one after; absent: they are equal. */
  readonly patch?: Patch
  /** Hosts of workspaces that are new. */
  readonly hosts?: Readonly<Record<string, string>>
}

/** The last line. */
export interface ViewedEnd {
  readonly end: true
  /** The next step, if there are more. */
  readonly next?: number
  /** Why there are no more, if the recording is damaged there. */
  readonly problem?: string
}
