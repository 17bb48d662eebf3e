import { advanceClock, readClock, setClock, type Advance, type Clock, type ClockSetting, type Moved } from './control/clock/clock.js'
import { sandboxIdOf } from './http/credentials.js'
import { namedKeys, OptionError, type Options } from './options.js'
import { freshSeed } from './sim/random.js'
import type { Origin, World } from './world.js'

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

/** A sandbox in the hands of a test. */
export interface SandboxHandle {
  /** The key that names it. */
  readonly key: string
  /** Headers that bring a request into it, with the control token, if there is one. */
  readonly headers: Readonly<Record<string, string>>
  readonly clock: ClockHandle
}

/**
 * Takes the sandbox of a key in hand: a new one, if none is given. It is created when it is first used.
 * @throws {OptionError} if a request could not carry the key, or the server would not accept it
 */
export function holdSandbox(world: World, given?: string): SandboxHandle {
  const { controlToken } = world.options
  const key = chooseKey(world.options, given)
  const origin = async (): Promise<Origin> => {
    const sandbox = await world.sandboxes.open(sandboxIdOf(key))
    return { sandbox, id: sandbox.requestIds.uuid() }
  }
  const set = async (setting: ClockSetting) => setClock(world, await origin(), setting)
  return {
    key,
    headers: {
      ...(key === '' ? {} : { 'x-api-key': key }),
      ...(controlToken === '' ? {} : { 'x-mock-token': controlToken })
    },
    clock: {
      read: async () => readClock(world, (await origin()).sandbox),
      set,
      advance: async (advance) => advanceClock(world, await origin(), advance),
      freeze: (now) => set(now === undefined ? { mode: 'frozen' } : { mode: 'frozen', now }),
      resume: () => set({ mode: 'real' })
    }
  }
}

function chooseKey(options: Options, given: string | undefined): string {
  // Without credentials there is one sandbox, whatever it is called.
  if (options.auth === 'off') return ''
  if (options.auth === 'strict' && (given === undefined || !namedKeys(options).has(given))) {
    throw new OptionError('with auth strict, sandbox() needs one of the keys of apiKeys')
  }
  const key = given ?? freshSeed()
  if (!/^[\x21-\x7e]+$/.test(key)) throw new OptionError('a key must be a text of visible ASCII characters')
  return key
}
