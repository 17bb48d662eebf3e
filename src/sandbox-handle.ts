import type { ControlPlane, Origin } from './control-plane.js'
import { isUnwritable } from './db/database.js'
import { ServiceError } from './lib/errors.js'
import { isVisible, namedKeys, NOT_VISIBLE, OptionError, type Options } from './options.js'
import { type Backup, toBackupView } from './resources/backups/views.js'
import type { Fault, FaultRule } from './sandboxes/fault-schemas.js'
import { isForkKey, sandboxIdOf } from './sandboxes/keys.js'
import { assertNotRemoved, type Sandbox } from './sandboxes/sandbox.js'
import { freshSeed } from './sim/random.js'
import type { TransitionRule } from './sim/schemas.js'
import { type Due, type Fired, type TimelineItem, toDueView, toTimelineEntryView } from './sim/views.js'
import { readState } from './state/export.js'
import type { StateDocument } from './state/schemas.js'
import {
  type Advance,
  advanceClock,
  type Clock,
  type ClockSetting,
  type Moved,
  readClock,
  setClock
} from './test-control/clock/clock.js'
import { type CoverageReport, readCoverage } from './test-control/coverage/coverage.js'
import { coverageAsJUnit } from './test-control/coverage/junit.js'
import { addFault, clearFaults, listFaults, removeFault } from './test-control/faults/faults.js'
import { readReport, type Report } from './test-control/report/report.js'
import { readRequest, type RequestRecord } from './test-control/requests/record.js'
import { clearRequests, listRequests, type RequestFilter, type RequestList } from './test-control/requests/requests.js'
import { type Expectation, type Verified, verify } from './test-control/requests/verify.js'
import { forkSandbox, type NewFork } from './test-control/sandboxes/forks.js'
import {
  listSnapshots,
  removeSnapshot,
  restoreSnapshot,
  saveSnapshot,
  type Snapshot
} from './test-control/sandboxes/snapshots.js'
import { type Keepable, replaceState, resetSandbox, seedSandbox } from './test-control/sandboxes/state.js'
import { type Quotas, setQuotas } from './test-control/simulation/quotas.js'
import { listRules, releaseHeld, replaceRules } from './test-control/simulation/transitions.js'
import { noteActivity, runBackup } from './test-control/workspaces/workspaces.js'

/** The clock of a sandbox. Times are timestamps. Each move resolves once all events due on the way have run. */
export interface ClockHandle {
  read: () => Promise<Clock>
  /** @throws {ServiceError} if the time is before the newest change */
  set: (setting: ClockSetting) => Promise<Moved>
  /** @throws {ServiceError} if the time is in the past or an `until` is not reached */
  advance: (advance: Advance) => Promise<Moved>
  /** Stops the clock, at the given time if any. */
  freeze: (now?: string) => Promise<Moved>
  /** Runs in real time again, from the current time of the clock. */
  resume: () => Promise<Moved>
}

/** How the transitions of a sandbox end. */
export interface TransitionsHandle {
  read: () => Promise<TransitionRule[]>
  /** @throws {ServiceError} naming every invalid rule; then nothing is changed */
  replace: (rules: readonly TransitionRule[]) => Promise<TransitionRule[]>
  /** Ends held transitions now: all, or those of one name or one workspace. @returns the events that fired */
  release: (which?: { transition?: string; resource_id?: string }) => Promise<Fired[]>
}

/** A sandbox as one document. */
export interface StateHandle {
  read: () => Promise<StateDocument>
  /** @throws {ServiceError} naming all errors; then nothing is changed */
  replace: (document: StateDocument) => Promise<void>
}

/** Named snapshots of a sandbox. */
export interface SnapshotHandle {
  save: (name: string) => Promise<Snapshot>
  list: () => Promise<Snapshot[]>
  /** @throws {ServiceError} if there is no such snapshot */
  restore: (name: string) => Promise<void>
  /** @throws {ServiceError} if there is no such snapshot */
  delete: (name: string) => Promise<void>
}

/** Faults injected into requests. */
export interface FaultHandle {
  /** @throws {ServiceError} naming all errors of the rule */
  add: (rule: FaultRule) => Promise<Fault>
  /** Includes how often each rule was seen and has fired. */
  list: () => Promise<Fault[]>
  /** @throws {ServiceError} if no rule has the id */
  remove: (id: string) => Promise<void>
  /** @returns how many were removed */
  clear: () => Promise<number>
}

