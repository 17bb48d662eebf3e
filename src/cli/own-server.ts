import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { serve } from '../node/serve.js'
import { namedKeys, type Options } from '../options.js'
import type { readServer } from './client-command.js'
import { reachable } from './target.js'

const STDERR = 2

/** Starts a server for a command, unless the user names a running one. New keys begin with the name of the command. */
export async function openServer({ server, options, key }: ReturnType<typeof readServer>, command: string) {
  const fresh = `${command}-${randomUUID()}`
  if (server !== undefined) return { target: { ...server, key: key ?? fresh }, close: async () => undefined }
  const { logLevel: level, auth, controlToken } = options
  // The standard output belongs to the command.
  const logger = pino({ level }, pino.destination({ dest: STDERR, sync: true }))
  const running = await serve(options, logger)
  const target = {
    url: reachable(running.url),
    key: auth === 'off' ? undefined : (key ?? firstKey(options) ?? fresh),
    token: controlToken === '' ? undefined : controlToken
  }
  return {
    target,
    close: async () => {
      // The command has ended, so nobody waits for pending replies.
      running.closeConnections()
      await running.close()
    }
  }
}

const firstKey = (options: Options) => [...namedKeys(options).keys()][0]
