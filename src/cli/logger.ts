import { pino, type DestinationStream, type Logger } from 'pino'

/** The server's log on standard output: for reading on a terminal, JSON elsewhere. */
export async function createLogger(level: string): Promise<Logger> {
  if (!process.stdout.isTTY) return pino({ level }, perTurn())
  const { default: pretty } = await import('pino-pretty')
  return pino({ level }, pretty({ sync: true, ignore: 'pid,hostname,method,path,status', translateTime: 'HH:MM:ss.l' }))
}

/** What is longer is written at once. */
const BUFFER_LENGTH = 8192

/** Writes the lines of one turn of the event loop together: a write for each would cost more than making the line. */
function perTurn(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, minLength: BUFFER_LENGTH })
  let isPlanned = false
  const flush = () => {
    isPlanned = false
    output.flushSync()
  }
  process.once('exit', flush)
  return {
    write: (line) => {
      output.write(line)
      if (isPlanned) return
      isPlanned = true
      setImmediate(flush)
    }
  }
}