/** The recorded requests. */
export interface RequestsHandle {
  /** @throws {ServiceError} naming the field errors of the filter */
  list: (filter?: RequestFilter) => Promise<RequestList>
  /** Shows what a request changed and caused. @throws {ServiceError} if the RequestID is unknown */
  read: (id: string) => Promise<RequestRecord>
  clear: () => Promise<void>
}

/** The quotas of a sandbox. */
export interface QuotasHandle {
  read: () => Promise<Quotas>
  /** Omitted quotas keep their values. @throws {ServiceError} naming all errors */
  set: (quotas: Partial<Quotas>) => Promise<Quotas>
}

/** Coverage of the interface so far. */
export interface CoverageHandle {
  read: () => Promise<CoverageReport>
  /** The same as JUnit XML. */
  junit: () => Promise<string>
  clear: () => Promise<void>
}

/** A sandbox, as a test controls it. */
export interface SandboxHandle extends AsyncDisposable {
  /** The address of the server, without the base path. */
  readonly url: string
  /** Its API key. */
  readonly key: string
  /** Headers that send a request to it, including the control token, if there is one. */
  readonly headers: Readonly<Record<string, string>>
  readonly clock: ClockHandle
  readonly transitions: TransitionsHandle
  readonly state: StateHandle
  readonly snapshot: SnapshotHandle
  readonly fault: FaultHandle
  readonly requests: RequestsHandle
  readonly coverage: CoverageHandle
  /** Verifies calls. @throws {ServiceError} with the nearest misses, if the expectation is not met */
  verify: (expectation: Expectation) => Promise<Verified>
  /** Reviews the client's requests, and lists what it has left behind. */
  report: () => Promise<Report>
  /** Maximum numbers; null means no limit. */
  readonly quotas: QuotasHandle
  /** Starts a manual backup of a workspace. @throws {ServiceError} if it cannot be backed up now */
  backup: (workspaceId: string, settings?: { tag?: string }) => Promise<Backup>
  /** Simulates data-plane activity. @returns the new state @throws {ServiceError} if the workspace does not serve */
  activity: (workspaceId: string) => Promise<string>
  /** Scheduled events, in order. */
  events: () => Promise<Due[]>
  /** State changes that have happened, in order: all, or those of one resource. */
  timeline: (id?: string) => Promise<TimelineItem[]>
  /**
   * Replaces it with a document, which also becomes its baseline for {@link reset}.
   * @throws {ServiceError} naming all errors
   */
  seed: (document: StateDocument) => Promise<void>
  /** Returns it to its baseline, except for the parts to keep. */
  reset: (options?: { keep?: readonly Keepable[] }) => Promise<void>
  /** Creates a sandbox from a snapshot of this one, or by default from its baseline. */
  fork: (fork?: Partial<NewFork>) => Promise<SandboxHandle>
  /** Removes it with everything in it. */
  remove: () => Promise<void>
}

/**
 * Returns a handle for the sandbox of a key, or for a new sandbox if none is given. It is created on first use.
 * @param url address of the server
 * @throws {OptionError} if a header could not carry the key, or the server would not accept it
 */
export function createSandboxHandle(plane: ControlPlane, url: string, given?: string): SandboxHandle {
  const key = chooseKey(plane.options, given)
  return handleOf(plane, url, key)
}

