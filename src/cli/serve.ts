import { resolve } from 'node:path'
import { describeGuard } from '../http/test-control/guard.js'
import { loadAjv } from '../interface/validation.js'
import { VERSION } from '../lib/version.js'
import { type RunningServer, serve } from '../node/serve.js'
import { type Options, readOptions } from '../options.js'
import { ALL_OPTIONS, readFlags } from './command.js'
import { openLog, type ServerLog } from './logger.js'
import { stopSignal } from './stop-signal.js'
import { type Environment, reachable } from './target.js'

/** How long pending requests may take after a signal; in total, stopping takes less than 5 s. */
const GRACE_MS = 3000

/** When to load modules that startup does not need, before the machine may run out of resources for them. */
const SOON_MS = 300

/** Runs the server until a signal stops it. @returns the exit code */
export async function serveCommand(args: string[]): Promise<number> {
  const options = readServeOptions(args, process.env)
  const log = openLog(options)
  const { logger } = log
  const mock = await serve(options, logger)
  setTimeout(loadAjv, SOON_MS).unref()
  if (options.logLevel !== 'silent') announce(log, mock, options)
  await stopSignal()
  logger.info('stopping: requests in flight are finished, new ones refused')
  const timer = setTimeout(() => mock.closeConnections(), GRACE_MS)
  await mock.close()
  clearTimeout(timer)
  return 0
}

/** @throws {UsageError | OptionError} naming the first invalid option */
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

const ACCESS: Readonly<Record<Options['auth'], string>> = {
  any: 'any API key, each with its own sandbox',
  strict: 'the keys of --api-key (for the call below, set KEY to one of them)',
  off: 'no key needed, one sandbox for everybody'
}

/** What a terminal shows at the start: the addresses, and a command that works as it stands. */
export function bannerOf({ url, controller }: Pick<RunningServer, 'url' | 'controller'>, options: Options): string {
  const address = reachable(url)
  const header = { any: "-H 'x-api-key: demo' ", strict: '-H "x-api-key: $KEY" ', off: '' }[options.auth]
  const rows = {
    Interface: reachable(controller),
    Console: `${address}/_mock/`,
    'API docs': `${address}/docs`,
    Data: options.db === ':memory:' ? 'in memory, gone at the end' : resolve(options.db),
    Access: `${ACCESS[options.auth]}; control API: ${describeGuard(options)}`,
    'Try it': `curl ${header}${reachable(controller)}/workgroups`
  }
  const lines = Object.entries(rows).map(([name, value]) => `  ${name.padEnd(9)}  ${value}`)
  return `\nsvc-mock ${VERSION}\n\n${lines.join('\n')}\n\n`
}
