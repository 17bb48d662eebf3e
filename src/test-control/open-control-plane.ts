import { getHeapStatistics } from 'node:v8'
import { type Database, isUnwritable, openDatabase, unusable } from '../db/database.js'
import { RowHistory } from '../db/row-history.js'
import { applyState } from '../documents/apply.js'
import { exportState } from '../documents/export.js'
import { rowsOf } from '../documents/size.js'
import { databaseFull } from '../interface/errors.js'
import { Budget } from '../journal/budget.js'
import { ChangeLog } from '../journal/change-log.js'
import { commitListener } from '../journal/committed.js'
import { Journal } from '../journal/journal.js'
import type { Recorder, WholeState } from '../journal/recorder.js'
import { Traffic } from '../journal/traffic.js'
import { sandboxIdOf } from '../lib/secrets.js'
import { lengthOf, machineTime, parseDuration } from '../lib/time.js'
import { namedKeys, type Options } from '../options.js'
import { sizesIn } from '../profile/catalogue.js'
import { BUILT_IN, type Profile } from '../profile/profile.js'
import { BackupLifecycle } from '../resources/backups/transitions.js'
import type { ControlPlane, Origin } from '../resources/control-plane.js'
import { idsIn } from '../resources/ids.js'
import { ScheduleLifecycle } from '../resources/schedules/lifecycle.js'
import { RESOURCE_TABLES, WATCHED_TABLES } from '../resources/tables.js'
import { bindStores, SandboxStores, Tx, type TxParts } from '../resources/tx.js'
import { WorkspaceLifecycle } from '../resources/workspaces/transitions.js'
import { phasesUnder } from '../resources/workspaces/views.js'
import type { SandboxLimits } from '../sandboxes/capacity.js'
import { documentStore } from '../sandboxes/documents.js'
import { faultStore } from '../sandboxes/faults.js'
import { LongReads } from '../sandboxes/long-reads.js'
import { Past } from '../sandboxes/past.js'
import { assertNotRemoved, SandboxRegistry } from '../sandboxes/registry.js'
import { ResourceLimit } from '../sandboxes/resources.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { snapshotStore } from '../sandboxes/snapshots.js'
import { Writer } from '../sandboxes/writer.js'
import { Engine } from '../sim/engine.js'
import { Random, seedSource } from '../sim/random.js'
import { timelineStore } from '../sim/timeline.js'
import { hostsBy } from './overview/hosts.js'

/**
 * Opens a control plane.
 * @param newRecorder creates the recorder of a sandbox, by its id; absent: nothing is recorded
 * @throws {DatabaseError} if the database cannot be used
 */
export function openControlPlane(
  options: Options,
  profile: Profile = BUILT_IN,
  newRecorder?: (id: string) => Recorder
): ControlPlane {
  const db = openDatabase(
    options.db,
    options.journalRequests === 0 && newRecorder === undefined ? [] : WATCHED_TABLES,
    machineTime,
    options.maxDatabaseBytes === 'off' ? Infinity : options.maxDatabaseBytes
  )
  try {
    return buildControlPlane(db, options, profile, newRecorder)
  } catch (error) {
    db.close()
    throw unusable(options.db, error)
  }
}