function handleOf(plane: ControlPlane, url: string, key: string): SandboxHandle {
  const { controlToken } = plane.options
  const open = async (): Promise<Sandbox> => {
    if (plane.isClosed) throw new ServiceError('unavailable', 'The server has been stopped.')
    return plane.sandboxes.open(sandboxIdOf(key), !isForkKey(key))
  }
  /** Opens the sandbox for a change, with a new RequestID. */
  const act = <T>(change: (origin: Origin) => T | Promise<T>): Promise<T> =>
    traced(async () => {
      const sandbox = await open()
      return change({ sandbox, id: sandbox.requestIds.uuid() })
    })
  /** Opens the sandbox for a read, after running due events. */
  const look = <T>(read: (sandbox: Sandbox) => T | Promise<T>): Promise<T> =>
    act(async (origin) => {
      if (plane.mustWait(origin.sandbox)) {
        // While the database cannot be written, reads show its last state.
        await plane
          .write(origin, () => undefined)
          .catch((error: unknown) => {
            if (!isUnwritable(error)) throw error
          })
        assertNotRemoved(origin.sandbox)
      }
      return read(origin.sandbox)
    })
  const set = (setting: ClockSetting) => act((origin) => setClock(plane, origin, setting))
  const remove = () =>
    traced(async () => {
      const sandbox = plane.sandboxes.find(sandboxIdOf(key))
      if (sandbox !== undefined) await plane.sandboxes.remove(sandbox)
    })
  return {
    url,
    key,
    headers: {
      ...(key === '' ? {} : { 'x-api-key': key }),
      ...(controlToken === '' ? {} : { 'x-mock-token': controlToken })
    },
    clock: {
      read: () => look((sandbox) => readClock(plane, sandbox)),
      set,
      advance: (advance) => act((origin) => advanceClock(plane, origin, advance)),
      freeze: (now) => set(now === undefined ? { mode: 'frozen' } : { mode: 'frozen', now }),
      resume: () => set({ mode: 'real' })
    },
    transitions: {
      read: () => look((sandbox) => listRules(plane, sandbox)),
      replace: (rules) => act((origin) => replaceRules(plane, origin, { rules })),
      release: (which = {}) => act((origin) => releaseHeld(plane, origin, which))
    },
    state: {
      read: () => look((sandbox) => readState(plane, sandbox)),
      replace: (document) => act((origin) => replaceState(plane, origin, document))
    },
    snapshot: {
      save: (name) => act((origin) => saveSnapshot(plane, origin, name)),
      list: () => look((sandbox) => listSnapshots(plane, sandbox)),
      restore: (name) => act((origin) => restoreSnapshot(plane, origin, name)),
      delete: (name) => act((origin) => removeSnapshot(plane, origin, name))
    },
    fault: {
      add: (rule) => act((origin) => addFault(plane, origin, rule)),
      list: () => look((sandbox) => listFaults(plane, sandbox)),
      remove: (id) => act((origin) => removeFault(plane, origin, id)),
      clear: () => act((origin) => clearFaults(plane, origin))
    },
    requests: {
      list: (filter) => look((sandbox) => listRequests(plane, sandbox, filter)),
      read: (id) => look((sandbox) => readRequest(plane, sandbox, id)),
      clear: () => look(clearRequests)
    },
    coverage: {
      read: () => look((sandbox) => readCoverage(plane, sandbox)),
      junit: () => look((sandbox) => coverageAsJUnit(readCoverage(plane, sandbox))),
      clear: () =>
        look(({ coverage }) => {
          coverage.clear()
        })
    },
    report: () => look((sandbox) => readReport(plane, sandbox)),
    quotas: {
      read: () => look((sandbox) => plane.storesOf(sandbox).quotas.list()),
      set: (quotas) => act((origin) => setQuotas(plane, origin, quotas))
    },
    backup: async (workspaceId, settings) =>
      toBackupView(await act((origin) => runBackup(plane, origin, workspaceId, settings))),
    activity: (workspaceId) => act((origin) => noteActivity(plane, origin, workspaceId)),
    verify: (expectation) => look((sandbox) => verify(plane, sandbox, expectation)),
    events: () => look(({ key: sandbox }) => plane.engine.dueEvents.list(sandbox).map(toDueView)),
    timeline: (id) => look(({ key: sandbox }) => plane.timeline.list(sandbox, id).map(toTimelineEntryView)),
    seed: (document) => act((origin) => seedSandbox(plane, origin, document)),
    reset: (options) => act((origin) => resetSandbox(plane, origin, options)),
    fork: (fork) =>
      traced(async () =>
        handleOf(plane, url, (await forkSandbox(plane, await open(), { from: 'baseline', ...fork })).key)
      ),
    remove,
    [Symbol.asyncDispose]: remove
  }
}

function chooseKey(options: Options, given: string | undefined): string {
  // Without credentials there is one sandbox, whatever its key.
  if (options.auth === 'off') return ''
  if (options.auth === 'strict' && (given === undefined || !(namedKeys(options).has(given) || isForkKey(given)))) {
    throw new OptionError('with auth strict, sandbox() needs one of the keys of apiKeys')
  }
  const key = given ?? freshSeed()
  if (!isVisible(key)) throw new OptionError(`a key ${NOT_VISIBLE}`)
  return key
}

/**
 * Runs a step for the calling program. A refusal has no stack where it is created; it gets one here, which leads to the
 * program's own line.
 */
async function traced<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof ServiceError) Error.captureStackTrace(error)
    throw error
  }
}
