import { type Logger, pino } from 'pino'
import type { Body } from './helper.js'

interface Log {
  readonly lines: Body[]
  /** Those about something wrong. */
  readonly warnings: () => Body[]
  readonly logger: Logger
}

export function logLines(level = 'info'): Log {
  const lines: Body[] = []
  const logger = pino({ level }, { write: (line: string) => lines.push(JSON.parse(line)) })
  return { lines, warnings: () => lines.filter((line) => line.level > 30), logger }
}
