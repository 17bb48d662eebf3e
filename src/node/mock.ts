import { pino } from 'pino'
import { callSite } from '../lib/call-site.js'
import { checkOptions, embeddedDefaults } from '../options.js'
import { fromCaller, throwingAt } from '../test-control/handle/from-caller.js'
import type { Mock } from '../test-control/handle/handle.js'
import type { Options } from '../test-control/handle/types.js'
import { serve } from './serve.js'

/**
 * Starts a server in this process. By default, it listens on a free port of 127.0.0.1, keeps everything in memory and
 * logs nothing.
 * @throws {OptionError} if an option does not exist or its value is invalid
 * @throws {DatabaseError} if the database cannot be used
 * @throws {ProfileError} if the profile cannot be used
 * @throws {SeedFileError} if the seed file cannot be used
 * @throws {ListenError} if the server cannot listen on its address
 */
export async function startMock(options: Partial<Options> = {}): Promise<Mock> {
  return throwingAt(callSite(startMock), () => start(options))
}

/** Variables that test runners set: Jest, node:test, tap and Vitest. */
const RUNNERS = ['JEST_WORKER_ID', 'NODE_TEST_CONTEXT', 'TAP', 'VITEST']

async function start(options: Partial<Options>): Promise<Mock> {
  const checked = checkOptions(options, embeddedDefaults())
  const mock = await serve(checked, pino({ level: checked.logLevel }))
  // A test that forgets to close it does not keep the process alive.
  if (RUNNERS.some((name) => process.env[name] !== undefined)) mock.unref()
  return fromCaller(mock)
}
