// Types of replies and events, from the schemas of the server. Imports end in `.js` here and in all files that the unit
// tests load, as Node requires it.
import type { profileInForce } from '../../test-control/assumptions/assumptions.js'
import type * as handle from '../../test-control/handle/types.js'
import type { Overview } from '../../test-control/overview/schemas.js'
import type { RecordedRequest, RequestRecord as WholeRecord } from '../../test-control/requests/schemas.js'
import type { listEvents } from '../../test-control/simulation/timeline.js'
import type { withTransitions } from '../../test-control/simulation/transitions.js'
import type { StateEvent } from '../../test-control/stream/schemas.js'
import type { Belongings as WorkspaceDetails } from '../../test-control/workspaces/schemas.js'

export type { CoverageReport as Coverage } from '../../test-control/handle/types.js'
export type * from '../../test-control/handle/types.js'
export type {
  DatabaseSummary as Database,
  Overview,
  WorkgroupSummary as Workgroup,
  WorkspaceSummary as Workspace
} from '../../test-control/overview/schemas.js'
export type { Belongings as WorkspaceDetails } from '../../test-control/workspaces/schemas.js'
export type { StateEvent as StateChange } from '../../test-control/stream/schemas.js'

export type Action = keyof Overview['possible_in']

export type ClockMode = handle.Clock['mode']

/** A request as the stream sends it. */
export type RequestSummary = Omit<RecordedRequest, 'query' | 'body' | 'fault'> & {
  readonly fault: { readonly id: string } | null
}

export type RequestRecord = Omit<WholeRecord, 'request'> & {
  readonly request: (NonNullable<WholeRecord['request']> & RequestSummary) | null
}

export type RowChange = WholeRecord['changes'][number]

export type Backup = WorkspaceDetails['backups'][number]

export type Transitions = ReturnType<typeof withTransitions>
export type TransitionRule = Transitions['rules'][number]

export type Due = ReturnType<typeof listEvents>[number]
export type TimelineItem = StateEvent['timeline'][number]

export type Profile = ReturnType<typeof profileInForce>

export type Dimension = keyof handle.CoverageReport['summary']

export type StreamEvent =
  | { readonly event: 'state'; readonly data: StateEvent }
  | { readonly event: 'request'; readonly data: RequestSummary }
  | { readonly event: 'clock'; readonly data: handle.Clock }
  | { readonly event: 'reset' | 'resync'; readonly data: object }
