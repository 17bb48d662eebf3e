export { startMock, type Mock, type SandboxesHandle } from './mock.js'
export type {
  ClockHandle,
  CoverageHandle,
  FaultHandle,
  QuotasHandle,
  RequestsHandle,
  SandboxHandle,
  SnapshotHandle,
  StateHandle,
  TransitionsHandle
} from './sandbox-handle.js'
export type { Fired } from './sim/views.js'
export type { Advance, Clock, ClockSetting, Moved } from './test-control/clock/clock.js'
export type { CoverageReport } from './test-control/coverage/coverage.js'
export type { Report } from './test-control/report/report.js'
export type { RequestRecord } from './test-control/requests/record.js'
export type { RequestFilter, RequestList } from './test-control/requests/requests.js'
export type { Expectation, Verified } from './test-control/requests/verify.js'
export type { Fault, FaultRule } from './sandboxes/fault-schemas.js'
export type { SandboxFilter, SandboxItem, SandboxList } from './test-control/sandboxes/all.js'
export type { NewFork } from './test-control/sandboxes/forks.js'
export type { Snapshot } from './test-control/sandboxes/snapshots.js'
export type { Keepable } from './test-control/sandboxes/state.js'
export type { Due, TimelineItem } from './sim/views.js'
export type { Quotas } from './test-control/simulation/quotas.js'
export type { TransitionRule } from './sim/schemas.js'
export type { Backup } from './resources/backups/views.js'
export type { StateDocument } from './state/schemas.js'
export { OptionError, type Options } from './options.js'
export { DatabaseError } from './db/database.js'
export { SeedFileError } from './state/file.js'
export { ServiceError } from './lib/errors.js'
