import type { RawChange, RowChange } from './db/row-watcher.js'
import type { OperationCatalogue } from './journal/operations.js'
import type { Pacer } from './lib/pacer.js'
import type { Slices } from './lib/slices.js'
import type { Options } from './options.js'
import type { AllowListStore } from './resources/allow-list/store.js'
import type { BackupLifecycle } from './resources/backups/lifecycle.js'
import type { BackupStore } from './resources/backups/store.js'
import type { DatabaseUserStore } from './resources/database-users/store.js'
import type { DatabaseStore } from './resources/databases/store.js'
import type { OrgUserStore } from './resources/org-users/store.js'
import type { ScheduleLifecycle } from './resources/schedules/lifecycle.js'
import type { ScheduleStore } from './resources/schedules/store.js'
import type { SandboxStores } from './resources/stores.js'
import type { Tx } from './resources/tx.js'
import type { WorkgroupStore } from './resources/workgroups/store.js'
import type { WorkspaceLifecycle } from './resources/workspaces/lifecycle.js'
import type { WorkspaceStore } from './resources/workspaces/store.js'
import type { DocumentStore } from './sandboxes/documents.js'
import type { FaultStore } from './sandboxes/faults.js'
import type { QuotaStore } from './sandboxes/quotas.js'
import type { SandboxRegistry } from './sandboxes/registry.js'
import type { ResourceLimit } from './sandboxes/resources.js'
import type { Fill, Sandbox } from './sandboxes/sandbox.js'
import type { SnapshotStore } from './sandboxes/snapshots.js'
import type { Origin, ReplaceOptions } from './sandboxes/writer.js'
import type { Engine } from './sim/engine.js'
import type { Random } from './sim/random.js'
import type { Timeline } from './sim/timeline.js'

export type { Origin } from './sandboxes/writer.js'

/** Everything that the server knows and can do, without HTTP. */
export interface ControlPlane {
  readonly options: Options
  readonly sandboxes: SandboxRegistry
  /** What the keys of `--api-key` are called, by the ids of their sandboxes. */
  readonly sandboxNames: ReadonlyMap<string, string>
  readonly snapshots: SnapshotStore
  readonly documents: DocumentStore
  /**
   * State document that a new sandbox begins with. It is set before the first one is made; `state/` knows what is in
   * it.
   */
  baseline: object
  readonly quotas: QuotaStore
  readonly resources: ResourceLimit
  readonly faults: FaultStore
  readonly engine: Engine<Tx>
  /** What comes between two pieces of work that take long. */
  readonly pacer: Pacer
  readonly timeline: Timeline
  /** The stores of a sandbox, for what is read outside of a write. */
  readonly storesOf: (sandbox: Sandbox) => SandboxStores
  readonly workgroups: WorkgroupStore
  readonly allowList: AllowListStore
  readonly databases: DatabaseStore
  readonly workspaces: WorkspaceStore
  readonly workspaceLifecycle: WorkspaceLifecycle
  readonly backups: BackupStore
  readonly backupLifecycle: BackupLifecycle
  readonly schedules: ScheduleStore
  readonly scheduleLifecycle: ScheduleLifecycle
  readonly databaseUsers: DatabaseUserStore
  readonly orgUsers: OrgUserStore
  /** The operations of the interface; filled when the routes are registered. */
  readonly operations: OperationCatalogue
  /** Gives a row change that a journal keeps the names of its table and columns. */
  describeChange: (change: RawChange) => RowChange
  /** Whether a row change that a journal keeps is one of a table. */
  isChangeOf: (change: RawChange, table: string) => boolean
  /** RequestIDs for requests that belong to no sandbox. */
  readonly requestIds: Random
  /**
   * Makes a change in a sandbox, after its due events have been run: all of it holds, or, if `change` throws, none.
   * @returns what `change` returned, once it is durable
   */
  write: <T>(origin: Origin, change: (tx: Tx) => T) => Promise<T>
  /**
   * Makes a change that may take long, in slices: each is part of another transaction, and holds. Other sandboxes are
   * served between them; what is asked of this one waits for the end.
   * @param isLong not if it takes more than a slice only seldom; then it need not let short writes go first
   */
  writeInSlices: <T>(origin: Origin, change: (tx: Tx) => Slices<T>, isLong?: boolean) => Promise<T>
  /** As {@link writeInSlices}, but if `change` throws, nothing of it holds; nor if the server ends on the way. */
  tryInSlices: <T>(origin: Origin, change: (tx: Tx) => Slices<T>) => Promise<T>
  /**
   * Reads something that may be much, at once or in slices. Nobody writes in the sandbox between them.
   * @param read yields when it is told that its time is up, and must not change anything
   */
  read: <T>(sandbox: Sandbox, read: (isTimeUp: () => boolean) => Slices<T>) => T | Promise<T>
  /**
   * Whether a read has to wait, by an empty {@link write}: something is due, or the sandbox is being moved.
   * @param now its time, if that has just been read
   */
  mustWait: (sandbox: Sandbox, now?: number) => boolean
  /** Whether a sandbox is being moved, or waits for that. */
  isHeld: (sandbox: Sandbox) => boolean
  /** Ends what is done in slices, because the server shuts down. */
  stop: () => void
  /**
   * Makes a sandbox something else as a whole, in slices if that is much. Unlike {@link write}, it leaves what is due
   * alone: that is replaced, too, and what keeps a sandbox from being used may be just that.
   * @param fill fills an empty sandbox
   */
  replace: (origin: Origin, fill: Fill, options?: ReplaceOptions) => Promise<void>
  /**
   * What the clock mode `poll` does at each read of a resource: moves the clock to where the next event of some kinds
   * is due for it, if there is one, and runs what is due by then. In other modes, nothing.
   * @param check throws if there is nothing to read; then the clock is not moved either
   */
  poll: (origin: Origin, resource: string, kinds: readonly string[], check: () => void) => Promise<void>
  /**
   * @throws {ServiceError} `databaseFull` if the database has nearly reached its limit; what would make it larger asks
   * first
   */
  requireRoom: () => void
  /** @throws the database's error if nothing can be written for now */
  probe: () => Promise<void>
  /** Whether {@link close} was called; then the database cannot be used any more. */
  isClosed: boolean
  /** Commits what is queued and releases the database. */
  close: () => void
}
