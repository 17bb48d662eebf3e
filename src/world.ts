import { isUnwritable, openDatabase, unusable, type Database } from './db/database.js'
import type { RawChange, RowChange } from './db/row-watcher.js'
import type { Options } from './options.js'
import { found } from './errors.js'
import { Collector, WriteNotes } from './journal/collector.js'
import { Journal, SHOWN_APART } from './journal/journal.js'
import { OperationCatalogue } from './journal/operations.js'
import { WATCHED_TABLES } from './journal/watched.js'
import { AllowListStore } from './resources/allow-list/store.js'
import { BackupLifecycle } from './resources/backups/lifecycle.js'
import { BackupStore } from './resources/backups/store.js'
import { DatabaseUserStore } from './resources/database-users/store.js'
import { DatabaseStore } from './resources/databases/store.js'
import { OrgUserStore } from './resources/org-users/store.js'
import { ScheduleLifecycle } from './resources/schedules/lifecycle.js'
import { ScheduleStore } from './resources/schedules/store.js'
import { WorkgroupStore } from './resources/workgroups/store.js'
import { WorkspaceLifecycle } from './resources/workspaces/lifecycle.js'
import { WorkspaceStore, type FoundWorkspace } from './resources/workspaces/store.js'
import { FaultStore } from './sandboxes/faults.js'
import { QuotaStore } from './sandboxes/quotas.js'
import { ResourceLimit } from './sandboxes/resources.js'
import { requireThere, SandboxRegistry, type Sandbox } from './sandboxes/registry.js'
import { SnapshotStore } from './sandboxes/snapshots.js'
import { Engine } from './sim/engine.js'
import { Random, seedSource } from './sim/random.js'
import { Timeline } from './sim/timeline.js'
import { Turn } from './sim/turn.js'
import { applyState } from './state/apply.js'
import type { PreparedState } from './state/schemas.js'
import { rowsOf } from './state/size.js'

/** Who makes a change, and where. A request is one. */
export interface Origin {
  readonly sandbox: Sandbox
  /** RequestID that the timeline names as the cause. */
  readonly id: string
}

export interface ReplaceOptions {
  /** How many rows the sandbox is going to have; with many, the change gets a transaction of its own. */
  readonly rows?: number
  /** What to do once it holds, before anything of a later write is noted. */
  readonly settled?: () => void
}

/** Everything that the server knows and can do, without HTTP. */
export interface World {
  readonly options: Options
  readonly sandboxes: SandboxRegistry
  readonly snapshots: SnapshotStore
  /** What a new sandbox begins with. It is set before the first one is made. */
  baseline: PreparedState
  readonly quotas: QuotaStore
  readonly resources: ResourceLimit
  readonly faults: FaultStore
  readonly engine: Engine
  readonly timeline: Timeline
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
  write: <T>(origin: Origin, change: (turn: Turn) => T) => Promise<T>
  /**
   * Makes a sandbox something else as a whole. Unlike {@link write}, it leaves what is due alone: that is replaced, too, and what
   * keeps a sandbox from being used may be just that.
   */
  replace: (origin: Origin, change: () => void, options?: ReplaceOptions) => Promise<void>
  /** A workspace of a workgroup. @throws {ServiceError} `notFound` if there is no such workgroup, or no such workspace in it */
  findWorkspace: (sandbox: Sandbox, path: { workgroupID: string; workspaceID: string }) => FoundWorkspace
  /**
   * What the clock mode `poll` does at each read of a resource: moves the clock to where the next event of some kinds is
   * due for it, if there is one, and runs what is due by then. In other modes, nothing.
   * @param check throws if there is nothing to read; then the clock is not moved either
   */
  poll: (origin: Origin, resource: string, kinds: readonly string[], check: () => void) => Promise<void>
  /** Whether {@link close} was called; then the database cannot be used any more. */
  isClosed: boolean
  /** Commits what is queued and releases the database. */
  close: () => void
}

/**
 * Opens a world.
 * @throws {DatabaseError} if the database cannot be used
 */
export function openWorld(options: Options): World {
  const db = openDatabase(options.db, options.journalRequests === 0 ? [] : WATCHED_TABLES)
  try {
    return buildWorld(db, options)
  } catch (error) {
    db.close()
    throw unusable(options.db, error)
  }
}

