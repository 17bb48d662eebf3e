import { ServiceError } from '../interface/errors.js'
import { isForkKey, sandboxIdOf } from '../lib/secrets.js'
import { typeName } from '../lib/type-name.js'
import { isVisible, NOT_VISIBLE } from '../lib/visible.js'
import { mountOf, namedKeys, OptionError, type Options } from '../options.js'
import { type ControlPlane, type Origin, originOf, storageRefusal } from '../resources/control-plane.js'
import { freshSeed } from '../sim/random.js'
import { isReading } from '../test-control/control-call.js'
import { coverageAsJUnit, readCoverage } from '../test-control/coverage/coverage.js'
import { callFrom, type Invoke } from './methods.js'
import { type Access, type BeforeClose, type SandboxHandle, sandboxHandle } from './sandbox-handle.js'

/**
 * A handle for a sandbox of a server in this process, or for a new sandbox without a key. It is created on first use.
 * @throws {OptionError} if a header could not carry the key, or the server would not accept it
 */
export function sandboxInside(
  plane: ControlPlane,
  url: string,
  given?: string,
  beforeClose?: BeforeClose
): SandboxHandle {
  return sandboxHandle(accessTo(plane, url, chooseKey(plane.options, given)), beforeClose)
}

function accessTo(plane: ControlPlane, url: string, key: string): Access {
  const { controlToken } = plane.options
  const open = () => plane.sandboxes.open(sandboxIdOf(key), !isForkKey(key))
  /** For a change, with a new RequestID. */
  const act = <T>(change: (origin: Origin) => T | Promise<T>): Promise<T> =>
    whileOpen(plane, async () => change(originOf(await open())))
  /** For a read, after running due events. */
  const look = <T>(read: (origin: Origin) => T | Promise<T>): Promise<T> =>
    act(async (origin) => {
      if (plane.mustWait(origin.sandbox)) await plane.settle(origin)
      return read(origin)
    })
  return {
    url,
    key,
    controlToken,
    target: () => {
      if (plane.isClosed) throw stopped()
      return { url: `${url}${mountOf(plane.options)}`, key, profile: plane.profile }
    },
    invoke: (call, given) => {
      if (call.isAcrossSandboxes === true) return invokeAcross(plane)(call, given)
      const make = (origin: Origin) => callFrom(call, given, { ...origin, plane })
      return isReading(call) ? look(make) : act(make)
    },
    junit: () => look(({ sandbox }) => coverageAsJUnit(readCoverage(plane, sandbox))),
    recording: async () => {
      const { recordingFromMemory } = await import('../recording/from-memory.js')
      return look(({ sandbox }) => recordingFromMemory(plane, sandbox))
    },
    assertRemembers: async () => {
      const { assertRemembers } = await import('../recording/from-memory.js')
      await whileOpen(plane, async () => assertRemembers(await open()))
    },
    remove: () =>
      whileOpen(plane, async () => {
        const sandbox = plane.sandboxes.find(sandboxIdOf(key))
        if (sandbox !== undefined) await plane.sandboxes.remove(sandbox)
      }),
    toFork: (forked) => accessTo(plane, url, forked)
  }
}

/** Makes calls that concern all sandboxes. */
export const invokeAcross =
  (plane: ControlPlane): Invoke =>
  (call, given) =>
    whileOpen(plane, () => callFrom(call, given, { plane }))

/** Runs a step. @throws {ServiceError} if the database fails, or the server has been stopped, even meanwhile */
async function whileOpen<T>(plane: ControlPlane, step: () => Promise<T>): Promise<T> {
  try {
    if (!plane.isClosed) return await step()
  } catch (error) {
    if (!plane.isClosed || error instanceof ServiceError) throw storageRefusal(error) ?? error
  }
  throw stopped()
}

function stopped(): ServiceError {
  return new ServiceError('unavailable', 'The server has been stopped.')
}

function chooseKey(options: Options, given: unknown): string {
  const key = keyOf(given)
  // Without credentials there is one sandbox, whatever its key.
  if (options.auth === 'off') return ''
  if (options.auth === 'strict' && (given === undefined || !(namedKeys(options).has(key) || isForkKey(key)))) {
    throw new OptionError('with auth strict, sandbox() needs one of the keys of apiKeys')
  }
  return key
}

/** The given key, or a new one. @throws {OptionError} if it is not a text, or a header could not carry it */
export function keyOf(given: unknown): string {
  const key = given === undefined ? freshSeed() : given
  if (typeof key !== 'string') throw new OptionError(`key must be a text, not ${typeName(key)}`)
  if (!isVisible(key)) throw new OptionError(`a key ${NOT_VISIBLE}`)
  return key
}
