import { type Logger, pino } from 'pino'
import type { Body } from './helper.js'

export function logLines(level = 'info'): { readonly lines: Body[]; readonly logger: Logger } {
  const lines: Body[] = []
  return { lines, logger: pino({ level }, { write: (line: string) => lines.push(JSON.parse(line)) }) }
}
