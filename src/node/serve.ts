import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { whyNodeSqlite } from '../db/open-connection.js'
import { demoState } from '../documents/demo.js'
import { readSeedFile } from '../documents/file.js'
import { buildApp } from '../http/app.js'
import { profileOf } from '../http/brand.js'
import { mostConnections } from '../lib/descriptors.js'
import { listenError } from '../lib/listen-error.js'
import { hasSeed, mountOf, type Options } from '../options.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { Mock } from '../test-control/handle/handle.js'
import { openControlPlane } from '../test-control/open-control-plane.js'
import { invokeAcross, sandboxInside } from './inside.js'
import { methodsOf } from './methods.js'
import type { BeforeClose } from './sandbox-handle.js'

/** A running server whose shutdown can be forced. */
export interface RunningServer extends Mock {
  /** Address of the controller's operations. */
  readonly controller: string
  /** Drops all connections, including pending requests. */
  closeConnections: () => void
  /** Lets the process end although the server is not closed. */
  unref: () => void
}

interface ListeningServer extends Omit<RunningServer, 'sandbox' | 'sandboxes' | typeof Symbol.asyncDispose> {
  readonly plane: ControlPlane
}

/** Starts a server with a complete set of options and the caller's logger. Errors as in `startMock()`. */
export async function serve(options: Options, logger: Logger): Promise<RunningServer> {
  const { plane, ...server } = await listen(options, logger)
  const beforeClose: BeforeClose = new Set()
  const close = async () => {
    // Nothing can be read once the server has stopped.
    if (!plane.isClosed) await Promise.allSettled([...beforeClose].map((read) => read()))
    await server.close()
  }
  return {
    ...server,
    close,
    sandbox: (key) => sandboxInside(plane, server.url, key, beforeClose),
    sandboxes: methodsOf(invokeAcross(plane)).sandboxes,
    [Symbol.asyncDispose]: close
  }
}

/** Like {@link serve}, but gives access to the control plane. */
export async function listen(options: Options, logger: Logger): Promise<ListeningServer> {
  // Loaded only if needed.
  const recordings =
    options.record === '' ? undefined : new (await import('../recording/recordings.js')).Recordings(options, logger)
  const plane = openControlPlane(options, await profileOf(options), recordings?.newRecorder)
  const why = whyNodeSqlite()
  if (why !== undefined) logger.info(`the database is Node's own SQLite: ${why}`)
  if (recordings !== undefined) recordings.plane = plane
  try {
    if (options.seedFile !== '') plane.baseline = await readSeedFile(options.seedFile, plane)
    else if (options.demo) plane.baseline = demoState(plane.profile.catalogue)
    if (hasSeed(options)) warnOfOlder(plane.sandboxes.store.countUnseeded(), logger)
    const app = await buildApp(plane, options, logger)
    const { host, port } = options
    app.server.maxConnections = mostConnections()
    await app.listen({ host, port }).catch((error: unknown) => {
      throw listenError(error, options)
    })
    let closed: Promise<void> | undefined
    const close = () =>
      (closed ??= app.close().finally(async () => {
        plane.close()
        await recordings?.close()
      }))
    const url = urlOf(app.server.address() as AddressInfo)
    return {
      plane,
      url,
      controller: `${url}${mountOf(plane.options)}${plane.profile.edge.prefix}`,
      close,
      closeConnections: () => app.server.closeAllConnections(),
      unref: () => {
        app.server.unref()
        app.server.on('connection', (socket) => {
          socket.unref()
        })
      }
    }
  } catch (error) {
    plane.close()
    throw error
  }
}

/** Warns that a seed does not affect older sandboxes, if there are any. */
function warnOfOlder(count: number, logger: Logger): void {
  if (count === 0) return
  logger.warn(
    { sandboxes: count },
    `the seed fills only new sandboxes; older ones keep their state: ${count}. ` +
      'To reset one to the seed, call POST /_mock/reset with its key (svc-mock ctl reset --key KEY)'
  )
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
