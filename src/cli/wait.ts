import { setTimeout as sleep } from 'node:timers/promises'
import { DURATION_FORMS, lengthOf, parseDuration } from '../lib/time.js'
import { readFlags } from './command.js'
import { WAIT_FLAGS } from './commands/wait.js'
import { send } from './http.js'
import { urlOf } from './target.js'
import { UsageError } from './usage.js'

const PAUSE_MS = 100
/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Waits for a server. @returns the exit code */
export async function waitCommand(args: string[]): Promise<number> {
  const { url, timeoutMs } = read(args)
  const end = Date.now() + timeoutMs
  let last: string | undefined
  for (;;) {
    const left = end - Date.now()
    try {
      const reply = await send(url, { signal: AbortSignal.timeout(Math.min(Math.max(1, left), MAX_TIMER_MS)) })
      reply.destroy()
      if (reply.statusCode === 200) return 0
      last = `status ${reply.statusCode}`
    } catch (error) {
      const { name, code, message } = error as NodeJS.ErrnoException
      // The deadline may cut off the last attempt; then report the result of the earlier ones.
      if (name !== 'AbortError') last = code ?? message
    }
    if (Date.now() + PAUSE_MS >= end) throw new Error(`${url.href} was not ready in time (${last ?? 'no answer'})`)
    await sleep(PAUSE_MS)
  }
}

function read(args: string[]): { url: URL; timeoutMs: number } {
  const { url, timeout } = readFlags(WAIT_FLAGS, args).values
  const duration = parseDuration(/^\d+$/.test(timeout) ? `${timeout}s` : timeout)
  if (duration === undefined) throw new UsageError(`--timeout must be a duration ${DURATION_FORMS}, but is ${timeout}`)
  return {
    url: new URL('/_mock/ready', urlOf(url === undefined ? {} : { url }, process.env)),
    timeoutMs: lengthOf(duration)
  }
}