function buildControlPlane(
  db: Database,
  options: Options,
  profile: Profile,
  newRecorder: ((id: string) => Recorder) | undefined
): ControlPlane {
  const { journalRequests: requests, journalBytes: bytes } = options
  const journals = new Budget(Math.min(options.journalTotalBytes, getHeapStatistics().heap_size_limit * HEAP_SHARE))
  const { run } = db.prepare<[], { run: number }>('UPDATE runs SET count = count + 1 RETURNING count AS run').get()!
  const seeds = seedSource(options.seed === 'random' ? undefined : options.seed, run)
  const sandboxes = new SandboxRegistry(
    db,
    sandboxLimits(options),
    seeds,
    {
      rows: () => rowsOf(plane.baseline),
      fill: (sandbox) => applyState(plane, sandbox, plane.baseline, 'seed')
    },
    (id) => ({
      journal: new Journal({ requests, bytes }, journals),
      changes: new ChangeLog({ steps: requests, bytes: bytes * LOG_SHARE }, journals),
      recorder: newRecorder?.(id)
    })
  )
  const engine: Engine<Tx> = new Engine<Tx>(
    db,
    { speed: options.transitions, durations: profile.durations },
    (sandbox, now, requestId) => new Tx(parts, sandbox, now, requestId),
    sandboxes.saveClock.bind(sandboxes)
  )
  const timeline = timelineStore(db, options.timelineEntries)
  const resources = new ResourceLimit(
    db,
    RESOURCE_TABLES.map(({ name }) => name),
    options.maxResources
  )
  const parts: TxParts = { stores: bindStores(db, resources, profile.quotas), engine, timeline, profile }
  const workspaceLifecycle = new WorkspaceLifecycle(engine)
  const backupLifecycle = new BackupLifecycle(engine, workspaceLifecycle)
  const reads = new LongReads(db)
  const history = new RowHistory(db)
  /** Reads a whole sandbox for its recorder. */
  const readWhole = (sandbox: Sandbox): WholeState => {
    const { key, orgId, orgName, random, clock } = sandbox
    const rows = history.list(key)
    return {
      org: { id: orgId, name: orgName },
      random: { ...random },
      clock,
      rows,
      ...(sandbox.recorder?.needsDocument === true && rows.length <= MOST_DOCUMENTED
        ? { document: exportState(plane, sandbox, true) }
        : {})
    }
  }
  const forget = ({ key }: Sandbox) => {
    timeline.forget(key)
    resources.forget(key)
  }
  const past = new Past(db, history, forget)
  const writer = new Writer(db, sandboxes, engine, forget, readWhole, commitListener(db.watcher))
  const plane: ControlPlane = {
    options,
    profile,
    view: {
      sizeOf: sizesIn(profile.catalogue),
      words: profile.words,
      phases: phasesUnder(profile),
      hostOf: hostsBy(options.workspaceHostTemplate, profile.document.replies?.ids)
    },
    sandboxes,
    sandboxNames: new Map([...namedKeys(options)].map(([key, name]) => [sandboxIdOf(key), name])),
    snapshots: snapshotStore(db),
    documents: documentStore(db),
    baseline: {},
    storesOf: (sandbox) => new SandboxStores(parts.stores, sandbox),
    resources,
    faults: faultStore(db),
    engine,
    scheduler: db.scheduler,
    timeline,
    ids: idsIn(db),
    workspaceLifecycle,
    backupLifecycle,
    scheduleLifecycle: new ScheduleLifecycle(engine, workspaceLifecycle, backupLifecycle),
    operations: new Map(),
    schemas: {},
    traffic: new Traffic(),
    commits: db.commits,
    journals,
    past,
    now: (sandbox) => past.moment ?? engine.now(sandbox),
    history,
    shapes: db.watcher.shapes,
    describeChange: (change) => db.watcher.decode(change),
    isChangeOf: (change, table) => db.watcher.isOf(change, table),
    requestIds: new Random({ seed: seeds.ofRequests(), draws: 0 }),
    settle: (origin) => shown(origin, writer.settle(origin)),
    write: writer.write.bind(writer),
    writeInSlices: writer.writeInSlices.bind(writer),
    tryInSlices: writer.tryInSlices.bind(writer),
    replace: writer.replace.bind(writer),
    read: reads.read.bind(reads),
    mustWait: writer.mustWait.bind(writer),
    isHeld: writer.isHeld.bind(writer),
    stop: writer.stop.bind(writer),
    record: (sandbox, request) => {
      const { recorder } = sandbox
      if (recorder === undefined || plane.isClosed) return
      if (recorder.needsState && !writer.isHeld(sandbox)) recorder.begin(readWhole(sandbox))
      recorder.request(request)
    },
    poll: (origin, resource, kinds, check) => {
      if (origin.sandbox.clock.mode !== 'poll' || plane.past.moment !== undefined) return undefined
      return shown(
        origin,
        plane.writeInSlices(
          origin,
          function* ({ sandbox }) {
            check()
            const next = engine.dueEvents.nextOfResource(sandbox.key, resource, kinds)
            if (next !== undefined) yield* engine.moveClock(sandbox, next.due!)
          },
          false
        )
      )
    },
    requireRoom: () => {
      if (db.isNearlyFull) throw databaseFull()
    },
    probe: db.probe,
    isClosed: false,
    close: () => {
      if (!plane.isClosed) sandboxes.loaded.saveUses()
      plane.isClosed = true
      writer.stop()
      db.close()
      writer.close()
    }
  }
  return plane

  /** Waits for a change that a read must see. */
  async function shown({ sandbox }: Origin, change: Promise<void>): Promise<void> {
    try {
      await change
    } catch (error) {
      // While the database cannot be written, reads show its last state.
      if (!isUnwritable(error)) throw error
    }
    // Another sandbox may have its key by now.
    assertNotRemoved(sandbox)
  }
}

/** Decides which sandboxes may be evicted: not those named by options, nor the only one. */
function sandboxLimits(options: Options): SandboxLimits {
  const { maxSandboxes: count, sandboxIdle, auth } = options
  const idle = sandboxIdle === 'off' ? Infinity : lengthOf(parseDuration(sandboxIdle)!)
  const kept = auth === 'off' ? [''] : auth === 'strict' ? [...namedKeys(options).keys()] : []
  return { count, idle, kept: kept.map(sandboxIdOf) }
}

/**
 * Share of the heap that all journals together may take up. Garbage collection traverses them repeatedly, which delays
 * requests the longer the fuller a small heap is.
 */
const HEAP_SHARE = 1 / 16

/** Memory of a change log, as a share of the limit of its journal. */
const LOG_SHARE = 1 / 4

/** Larger sandboxes are recorded without their state document, which takes long to make; their rows say the same. */
const MOST_DOCUMENTED = 5000
