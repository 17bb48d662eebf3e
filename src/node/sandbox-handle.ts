import { AssertionError } from 'node:assert'
import { isUnwritable } from '../db/database.js'
import { readState } from '../documents/export.js'
import { ServiceError } from '../interface/errors.js'
import { typeName } from '../interface/validation.js'
import { bare } from '../lib/call-site.js'
import { isVisible, NOT_VISIBLE } from '../lib/visible.js'
import { namedKeys, OptionError, type Options } from '../options.js'
import { toProfileDocument } from '../profile/profile.js'
import { routeUnder } from '../profile/routes.js'
import { toBackupView } from '../resources/backups/views.js'
import type { ControlPlane, Origin } from '../resources/control-plane.js'
import { STATES } from '../resources/states.js'
import { assertNotRemoved, type Sandbox } from '../sandboxes/sandbox.js'
import { isForkKey, sandboxIdOf } from '../sim/keys.js'
import { freshSeed } from '../sim/random.js'
import { advanceClock, readClock, setClock } from '../test-control/clock/clock.js'
import { readCoverage } from '../test-control/coverage/coverage.js'
import { coverageAsJUnit } from '../test-control/coverage/junit.js'
import { addFault, clearFaults, listFaults, removeFault } from '../test-control/faults/faults.js'
import { callOperation } from '../test-control/handle/call.js'
import { fromCaller } from '../test-control/handle/from-caller.js'
import type { SandboxHandle } from '../test-control/handle/handle.js'
import type {
  Backup,
  ClockSetting,
  Due,
  Fired,
  Moved,
  OperationId,
  Operations,
  Profile,
  RequestList,
  RequestRecord,
  StateDocument,
  TimelineItem,
  TransitionRule,
  WorkspaceState
} from '../test-control/handle/types.js'
import { listPlaceholders } from '../test-control/placeholders/placeholders.js'
import { readReport } from '../test-control/report/report.js'
import { readRequest } from '../test-control/requests/record.js'
import { clearRequests, listRequests } from '../test-control/requests/requests.js'
import { verify } from '../test-control/requests/verify.js'
import { forkSandbox, type NewFork } from '../test-control/sandboxes/forks.js'
import { BASELINE } from '../test-control/sandboxes/schemas.js'
import { listSnapshots, removeSnapshot, restoreSnapshot, saveSnapshot } from '../test-control/sandboxes/snapshots.js'
import { replaceState, resetSandbox, seedSandbox } from '../test-control/sandboxes/state.js'
import { listEvents } from '../test-control/simulation/events.js'
import { setQuotas } from '../test-control/simulation/quotas.js'
import { listTimeline } from '../test-control/simulation/timeline.js'
import { listRules, releaseHeld, replaceRules } from '../test-control/simulation/transitions.js'
import { noteActivity, runBackup } from '../test-control/workspaces/workspaces.js'

export type { SandboxHandle } from '../test-control/handle/handle.js'

/** Called before a server stops. */
export type BeforeClose = Set<() => Promise<unknown>>

/**
 * Returns a handle for the sandbox of a key, or for a new sandbox if none is given. It is created on first use.
 * @param url address of the server
 * @param beforeClose gets what must be read before the server stops
 * @throws {OptionError} if a header could not carry the key, or the server would not accept it
 */
export function createSandboxHandle(
  plane: ControlPlane,
  url: string,
  given?: string,
  beforeClose: BeforeClose = new Set()
): SandboxHandle {
  const key = chooseKey(plane.options, given)
  return handleOf(plane, url, key, beforeClose)
}

