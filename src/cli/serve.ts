import { describeGuard } from '../http/test-control/guard.js'
import { loadAjv } from '../lib/validation.js'
import { type RunningServer, serve } from '../mock.js'
import { OptionError, type Options, optionsHelp, readOptions } from '../options.js'
import { createLogger } from './logger.js'
import { UsageError } from './usage.js'

const HELP = `Usage: svc-mock serve [options]

Runs the server until it gets SIGTERM or SIGINT; a second signal stops it at once.
A flag wins over its environment variable.

Options:
${optionsHelp()}`

/** How long pending requests may take after a signal; with everything after that, stopping takes less than 5 s. */
const GRACE_MS = 3000

/** When to load what startup does not need, before the machine may run out of resources for it. */
const SOON_MS = 300

/** Runs the server. @returns the exit code, once it has stopped */
export async function serveCommand(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(HELP)
    return 0
  }
  const options = read(args)
  const logger = await createLogger(options.logLevel)
  const mock = await serve(options, logger).catch((error: unknown) => {
    throw explain(error, options)
  })
  setTimeout(loadAjv, SOON_MS).unref()
  // Log the address at every level except silent: with port 0, there is no other way to find out.
  const announce = options.logLevel === 'silent' ? logger : logger.child({}, { level: 'info' })
  announce.info({ url: mock.url, auth: options.auth, db: options.db }, announcement(mock, options))
  await stopSignal()
  logger.info('stopping: requests in flight are finished, new ones refused')
  const timer = setTimeout(() => {
    mock.closeConnections()
  }, GRACE_MS)
  await mock.close()
  clearTimeout(timer)
  return 0
}

function read(args: string[]): Options {
  try {
    return readOptions(args, process.env)
  } catch (error) {
    if (error instanceof OptionError) throw new UsageError(error.message)
    throw error
  }
}

function announcement({ url }: RunningServer, options: Options): string {
  const { auth, db, basePath } = options
  const path = `${basePath === '/' ? '' : basePath}/controller/v4/v2/workgroups`
  const header = { any: "-H 'x-api-key: demo' ", strict: "-H 'x-api-key: <one of your keys>' ", off: '' }[auth]
  return (
    `listening on ${url}, credentials: ${auth}, control API: ${describeGuard(options)}, database: ${db}; try: ` +
    `curl ${header}${url}${path}`
  )
}

function explain(error: unknown, { host, port }: Options): unknown {
  // Some options only contradict facts that are known once the server is built.
  if (error instanceof OptionError) return new UsageError(error.message)
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Error(`port ${port} of ${host} is in use; stop what listens there, or choose another --port`)
    case 'EACCES':
      return new Error(`port ${port} of ${host} needs more rights; choose a --port above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(`${host} is not an address of this machine; choose another --host`)
    default:
      return error
  }
}

/** Waits for the first signal; the next one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143)
      isStopping = true
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}
