import type { Database } from '../db/database.js'
import type { RowHistory } from '../db/row-history.js'
import type { RawChange, RowChange, Shape } from '../db/row-watcher.js'
import type { Budget } from '../journal/budget.js'
import type { AnsweredRequest } from '../journal/journal.js'
import type { Traffic } from '../journal/traffic.js'
import type { Scheduler, Slices } from '../lib/scheduler.js'
import type { Options } from '../options.js'
import type { Profile } from '../profile/profile.js'
import type { DocumentStore } from '../sandboxes/documents.js'
import type { FaultStore } from '../sandboxes/faults.js'
import type { Past } from '../sandboxes/past.js'
import type { SandboxRegistry } from '../sandboxes/registry.js'
import type { ResourceLimit } from '../sandboxes/resources.js'
import type { Fill, Sandbox } from '../sandboxes/sandbox.js'
import type { SnapshotStore } from '../sandboxes/snapshots.js'
import type { Origin, ReplaceOptions } from '../sandboxes/writer.js'
import type { Engine } from '../sim/engine.js'
import type { Random } from '../sim/random.js'
import type { Timeline } from '../sim/timeline.js'
import type { BackupLifecycle } from './backups/transitions.js'
import type { Ids } from './ids.js'
import type { ScheduleLifecycle } from './schedules/lifecycle.js'
import type { SandboxStores, Tx } from './tx.js'
import type { WorkspaceLifecycle } from './workspaces/transitions.js'
import type { ViewContext } from './workspaces/views.js'

export { storageRefusal } from '../sandboxes/storage-refusal.js'
export { type Origin, originOf } from '../sandboxes/writer.js'

/** Everything that the server can do, without HTTP. */
export interface ControlPlane {
  readonly options: Options
  readonly profile: Profile
  readonly view: ViewContext
  readonly sandboxes: SandboxRegistry
  /** The names of the `--api-key` keys, by the ids of their sandboxes. */
  readonly sandboxNames: ReadonlyMap<string, string>
  readonly snapshots: SnapshotStore
  readonly documents: DocumentStore
  /** The state document that new sandboxes start from, set before the first one is created. */
  baseline: object
  readonly resources: ResourceLimit
  readonly faults: FaultStore
  readonly engine: Engine<Tx>
  /** Spaces out long pieces of work. */
  readonly scheduler: Scheduler
  readonly timeline: Timeline
  readonly ids: Ids
  /** The stores of a sandbox, for reads outside of a write. */
  readonly storesOf: (sandbox: Sandbox) => SandboxStores
  readonly workspaceLifecycle: WorkspaceLifecycle
  readonly backupLifecycle: BackupLifecycle
  readonly scheduleLifecycle: ScheduleLifecycle
  /**
   * The statuses with which each operation can answer, success first, without those of a failing server; filled when
   * the routes are registered.
   */
  readonly operations: Map<string, readonly number[]>
  /** The named schemas that their bodies refer to, once the server is ready. */
  schemas: Readonly<Record<string, object>>
  /** Counts the requests to the interface. */
  readonly traffic: Traffic
  /** Counts commits. */
  readonly commits: Database['commits']
  /** Limits the memory of all journals. */
  readonly journals: Budget
  /** Reads sandboxes as they were. */
  readonly past: Past
  /** The time in a sandbox, or the one that a read in the past is about, in milliseconds since 1970. */
  readonly now: (sandbox: Sandbox) => number
  readonly history: RowHistory
  /** The meanings of the codes in row changes. */
  readonly shapes: readonly Shape[]
  /** Names the table and columns of a row change in a journal. */
  describeChange: (change: RawChange) => RowChange
  /** Whether a row change in a journal is one of a table. */
  isChangeOf: (change: RawChange, table: string) => boolean
  /** RequestIDs for requests without a sandbox. */
  readonly requestIds: Random
  /**
   * Before a read: runs the sandbox's due events, if the database can be written, and waits for a sliced change that
   * is under way.
   * @throws {ServiceError} if the sandbox has been removed
   */
  settle: (origin: Origin) => Promise<void>
  /**
   * Makes a change in a sandbox, after running its due events. If `change` throws, its changes are rolled back.
   * @returns the result of `change`, once it is durable
   */
  write: <T>(origin: Origin, change: (tx: Tx) => T) => Promise<T>
  /**
   * Makes a change that may take long, in slices, each of which is committed on its own. Between them, other sandboxes
   * are served, but requests for this one wait until the end.
   * @param isLong false if it rarely takes more than one slice; then short writes need not go first
   */
  writeInSlices: <T>(origin: Origin, change: (tx: Tx) => Slices<T>, isLong?: boolean) => Promise<T>
  /** Like {@link writeInSlices}, but if `change` throws or the server stops, everything is undone. */
  tryInSlices: <T>(origin: Origin, change: (tx: Tx) => Slices<T>) => Promise<T>
  /**
   * Reads data that may be large, at once or in slices. Nobody writes in the sandbox between them.
   * @param read must yield when isTimeUp() returns true, and must not change anything
   */
  read: <T>(sandbox: Sandbox, read: (isTimeUp: () => boolean) => Slices<T>) => T | Promise<T>
  /**
   * Whether a read must wait for {@link settle}: events are due, or a sliced change is under way.
   * @param now a fresh reading of the sandbox's time
   */
  mustWait: (sandbox: Sandbox, now?: number) => boolean
  /** Whether a sliced change of a sandbox is under way or comes next. */
  isHeld: (sandbox: Sandbox) => boolean
  /** Stops sliced work, because the server is shutting down. */
  stop: () => void
  /**
   * Replaces the contents of a sandbox, in slices if they are large. Unlike {@link write}, does not run due events:
   * they are replaced, too, and may be the very reason why the sandbox cannot be used.
   * @param fill fills an empty sandbox
   */
  replace: (origin: Origin, fill: Fill, options: ReplaceOptions) => Promise<void>
  /** Adds a request that is being answered, without secrets, to the recording of its sandbox, if there is one. */
  record: (sandbox: Sandbox, request: AnsweredRequest) => void
  /**
   * For each read of a resource in clock mode `poll`: advances the clock to the resource's next event of some kinds, if
   * there is one, and runs the events due by then.
   * @param check throws if there is nothing to read; then the clock does not move
   * @returns undefined if there is nothing to do, as in another mode or in the past
   */
  poll: (origin: Origin, resource: string, kinds: readonly string[], check: () => void) => Promise<void> | undefined
  /** @throws {ServiceError} `databaseFull` if the database is close to its limit. Call it before adding data. */
  requireRoom: () => void
  /** @throws the database's error if it cannot be written */
  probe: () => Promise<void>
  /** Whether {@link close} was called, after which the database cannot be used. */
  isClosed: boolean
  /** Commits the queue and releases the database. */
  close: () => void
}
