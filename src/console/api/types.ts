/**
 * Types of the replies and events that the console reads, from the schemas of the server. Imports name the ending here,
 * and in what the unit tests import: Node wants that, Vite does not mind.
 */
import type { Shape } from '../../interface/schemas.js'
import type { ProfileInForce } from '../../profile/schemas.js'
import type { ClockSchema } from '../../sim/clock-schemas.js'
import type { DueSchema, QuotasSchema, TimelineEntrySchema, TransitionsSchema } from '../../sim/schemas.js'
import type { CoverageSchema } from '../../test-control/coverage/schemas.js'
import type { Overview } from '../../test-control/overview/schemas.js'
import type { ReportSchema } from '../../test-control/report/schemas.js'
import type { RecordedRequestSchema, RequestRecordSchema, VerifiedSchema } from '../../test-control/requests/schemas.js'
import type { SnapshotSchema } from '../../test-control/sandboxes/schemas.js'
import type { StateEvent } from '../../test-control/stream/schemas.js'
import type { BelongingsSchema } from '../../test-control/workspaces/schemas.js'

export type { Fault, FaultRule } from '../../sandboxes/fault-schemas.js'
export type { TransitionRule } from '../../sim/schemas.js'
export type {
  DatabaseSummary as Database,
  Overview,
  WorkgroupSummary as Workgroup,
  WorkspaceSummary as Workspace
} from '../../test-control/overview/schemas.js'
export type { StateEvent as StateChange } from '../../test-control/stream/schemas.js'

/** An action on a workspace. */
export type Action = keyof Overview['possible_in']

export type Clock = Shape<typeof ClockSchema>
export type ClockMode = Clock['mode']

export type Due = Shape<typeof DueSchema>
export type TimelineItem = Shape<typeof TimelineEntrySchema>

type RecordedRequest = Shape<typeof RecordedRequestSchema>

/** A request as the stream sends it. */
export type RequestSummary = Omit<RecordedRequest, 'query' | 'body' | 'fault'> & {
  readonly fault: { readonly id: string } | null
}

type WholeRecord = Shape<typeof RequestRecordSchema>

export type RequestRecord = Omit<WholeRecord, 'request'> & {
  readonly request: (NonNullable<WholeRecord['request']> & RequestSummary) | null
}
export type RowChange = WholeRecord['changes'][number]

export type WorkspaceDetails = Shape<typeof BelongingsSchema>
export type Backup = WorkspaceDetails['backups'][number]

export type Transitions = Shape<typeof TransitionsSchema>

export type Snapshot = Shape<typeof SnapshotSchema>

export type Profile = ProfileInForce
export type Quotas = Shape<typeof QuotasSchema>
export type Report = Shape<typeof ReportSchema>
export type Verified = Shape<typeof VerifiedSchema>

export type Coverage = Shape<typeof CoverageSchema>
export type Dimension = keyof Coverage['summary']
export type CoverageItem = Coverage[Dimension][number]

/** An event of the stream. */
export type StreamEvent =
  | { readonly event: 'state'; readonly data: StateEvent }
  | { readonly event: 'request'; readonly data: RequestSummary }
  | { readonly event: 'clock'; readonly data: Clock }
  | { readonly event: 'reset' | 'resync'; readonly data: object }
