import { pino, type Logger } from 'pino'

/** The server's log on standard output: for reading on a terminal, JSON elsewhere. */
export async function createLogger(level: string): Promise<Logger> {
  if (!process.stdout.isTTY) return pino({ level }, pino.destination({ fd: 1, sync: true }))
  const { default: pretty } = await import('pino-pretty')
  return pino({ level }, pretty({ sync: true, ignore: 'pid,hostname,method,path,status', translateTime: 'HH:MM:ss.l' }))
}
