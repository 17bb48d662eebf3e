import { constants, openSync } from 'node:fs'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { mountOf, type Options } from '../options.js'
import { CONTROLLER } from '../profile/routes.js'
import { LogOutput } from './log-output.js'
import { terminalFormat } from './terminal.js'

const STDOUT = 1

/** The server's log on standard output. */
export interface ServerLog {
  readonly logger: Logger
  /** Writes a text between the lines of the log; undefined unless it goes to a terminal. */
  readonly print: ((text: string) => void) | undefined
}

/** Opens the log: readable on a terminal, JSON elsewhere. It never waits for a reader. */
export function openLog(options: Options): ServerLog {
  const { logLevel: level } = options
  // Accessing it makes Node open it in non-blocking mode, so a full pipe fails instead of waiting for a reader.
  const { stdout } = process
  const output = new LogOutput(stdout.isTTY ? terminal() : STDOUT)
  const print = (text: string) => output.later(() => output.write(text))
  let time = 0
  const settings: LoggerOptions = {
    level,
    // Without pid and hostname in each line: there is one process.
    base: null,
    timestamp: () => `,"time":${time}`,
    hooks: {
      logMethod(args, write) {
        const now = Date.now()
        output.later(() => {
          time = now
          write.call(this, ...args)
        })
      }
    }
  }
  const logger = pino(settings, stdout.isTTY ? readable(output, options) : output)
  const always = level === 'silent' ? logger : logger.child({}, { level: 'warn' })
  output.onRoom = (omitted) =>
    always.warn({ omitted }, `the log was read too slowly: ${omitted} lines are missing here`)
  process.once('exit', () => output.finish())
  return { logger, print: stdout.isTTY ? print : undefined }
}

/** A terminal can be paused, so reopens it in non-blocking mode. */
function terminal(): number {
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return STDOUT
  }
}

function readable(output: DestinationStream, options: Options): DestinationStream {
  const mount = mountOf(options)
  const prefixes = [`${mount}${CONTROLLER}`, mount]
  const format = terminalFormat({ prefixes, hasColors: process.stdout.hasColors() })
  return { write: (line) => output.write(format(line)) }
}
