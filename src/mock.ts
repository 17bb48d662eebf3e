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
  /** The address it listens on, e.g. `http://127.0.0.1:4700`, without the base path. */
  readonly url: string
  /**
   * Returns a handle for the sandbox of a key, or for a new sandbox if no key is given. With `auth: 'off'` there is
   * only one sandbox.
   */
  sandbox: (key?: string) => SandboxHandle
  /** All sandboxes of the server. */
  readonly sandboxes: SandboxesHandle
  /** Waits for pending requests, closes the database, and stops. Calling it again waits for the same end. */
  close: () => Promise<void>
}

/**
 * Starts a server inside this process. By default, it listens on a free port of 127.0.0.1, keeps everything in memory
 * and logs nothing.
 * @throws {OptionError} if an option does not exist or its value is invalid
 * @throws {DatabaseError} if the database cannot be used
 * @throws {SeedFileError} if the seed file cannot be used
 * @throws the system's error if the server cannot listen on the address
 */
export async function startMock(options: Partial<Options> = {}): Promise<Mock> {
  const checked = checkOptions(options, embeddedDefaults())
  return serve(checked, pino({ level: checked.logLevel }))
}

/** All sandboxes of a server. */
export interface SandboxesHandle {
  /** @throws {ServiceError} naming the field errors of the filter */
  list: (filter?: SandboxFilter) => Promise<SandboxList>
  /** Removes sandboxes that have been idle for some time (an ISO 8601 duration). @returns how many were removed */
  purge: (which: { readonly idle: string }) => Promise<number>
}

/** A running server whose shutdown can be forced. */
export interface RunningServer extends Mock {
  /** Drops all connections, including pending requests, if waiting for them takes too long. */
  closeConnections: () => void
}

/** Starts a server with a complete set of options and the caller's logger. Errors as in {@link startMock}. */
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