function buildWorld(db: Database, options: Options): World {
  const seeds = seedSource(options.seed === 'random' ? undefined : options.seed, countRun(db))
  const sandboxes = new SandboxRegistry(db, options.maxSandboxes, seeds,
    { rows: () => rowsOf(world.baseline), fill: (sandbox) => { applyState(world, sandbox, world.baseline, 'seed') } },
    () => new Journal({ requests: options.journalRequests, bytes: options.journalBytes }, (change) => !SHOWN_APART.some((table) => db.watcher.isOf(change, table))))
  const engine = new Engine(db, sandboxes, options.transitions)
  const timeline = new Timeline(db, options.timelineEntries)
  const resources = new ResourceLimit(db, options.maxResources)
  const quotas = new QuotaStore(db)
  const workgroups = new WorkgroupStore(db)
  const workspaces = new WorkspaceStore(db)
  const workspaceLifecycle = new WorkspaceLifecycle(engine, timeline, workspaces)
  const backups = new BackupStore(db)
  const backupLifecycle = new BackupLifecycle(engine, timeline, backups, workspaceLifecycle)
  const schedules = new ScheduleStore(db)
  const write = writer(db, sandboxes, engine, ({ key }) => {
    timeline.forget(key)
    resources.forget(key)
  })
  const world: World = {
    options,
    sandboxes,
    snapshots: new SnapshotStore(db),
    baseline: {},
    quotas,
    resources,
    faults: new FaultStore(db),
    engine,
    timeline,
    workgroups,
    allowList: new AllowListStore(db),
    databases: new DatabaseStore(db),
    workspaces,
    workspaceLifecycle,
    backups,
    backupLifecycle,
    schedules,
    scheduleLifecycle: new ScheduleLifecycle({
      engine, timeline, quotas, resources, schedules, workspaces, workspaceLifecycle, backups, backupLifecycle
    }),
    databaseUsers: new DatabaseUserStore(db),
    orgUsers: new OrgUserStore(db),
    operations: new OperationCatalogue(),
    describeChange: (change) => db.watcher.decode(change),
    isChangeOf: (change, table) => db.watcher.isOf(change, table),
    requestIds: new Random({ seed: seeds.ofRequests(), draws: 0 }),
    write: (origin, change) => {
      const { sandbox, id } = origin
      // One time for all of it: what is due between two readings of the clock would be run too late.
      let now = 0
      const settle = () => {
        now = engine.now(sandbox)
        engine.settle(sandbox, now)
      }
      return write(origin, settle, () => db.atomic(() => change(new Turn(sandbox, now, id))))
    },
    replace: (origin, change, { rows = 0, settled } = {}) => {
      const isLarge = sandboxes.store.isLarge(origin.sandbox.key, rows)
      const options = { isWhole: true, isAlone: isLarge, settled }
      return write(origin, () => undefined, () => { db.atomic(() => { db.unwatched(change, isLarge) }) }, options)
    },
    findWorkspace: ({ key }, { workgroupID, workspaceID }) => {
      const workspace = workspaces.findIn(key, workgroupID, workspaceID)
      if (workspace === undefined) found(workgroups.find(key, workgroupID), 'workgroup', workgroupID)
      return found(workspace, 'workspace', workspaceID)
    },
    poll: async (origin, resource, kinds, check) => {
      if (origin.sandbox.clock.mode !== 'poll') return
      await world.write(origin, ({ sandbox }) => {
        check()
        const next = engine.dueEvents.nextOfResource(sandbox.key, resource, kinds)
        if (next !== undefined) engine.moveClock(sandbox, next.due!)
      })
      // Who reads now must not read what has taken its place since.
      requireThere(origin.sandbox)
    },
    isClosed: false,
    close: () => {
      world.isClosed = true
      db.close()
    }
  }
  return world
}

/**
 * Runs a change of a sandbox in the common transaction, after what must hold whatever becomes of it, keeps what is in memory
 * true to what came of it, and hands on what is to be told of it.
 */
function writer(db: Database, sandboxes: SandboxRegistry, engine: Engine, forget: (sandbox: Sandbox) => void) {
  const collector = new Collector(db, engine)
  /** The clock may have been moved in vain, but does not go back behind what it had shown before. */
  const reload = (sandbox: Sandbox, shown: number) => {
    sandboxes.reload(sandbox)
    forget(sandbox)
    sandbox.shown = shown
    engine.now(sandbox)
  }
  return async <T>(
    { sandbox, id }: Origin, settle: () => void, change: () => T,
    { isWhole = false, isAlone = false, settled }: { isWhole?: boolean; isAlone?: boolean; settled?: (() => void) | undefined } = {}
  ): Promise<T> => {
    const notes = new WriteNotes()
    notes.isWhole = isWhole
    let refusal: unknown
    const job = () => {
      requireThere(sandbox)
      const { clock, shown, random, random: { draws } } = sandbox
      sandbox.version++
      try {
        const result = collector.collect(notes, settle, change)
        notes.isClockSet = sandbox.clock !== clock
        return result
      } catch (error) {
        refusal = error
        reload(sandbox, shown)
        throw error
      } finally {
        if (sandbox.random !== random || random.draws !== draws) sandboxes.saveDraws(sandbox)
      }
    }
    try {
      const result = await db.write(job, isAlone)
      settled?.()
      collector.keep(sandbox, id, notes)
      return result
    } catch (error) {
      // What ran before a change that was refused holds, unless the commit failed.
      if (error === refusal && !isUnwritable(error)) collector.keep(sandbox, id, notes)
      // The commit may have failed, and with it what the job did without an error.
      reload(sandbox, error === refusal ? sandbox.shown : -Infinity)
      throw error
    }
  }
}

/** Counts this run of the server. @returns how many there have been */
function countRun(db: Database): number {
  return db.prepare<[], { count: number }>('UPDATE runs SET count = count + 1 RETURNING count').get()!.count
}
