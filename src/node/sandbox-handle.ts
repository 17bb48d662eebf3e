import { AssertionError } from 'node:assert'
import { ServiceError } from '../interface/errors.js'
import { bare } from '../lib/call-site.js'
import { isForkKey, sandboxIdOf } from '../lib/keys.js'
import { typeName } from '../lib/type-name.js'
import { isVisible, NOT_VISIBLE } from '../lib/visible.js'
import { mountOf, namedKeys, OptionError, type Options } from '../options.js'
import { routeUnder } from '../profile/routes.js'
import { type ControlPlane, type Origin, originOf } from '../resources/control-plane.js'
import { freshSeed } from '../sim/random.js'
import { callNamed } from '../test-control/calls.js'
import { isReading } from '../test-control/control-call.js'
import { readCoverage } from '../test-control/coverage/coverage.js'
import { coverageAsJUnit } from '../test-control/coverage/junit.js'
import { callOperation } from '../test-control/handle/call.js'
import { fromCaller } from '../test-control/handle/from-caller.js'
import type { SandboxHandle } from '../test-control/handle/handle.js'
import type { OperationId, Operations, SandboxCalls } from '../test-control/handle/types.js'
import { callFrom, type Invoke, methodsOf, needed } from './methods.js'

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
  const { controlToken } = plane.options
  const open = async () => {
    if (plane.isClosed) throw stopped()
    return plane.sandboxes.open(sandboxIdOf(key), !isForkKey(key))
  }
  /** Opens the sandbox for a change, with a new RequestID. */
  const act = async <T>(change: (origin: Origin) => T | Promise<T>): Promise<T> => {
    return change(originOf(await open()))
  }
  /** Opens the sandbox for a read, after running due events. */
  const look = <T>(read: (origin: Origin) => T | Promise<T>): Promise<T> =>
    act(async (origin) => {
      if (plane.mustWait(origin.sandbox)) await plane.settle(origin)
      return read(origin)
    })
  const invoke: Invoke = (call, given) => {
    if (call.isAcrossSandboxes === true) return callFrom(call, given, { plane })
    const make = (origin: Origin) => callFrom(call, given, { ...origin, plane })
    return isReading(call) ? look(make) : act(make)
  }
  const methods = methodsOf(invoke, (owner) => owner !== 'sandboxes') as unknown as SandboxCalls
  const recording = async () => {
    const { recordingFromMemory } = await import('../recording/from-memory.js')
    return look(({ sandbox }) => recordingFromMemory(plane, sandbox))
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
      url: `${url}${mountOf(plane.options)}`,
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
      return await methods.verify(expectation)
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
    ...methods,
    clock: {
      ...methods.clock,
      freeze: (now) => methods.clock.set({ mode: 'frozen', ...(now === undefined ? {} : { now }) }),
      resume: () => methods.clock.set({ mode: 'real' })
    },
    coverage: {
      ...methods.coverage,
      junit: () => look(({ sandbox }) => coverageAsJUnit(readCoverage(plane, sandbox)))
    },
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
    verify: verifyCalls,
    fork: async (fork) => {
      const { key: forked } = (await invoke(callNamed('forkSandbox'), [fork])) as { key: string }
      return handleOf(plane, url, forked, beforeClose)
    },
    remove,
    [Symbol.asyncDispose]: remove
  })
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
