import { isUnwritable, openDatabase, unusable, type Database } from './db/database.js'
import type { RawChange } from './db/row-watcher.js'
import { sandboxIdOf } from './http/credentials.js'
import { namedKeys, type Options } from './options.js'
import { databaseFull, found, notFound } from './lib/errors.js'
import { Budget } from './journal/budget.js'
import { Feed } from './journal/event-hub.js'
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
import { WorkspaceStore } from './resources/workspaces/store.js'
import { DocumentStore } from './sandboxes/documents.js'
import { FaultStore } from './sandboxes/faults.js'
import { QuotaStore } from './sandboxes/quotas.js'
import { ResourceLimit } from './sandboxes/resources.js'
import { SandboxRegistry, type SandboxLimits } from './sandboxes/registry.js'
import { requireThere, type Memory } from './sandboxes/sandbox.js'
import { SnapshotStore } from './sandboxes/snapshots.js'
import { lengthOf, machineTime, parseDuration } from './sim/clock.js'
import { Engine } from './sim/engine.js'
import { Random, seedSource } from './sim/random.js'
import { Timeline } from './sim/timeline.js'
import { applyState } from './state/apply.js'
import { rowsOf } from './state/size.js'
import { Writer } from './sandboxes/writer.js'
import type { World } from './control-plane.js'

/**
 * Opens a world.
 * @throws {DatabaseError} if the database cannot be used
 */
export function openWorld(options: Options): World {
  const db = openDatabase(options.db, options.journalRequests === 0 ? [] : WATCHED_TABLES, machineTime,
    options.maxDatabaseBytes === 'off' ? Infinity : options.maxDatabaseBytes)
  try {
    return buildWorld(db, options)
  } catch (error) {
    db.close()
    throw unusable(options.db, error)
  }
}

function buildWorld(db: Database, options: Options): World {
  const seeds = seedSource(options.seed === 'random' ? undefined : options.seed, countRun(db))
  const sandboxes = new SandboxRegistry(db, sandboxLimits(options), seeds, {
    rows: () => rowsOf(world.baseline), fill: (sandbox) => applyState(world, sandbox, world.baseline, 'seed')
  }, memoryOf(db, options))
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
  const writer = new Writer(db, sandboxes, engine, ({ key }) => {
    timeline.forget(key)
    resources.forget(key)
  })
  const world: World = {
    options,
    sandboxes,
    sandboxNames: new Map([...namedKeys(options)].map(([key, name]) => [sandboxIdOf(key), name])),
    snapshots: new SnapshotStore(db),
    documents: new DocumentStore(db),
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
    write: writer.write.bind(writer),
    writeInSlices: writer.writeInSlices.bind(writer),
    tryInSlices: writer.tryInSlices.bind(writer),
    replace: writer.replace.bind(writer),
    read: writer.read.bind(writer),
    mustWait: writer.mustWait.bind(writer),
    isHeld: writer.isHeld.bind(writer),
    stop: writer.stop.bind(writer),
    findWorkspace: ({ key }, { workgroupID, workspaceID }) => {
      const workspace = workspaces.findIn(key, workgroupID, workspaceID)
      if (workspace === undefined && !workgroups.has(key, workgroupID)) throw notFound('workgroup', workgroupID)
      return found(workspace, 'workspace', workspaceID)
    },
    poll: async (origin, resource, kinds, check) => {
      if (origin.sandbox.clock.mode !== 'poll') return
      try {
        await world.writeInSlices(origin, function* ({ sandbox }) {
          check()
          const next = engine.dueEvents.nextOfResource(sandbox.key, resource, kinds)
          if (next !== undefined) yield* engine.moveClock(sandbox, next.due!)
        }, false)
      } catch (error) {
        // While nothing can be written, a read answers what is known.
        if (!isUnwritable(error)) throw error
      }
      // Who reads now must not read what has taken its place since.
      requireThere(origin.sandbox)
    },
    requireRoom: () => { if (db.isNearlyFull) throw databaseFull() },
    probe: db.probe,
    isClosed: false,
    close: () => {
      if (!world.isClosed) sandboxes.saveUses()
      world.isClosed = true
      writer.stop()
      db.close()
      writer.close()
    }
  }
  return world
}

/** Which sandboxes make room for others: not those that the options name, nor the only one. */
function sandboxLimits(options: Options): SandboxLimits {
  const { maxSandboxes: count, sandboxIdle, auth } = options
  const idle = sandboxIdle === 'off' ? Infinity : lengthOf(parseDuration(sandboxIdle)!)
  const kept = auth === 'off' ? [''] : auth === 'strict' ? [...namedKeys(options).keys()] : []
  return { count, idle, kept: kept.map(sandboxIdOf) }
}

/** Makes what a sandbox keeps in memory alone. All of them share one budget. */
function memoryOf(db: Database, { journalRequests: requests, journalBytes: bytes, journalTotalBytes }: Options): () => Memory {
  const budget = new Budget(journalTotalBytes)
  const isShown = (change: RawChange) => !SHOWN_APART.some((table) => db.watcher.isOf(change, table))
  return () => ({ journal: new Journal({ requests, bytes }, isShown, budget), feed: new Feed(budget) })
}

/** Counts this run of the server. @returns how many there have been */
function countRun(db: Database): number {
  return db.prepare<[], { count: number }>('UPDATE runs SET count = count + 1 RETURNING count').get()!.count
}