function handleOf(plane: ControlPlane, url: string, key: string, beforeClose: BeforeClose): SandboxHandle {
  const { basePath, controlToken } = plane.options
  const open = async (): Promise<Sandbox> => {
    if (plane.isClosed) throw stopped()
    return plane.sandboxes.open(sandboxIdOf(key), !isForkKey(key))
  }
  /** Opens the sandbox for a change, with a new RequestID. */
  const act = async <T>(change: (origin: Origin) => T | Promise<T>): Promise<T> => {
    const sandbox = await open()
    return change({ sandbox, id: sandbox.requestIds.uuid() })
  }
  /** Opens the sandbox for a read, after running due events. */
  const look = <T>(read: (sandbox: Sandbox) => T | Promise<T>): Promise<T> =>
    act(async (origin) => {
      if (plane.mustWait(origin.sandbox)) {
        // While the database cannot be written, reads show its last state.
        await plane.settle(origin).catch((error: unknown) => {
          if (!isUnwritable(error)) throw error
        })
        assertNotRemoved(origin.sandbox)
      }
      return read(origin.sandbox)
    })
  const set = (setting: ClockSetting) => act((origin) => setClock(plane, origin, setting)) as Promise<Moved>
  const recording = async () => {
    const { recordingFromMemory } = await import('../recording/from-memory.js')
    return look((sandbox) => recordingFromMemory(plane, sandbox))
  }
  const beforeRemoval: BeforeClose = new Set()
  const remove = async () => {
    // Where that fails, the end of the test says so, if anybody wants to know.
    await Promise.allSettled([...beforeRemoval].map((read) => read()))
    for (const read of beforeRemoval) beforeClose.delete(read)
    beforeRemoval.clear()
    const sandbox = plane.sandboxes.find(sandboxIdOf(key))
    if (sandbox !== undefined) await plane.sandboxes.remove(sandbox)
  }
  const call: SandboxHandle['call'] = async <Name extends OperationId>(operation: Name, ...given: unknown[]) => {
    if (plane.isClosed) throw stopped()
    const { edge, names } = plane.profile
    const routeOf = (id: OperationId) => routeUnder(edge.paths, id)
    const target = {
      url: basePath === '/' ? url : `${url}${basePath}`,
      key,
      fieldOf: names.fields.fromWire,
      routeOf,
      replies: edge.replies
    }
    const [input = {}] = given
    const result = await callOperation(target, operation, input as Readonly<Record<string, unknown>>)
    return result as Operations[Name]['result']
  }
  const verifyCalls: SandboxHandle['verify'] = async (expectation) => {
    try {
      return await look((sandbox) => verify(plane, sandbox, expectation))
    } catch (error) {
      if (!(error instanceof ServiceError) || error.condition !== 'notAllowed') throw error
      throw bare(new AssertionError({ message: error.message, operator: 'verify' }))
    }
  }
  return fromCaller<SandboxHandle>({
    url,
    key,
    headers: {
      ...(key === '' ? {} : { 'x-api-key': key }),
      ...(controlToken === '' ? {} : { 'x-mock-token': controlToken })
    },
    call,
    clock: {
      read: () => look((sandbox) => readClock(plane, sandbox)),
      set,
      advance: (advance) => act((origin) => advanceClock(plane, origin, advance)) as Promise<Moved>,
      freeze: (now) => set(now === undefined ? { mode: 'frozen' } : { mode: 'frozen', now }),
      resume: () => set({ mode: 'real' })
    },
    transitions: {
      read: () => look((sandbox) => listRules(plane, sandbox)) as Promise<TransitionRule[]>,
      replace: (rules) => act((origin) => replaceRules(plane, origin, { rules })) as Promise<TransitionRule[]>,
      release: (which = {}) => act((origin) => releaseHeld(plane, origin, which)) as Promise<Fired[]>
    },
    state: {
      read: () => look((sandbox) => readState(plane, sandbox, true)) as Promise<StateDocument>,
      replace: (document) => act((origin) => replaceState(plane, origin, document))
    },
    snapshot: {
      save: (name) => act((origin) => saveSnapshot(plane, origin, needed({ name }))),
      list: () => look((sandbox) => listSnapshots(plane, sandbox)),
      restore: (name) => act((origin) => restoreSnapshot(plane, origin, needed({ name }))),
      delete: (name) => act((origin) => removeSnapshot(plane, origin, needed({ name })))
    },
    fault: {
      add: (rule) => act((origin) => addFault(plane, origin, rule)),
      list: () => look((sandbox) => listFaults(plane, sandbox)),
      remove: (id) => act((origin) => removeFault(plane, origin, needed({ id }))),
      clear: () => act((origin) => clearFaults(plane, origin))
    },
    requests: {
      list: (filter) => look((sandbox) => listRequests(plane, sandbox, filter)) as Promise<RequestList>,
      read: (id) => look((sandbox) => readRequest(plane, sandbox, needed({ id }))) as Promise<RequestRecord>,
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
    recording,
    record: async (when, test, directory = 'recordings') => {
      if ((when as unknown) !== 'on-failure')
        throw bare(new TypeError(`the first argument must be 'on-failure', not ${typeName(when)}`))
      const [{ assertRemembers }, { recordOnFailure }] = await Promise.all([
        import('../recording/from-memory.js'),
        import('../recording/on-failure.js')
      ])
      assertRemembers(await open())
      const readNow = recordOnFailure(test, needed({ directory }), recording)
      beforeRemoval.add(readNow)
      beforeClose.add(readNow)
    },
    quotas: {
      read: () => look((sandbox) => plane.storesOf(sandbox).quotas.list()),
      set: (quotas) => act((origin) => setQuotas(plane, origin, quotas))
    },
    profile: async () => toProfileDocument(plane.profile, STATES) as Profile,
    placeholders: () => listPlaceholders(plane),
    backup: async (workspaceId, settings) =>
      toBackupView(
        await act((origin) => runBackup(plane, origin, needed({ workspaceId }), settings)),
        plane.view
      ) as Backup,
    activity: (workspaceId) =>
      act((origin) => noteActivity(plane, origin, needed({ workspaceId }))) as Promise<WorkspaceState>,
    verify: verifyCalls,
    events: () => look((sandbox) => listEvents(plane, sandbox)) as Promise<Due[]>,
    timeline: (id) =>
      look((sandbox) => listTimeline(plane, sandbox, id === undefined ? id : needed({ id }))) as Promise<
        TimelineItem[]
      >,
    seed: (document) => act((origin) => seedSandbox(plane, origin, document)),
    reset: (options) => act((origin) => resetSandbox(plane, origin, options)),
    fork: async (fork = {}) => {
      const { key: forked } = await forkSandbox(plane, await open(), fromBaseline(fork))
      return handleOf(plane, url, forked, beforeClose)
    },
    remove,
    [Symbol.asyncDispose]: remove
  })
}

/** @throws {TypeError} if an argument is missing or no text, which only a program without types can pass */
function needed(argument: Readonly<Record<string, unknown>>): string {
  const [[name, value]] = Object.entries(argument) as [[string, unknown]]
  if (typeof value === 'string' && value !== '') return value
  throw bare(new TypeError(`${name} must be a non-empty text, not ${value === '' ? "''" : typeName(value)}`))
}

/** What is no object, which only a program without types can pass, is left to the check of what is. */
function fromBaseline(fork: Partial<NewFork>): NewFork {
  return typeof fork === 'object' ? { from: BASELINE, ...fork } : fork
}

function stopped(): ServiceError {
  return new ServiceError('unavailable', 'The server has been stopped.')
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
