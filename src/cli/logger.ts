import { constants, openSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { LogOutput, writeTo } from './log-output.js'

const STDOUT = 1

/** The server's log on standard output: readable on a terminal, JSON elsewhere. Never waits for a reader. */
export async function createLogger(level: string): Promise<Logger> {
  // Accessing it makes Node open it without blocking, so a full pipe reports that instead of waiting for a reader.
  const { isTTY } = process.stdout
  const output = new LogOutput(writeTo(isTTY ? terminal() : STDOUT))
  const logger = pino({ level }, isTTY ? await readable(output) : output)
  const always = level === 'silent' ? logger : logger.child({}, { level: 'warn' })
  output.onRoom = (omitted) => {
    always.warn({ omitted }, `the log was not read in time; ${omitted} lines are missing here`)
  }
  process.once('exit', () => {
    output.finish()
  })
  return logger
}

/** A terminal can be paused, so open it again without blocking. */
function terminal(): number {
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return STDOUT
  }
}

async function readable(output: LogOutput): Promise<{ write: (line: string) => void }> {
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({ ignore: 'pid,hostname,method,path,status', translateTime: 'HH:MM:ss.l' })
  return {
    write: (line) => {
      output.write(format(line))
    }
  }
}
