import { describeGuard } from '../http/test-control/guard.js'
import { loadAjv } from '../interface/validation.js'
import { logOlderSandboxes, type RunningServer, serve } from '../node/serve.js'
import { type Options, readOptions } from '../options.js'
import { bannerOf } from './banner.js'
import { ALL_OPTIONS, readFlags } from './command.js'
import { openLog, type ServerLog } from './logger.js'
import { stopSignal } from './stop-signal.js'
import type { Environment } from './target.js'

/** How long pending requests may take after a signal; with everything after that, stopping takes less than 5 s. */
const GRACE_MS = 3000

/** When to load what startup does not need, before the machine may run out of resources for it. */
const SOON_MS = 300

/** Runs the server. @returns the exit code, once it has stopped */
export async function serveCommand(args: string[]): Promise<number> {
  const options = readServeOptions(args, process.env)
  const log = openLog(options)
  const { logger } = log
  const mock = await serve(options, logger)
  setTimeout(loadAjv, SOON_MS).unref()
  if (options.logLevel !== 'silent') announce(log, mock, options)
  logOlderSandboxes(mock, logger)
  await stopSignal()
  logger.info('stopping: requests in flight are finished, new ones refused')
  const timer = setTimeout(() => mock.closeConnections(), GRACE_MS)
  await mock.close()
  clearTimeout(timer)
  return 0
}

/** The options of a server that is run by itself. @throws {UsageError | OptionError} naming the first that is wrong */
export function readServeOptions(args: readonly string[], env: Environment): Options {
  return readOptions(readFlags({}, args, { server: ALL_OPTIONS }).forServer, env)
}

/** Says where the server listens, at every level except silent: with port 0, there is no other way to find out. */
function announce({ logger, print }: ServerLog, { url, controller }: RunningServer, options: Options): void {
  if (print !== undefined) {
    print(bannerOf({ url, controller }, options))
    return
  }
  const { auth, db } = options
  const header = { any: "-H 'x-api-key: demo' ", strict: "-H 'x-api-key: <one of your keys>' ", off: '' }[auth]
  logger
    .child({}, { level: 'info' })
    .info(
      { url, auth, db },
      `listening on ${url}, credentials: ${auth}, control API: ${describeGuard(options)}, database: ${db}; try: ` +
        `curl ${header}${controller}/workgroups`
    )
}
