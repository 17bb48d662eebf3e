import type { AddressInfo } from 'node:net'
import { type Logger, pino } from 'pino'
import { buildApp } from './http/app.js'
import { keepTicksFast } from './http/ticks.js'
import { openControlPlane } from './open-control-plane.js'
import { checkOptions, embeddedDefaults, type Options } from './options.js'
import { createSandboxHandle, type SandboxHandle } from './sandbox-handle.js'
import { readSeedFile } from './state/file.js'
import { listSandboxes, purgeSandboxes, type SandboxFilter, type SandboxList } from './test-control/sandboxes/all.js'

/** A running server. */
export interface Mock extends AsyncDisposable {
  /** Where it listens, e.g. `http://127.0.0.1:4700`, without the base path. */
  readonly url: string
  /**
   * Holds the sandbox of a key (one that nobody else has, if none is given) in hand. With `auth: 'off'` there is only
   * one.
   */
  sandbox: (key?: string) => SandboxHandle
  /** All sandboxes of the server. */
  readonly sandboxes: SandboxesHandle
  /** Lets the requests in flight finish, closes the database, and stops. Calling it again waits for the same end. */
  close: () => Promise<void>
}

/**
 * Starts a server inside this process. Without options it listens on a free port of 127.0.0.1, keeps everything in
 * memory and logs nothing.
 * @throws {OptionError} if an option does not exist or its value is invalid
 * @throws {DatabaseError} if the database cannot be used
 * @throws {SeedFileError} if the seed file cannot be used
 * @throws the system's error if the address cannot be listened on
 */
export async function startMock(options: Partial<Options> = {}): Promise<Mock> {
  const checked = checkOptions(options, embeddedDefaults())
  return serve(checked, pino({ level: checked.logLevel }))
}

/** All sandboxes of a server, for whoever looks after it. */
export interface SandboxesHandle {
  /** @throws {ServiceError} naming what is wrong with the filter */
  list: (filter?: SandboxFilter) => Promise<SandboxList>
  /** Removes those that were not used for a while (an ISO 8601 duration). @returns how many there were */
  purge: (which: { readonly idle: string }) => Promise<number>
}

/** A running server, for whoever has to stop it in time. */
export interface RunningServer extends Mock {
  /** Drops all connections, with the requests in flight; for when waiting for them takes too long. */
  closeConnections: () => void
}

/** Starts a server with all options given, and a logger of the caller's. Errors as {@link startMock}. */
export async function serve(options: Options, logger: Logger): Promise<RunningServer> {
  keepTicksFast()
  const plane = openControlPlane(options)
  try {
    if (options.seedFile !== '') plane.baseline = await readSeedFile(options.seedFile, plane)
    const app = await buildApp(plane, options, logger)
    await app.listen({ host: options.host, port: options.port })
    let closed: Promise<void> | undefined
    const close = () =>
      (closed ??= app.close().finally(() => {
        plane.close()
      }))
    const url = urlOf(app.server.address() as AddressInfo)
    return {
      url,
      sandbox: (key) => createSandboxHandle(plane, url, key),
      sandboxes: {
        list: async (filter) => listSandboxes(plane, filter),
        purge: (which) => purgeSandboxes(plane, which)
      },
      close,
      closeConnections: () => {
        app.server.closeAllConnections()
      },
      [Symbol.asyncDispose]: close
    }
  } catch (error) {
    plane.close()
    throw error
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
