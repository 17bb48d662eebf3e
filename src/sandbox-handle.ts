import type { ControlPlane, Origin } from './control-plane.js'
import { isUnwritable } from './db/database.js'
import { ServiceError } from './lib/errors.js'
import { isVisible, namedKeys, NOT_VISIBLE, OptionError, type Options } from './options.js'
import { type Backup, toBackupView } from './resources/backups/views.js'
import type { Fault, FaultRule } from './sandboxes/fault-rule.js'
import { isForkKey, sandboxIdOf } from './sandboxes/keys.js'
import { assertNotRemoved, type Sandbox } from './sandboxes/sandbox.js'
import { freshSeed } from './sim/random.js'
import type { Rule } from './sim/rule-document.js'
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

/** The clock of a sandbox. Times are timestamps; each move answers when all that was due on the way is done. */
export interface ClockHandle {
  read: () => Promise<Clock>
  /** @throws {ServiceError} if the time is before the newest change */
  set: (setting: ClockSetting) => Promise<Moved>
  /** @throws {ServiceError} if the time is in the past or an `until` is not reached */
  advance: (advance: Advance) => Promise<Moved>
  /** Stops it, at a time if one is given. */
  freeze: (now?: string) => Promise<Moved>
  /** Lets it run with the wall clock, from where it stands. */
  resume: () => Promise<Moved>
}

/** How the transitions of a sandbox end. */
export interface TransitionsHandle {
  read: () => Promise<Rule[]>
  /** @throws {ServiceError} naming every rule that is wrong; then nothing is changed */
  replace: (rules: readonly Rule[]) => Promise<Rule[]>
  /** Lets transitions that are held end now: all, or those of one name or one workspace. @returns what was run */
  release: (which?: { transition?: string; resource_id?: string }) => Promise<Fired[]>
}

/** A sandbox as one document. */
export interface StateHandle {
  read: () => Promise<StateDocument>
  /** @throws {ServiceError} naming everything that is wrong; then nothing is changed */
  replace: (document: StateDocument) => Promise<void>
}

/** What a sandbox was, under names. */
export interface SnapshotHandle {
  save: (name: string) => Promise<Snapshot>
  list: () => Promise<Snapshot[]>
  /** @throws {ServiceError} if there is no such snapshot */
  restore: (name: string) => Promise<void>
  /** @throws {ServiceError} if there is no such snapshot */
  delete: (name: string) => Promise<void>
}

/** What shall go wrong with requests. */
export interface FaultHandle {
  /** @throws {ServiceError} naming everything that is wrong with the rule */
  add: (rule: FaultRule) => Promise<Fault>
  /** With how often each was seen and has fired. */
  list: () => Promise<Fault[]>
  /** @throws {ServiceError} if there is none of that id */
  remove: (id: string) => Promise<void>
  /** @returns how many were removed */
  clear: () => Promise<number>
}

/** The requests that were made. */
export interface RequestsHandle {
  /** @throws {ServiceError} naming what is wrong with the filter */
  list: (filter?: RequestFilter) => Promise<RequestList>
  /** Why it happened: what a request changed and what it led to. @throws {ServiceError} if nothing is known of it */
  read: (id: string) => Promise<RequestRecord>
  clear: () => Promise<void>
}

/** The quotas of a sandbox. */
export interface QuotasHandle {
  read: () => Promise<Quotas>
  /** What is left out stays. @throws {ServiceError} naming what is wrong */
  set: (quotas: Partial<Quotas>) => Promise<Quotas>
}

/** What a client has exercised so far. */
export interface CoverageHandle {
  read: () => Promise<CoverageReport>
  /** The same as JUnit XML. */
  junit: () => Promise<string>
  clear: () => Promise<void>
}

/** A sandbox in the hands of a test. */
export interface SandboxHandle extends AsyncDisposable {
  /** Where the server listens, without the base path. */
  readonly url: string
  /** The key that names it. */
  readonly key: string
  /** Headers that bring a request into it, with the control token, if there is one. */
  readonly headers: Readonly<Record<string, string>>
  readonly clock: ClockHandle
  readonly transitions: TransitionsHandle
  readonly state: StateHandle
  readonly snapshot: SnapshotHandle
  readonly fault: FaultHandle
  readonly requests: RequestsHandle
  readonly coverage: CoverageHandle
  /** Checks what was called. @throws {ServiceError} with the nearest misses, if that is not so */
  verify: (expectation: Expectation) => Promise<Verified>
  /** What a careful reviewer would say of the client, and what it has left behind. */
  report: () => Promise<Report>
  /** How many there may be; null means no limit. */
  readonly quotas: QuotasHandle
  /** Begins a manual backup of a workspace. @throws {ServiceError} if it cannot be backed up now */
  backup: (workspaceId: string, settings?: { tag?: string }) => Promise<Backup>
  /**
   * Plays data-plane activity on a workspace.
   * @returns the state it is in then @throws {ServiceError} if it does not serve
   */
  activity: (workspaceId: string) => Promise<string>
  /** What is going to happen, in order. */
  events: () => Promise<Due[]>
  /** What has happened, in order: all, or to one resource. */
  timeline: (id?: string) => Promise<TimelineItem[]>
  /**
   * Makes it what a document says, and lets {@link reset} bring it back to that.
   * @throws {ServiceError} naming everything that is wrong
   */
  seed: (document: StateDocument) => Promise<void>
  /** Brings it back to its baseline, but for the parts that shall stay. */
  reset: (options?: { keep?: readonly Keepable[] }) => Promise<void>
  /** A new sandbox, from a snapshot of this one, or from its baseline if none is named. */
  fork: (fork?: Partial<NewFork>) => Promise<SandboxHandle>
  /** Removes it with all that is in it. */
  remove: () => Promise<void>
}

/**
 * Takes the sandbox of a key in hand: a new one, if none is given. It is created when it is first used.
 * @param url where the server listens
 * @throws {OptionError} if a request could not carry the key, or the server would not accept it
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
  /** Opens the sandbox for a change, which gets a RequestID like any other. */
  const act = <T>(change: (origin: Origin) => T | Promise<T>): Promise<T> =>
    traced(async () => {
      const sandbox = await open()
      return change({ sandbox, id: sandbox.requestIds.uuid() })
    })
  /** Opens the sandbox for a look, after what is due has been done. */
  const look = <T>(read: (sandbox: Sandbox) => T | Promise<T>): Promise<T> =>
    act(async (origin) => {
      if (plane.mustWait(origin.sandbox)) {
        // While nothing can be written, a look shows what is known.
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
  // Without credentials there is one sandbox, whatever it is called.
  if (options.auth === 'off') return ''
  if (options.auth === 'strict' && (given === undefined || !(namedKeys(options).has(given) || isForkKey(given)))) {
    throw new OptionError('with auth strict, sandbox() needs one of the keys of apiKeys')
  }
  const key = given ?? freshSeed()
  if (!isVisible(key)) throw new OptionError(`a key ${NOT_VISIBLE}`)
  return key
}

/**
 * Runs what a program has asked for. A refusal has no stack where it is made; here it gets one that leads to the
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
